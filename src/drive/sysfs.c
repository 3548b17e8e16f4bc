/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/sysfs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static char *path_make(const char *root, const char *format, va_list arguments)
{
    g_autofree char *below = g_strdup_vprintf(format, arguments);

    return g_strconcat(root, below, NULL);
}

static char *text_read(const char *path)
{
    char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    g_strstrip(text);
    if (text[0] == '\0')
        g_clear_pointer(&text, g_free);
    return text;
}

char *plt_sysfs_read(const char *root, const char *format, ...)
{
    g_autofree char *path = NULL;
    va_list arguments;

    va_start(arguments, format);
    path = path_make(root, format, arguments);
    va_end(arguments);
    return text_read(path);
}

gboolean plt_sysfs_read_number(guint64 *value, const char *root, const char *format, ...)
{
    g_autofree char *path = NULL;
    g_autofree char *text = NULL;
    va_list arguments;
    char *end = NULL;

    va_start(arguments, format);
    path = path_make(root, format, arguments);
    va_end(arguments);

    text = text_read(path);
    if (text == NULL || !g_ascii_isdigit(text[0]))
        return FALSE;
    *value = g_ascii_strtoull(text, &end, 10);
    return end != text;
}

GBytes *plt_sysfs_read_bytes(const char *root, const char *format, ...)
{
    g_autofree char *path = NULL;
    va_list arguments;
    char *data = NULL;
    gsize length = 0;

    va_start(arguments, format);
    path = path_make(root, format, arguments);
    va_end(arguments);

    if (!g_file_get_contents(path, &data, &length, NULL))
        return NULL;
    return g_bytes_new_take(data, length);
}

static int names_compare(gconstpointer a, gconstpointer b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

GStrv plt_sysfs_list(const char *root, const char *format, ...)
{
    g_autofree char *path = NULL;
    va_list arguments;
    const char *name;
    GPtrArray *names = g_ptr_array_new();
    g_autoptr(GDir) dir = NULL;

    va_start(arguments, format);
    path = path_make(root, format, arguments);
    va_end(arguments);

    dir = g_dir_open(path, 0, NULL);
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
        g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, names_compare);
    g_ptr_array_add(names, NULL);
    return (GStrv)g_ptr_array_free(names, FALSE);
}

char *plt_sysfs_resolve(const char *root, const char *format, ...)
{
    g_autofree char *path = NULL;
    va_list arguments;
    char real[PATH_MAX], real_root[PATH_MAX];
    size_t skip = 0;

    va_start(arguments, format);
    path = path_make(root, format, arguments);
    va_end(arguments);

    if (realpath(path, real) == NULL)
        return NULL;
    if (root[0] != '\0') {
        if (realpath(root, real_root) == NULL || !g_str_has_prefix(real, real_root))
            return NULL;
        skip = strlen(real_root);
    }
    return g_strdup(real[skip] != '\0' ? real + skip : "/");
}

gboolean plt_sysfs_exists(const char *root, const char *format, ...)
{
    g_autofree char *path = NULL;
    va_list arguments;

    va_start(arguments, format);
    path = path_make(root, format, arguments);
    va_end(arguments);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}
