/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/catalog.h"
#include "report/language.h"

/* The most strings that one sentence takes. */
#define MAX_ARGUMENTS 9

struct plt_language {
    char *tag;
    gboolean program;    /* the words come from gettext */
    GHashTable *catalog; /* msgid -> text; NULL for English and for the program's language */
};

static const char *locale_dir(void)
{
    const char *dir = g_getenv("PLATEAU_LOCALE_DIR");

    return dir && *dir ? dir : PLT_LOCALE_DIR;
}

/* "ko_KR.UTF-8@x" -> "ko" */
static char *language_part(const char *name)
{
    return g_strndup(name, strcspn(name, "_.@-"));
}

/* A name goes into a path, so only what a locale name is made of is taken. */
static gboolean is_locale_name(const char *name)
{
    if (!*name || strlen(name) > 32)
        return FALSE;
    for (const char *p = name; *p; p++) {
        if (!g_ascii_isalnum(*p) && !strchr("_.@-", *p))
            return FALSE;
    }
    return name[0] != '.';
}

static GHashTable *find_catalog(const char *name, char **tag, GError **error)
{
    g_autofree char *part = language_part(name);
    const char *names[] = {name, part};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path =
            g_build_filename(locale_dir(), names[i], "LC_MESSAGES", GETTEXT_PACKAGE ".mo", NULL);

        if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
            continue;
        *tag = g_strdup(part);
        return plt_catalog_load(path, error);
    }
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                _("There is no translation into “%s” under %s: choose another language, such as “en”."), name,
                locale_dir());
    return NULL;
}

/* What gettext itself would choose first, for shaping only. */
static char *program_tag(void)
{
    const char *const *names = g_get_language_names_with_category("LC_MESSAGES");
    g_autofree char *part = names[0] ? language_part(names[0]) : NULL;

    if (!part || g_str_equal(part, "C") || g_str_equal(part, "POSIX"))
        return g_strdup("en");
    return g_steal_pointer(&part);
}

PltLanguage *plt_language_new(const char *name, GError **error)
{
    g_autoptr(PltLanguage) language = g_new0(PltLanguage, 1);
    g_autofree char *part = name ? language_part(name) : NULL;

    if (!name) {
        language->program = TRUE;
        language->tag = program_tag();
    } else if (g_str_equal(part, "en") || g_str_equal(part, "C")) {
        language->tag = g_strdup("en");
    } else if (!is_locale_name(name)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("“%s” is not the name of a language: give one such as “en” or “ko”."), name);
        return NULL;
    } else {
        language->catalog = find_catalog(name, &language->tag, error);
        if (!language->catalog)
            return NULL;
    }
    return g_steal_pointer(&language);
}

void plt_language_free(PltLanguage *language)
{
    if (!language)
        return;
    g_clear_pointer(&language->catalog, g_hash_table_unref);
    g_free(language->tag);
    g_free(language);
}

const char *plt_language_text(const PltLanguage *language, const char *msgid)
{
    const char *text = NULL;

    /* The entry of the empty msgid is the catalog's header, never a text. */
    if (!*msgid)
        return msgid;
    if (language->program)
        return g_dgettext(GETTEXT_PACKAGE, msgid);
    if (language->catalog)
        text = g_hash_table_lookup(language->catalog, msgid);
    return text ? text : msgid;
}

const char *plt_language_context(const PltLanguage *language, const char *context, const char *msgid)
{
    g_autofree char *key = NULL;
    const char *text = NULL;

    if (language->program)
        return g_dpgettext2(GETTEXT_PACKAGE, context, msgid);
    if (!language->catalog)
        return msgid;
    key = g_strconcat(context, "\004", msgid, NULL);
    text = g_hash_table_lookup(language->catalog, key);
    return text ? text : msgid;
}

/* The argument that the conversion at *P stands for ("%s" the next one, "%2$s" the second); moves *P past it.
 */
static const char *take_argument(const char **p, const char *const *arguments, guint n, guint *next)
{
    const char *at = *p + 1;
    guint index = *next;

    if (g_ascii_isdigit(at[0]) && at[1] == '$') {
        index = (guint)(at[0] - '1');
        at += 2;
    } else if (*at == 's') {
        (*next)++;
    }
    if (*at != 's')
        return NULL;
    *p = at;
    return index < n ? arguments[index] : "";
}

char *plt_language_format(const PltLanguage *language, const char *format, ...)
{
    const char *arguments[MAX_ARGUMENTS] = {NULL};
    GString *out = g_string_new(NULL);
    guint n = 0, next = 0;
    va_list list;

    va_start(list, format);
    while (n < MAX_ARGUMENTS && (arguments[n] = va_arg(list, const char *)) != NULL)
        n++;
    va_end(list);
    for (const char *p = plt_language_text(language, format); *p; p++) {
        const char *argument = NULL;

        if (*p == '%' && p[1] == '%')
            p++;
        else if (*p == '%')
            argument = take_argument(&p, arguments, n, &next);
        if (argument)
            g_string_append(out, argument);
        else
            g_string_append_c(out, *p);
    }
    return g_string_free(out, FALSE);
}

const char *plt_language_tag(const PltLanguage *language)
{
    return language->tag;
}
