/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "drive/drive.h"

/*
 * Everything that a drive and the kernel say about it, in groups of rows that can be copied. What is not
 * known is left out, or says why it is empty. Properties: "drive" (PltDrive).
 */
#define PLT_TYPE_DETAILS_PAGE (plt_details_page_get_type())
G_DECLARE_FINAL_TYPE(PltDetailsPage, plt_details_page, PLT, DETAILS_PAGE, AdwBin)

void plt_details_page_set_drive(PltDetailsPage *page, PltDrive *drive);

/* All rows as text, one a line, groups apart. */
char *plt_details_page_to_text(PltDetailsPage *page);
