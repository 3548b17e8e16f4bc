/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/keyfile.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/error.h"
#include "suite/value.h"

/* Names are words in error messages and parts of ids: no file needs longer ones. */
#define NAME_MAX_LENGTH 64

struct plt_keyfile {
    char *name;
    GKeyFile *keys;
    GPtrArray *groups; /* PltKeyfileGroup */
};

static void entry_clear(gpointer data)
{
    PltKeyfileEntry *entry = data;

    g_free(entry->key);
    g_free(entry->locale);
}

static void group_free(gpointer data)
{
    PltKeyfileGroup *group = data;

    g_free(group->name);
    g_array_unref(group->entries);
    g_free(group);
}

void plt_keyfile_free(PltKeyfile *file)
{
    if (file == NULL)
        return;
    g_free(file->name);
    g_key_file_unref(file->keys);
    g_ptr_array_unref(file->groups);
    g_free(file);
}

void plt_keyfile_locate(const PltKeyfile *file, guint line, GError **error)
{
    if (error == NULL || *error == NULL)
        return;
    g_prefix_error(error, "%s:%u: ", file->name, line);
    (*error)->domain = PLT_ERROR;
    (*error)->code = PLT_ERROR_FORMAT;
}

G_GNUC_PRINTF(4, 5) static gboolean refuse(const PltKeyfile *file, guint line, GError **error,
                                           const char *format, ...)
{
    g_autofree char *message = NULL;
    va_list args;

    va_start(args, format);
    message = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, "%s:%u: %s", file->name, line, message);
    return FALSE;
}

static gboolean is_name(const char *text, gsize length)
{
    if (length == 0 || length > NAME_MAX_LENGTH)
        return FALSE;
    for (gsize i = 0; i < length; i++) {
        if (!g_ascii_islower(text[i]) && !g_ascii_isdigit(text[i]) && text[i] != '-' && text[i] != '_')
            return FALSE;
    }
    return TRUE;
}

/* "ko", "pt_BR", "sr@latin": what may stand between the brackets of a key. */
static gboolean is_locale(const char *text, gsize length)
{
    if (length < 2 || length > NAME_MAX_LENGTH)
        return FALSE;
    for (gsize i = 0; i < length; i++) {
        if (!g_ascii_isalnum(text[i]) && strchr("_@.-", text[i]) == NULL)
            return FALSE;
    }
    return TRUE;
}

static const PltKeyfileGroup *find_group(const PltKeyfile *file, const char *name)
{
    for (guint i = 0; i < file->groups->len; i++) {
        const PltKeyfileGroup *group = g_ptr_array_index(file->groups, i);

        if (strcmp(group->name, name) == 0)
            return group;
    }
    return NULL;
}

static const PltKeyfileEntry *find_entry(const PltKeyfileGroup *group, const char *key, const char *locale)
{
    for (guint i = 0; i < group->entries->len; i++) {
        const PltKeyfileEntry *entry = &g_array_index(group->entries, PltKeyfileEntry, i);

        if (strcmp(entry->key, key) == 0 && g_strcmp0(entry->locale, locale) == 0)
            return entry;
    }
    return NULL;
}

static gboolean scan_group(PltKeyfile *file, const char *text, guint line, GError **error)
{
    gsize length = strlen(text);
    g_autofree char *name = NULL;
    const PltKeyfileGroup *twin;
    PltKeyfileGroup *group;

    if (length < 2 || text[length - 1] != ']' || !is_name(text + 1, length - 2))
        return refuse(file, line, error,
                      _("a group is a name of small letters, digits and hyphens between brackets, at most %d "
                        "characters long, such as [seq1m-q8t1]"),
                      NAME_MAX_LENGTH);

    name = g_strndup(text + 1, length - 2);
    twin = find_group(file, name);
    if (twin != NULL)
        return refuse(file, line, error, _("the group [%s] is already in line %u; each may stand only once"),
                      name, twin->line);

    group = g_new0(PltKeyfileGroup, 1);
    group->name = g_steal_pointer(&name);
    group->line = line;
    group->entries = g_array_new(FALSE, FALSE, sizeof(PltKeyfileEntry));
    g_array_set_clear_func(group->entries, entry_clear);
    g_ptr_array_add(file->groups, group);
    return TRUE;
}

/* Takes "key" or "key[locale]" apart; FALSE when it is neither. */
static gboolean split_key(const char *text, gsize length, char **key, char **locale)
{
    const char *bracket = memchr(text, '[', length);
    gsize name_length = bracket != NULL ? (gsize)(bracket - text) : length;

    if (!is_name(text, name_length))
        return FALSE;
    if (bracket != NULL && (text[length - 1] != ']' || !is_locale(bracket + 1, length - name_length - 2)))
        return FALSE;
    *key = g_strndup(text, name_length);
    *locale = bracket != NULL ? g_strndup(bracket + 1, length - name_length - 2) : NULL;
    return TRUE;
}

static gboolean scan_entry(PltKeyfile *file, const char *text, guint line, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *key = NULL;
    g_autofree char *locale = NULL;
    const PltKeyfileEntry *twin;
    PltKeyfileGroup *group;
    PltKeyfileEntry entry;
    gsize length;

    if (equals == NULL) {
        g_autofree char *quoted = plt_value_quote(text);

        return refuse(file, line, error, _("%s is neither a [group], nor key=value, nor a # comment"),
                      quoted);
    }
    length = (gsize)(equals - text);
    while (length > 0 && g_ascii_isspace(text[length - 1]))
        length--;
    if (!split_key(text, length, &key, &locale))
        return refuse(
            file, line, error,
            _("a key is a word of small letters, digits and underscores, perhaps with a language as "
              "in name[ko], before the ="));
    if (file->groups->len == 0)
        return refuse(file, line, error,
                      _("the key “%s” stands before any group; a suite starts with [suite]"), key);

    group = g_ptr_array_index(file->groups, file->groups->len - 1);
    twin = find_entry(group, key, locale);
    if (twin != NULL)
        return refuse(file, line, error, _("the key “%s” of [%s] is already in line %u; each may stand once"),
                      key, group->name, twin->line);

    entry.key = g_steal_pointer(&key);
    entry.locale = g_steal_pointer(&locale);
    entry.line = line;
    g_array_append_val(group->entries, entry);
    return TRUE;
}

static guint line_of(const char *data, gsize offset)
{
    guint line = 1;

    for (gsize i = 0; i < offset; i++)
        line += data[i] == '\n';
    return line;
}

static gboolean check_text(const PltKeyfile *file, const char *data, gsize length, GError **error)
{
    const char *end = NULL;

    if (length > PLT_KEYFILE_MAX_BYTES) {
        g_autofree char *limit = plt_value_size_text(PLT_KEYFILE_MAX_BYTES);

        return refuse(file, 1, error, _("the file is larger than %s, so it is no suite"), limit);
    }
    /* With a length, a NUL counts as invalid UTF-8 too. */
    if (!g_utf8_validate(data, (gssize)length, &end))
        return refuse(file, line_of(data, (gsize)(end - data)), error,
                      _("there is a byte that is no UTF-8 text; save the file as UTF-8"));
    return TRUE;
}

static gboolean scan(PltKeyfile *file, const char *data, gsize length, GError **error)
{
    const char *end = data + length;
    guint line = 0;

    for (const char *p = data; p < end;) {
        const char *newline = memchr(p, '\n', (gsize)(end - p));
        const char *stop = newline != NULL ? newline : end;
        g_autofree char *text = g_strndup(p, (gsize)(stop - p));

        line++;
        p = stop + 1;
        g_strstrip(text);
        if (text[0] == '\0' || text[0] == '#')
            continue;
        if (text[0] == '[' ? !scan_group(file, text, line, error) : !scan_entry(file, text, line, error))
            return FALSE;
    }
    if (file->groups->len == 0)
        return refuse(file, MAX(line, 1), error, _("the file has no group; a suite starts with [suite]"));
    return TRUE;
}

PltKeyfile *plt_keyfile_new(const char *data, gsize length, const char *name, GError **error)
{
    g_autoptr(PltKeyfile) file = g_new0(PltKeyfile, 1);

    file->name = g_strdup(name);
    file->keys = g_key_file_new();
    file->groups = g_ptr_array_new_with_free_func(group_free);

    if (!check_text(file, data, length, error) || !scan(file, data, length, error))
        return NULL;
    if (!g_key_file_load_from_data(file->keys, data, length, G_KEY_FILE_KEEP_TRANSLATIONS, error)) {
        plt_keyfile_locate(file, 1, error);
        return NULL;
    }
    return g_steal_pointer(&file);
}

guint plt_keyfile_n_groups(const PltKeyfile *file)
{
    return file->groups->len;
}

const PltKeyfileGroup *plt_keyfile_group(const PltKeyfile *file, guint index)
{
    return g_ptr_array_index(file->groups, index);
}

char *plt_keyfile_value(const PltKeyfile *file, const PltKeyfileGroup *group, const PltKeyfileEntry *entry,
                        GError **error)
{
    g_autofree char *key =
        entry->locale != NULL ? g_strdup_printf("%s[%s]", entry->key, entry->locale) : g_strdup(entry->key);
    g_autofree char *value = g_key_file_get_string(file->keys, group->name, key, NULL);

    if (value == NULL) {
        refuse(file, entry->line, error, _("%s: a backslash stands only in the escapes \\s \\n \\t \\r \\\\"),
               key);
        return NULL;
    }
    return g_strdup(g_strstrip(value));
}
