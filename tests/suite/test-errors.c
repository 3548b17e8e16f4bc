/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "suite/suite.h"

#define HEAD             \
    "[suite]\n"          \
    "id=mine\n"          \
    "name=Mine\n"        \
    "description=One.\n" \
    "size=1GiB\n"        \
    "seconds=5\n"
#define CELL           \
    "[a]\n"            \
    "pattern=random\n" \
    "block=4K\n"       \
    "queue=1\n"        \
    "op=read\n"

/* A file, and the error that it must give: the line, and a part of the sentence. */
static const struct {
    const char *name;
    const char *text;
    const char *place; /* "f:LINE: " */
    const char *part;
} cases[] = {
    {"empty", "", "f:1: ", "[suite]"},
    {"only-comments", "# a\n\n# b\n", "f:3: ", "[suite]"},
    {"prose", "[suite]\nhello\n", "f:2: ", "“hello” is neither"},
    {"key-first", "id=x\n[suite]\n", "f:1: ", "before any group"},
    {"other-first", "[a]\n[suite]\n", "f:1: ", "it must be [suite]"},
    {"no-cell", HEAD, "f:1: ", "measures nothing"},
    {"unclosed-group", "[suite\n", "f:1: ", "between brackets"},
    {"capital-group", HEAD "[Seq]\n", "f:7: ", "small letters"},
    {"empty-key", "[suite]\n=1\n", "f:2: ", "a key is a word"},
    {"capital-key", "[suite]\nName=a\n", "f:2: ", "a key is a word"},
    {"twice-group", HEAD CELL CELL, "f:12: ", "already in line 7"},
    {"twice-key", HEAD "size=2GiB\n" CELL, "f:7: ", "already in line 5"},
    {"twice-translation", HEAD "name[ko]=a\nname[ko]=b\n" CELL, "f:8: ", "already in line 7"},
    {"unknown-suite-key", HEAD "colour=red\n" CELL,
     "f:7: ", "“colour” is not a key of [suite], which has: id,"},
    {"unknown-cell-key", HEAD CELL "blok=4K\n",
     "f:12: ", "which has: kind, pattern, block, queue, threads, op,"},
    {"suite-key-in-cell", HEAD CELL "interval=5\n", "f:12: ", "“interval” is not a key of a step"},
    {"unknown-kind", HEAD CELL "kind=explode\n",
     "f:12: ", "kind: “explode” is not allowed: one of measure, rest"},
    {"measure-key-in-rest", HEAD CELL "[r]\nkind=rest\ntime=5s\nblock=4K\n",
     "f:15: ", "of kind rest, which has: kind, time"},
    {"rest-without-time", HEAD CELL "[r]\nkind=rest\n", "f:12: ", "[r] lacks the key “time”"},
    {"lacks-id", "[suite]\nname=a\ndescription=b\nsize=1GiB\nseconds=5\n" CELL,
     "f:1: ", "lacks the key “id”"},
    {"lacks-name", "[suite]\nid=a\nname[ko]=b\ndescription=b\nsize=1GiB\n" CELL,
     "f:1: ", "lacks the key “name”"},
    {"lacks-size", "[suite]\nid=a\nname=a\ndescription=b\nseconds=5\n" CELL, "f:1: ", "lacks the key “size”"},
    {"lacks-seconds", "[suite]\nid=a\nname=a\ndescription=b\nsize=1G\n" CELL, "f:6: ", "[a] has no time"},
    {"lacks-op", HEAD "[a]\npattern=random\nblock=4K\nqueue=1\n", "f:7: ", "[a] lacks the key “op”"},
    {"bad-id", "[suite]\nid=Mine\n", "f:2: ", "id: “Mine” is not allowed"},
    {"empty-value", HEAD CELL "threads=\n", "f:12: ", "threads: “” is not allowed"},
    {"trailing-comment", HEAD CELL "threads=1 # one\n", "f:12: ", "threads: “1 # one”"},
    {"size-too-small", "[suite]\nsize=4K\n", "f:2: ", "from 1 MiB to 64 TiB"},
    {"size-decimal", "[suite]\nsize=1GB\n", "f:2: ", "size: “1GB” is not allowed"},
    {"size-negative", "[suite]\nsize=-1G\n", "f:2: ", "size: “-1G”"},
    {"size-huge", "[suite]\nsize=99999999999999999999999G\n", "f:2: ", "64 TiB"},
    {"runs-zero", "[suite]\nruns=0\n", "f:2: ", "from 1 to 99"},
    {"runs-many", "[suite]\nruns=100\n", "f:2: ", "from 1 to 99"},
    {"seconds-short", "[suite]\nseconds=0.05\n", "f:2: ", "from 100 ms to 24 h"},
    {"data", "[suite]\ndata=70\n", "f:2: ", "random, zero, or the compressible share"},
    {"mix", "[suite]\nmix=100\n", "f:2: ", "off, or the percentage of reads from 1 to 99"},
    {"order", "[suite]\norder=alphabetical\n", "f:2: ", "one of step, operation"},
    {"chart", "[suite]\nchart=pie\n", "f:2: ", "one of quick-card, blocksize, as-ssd"},
    {"group", "[suite]\ngroup=fun\n", "f:2: ", "one of quick, fill, client, steady, tools"},
    {"generator", "[suite]\ngenerator=rand\n", "f:2: ", "one of xoshiro256pp, tausworthe64"},
    {"tick", "[suite]\ntick=1ms\n", "f:2: ", "one of 100ms, 10ms"},
    {"block-odd", HEAD CELL "[b]\nblock=1000\n", "f:13: ", "multiples of 512"},
    {"block-large", HEAD CELL "[b]\nblock=4K,128M\n", "f:13: ", "from 512 B to 64 MiB"},
    {"queue-large", HEAD CELL "[b]\nqueue=8192\n", "f:13: ", "from 1 to 4096"},
    {"threads-large", HEAD CELL "[b]\nthreads=65\n", "f:13: ", "from 1 to 64"},
    {"op-unknown", HEAD CELL "[b]\nop=read,erase\n",
     "f:13: ", "“erase” is not allowed: one of read, write, mix"},
    {"translated-setting", HEAD "size[ko]=1G\n" CELL, "f:7: ", "only name and description"},
    {"translated-cell", HEAD CELL "label[ko]=a\n", "f:12: ", "only name and description"},
    {"role", HEAD CELL "role=Fill pass\n", "f:12: ", "small letters, digits and hyphens"},
    {"bad-translation", HEAD "name[ko]=\n" CELL, "f:7: ", "name: “” is not allowed"},
    {"bad-locale", HEAD "name[k/o]=a\n" CELL, "f:7: ", "a key is a word"},
    {"bad-escape", HEAD CELL "label=a\\qb\n", "f:12: ", "label: a backslash stands only in the escapes"},
    {"flush-without-sync", HEAD CELL "flush_every=8\n", "f:7: ", "flush_every needs sync=fsync"},
    {"think-alone", HEAD CELL "think=5ms\n", "f:7: ", "need each other"},
    {"streams-random", HEAD CELL "streams=separate\n", "f:7: ", "needs pattern=sequential"},
    {"label-for-many", HEAD "[a]\npattern=random\nblock=4K,8K\nqueue=1\nop=read\nlabel=x\n",
     "f:7: ", "a label can name only one row"},
    {"same-cell", HEAD CELL "[b]\npattern=random\nblock=4096\nqueue=1\nop=write,read\n",
     "f:12: ", "the cell rnd4k-q1t1-read comes up twice, in [a] and [b]"},
    {"same-op", HEAD "[a]\npattern=random\nblock=4K\nqueue=1\nop=read,read\n", "f:7: ", "comes up twice"},
    {"in-flight", HEAD "[a]\npattern=random\nblock=4K\nqueue=4096\nthreads=8\nop=read\n",
     "f:7: ", "at most 16384"},
    {"in-flight-bytes", HEAD "[a]\npattern=random\nblock=64M\nqueue=128\nop=read\n", "f:7: ", "4 GiB"},
    {"block-beyond-file",
     "[suite]\nid=a\nname=a\ndescription=b\nsize=1M\nseconds=5\n"
     "[a]\npattern=random\nblock=2M\nqueue=1\nop=read\n",
     "f:7: ", "needs size=2 MiB or more"},
    {"slices-beyond-file",
     "[suite]\nid=a\nname=a\ndescription=b\nsize=1M\nseconds=5\n"
     "[a]\npattern=random\nblock=64K\nqueue=1\nthreads=32\nslices=yes\nop=read\n",
     "f:7: ", "needs size=2 MiB or more"},
    {"streams-beyond-file",
     "[suite]\nid=a\nname=a\ndescription=b\nsize=1M\nseconds=5\n"
     "[a]\npattern=sequential\nblock=1M\nqueue=1\nthreads=3\nstreams=separate\nop=read\n",
     "f:7: ", "needs size=3 MiB or more"},
    {"too-long", "[suite]\nid=a\nname=a\ndescription=b\nsize=1G\nseconds=86400\nruns=99\n" CELL,
     "f:1: ", "99 days, and 30 are the limit"},
    {"carriage-returns", "[suite]\r\nid=a\r\ncolour=b\r\n", "f:3: ", "“colour”"},
    {"byte-order-mark", "\xef\xbb\xbf[suite]\n", "f:1: ", "neither a [group]"},
};

static void assert_refused(const char *data, gssize length, const char *place, const char *part)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_parse(data, length, "f", &error);

    g_assert_null(suite);
    g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
    if (!g_str_has_prefix(error->message, place) || strstr(error->message, part) == NULL)
        g_error("expected “%s…%s…”, got “%s”", place, part, error->message);
    g_assert_null(strchr(error->message, '\n'));
    /* The caller may not care why. */
    g_assert_null(plt_suite_parse(data, length, "f", NULL));
}

static void test_case(gconstpointer data)
{
    gsize i = GPOINTER_TO_SIZE(data);

    assert_refused(cases[i].text, -1, cases[i].place, cases[i].part);
}

static void test_bytes(void)
{
    static const char nul[] = "[suite]\nid=a\0b\n";
    static const char latin[] = "[suite]\n# caf\xe9\n";

    assert_refused(nul, sizeof(nul) - 1, "f:2: ", "no UTF-8");
    assert_refused(latin, sizeof(latin) - 1, "f:2: ", "no UTF-8");
    assert_refused(nul, 0, "f:1: ", "[suite]");
}

/* Exactly the limit is read, one byte more is not. */
static void test_file_size(void)
{
    g_autoptr(GString) text = g_string_new(HEAD CELL "#");
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = NULL;

    while (text->len < 1048576)
        g_string_append_c(text, 'x');
    suite = plt_suite_parse(text->str, (gssize)text->len, "f", &error);
    g_assert_no_error(error);
    g_assert_nonnull(suite);
    g_string_append_c(text, 'x');
    assert_refused(text->str, (gssize)text->len, "f:1: ", "larger than 1 MiB");
}

static char *numbers(guint first, guint last)
{
    GString *text = g_string_new(NULL);

    for (guint i = first; i <= last; i++)
        g_string_append_printf(text, "%s%u", i > first ? "," : "", i);
    return g_string_free_and_steal(text);
}

/* 64 items in a list and 4096 cells in a suite are the limits. */
static void test_counts(void)
{
    g_autofree char *queues = numbers(1, 64);
    g_autofree char *too_many = numbers(1, 65);
    g_autofree char *limit = g_strdup_printf(
        HEAD "runs=1\n[a]\npattern=random\nblock=4K\nqueue=%s\nthreads=%s\nop=read\n", queues, queues);
    g_autofree char *above = g_strdup_printf("%s[b]\npattern=random\nblock=8K\nqueue=1\nop=read\n", limit);
    g_autofree char *list = g_strdup_printf(HEAD "[a]\npattern=random\nblock=4K\nqueue=%s\n", too_many);
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_parse(limit, -1, "f", &error);

    g_assert_no_error(error);
    g_assert_nonnull(suite);
    assert_refused(above, -1, "f:14: ", "more than 4096 cells");
    assert_refused(list, -1, "f:10: ", "at most 64 items");
}

static void test_sections(void)
{
    g_autoptr(GString) text = g_string_new(HEAD CELL);

    for (guint i = 0; i < 511; i++)
        g_string_append_printf(text, "[r%u]\nkind=rest\ntime=1\n", i);
    /* [suite], [a], r0 … r509 are 512 groups; r510 is one more. */
    assert_refused(text->str, -1, "f:1542: ", "at most 512 groups");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strconcat("/suite/errors/", cases[i].name, NULL);

        g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_case);
    }
    g_test_add_func("/suite/errors/bytes", test_bytes);
    g_test_add_func("/suite/errors/file-size", test_file_size);
    g_test_add_func("/suite/errors/counts", test_counts);
    g_test_add_func("/suite/errors/sections", test_sections);
    return g_test_run();
}
