/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <string.h>

#include "report/catalog.h"
#include "report/language.h"

/* A catalog of two entries by hand: header, two tables, four strings. */
static GByteArray *make_catalog(gboolean swapped)
{
    static const char strings[] = "Read\0Run %s\0읽기\0%s회차";
    const guint32 text = 20 + 4 * 8;
    const guint32 words[] = {0x950412de, 0, 2, 20, 36, 4, text, 6, text + 5, 6, text + 12, 8, text + 19};
    GByteArray *bytes = g_byte_array_new();

    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        guint32 word = swapped ? GUINT32_SWAP_LE_BE(words[i]) : words[i];

        g_byte_array_append(bytes, (const guint8 *)&word, sizeof word);
    }
    g_byte_array_append(bytes, (const guint8 *)strings, sizeof strings);
    return bytes;
}

static void test_parse(void)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        g_autoptr(GByteArray) bytes = make_catalog(swapped);
        g_autoptr(GError) error = NULL;
        g_autoptr(GHashTable) table = plt_catalog_parse((const char *)bytes->data, bytes->len, &error);

        g_assert_no_error(error);
        g_assert_cmpuint(g_hash_table_size(table), ==, 2);
        g_assert_cmpstr(g_hash_table_lookup(table, "Read"), ==, "읽기");
        g_assert_cmpstr(g_hash_table_lookup(table, "Run %s"), ==, "%s회차");
    }
}

/* Cut at every length and with every byte turned round: an error or a table, never a read outside. */
static void test_damaged(void)
{
    g_autoptr(GByteArray) bytes = make_catalog(FALSE);
    guint refused = 0;

    for (guint length = 0; length < bytes->len; length++) {
        g_autofree char *part = g_memdup2(bytes->data, length);
        g_autoptr(GError) error = NULL;
        g_autoptr(GHashTable) table = plt_catalog_parse(part, length, &error);

        g_assert_true(table != NULL || g_error_matches(error, PLT_ERROR, PLT_ERROR_FORMAT));
        refused += table == NULL;
    }
    g_assert_cmpuint(refused, ==, bytes->len);
    for (guint i = 0; i < bytes->len; i++) {
        g_autofree char *copy = g_memdup2(bytes->data, bytes->len);
        g_autoptr(GHashTable) table = NULL;

        copy[i] = (char)~copy[i];
        table = plt_catalog_parse(copy, bytes->len, NULL);
        g_assert_true(i >= 4 || table == NULL);
    }
}

static void expect(char *text, const char *wanted)
{
    g_assert_cmpstr(text, ==, wanted);
    g_free(text);
}

static void test_english(void)
{
    g_autoptr(PltLanguage) language = plt_language_new("en", NULL);

    g_assert_cmpstr(plt_language_text(language, "Read"), ==, "Read");
    g_assert_cmpstr(plt_language_text(language, ""), ==, "");
    g_assert_cmpstr(plt_language_tag(language), ==, "en");
    expect(plt_language_format(language, "%s of %s, 95 %%", "a", "b", NULL), "a of b, 95 %");
    expect(plt_language_format(language, "%2$s, then %1$s", "a", "b", NULL), "b, then a");
    /* What a damaged translation may hold is printed or left out, and nothing is read for it. */
    expect(plt_language_format(language, "%s %s %9$s|", "a", NULL), "a  |");
    expect(plt_language_format(language, "%d %n %", "a", NULL), "%d %n %");
}

static void test_korean(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLanguage) language = plt_language_new("ko_KR.UTF-8", &error);

    g_assert_no_error(error);
    g_assert_cmpstr(plt_language_tag(language), ==, "ko");
    g_assert_cmpstr(plt_language_text(language, "Read"), ==, "읽기");
    g_assert_cmpstr(plt_language_text(language, "no such text"), ==, "no such text");
    expect(plt_language_format(language, "best of %s runs of %s", "3", "5초", NULL), "5초씩 3회 중 최고");
}

static void test_program(void)
{
    g_autoptr(PltLanguage) language = plt_language_new(NULL, NULL);

    /* The tests run in the C locale. */
    g_assert_cmpstr(plt_language_tag(language), ==, "en");
    g_assert_cmpstr(plt_language_text(language, "Read"), ==, "Read");
}

static void test_refused(void)
{
    static const char *const names[] = {"xx", "", "..", "../../etc", "ko/../ko", "a b"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PltLanguage) language = plt_language_new(names[i], &error);

        g_assert_null(language);
        g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/report/language/parse", test_parse);
    g_test_add_func("/report/language/damaged", test_damaged);
    g_test_add_func("/report/language/english", test_english);
    g_test_add_func("/report/language/korean", test_korean);
    g_test_add_func("/report/language/program", test_program);
    g_test_add_func("/report/language/refused", test_refused);
    return g_test_run();
}
