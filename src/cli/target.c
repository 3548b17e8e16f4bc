/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/target.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/inquiry.h"
#include "suite/value.h"

/* Larger than any drive will be for a while. */
#define RANGE_MAX (G_GUINT64_CONSTANT(1) << 60)

static PltTarget *choose_folder(const char *path, const PltTargetOptions *options, GError **error)
{
    PltFolder *folder = plt_folder_open(path, options->allow_memory, error);
    g_autoptr(PltFolder) in_memory = NULL;

    if (folder != NULL)
        return plt_target_new_folder(folder);
    in_memory = options->allow_memory ? NULL : plt_folder_open(path, TRUE, NULL);
    if (in_memory != NULL) {
        char *message = g_strdup_printf(_("%s (--allow-memory)"), (*error)->message);

        g_free((*error)->message);
        (*error)->message = message;
    }
    return NULL;
}

/* "0+800GiB", "16GiB+8GiB"; a range without "+" begins at 0. */
static gboolean parse_range(const char *text, guint64 *offset, guint64 *length, GError **error)
{
    const char *plus = strchr(text, '+');
    g_autofree char *first = plus != NULL ? g_strndup(text, (gsize)(plus - text)) : g_strdup("0");
    const char *second = plus != NULL ? plus + 1 : text;

    *offset = 0;
    if ((strcmp(first, "0") == 0 || plt_value_size(first, 0, RANGE_MAX, offset, error)) &&
        plt_value_size(second, 1, RANGE_MAX, length, error))
        return TRUE;
    g_prefix_error(error, "--range: ");
    return FALSE;
}

static PltTarget *choose_drive(const char *name, const PltTargetOptions *options, GError **error)
{
    g_autoptr(PltGuardFacts) facts = plt_guard_look("", name, PLT_USE_READ);
    g_autoptr(PltTarget) target = NULL;
    guint64 offset = 0, length = 0;

    if (options->range != NULL && !parse_range(options->range, &offset, &length, error))
        return NULL;
    if (!plt_guard_check(facts, NULL, PLT_USE_READ, error))
        return NULL;
    target = plt_target_new_drive(&facts->seal, offset, length, error);
    if (target != NULL && options->erase != NULL && !plt_target_confirm(target, options->erase, error))
        return NULL;
    return g_steal_pointer(&target);
}

PltTarget *plt_target_choose(const char *text, const PltTargetOptions *options, GError **error)
{
    gboolean is_node = g_str_has_prefix(text, "/dev/") && !g_file_test(text, G_FILE_TEST_IS_DIR);
    g_autoptr(GError) no_drive = NULL;
    g_autofree char *name = NULL;

    if (is_node || (strchr(text, '/') == NULL && !g_file_test(text, G_FILE_TEST_EXISTS)))
        name = plt_inquiry_find_name(NULL, text, &no_drive);
    if (name != NULL)
        return choose_drive(name, options, error);
    if (is_node) {
        g_propagate_error(error, g_steal_pointer(&no_drive));
        return NULL;
    }
    if (options->range != NULL || options->erase != NULL) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("--range and --erase are for whole drives, and “%s” is none"), text);
        return NULL;
    }
    return choose_folder(text, options, error);
}
