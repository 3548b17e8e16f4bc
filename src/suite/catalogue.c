/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

/* Where suites are found: shipped files, the person's own, or one by its path. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "suite/content.h"
#include "suite/keyfile.h"
#include "suite/value.h"

#define SUFFIX ".suite"

/* A folder with more is not a folder of suites. */
#define FILES_MAX 1000

static gboolean fail_errno(const char *path, int code, GError **error)
{
    g_set_error(error, PLT_ERROR, code == EACCES ? PLT_ERROR_PERMISSION : PLT_ERROR_FAILED,
                _("The suite file %s cannot be read: %s"), path, g_strerror(code));
    return FALSE;
}

/* At most LIMIT + 1 bytes, so that a file that is too large is seen to be. */
static gboolean read_at_most(int fd, const char *path, gsize limit, GByteArray *data, GError **error)
{
    guint8 buffer[8192];

    while (data->len <= limit) {
        ssize_t n = read(fd, buffer, sizeof(buffer));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_errno(path, errno, error);
        if (n == 0)
            break;
        g_byte_array_append(data, buffer, (guint)n);
    }
    return TRUE;
}

PltSuite *plt_suite_load(const char *path, GError **error)
{
    /* Without O_NONBLOCK a pipe that somebody left among the suites would hang the program. */
    g_autofd int fd = g_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    g_autoptr(GByteArray) data = g_byte_array_new();
    struct stat info;

    if (fd < 0 || fstat(fd, &info) != 0) {
        fail_errno(path, errno, error);
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, _("%s is no file, so it is no suite"), path);
        return NULL;
    }
    if (!read_at_most(fd, path, PLT_KEYFILE_MAX_BYTES, data, error))
        return NULL;
    return plt_suite_parse(data->data != NULL ? (const char *)data->data : "", (gssize)data->len, path,
                           error);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The suite files of FOLDER by name; a folder that does not exist has none. */
static GPtrArray *list_files(const char *folder, GPtrArray *errors)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, &error);
    const char *name;

    if (dir == NULL) {
        if (errors != NULL && !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
            g_ptr_array_add(errors, g_strdup(error->message));
        return g_steal_pointer(&paths);
    }
    while ((name = g_dir_read_name(dir)) != NULL && paths->len < FILES_MAX) {
        if (g_str_has_suffix(name, SUFFIX) && name[0] != '.')
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    }
    g_ptr_array_sort(paths, compare_names);
    return g_steal_pointer(&paths);
}

/* Adds the suites of FOLDER to BY_ID; one with an id of OLDER ones replaces it, one of its own folder not. */
static void add_folder(GHashTable *by_id, const char *folder, GPtrArray *errors)
{
    g_autoptr(GPtrArray) paths = list_files(folder, errors);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        g_autoptr(GError) error = NULL;
        g_autoptr(PltSuite) suite = plt_suite_load(path, &error);

        if (suite == NULL) {
            if (errors != NULL)
                g_ptr_array_add(errors, g_strdup(error->message));
        } else if (!g_hash_table_add(seen, g_strdup(suite->id))) {
            if (errors != NULL)
                g_ptr_array_add(errors,
                                g_strdup_printf(_("%s: another file of this folder has the id %s already"),
                                                path, suite->id));
        } else {
            g_hash_table_replace(by_id, suite->id, plt_suite_ref(suite));
        }
    }
}

static int compare_suites(gconstpointer a, gconstpointer b)
{
    const PltSuite *x = *(PltSuite *const *)a;
    const PltSuite *y = *(PltSuite *const *)b;

    guint group_x = plt_suite_group_rank(x);
    guint group_y = plt_suite_group_rank(y);

    if (group_x != group_y)
        return group_x < group_y ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return strcmp(x->id, y->id);
}

GPtrArray *plt_suite_list(GPtrArray *errors)
{
    g_autoptr(GHashTable) by_id =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)plt_suite_unref);
    g_autoptr(GPtrArray) suites = g_ptr_array_new_with_free_func((GDestroyNotify)plt_suite_unref);
    g_autofree char *own = g_build_filename(g_get_user_data_dir(), "plateau", "suites", NULL);
    const char *shipped = g_getenv("PLATEAU_SUITES_DIR");
    GHashTableIter iter;
    gpointer suite;

    add_folder(by_id, shipped != NULL && shipped[0] != '\0' ? shipped : PLT_SUITES_DIR, errors);
    add_folder(by_id, own, errors);

    g_hash_table_iter_init(&iter, by_id);
    while (g_hash_table_iter_next(&iter, NULL, &suite))
        g_ptr_array_add(suites, plt_suite_ref(suite));
    g_ptr_array_sort(suites, compare_suites);
    return g_steal_pointer(&suites);
}

static void fail_unknown(const char *id, GPtrArray *suites, GPtrArray *errors, GError **error)
{
    g_autofree char *quoted = plt_value_quote(id);
    g_autoptr(GString) known = g_string_new(NULL);
    g_autoptr(GString) broken = g_string_new(NULL);

    for (guint i = 0; i < suites->len; i++)
        g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", plt_suite_id(g_ptr_array_index(suites, i)));
    for (guint i = 0; i < errors->len; i++)
        g_string_append_printf(broken, "\n%s", (const char *)g_ptr_array_index(errors, i));
    if (suites->len == 0)
        g_set_error(
            error, PLT_ERROR, PLT_ERROR_USAGE,
            _("There is no suite %s: none is installed at all; set PLATEAU_SUITES_DIR to a folder of them%s"),
            quoted, broken->str);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("There is no suite %s; there are: %s, or give the path of a .suite file%s"), quoted,
                    known->str, broken->str);
}

PltSuite *plt_suite_find(const char *id, GError **error)
{
    g_autoptr(GPtrArray) errors = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) suites = NULL;

    if (strchr(id, G_DIR_SEPARATOR) != NULL || g_str_has_suffix(id, SUFFIX))
        return plt_suite_load(id, error);

    suites = plt_suite_list(errors);
    for (guint i = 0; i < suites->len; i++) {
        if (strcmp(plt_suite_id(g_ptr_array_index(suites, i)), id) == 0)
            return plt_suite_ref(g_ptr_array_index(suites, i));
    }
    fail_unknown(id, suites, errors, error);
    return NULL;
}
