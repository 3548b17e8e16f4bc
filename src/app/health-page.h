/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "drive/drive.h"

/*
 * How a drive is doing, as far as the kernel tells it without any privilege: its temperatures, how far they
 * are from the drive's own limits, and the range since the page first saw them. Properties: "drive"
 * (PltDrive).
 */
#define PLT_TYPE_HEALTH_PAGE (plt_health_page_get_type())
G_DECLARE_FINAL_TYPE(PltHealthPage, plt_health_page, PLT, HEALTH_PAGE, AdwBin)

void plt_health_page_set_drive(PltHealthPage *page, PltDrive *drive);
