/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/catalog.h"

#define MAGIC 0x950412deu
#define HEADER_BYTES 20
#define ENTRY_BYTES 8

/* A catalog of this program has some hundred entries; far above that it is not one. */
#define MAX_ENTRIES 100000u
#define MAX_FILE_BYTES (16u << 20)

struct reader {
    const char *data;
    gsize length;
    gboolean swapped; /* written on a machine of the other byte order */
};

static gboolean read_u32(const struct reader *r, gsize offset, guint32 *value)
{
    if (offset > r->length || r->length - offset < sizeof *value)
        return FALSE;
    memcpy(value, r->data + offset, sizeof *value);
    if (r->swapped)
        *value = GUINT32_SWAP_LE_BE(*value);
    return TRUE;
}

/* The string that the descriptor at OFFSET names: inside the file, ended by a NUL, UTF-8. */
static const char *read_string(const struct reader *r, gsize offset)
{
    guint32 length, start;

    if (!read_u32(r, offset, &length) || !read_u32(r, offset + 4, &start))
        return NULL;
    if (start >= r->length || length >= r->length - start || r->data[start + length] != '\0')
        return NULL;
    return g_utf8_validate(r->data + start, -1, NULL) ? r->data + start : NULL;
}

static GHashTable *damaged(GError **error)
{
    g_set_error_literal(error, PLT_ERROR, PLT_ERROR_FORMAT,
                        _("The file is not a compiled translation, or it is damaged."));
    return NULL;
}

GHashTable *plt_catalog_parse(const char *data, gsize length, GError **error)
{
    g_autoptr(GHashTable) table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    struct reader r = {.data = data, .length = length};
    guint32 magic, revision, count, ids, texts;

    if (length < HEADER_BYTES || !read_u32(&r, 0, &magic))
        return damaged(error);
    r.swapped = magic == GUINT32_SWAP_LE_BE(MAGIC);
    if ((magic != MAGIC && !r.swapped) || !read_u32(&r, 4, &revision) || revision >> 16 > 1)
        return damaged(error);
    if (!read_u32(&r, 8, &count) || !read_u32(&r, 12, &ids) || !read_u32(&r, 16, &texts) ||
        count > MAX_ENTRIES)
        return damaged(error);
    for (guint32 i = 0; i < count; i++) {
        const char *id = read_string(&r, ids + (gsize)i * ENTRY_BYTES);
        const char *text = read_string(&r, texts + (gsize)i * ENTRY_BYTES);

        if (!id || !text)
            return damaged(error);
        if (*text)
            g_hash_table_insert(table, g_strdup(id), g_strdup(text));
    }
    return g_steal_pointer(&table);
}

GHashTable *plt_catalog_load(const char *path, GError **error)
{
    g_autoptr(GError) read_error = NULL;
    g_autofree char *data = NULL;
    GHashTable *table = NULL;
    gsize length = 0;

    if (!g_file_get_contents(path, &data, &length, &read_error)) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_FAILED, read_error->message);
        return NULL;
    }
    table = length <= MAX_FILE_BYTES ? plt_catalog_parse(data, length, error) : damaged(error);
    if (!table)
        g_prefix_error(error, "%s: ", path);
    return table;
}
