/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include "library/document.h"

static JsonNode *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(text, &error);
    g_assert_no_error(error);
    return node;
}

static void test_drive(void)
{
    static const struct {
        const char *json, *text;
    } cases[] = {
        {"{\"model\": \"A 1TB\"}", "A 1TB"},
        {"[{\"model\": \"A 1TB\"}]", "A 1TB"},
        {"[{\"model\": \"A 1TB\"}, {\"name\": \"vda\"}, {\"model\": \"B\"}]", "A 1TB + vda + B"},
        {"[{\"model\": \"\", \"name\": \"vda\"}]", "vda"},
        {"[{\"model\": 7}, \"x\", null, []]", NULL},
        {"[]", NULL},
        {"{}", NULL},
        {"7", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(JsonNode) node = parse(cases[i].json);
        g_autofree char *text = plt_document_drive(node);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
    g_assert_null(plt_document_drive(NULL));
}

static void test_members(void)
{
    g_autoptr(JsonNode) node =
        parse("{\"s\": \"x\", \"n\": 7, \"d\": 2.9, \"o\": {\"s\": \"y\"}, \"z\": null}");
    g_assert_cmpstr(plt_document_string(node, "s"), ==, "x");
    g_assert_null(plt_document_string(node, "n"));
    g_assert_null(plt_document_string(node, "z"));
    g_assert_null(plt_document_string(node, "missing"));
    g_assert_cmpstr(plt_document_member_string(node, "o", "s"), ==, "y");
    g_assert_null(plt_document_member_string(node, "s", "s"));
    g_assert_null(plt_document_member_string(node, "missing", "s"));
    g_assert_cmpint(plt_document_int(node, "n"), ==, 7);
    g_assert_cmpint(plt_document_int(node, "s"), ==, 0);
    g_assert_cmpint(plt_document_int(node, "o"), ==, 0);
    g_assert_cmpint(plt_document_int(NULL, "n"), ==, 0);
}

static void test_sizes(void)
{
    static const struct {
        guint64 bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {512, "512 B"},
        {1025, "1025 B"},
        {4096, "4 KiB"},
        {1536 * 1024, "1536 KiB"},
        {64 << 20, "64 MiB"},
        {1 << 30, "1 GiB"},
        {G_GUINT64_CONSTANT(1) << 50, "1024 TiB"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = plt_document_size(cases[i].bytes);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
}

static void test_text(void)
{
    g_autoptr(JsonNode) node = parse("{\"b\": [1, 2.5, true, null, \"x\"], \"a\": {\"c\": {}}}");
    g_autofree char *text = plt_document_text(node);
    g_assert_cmpstr(text, ==, "{\"b\":[1,2.5,true,null,\"x\"],\"a\":{\"c\":{}}}");
    g_assert_null(plt_document_text(NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library/document/drive", test_drive);
    g_test_add_func("/library/document/members", test_members);
    g_test_add_func("/library/document/sizes", test_sizes);
    g_test_add_func("/library/document/text", test_text);
    return g_test_run();
}
