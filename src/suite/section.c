/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/section.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "suite/value.h"

/* Longer lists than this are slips; the whole suite has its own limit (cells.h). */
#define LIST_MAX 64
#define FLUSH_EVERY_MAX 1000000
#define THINK_EVERY_MAX 1000000
#define TAG_MAX_LENGTH 24

/* As much as any drive holds; a whole one is written by a pass. */
#define BYTES_MAX (G_GUINT64_CONSTANT(64) << 40)
#define ROLE_MAX_LENGTH 32
#define LABEL_MAX_CHARACTERS 40
#define REST_MAX_MS (G_GUINT64_CONSTANT(7) * 86400 * 1000)
#define THINK_MAX_MS (G_GUINT64_CONSTANT(3600) * 1000)

/* Four blocks of 1 MiB: enough for any card or stick, and one for each of the threads that look at them. */
#define VERIFY_BLOCK (UINT32_C(1) << 20)
#define VERIFY_QUEUE 4

/* 1 TB/s: ten times what a PCIe 6.0 x4 link can carry. */
#define RATE_MAX_BPS G_GUINT64_CONSTANT(1000000000000)

typedef gboolean (*ReadFunc)(PltSection *section, const char *value, GError **error);

struct key {
    const char *name;
    ReadFunc read;
    gboolean required;
};

struct kind {
    const char *name;
    PltSectionKind kind;
    const struct key *keys;
    guint settings; /* which of the settings the kind can have for itself */
    gboolean erases;
};

static const char *const sync_names[] = {
    [PLT_SYNC_NONE] = "none",   [PLT_SYNC_DSYNC] = "dsync",         [PLT_SYNC_SYNC] = "sync",
    [PLT_SYNC_FSYNC] = "fsync", [PLT_SYNC_FDATASYNC] = "fdatasync", NULL};

static gboolean read_pattern(PltSection *section, const char *value, GError **error)
{
    static const char *const names[] = {
        [PLT_PATTERN_SEQUENTIAL] = "sequential", [PLT_PATTERN_RANDOM] = "random", NULL};
    guint index = 0;

    if (!plt_value_choice(value, names, &index, error))
        return FALSE;
    section->pattern = (enum plt_pattern)index;
    return TRUE;
}

static gboolean read_block(PltSection *section, const char *value, GError **error)
{
    g_auto(GStrv) items = plt_value_list(value, LIST_MAX, error);

    for (guint i = 0; items != NULL && items[i] != NULL; i++) {
        guint64 bytes = 0;
        guint32 block;

        if (!plt_value_size(items[i], 512, PLT_MAX_BLOCK, &bytes, error))
            return FALSE;
        if (bytes % 512 != 0) {
            g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                        _("a block of %" PRIu64 " bytes is not allowed: drives take multiples of 512"),
                        bytes);
            return FALSE;
        }
        block = (guint32)bytes;
        g_array_append_val(section->blocks, block);
    }
    return items != NULL;
}

static gboolean read_counts(GArray *counts, const char *value, guint max, GError **error)
{
    g_auto(GStrv) items = plt_value_list(value, LIST_MAX, error);

    for (guint i = 0; items != NULL && items[i] != NULL; i++) {
        guint count = 0;

        if (!plt_value_count(items[i], 1, max, &count, error))
            return FALSE;
        g_array_append_val(counts, count);
    }
    return items != NULL;
}

static gboolean read_queue(PltSection *section, const char *value, GError **error)
{
    return read_counts(section->queues, value, PLT_MAX_QUEUE, error);
}

static gboolean read_threads(PltSection *section, const char *value, GError **error)
{
    return read_counts(section->threads, value, PLT_MAX_THREADS, error);
}

static gboolean read_op(PltSection *section, const char *value, GError **error)
{
    static const char *const names[] = {
        [PLT_CELL_READ] = "read", [PLT_CELL_WRITE] = "write", [PLT_CELL_MIX] = "mix", NULL};
    g_auto(GStrv) items = plt_value_list(value, LIST_MAX, error);

    for (guint i = 0; items != NULL && items[i] != NULL; i++) {
        guint index = 0;
        PltCellOp op;

        if (!plt_value_choice(items[i], names, &index, error))
            return FALSE;
        op = (PltCellOp)index;
        g_array_append_val(section->ops, op);
    }
    return items != NULL;
}

static gboolean read_sync(PltSection *section, const char *value, GError **error)
{
    guint index = 0;

    if (!plt_value_choice(value, sync_names, &index, error))
        return FALSE;
    section->sync = (enum plt_sync)index;
    return TRUE;
}

static gboolean read_flush_every(PltSection *section, const char *value, GError **error)
{
    return plt_value_count(value, 1, FLUSH_EVERY_MAX, &section->flush_every, error);
}

static gboolean read_streams(PltSection *section, const char *value, GError **error)
{
    static const char *const names[] = {"shared", "separate", NULL};
    guint index = 0;

    if (!plt_value_choice(value, names, &index, error))
        return FALSE;
    section->separate_streams = index == 1;
    return TRUE;
}

static gboolean read_slices(PltSection *section, const char *value, GError **error)
{
    return plt_value_boolean(value, &section->slices, error);
}

static gboolean read_optional(PltSection *section, const char *value, GError **error)
{
    return plt_value_boolean(value, &section->optional, error);
}

static gboolean read_rate_read(PltSection *section, const char *value, GError **error)
{
    return plt_value_rate(value, 1, RATE_MAX_BPS, &section->rate_bps[PLT_OP_READ], error);
}

static gboolean read_rate_write(PltSection *section, const char *value, GError **error)
{
    return plt_value_rate(value, 1, RATE_MAX_BPS, &section->rate_bps[PLT_OP_WRITE], error);
}

static gboolean read_bytes(PltSection *section, const char *value, GError **error)
{
    return plt_value_size(value, 512, BYTES_MAX, &section->bytes, error);
}

static gboolean read_think(PltSection *section, const char *value, GError **error)
{
    return plt_value_time(value, 1, THINK_MAX_MS, &section->think_ms, error);
}

static gboolean read_think_every(PltSection *section, const char *value, GError **error)
{
    return plt_value_count(value, 1, THINK_EVERY_MAX, &section->think_every, error);
}

static gboolean read_tag(PltSection *section, const char *value, GError **error)
{
    gsize length = strlen(value);
    gboolean good = length > 0 && length <= TAG_MAX_LENGTH;

    for (gsize i = 0; good && i < length; i++)
        good = g_ascii_islower(value[i]) || g_ascii_isdigit(value[i]);
    if (!good) {
        g_autofree char *quoted = plt_value_quote(value);

        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("%s is not allowed: a word of small letters and digits, at most %d characters"), quoted,
                    TAG_MAX_LENGTH);
        return FALSE;
    }
    g_free(section->tag);
    section->tag = g_strdup(value);
    return TRUE;
}

static gboolean read_label(PltSection *section, const char *value, GError **error)
{
    return plt_value_text(value, LABEL_MAX_CHARACTERS, &section->label, error);
}

static gboolean read_role(PltSection *section, const char *value, GError **error)
{
    gsize length = strlen(value);
    gboolean good = length > 0 && length <= ROLE_MAX_LENGTH;

    for (gsize i = 0; good && i < length; i++)
        good = g_ascii_islower(value[i]) || g_ascii_isdigit(value[i]) || (value[i] == '-' && i > 0);
    if (!good) {
        g_autofree char *quoted = plt_value_quote(value);

        g_set_error(
            error, PLT_ERROR, PLT_ERROR_USAGE,
            _("%s is not allowed: a word of small letters, digits and hyphens, at most %d characters"),
            quoted, ROLE_MAX_LENGTH);
        return FALSE;
    }
    g_free(section->role);
    section->role = g_strdup(value);
    return TRUE;
}

static gboolean read_rest(PltSection *section, const char *value, GError **error)
{
    return plt_value_time(value, 1, REST_MAX_MS, &section->rest_ms, error);
}

static const struct key measure_keys[] = {
    {"pattern", read_pattern, TRUE},
    {"block", read_block, TRUE},
    {"queue", read_queue, TRUE},
    {"threads", read_threads, FALSE},
    {"op", read_op, TRUE},
    {"sync", read_sync, FALSE},
    {"flush_every", read_flush_every, FALSE},
    {"streams", read_streams, FALSE},
    {"slices", read_slices, FALSE},
    {"rate_read", read_rate_read, FALSE},
    {"rate_write", read_rate_write, FALSE},
    {"think", read_think, FALSE},
    {"think_every", read_think_every, FALSE},
    {"bytes", read_bytes, FALSE},
    {"optional", read_optional, FALSE},
    {"tag", read_tag, FALSE},
    {"label", read_label, FALSE},
    {"role", read_role, FALSE},
    {NULL, NULL, FALSE},
};

static gboolean read_share(PltSection *section, const char *value, GError **error)
{
    return plt_value_percent(value, 1, 100, &section->share_percent, error);
}

static gboolean read_method(PltSection *section, const char *value, GError **error)
{
    const char *const names[] = {
        plt_purge_method_name(PLT_PURGE_AUTO), plt_purge_method_name(PLT_PURGE_SANITIZE),
        plt_purge_method_name(PLT_PURGE_FORMAT), plt_purge_method_name(PLT_PURGE_DISCARD), NULL};
    guint index = 0;

    if (!plt_value_choice(value, names, &index, error))
        return FALSE;
    return plt_purge_method_from_name(names[index], &section->purge_method);
}

/* A pass over the target: sequential, one thread, one block size and one depth. */
static const struct key pass_keys[] = {
    {"block", read_block, TRUE},
    {"queue", read_queue, TRUE},
    {"share", read_share, FALSE},
    {"rate_write", read_rate_write, FALSE},
    {"rate_read", read_rate_read, FALSE},
    {"tag", read_tag, FALSE},
    {"label", read_label, FALSE},
    {"role", read_role, FALSE},
    {NULL, NULL, FALSE},
};

static const struct key fill_free_keys[] = {
    {"block", read_block, TRUE},
    {"queue", read_queue, TRUE},
    {"tag", read_tag, FALSE},
    {"role", read_role, FALSE},
    {"rate_write", read_rate_write, FALSE},
    {"label", read_label, FALSE},
    {NULL, NULL, FALSE},
};

static const struct key verify_keys[] = {
    {NULL, NULL, FALSE},
};

static const struct key purge_keys[] = {
    {"method", read_method, FALSE},
    {NULL, NULL, FALSE},
};

static const struct key rest_keys[] = {
    {"time", read_rest, TRUE},
    {NULL, NULL, FALSE},
};

/* What a suite can be made of. A new kind of step is a row here, a PltSectionKind, and its way into a plan.
 */
static const struct kind kinds[] = {
    {"measure", PLT_SECTION_MEASURE, measure_keys, PLT_SETTINGS_STEP, FALSE},
    {"rest", PLT_SECTION_REST, rest_keys, 0, FALSE},
    {"fill", PLT_SECTION_FILL, pass_keys, PLT_SETTING_TICK, FALSE},
    {"read-all", PLT_SECTION_READ_ALL, pass_keys, PLT_SETTING_TICK, FALSE},
    {"purge", PLT_SECTION_PURGE, purge_keys, 0, TRUE},
    {"fill-free-space", PLT_SECTION_FILL_FREE, fill_free_keys, PLT_SETTINGS_FREE, FALSE},
    {"verify-capacity", PLT_SECTION_VERIFY, verify_keys, PLT_SETTING_TICK, FALSE},
};

void plt_section_free(PltSection *section)
{
    if (section == NULL)
        return;
    g_free(section->name);
    g_array_unref(section->blocks);
    g_array_unref(section->queues);
    g_array_unref(section->threads);
    g_array_unref(section->ops);
    g_free(section->tag);
    g_free(section->label);
    g_free(section->role);
    g_free(section);
}

static PltSection *section_new(const PltKeyfileGroup *group)
{
    PltSection *section = g_new0(PltSection, 1);

    section->name = g_strdup(group->name);
    section->line = group->line;
    section->share_percent = 100;
    section->blocks = g_array_new(FALSE, FALSE, sizeof(guint32));
    section->queues = g_array_new(FALSE, FALSE, sizeof(guint));
    section->threads = g_array_new(FALSE, FALSE, sizeof(guint));
    section->ops = g_array_new(FALSE, FALSE, sizeof(PltCellOp));
    return section;
}

/* The kind that the group's `kind` key names; measure where it has none. */
static const struct kind *find_kind(const PltKeyfile *file, const PltKeyfileGroup *group, GError **error)
{
    const char *names[G_N_ELEMENTS(kinds) + 1] = {NULL};

    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
        names[i] = kinds[i].name;

    for (guint i = 0; i < group->entries->len; i++) {
        const PltKeyfileEntry *entry = &g_array_index(group->entries, PltKeyfileEntry, i);
        g_autofree char *value = NULL;
        guint index = 0;

        if (strcmp(entry->key, "kind") != 0 || entry->locale != NULL)
            continue;
        value = plt_keyfile_value(file, group, entry, error);
        if (value == NULL)
            return NULL;
        if (!plt_value_choice(value, names, &index, error)) {
            g_prefix_error(error, "kind: ");
            plt_keyfile_locate(file, entry->line, error);
            return NULL;
        }
        return &kinds[index];
    }
    return &kinds[0];
}

static gboolean refuse_key(const PltKeyfile *file, const PltKeyfileEntry *entry, const struct kind *kind,
                           GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *all = NULL;

    g_ptr_array_add(names, (gpointer) "kind");
    for (const struct key *key = kind->keys; key->name != NULL; key++)
        g_ptr_array_add(names, (gpointer)key->name);
    plt_settings_add_keys(names, kind->settings);
    g_ptr_array_add(names, NULL);
    all = g_strjoinv(", ", (char **)names->pdata);

    if (entry->locale != NULL)
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT,
                    _("“%s[%s]” is not allowed: only name and description of [suite] have languages"),
                    entry->key, entry->locale);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT,
                    _("“%s” is not a key of a step of kind %s, which has: %s"), entry->key, kind->name, all);
    plt_keyfile_locate(file, entry->line, error);
    return FALSE;
}

static gboolean read_entry(const PltKeyfile *file, const PltKeyfileGroup *group, const PltKeyfileEntry *entry,
                           const struct kind *kind, PltSection *section, GError **error)
{
    const struct key *key = kind->keys;
    g_autofree char *value = NULL;
    gboolean ok;

    if (strcmp(entry->key, "kind") == 0 && entry->locale == NULL)
        return TRUE;
    while (key->name != NULL && strcmp(key->name, entry->key) != 0)
        key++;
    if (entry->locale != NULL || (key->name == NULL && !plt_settings_has_key(entry->key, kind->settings)))
        return refuse_key(file, entry, kind, error);

    value = plt_keyfile_value(file, group, entry, error);
    if (value == NULL)
        return FALSE;
    ok = key->name != NULL ? key->read(section, value, error)
                           : plt_settings_read(&section->settings, entry->key, value, error);
    if (!ok) {
        g_prefix_error(error, "%s: ", entry->key);
        plt_keyfile_locate(file, entry->line, error);
    }
    return ok;
}

static gboolean check_required(const PltKeyfile *file, const PltKeyfileGroup *group, const struct kind *kind,
                               GError **error)
{
    for (const struct key *key = kind->keys; key->name != NULL; key++) {
        gboolean found = !key->required;

        for (guint i = 0; i < group->entries->len && !found; i++)
            found = strcmp(g_array_index(group->entries, PltKeyfileEntry, i).key, key->name) == 0;
        if (!found) {
            g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT,
                        _("[%s] lacks the key “%s”, which a step of kind %s needs"), group->name, key->name,
                        kind->name);
            plt_keyfile_locate(file, group->line, error);
            return FALSE;
        }
    }
    return TRUE;
}

/* Why the keys of SECTION do not fit together, or NULL. */
static const char *find_conflict(const PltSection *section)
{
    gboolean flushes = section->sync == PLT_SYNC_FSYNC || section->sync == PLT_SYNC_FDATASYNC;
    guint rows = section->blocks->len * section->queues->len * section->threads->len;

    if (section->flush_every != 0 && !flushes)
        return _("flush_every needs sync=fsync or sync=fdatasync");
    if ((section->think_ms != 0) != (section->think_every != 0))
        return _("think and think_every need each other: how long, and after how many I/Os");
    if (section->separate_streams && section->pattern != PLT_PATTERN_SEQUENTIAL)
        return _("streams=separate needs pattern=sequential; for random use slices=yes");
    if (section->slices && section->pattern != PLT_PATTERN_RANDOM)
        return _("slices=yes needs pattern=random; for sequential use streams=separate");
    if (section->kind != PLT_SECTION_MEASURE && rows > 1)
        return _("a pass has one block size and one queue depth");
    if (section->label != NULL && rows > 1)
        return _("a label can name only one row, but the lists of this step make several");
    return NULL;
}

static void add_pass_op(PltSection *section)
{
    PltCellOp op = section->kind == PLT_SECTION_READ_ALL ? PLT_CELL_READ : PLT_CELL_WRITE;

    g_array_append_val(section->ops, op);
}

/* All is written, then all is read. */
static void complete_verify(PltSection *section)
{
    const guint32 block = VERIFY_BLOCK;
    const guint queue = VERIFY_QUEUE;
    const PltCellOp read = PLT_CELL_READ;

    g_array_append_val(section->blocks, block);
    g_array_append_val(section->queues, queue);
    g_array_append_val(section->ops, read);
}

static gboolean complete(const PltKeyfile *file, PltSection *section, GError **error)
{
    const guint one = 1;
    const char *conflict;

    if (!plt_section_measures(section))
        return TRUE;
    if (section->kind != PLT_SECTION_MEASURE)
        add_pass_op(section);
    if (section->kind == PLT_SECTION_VERIFY)
        complete_verify(section);
    if (section->threads->len == 0)
        g_array_append_val(section->threads, one);

    conflict = find_conflict(section);
    if (conflict != NULL) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, "[%s]: %s", section->name, conflict);
        plt_keyfile_locate(file, section->line, error);
        return FALSE;
    }
    if (section->flush_every == 0 && (section->sync == PLT_SYNC_FSYNC || section->sync == PLT_SYNC_FDATASYNC))
        section->flush_every = 1;
    return TRUE;
}

PltSection *plt_section_parse(const PltKeyfile *file, const PltKeyfileGroup *group, GError **error)
{
    const struct kind *kind = find_kind(file, group, error);
    g_autoptr(PltSection) section = section_new(group);

    if (kind == NULL)
        return NULL;
    section->kind = kind->kind;
    for (guint i = 0; i < group->entries->len; i++) {
        const PltKeyfileEntry *entry = &g_array_index(group->entries, PltKeyfileEntry, i);

        if (!read_entry(file, group, entry, kind, section, error))
            return NULL;
    }
    if (!check_required(file, group, kind, error) || !complete(file, section, error))
        return NULL;
    return g_steal_pointer(&section);
}

gboolean plt_section_measures(const PltSection *section)
{
    return section->kind != PLT_SECTION_REST && section->kind != PLT_SECTION_PURGE;
}

gboolean plt_section_erases(const PltSection *section)
{
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (kinds[i].kind == section->kind)
            return kinds[i].erases;
    }
    g_return_val_if_reached(TRUE);
}

const char *plt_section_sync_name(enum plt_sync sync)
{
    return sync_names[sync];
}
