/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/catalog.h"
#include "report/language.h"

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

    if (!names[0] || g_str_equal(names[0], "C"))
        return g_strdup("en");
    return language_part(names[0]);
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

char *plt_language_format(const PltLanguage *language, const char *format, ...)
{
    GString *out = g_string_new(NULL);
    gboolean more = TRUE;
    va_list args;

    va_start(args, format);
    for (const char *p = plt_language_text(language, format); *p; p++) {
        if (p[0] != '%' || (p[1] != 's' && p[1] != '%')) {
            g_string_append_c(out, *p);
            continue;
        }
        if (p[1] == '%') {
            g_string_append_c(out, '%');
        } else if (more) {
            const char *argument = va_arg(args, const char *);

            more = argument != NULL;
            if (argument)
                g_string_append(out, argument);
        }
        p++;
    }
    va_end(args);
    return g_string_free(out, FALSE);
}

const char *plt_language_tag(const PltLanguage *language)
{
    return language->tag;
}
