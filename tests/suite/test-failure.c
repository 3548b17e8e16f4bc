/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <glib.h>

#include "suite/failure.h"

/* Untranslated, the sentences are those of the engine: one that is changed there is changed here too. */
static void compare(const struct plt_engine_error *error)
{
    char engine[256];
    g_autofree char *text = plt_failure_text(error);

    g_assert_cmpstr(text, ==, plt_engine_error_text(error, engine, sizeof engine));
}

static void test_phases(void)
{
    static const enum plt_phase phases[] = {PLT_PHASE_NONE, PLT_PHASE_CHECK, PLT_PHASE_MEMORY, PLT_PHASE_RING,
                                            PLT_PHASE_DRAIN};

    for (gsize i = 0; i < G_N_ELEMENTS(phases); i++)
        compare(&(struct plt_engine_error){.phase = phases[i], .code = ENOMEM});
}

static void test_io(void)
{
    static const int codes[] = {ENOSPC,    EDQUOT, ENODEV,  ENXIO, ESHUTDOWN, EIO,
                                EREMOTEIO, EILSEQ, ENODATA, EPERM, EINVAL};

    for (gsize i = 0; i < G_N_ELEMENTS(codes); i++) {
        for (int op = 0; op < PLT_N_OPS; op++)
            compare(&(struct plt_engine_error){.phase = PLT_PHASE_IO,
                                               .code = codes[i],
                                               .op = (enum plt_op)op,
                                               .offset = G_MAXUINT64,
                                               .at_ns = G_GUINT64_CONSTANT(86461234000000)});
    }
}

static void test_words(void)
{
    struct plt_engine_error error = {
        .phase = PLT_PHASE_IO, .code = ENODEV, .op = PLT_OP_WRITE, .offset = 67108864, .at_ns = 1340000000};
    g_autofree char *text = plt_failure_text(&error);

    g_assert_cmpstr(text, ==, "a write at byte 67108864 failed after 1.3 s: the drive is gone");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/failure/phases", test_phases);
    g_test_add_func("/suite/failure/io", test_io);
    g_test_add_func("/suite/failure/words", test_words);
    return g_test_run();
}
