/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/plan.h"

/* 3 GB/s: what a PCIe 4.0 NVMe drive writes once its cache is not all that counts. */
#define PLT_SPEED_GUESS G_GUINT64_CONSTANT(3000000000)

/* Fills the estimates of STEP for a drive that moves SPEED bytes a second. */
void plt_estimate_step(PltStep *step, guint64 speed);

/* Milliseconds that writing BYTES takes at SPEED, rounded up. */
guint64 plt_estimate_write_ms(guint64 bytes, guint64 speed);
