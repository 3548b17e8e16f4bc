/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/role.h"

#include <string.h>

/* The decimal number at TEXT, at most G_MAXUINT; *END is what follows it. FALSE when there is none. */
static gboolean read_number(const char *text, guint *number, const char **end)
{
    char *rest = NULL;
    guint64 value;
    if (!g_ascii_isdigit(*text))
        return FALSE;
    value = g_ascii_strtoull(text, &rest, 10);
    *number = (guint)MIN(value, G_MAXUINT);
    *end = rest;
    return value <= G_MAXUINT;
}

gboolean plt_role_number(const char *role, const char *prefix, guint *number)
{
    const char *end = NULL;
    return role && g_str_has_prefix(role, prefix) && read_number(role + strlen(prefix), number, &end) &&
           !*end;
}

gboolean plt_role_ratio(const char *role, guint *queue, guint *read_percent)
{
    const char *end = NULL;
    return role && g_str_has_prefix(role, "ratio-q") && read_number(role + strlen("ratio-q"), queue, &end) &&
           g_str_has_prefix(end, "-r") && read_number(end + strlen("-r"), read_percent, &end) && !*end &&
           *read_percent <= 100;
}

gboolean plt_role_reclaim(const char *role, double *rest_s)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    const char *end = NULL;
    guint number;
    if (!role || !g_str_has_prefix(role, "reclaim-") ||
        !read_number(role + strlen("reclaim-"), &number, &end))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        if (g_str_equal(end, units[i].name)) {
            *rest_s = number * units[i].seconds;
            return TRUE;
        }
    }
    return FALSE;
}

gboolean plt_role_is(const char *role, const char *name)
{
    gsize length = strlen(name);
    return role && strncmp(role, name, length) == 0 && (role[length] == '\0' || role[length] == '-');
}
