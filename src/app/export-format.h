/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/run-store.h"

/* What runs are exported as. */
typedef enum {
    PLT_EXPORT_PNG,
    PLT_EXPORT_SVG,
    PLT_EXPORT_PDF,
    PLT_EXPORT_MARKDOWN,
    PLT_EXPORT_CDM,
    PLT_EXPORT_CSV,
    PLT_EXPORT_SAMPLES_CSV,
    PLT_EXPORT_JSON,
    PLT_N_EXPORTS,
} PltExport;

gboolean plt_export_is_picture(PltExport format);
const char *plt_export_get_name(PltExport format);      /* in settings: "png" */
const char *plt_export_get_title(PltExport format);     /* translated: "Picture (PNG)" */
const char *plt_export_get_extension(PltExport format); /* "png" */
const char *plt_export_get_mime_type(PltExport format);

/* PNG for a name that is none. */
PltExport plt_export_from_name(const char *name);

/* A name for the file: "WD_BLACK SN850X 4000GB, Quick look, 2026-12-01.png"; newly allocated. */
char *plt_export_suggest_name(GPtrArray *runs, PltExport format);

/*
 * RUNS (GPtrArray of PltRun without samples, which nobody changes) in FORMAT; OPTIONS (its texts are copied)
 * count for pictures. GBytes.
 */
void plt_export_make_async(PltRunStore *store, GPtrArray *runs, PltExport format,
                           const PltReportOptions *options, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer data);
GBytes *plt_export_make_finish(PltRunStore *store, GAsyncResult *result, GError **error);
