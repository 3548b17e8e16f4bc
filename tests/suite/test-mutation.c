/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "suite/plan.h"
#include "suite/seed.h"

/*
 * Shipped files, broken in many small ways. Whatever comes of one: either a suite whose every workload the
 * engine takes, or one error that names a line of the file. With sanitizers this also finds reads beyond
 * ends.
 */
#define MUTANTS_PER_FILE 1500

/* What is put into files: the ends of number ranges, syntax, other scripts, and what is no text at all. */
static const char *const tokens[] = {
    "0",
    "-1",
    "1e9",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "0.0001",
    "=",
    "[",
    "]",
    "[suite]",
    "\n[x]\n",
    "\n",
    "\r\n",
    "#",
    ",",
    ",,,,,,",
    "\\",
    "\\q",
    "\\n",
    "%",
    "%s%n",
    "한글",
    "\xff",
    "\xed\xa0\x80",
    "\xf4\x90\x80\x80",
    "GiB",
    "TiB",
    "kind=rest\n",
    "mix=70\n",
    "order=operation\n",
    "time=5\n",
    "op=read,write,mix\n",
    "name[ko]=\n",
    "slices=yes\n",
    "1,2,4,8,16,32,64,128,256,512,1024,2048,4096",
    "optional=yes\n",
    "threads=64\n",
    "\t",
    "   ",
};

static guint64 state;

static guint64 draw(guint64 below)
{
    return plt_seed_splitmix64(0x5eed, state++) % below;
}

static void mutate(GByteArray *data)
{
    guint at = data->len > 0 ? (guint)draw(data->len) : 0;
    const char *token = tokens[draw(G_N_ELEMENTS(tokens))];
    guint wanted = (guint)draw(40) + 1;
    guint length = MIN(wanted, data->len - at);
    g_autoptr(GByteArray) tail = g_byte_array_new();

    if (data->len == 0)
        return;
    switch (draw(6)) {
    case 0: /* a byte, NUL among them */
        data->data[at] = (guint8)draw(256);
        break;
    case 1: /* a stretch goes */
        g_byte_array_remove_range(data, at, length);
        break;
    case 2: /* a stretch comes twice */
        g_byte_array_append(tail, data->data + at, data->len - at);
        g_byte_array_set_size(data, at + length);
        g_byte_array_append(data, tail->data, tail->len);
        break;
    case 3: /* the end is missing */
        g_byte_array_set_size(data, at);
        break;
    default: /* a token comes in */
        g_byte_array_append(tail, data->data + at, data->len - at);
        g_byte_array_set_size(data, at);
        g_byte_array_append(data, (const guint8 *)token, (guint)strlen(token));
        g_byte_array_append(data, tail->data, tail->len);
    }
}

static guint count_lines(const GByteArray *data)
{
    guint lines = 1;

    for (guint i = 0; i < data->len; i++)
        lines += data->data[i] == '\n';
    return lines;
}

static void check_error(const GError *error, const GByteArray *data)
{
    char *end = NULL;
    guint64 line;

    g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
    g_assert_true(g_utf8_validate(error->message, -1, NULL));
    g_assert_true(g_str_has_prefix(error->message, "mutant:"));
    g_assert_cmpuint(strlen(error->message), <, 2000);
    line = g_ascii_strtoull(error->message + strlen("mutant:"), &end, 10);
    g_assert_true(g_str_has_prefix(end, ": "));
    g_assert_cmpuint(line, >=, 1);
    g_assert_cmpuint(line, <=, count_lines(data));
}

static void check_suite(PltSuite *suite)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, 0, 1, &error);
    struct plt_engine_target target = {.fd = -1, .logical_block = 512};

    g_assert_no_error(error);
    g_assert_cmpuint(plan->steps->len, >, 0);
    plt_plan_fit(plan, G_GUINT64_CONSTANT(64) << 30, TRUE);
    target.length = plan->size;
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);
        char text[256] = "";

        if (step->kind == PLT_STEP_MEASURE)
            g_assert_cmpstr(plt_workload_check(&step->workload, &target, text, sizeof(text)), ==, NULL);
    }
    g_assert_nonnull(plt_suite_name(suite));
    g_assert_nonnull(plt_suite_description(suite));
}

static void test_file(gconstpointer path)
{
    g_autofree char *text = NULL;
    gsize length = 0;
    guint n_suites = 0;

    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    state = 0;
    for (guint i = 0; i < MUTANTS_PER_FILE; i++) {
        g_autoptr(GByteArray) data = g_byte_array_new();
        g_autoptr(GError) error = NULL;
        g_autoptr(PltSuite) suite = NULL;
        g_autofree char *exact = NULL;

        g_byte_array_append(data, (const guint8 *)text, (guint)length);
        for (guint64 n = 1 + draw(3); n > 0; n--)
            mutate(data);
        /* A copy without a byte behind its end, so that a read past it is seen. */
        exact = g_memdup2(data->data, MAX(data->len, 1));
        suite = plt_suite_parse(exact, (gssize)data->len, "mutant", &error);
        if (suite != NULL)
            check_suite(suite);
        else
            check_error(error, data);
        n_suites += suite != NULL;
    }
    /* Both ways must have been taken, or the mutations are too harsh or too mild to find anything. */
    g_assert_cmpuint(n_suites, >, MUTANTS_PER_FILE / 100);
    g_assert_cmpuint(n_suites, <, MUTANTS_PER_FILE * 9 / 10);
}

int main(int argc, char **argv)
{
    const char *folder = g_getenv("PLATEAU_SUITES_DIR");
    g_autoptr(GDir) dir = NULL;
    const char *name;

    g_test_init(&argc, &argv, NULL);
    dir = folder != NULL ? g_dir_open(folder, 0, NULL) : NULL;
    if (dir == NULL)
        g_error("PLATEAU_SUITES_DIR must be the folder of the shipped suites");
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_strconcat("/suite/mutation/", name, NULL);

        g_test_add_data_func_full(path, g_build_filename(folder, name, NULL), test_file, g_free);
    }
    return g_test_run();
}
