/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/error.h"

/* The macro takes a name with hyphens, which looks like a subtraction. */
/* clang-format off */
G_DEFINE_QUARK(plt-error-quark, plt_error)
/* clang-format on */
