/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/error.h"

G_DEFINE_QUARK(plt - error - quark, plt_error)
