/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "drive/device-warnings.h"
#include "drive/folder-private.h"
#include "drive/mounts.h"
#include "drive/size.h"

/* Fuller than this, file systems and flash drives are known to slow down. */
#define NEARLY_FULL 0.90

/* More written data than this waiting in memory takes a SATA drive half a second to store. */
#define MUCH_WAITING (G_GUINT64_CONSTANT(256) << 20)

/* Below it a test file fits into the DRAM or the fast cache of most drives. */
#define SMALL_TEST_FILE (G_GUINT64_CONSTANT(1) << 30)

static gboolean has_option(const PltPlace *place, const char *name)
{
    g_autofree char *value = plt_mounts_option(place->options, name);

    return value != NULL;
}

/* Btrfs says "compress=zstd:3" or "compress-force=lzo"; bcachefs "compression=lz4"; "no…" switches it off. */
static char *compression_of(const PltPlace *place)
{
    static const char *const names[] = {"compress-force", "compress", "compression", "compress_algorithm"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *value = plt_mounts_option(place->options, names[i]);

        if (value == NULL || g_str_equal(value, "no") || g_str_equal(value, "none"))
            continue;
        return value[0] != '\0' ? g_strdup_printf("%s %s", place->fstype, value) : g_strdup(place->fstype);
    }
    return NULL;
}

static void add_filesystem(PltFolder *folder, GPtrArray *warnings)
{
    const PltPlace *base = plt_place_base(folder->place);
    const PltProbe *probe = plt_folder_probe(folder);
    g_autofree char *compression = compression_of(base);
    g_autofree char *data = plt_mounts_option(base->options, "data");

    if (g_str_equal(base->fstype, "zfs"))
        plt_warning_add(warnings, "zfs", base->source);
    else if (plt_filesystem_copies_on_write(base->fstype) && !probe->nocow)
        plt_warning_add(warnings, "copy-on-write", base->fstype);
    /* A file without copy-on-write is not compressed either. */
    if (compression != NULL && !probe->nocow)
        plt_warning_add(warnings, "compression", compression);
    else if (probe->compressed)
        plt_warning_add(warnings, "compression", base->fstype);
    if (g_strcmp0(data, "journal") == 0)
        plt_warning_add(warnings, "data-journal", NULL);
    if (has_option(base, "sync"))
        plt_warning_add(warnings, "sync-mount", NULL);
    if (probe->made && !probe->direct)
        plt_warning_add(warnings, "direct-refused", folder->place->fstype);
    else if (probe->made && !probe->honoured && !plt_place_in_memory(folder->place))
        plt_warning_add(warnings, "direct-not-honoured", folder->place->fstype);
}

static char *layers_text(const PltStack *stack)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < stack->layers->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
                               (const char *)g_ptr_array_index(stack->layers, i));
    return g_string_free(text, FALSE);
}

static char *drives_text(PltFolder *folder)
{
    g_auto(GStrv) drives = plt_folder_drives(folder);

    return g_strjoinv(", ", drives);
}

static void add_stack(PltFolder *folder, GPtrArray *warnings)
{
    static const struct {
        const char *layer, *id;
    } ids[] = {
        {"LUKS", "encryption"},         {"BitLocker", "encryption"},       {"VeraCrypt", "encryption"},
        {"dm-crypt", "encryption"},     {"ecryptfs", "encryption"},        {"LVM", "lvm"},
        {"bcache", "bcache"},           {"multipath", "multipath"},        {"loop", "loop"},

        {"dm-verity", "device-mapper"}, {"dm-integrity", "device-mapper"}, {"dmraid", "device-mapper"},
        {"VDO", "device-mapper"},       {"Stratis", "device-mapper"},      {"device mapper", "device-mapper"},
    };
    PltStack *stack = folder->stack;
    g_autofree char *layers = layers_text(stack);
    g_autofree char *drives = drives_text(folder);

    for (guint i = 0; i < stack->layers->len; i++) {
        const char *name = g_ptr_array_index(stack->layers, i);

        if (g_str_has_prefix(name, "md "))
            plt_warning_add(warnings, "raid", name);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
        const char *format = plt_warning_format(ids[i].id);

        if (plt_stack_has_layer(stack, ids[i].layer))
            plt_warning_add(warnings, ids[i].id, strstr(format, "%s") != NULL ? ids[i].layer : NULL);
    }
    if (g_str_equal(folder->place->fstype, "overlay"))
        plt_warning_add(warnings, "overlay",
                        folder->place->upper != NULL ? plt_place_base(folder->place)->fstype : "?");
    if (stack->in_memory)
        plt_warning_add(warnings, "memory", layers);
    if (stack->drives->len > 1)
        plt_warning_add(warnings, "several-drives", drives);
    if (stack->hidden && stack->drives->len == 0)
        plt_warning_add(warnings, "drive-unknown", layers);
}

static void add_space(PltFolder *folder, guint64 size, GPtrArray *warnings)
{
    guint64 total = folder->place->size;
    guint64 free_bytes = plt_folder_free_before(folder);
    double used;

    if (size > 0 && size < SMALL_TEST_FILE) {
        g_autofree char *text = plt_size_text(size);

        plt_warning_add(warnings, "small-test-file", text);
    }
    if (total == 0)
        return;
    used = 1.0 - ((double)free_bytes - (double)MIN(size, free_bytes)) / (double)total;
    if (used > NEARLY_FULL) {
        g_autofree char *text = g_strdup_printf("%.0f %%", used * 100);

        plt_warning_add(warnings, "nearly-full", text);
    }
}

static void add_activity(PltFolder *folder, GPtrArray *warnings)
{
    plt_folder_watch(folder);
    if (folder->waiting > MUCH_WAITING) {
        g_autofree char *size = plt_size_text(folder->waiting);

        plt_warning_add(warnings, "writeback", size);
    }
    if (folder->busy > PLT_DEVICE_BUSY) {
        g_autofree char *share = g_strdup_printf("%.0f %%", folder->busy * 100);

        plt_warning_add(warnings, "drive-busy", share);
    }
}

void plt_folder_add_warnings(PltFolder *folder, guint64 size, GPtrArray *warnings)
{
    add_activity(folder, warnings);
    add_filesystem(folder, warnings);
    add_stack(folder, warnings);
    add_space(folder, size, warnings);
    plt_device_add_warnings(folder->root, folder->stack->drives, warnings);
}
