/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "library/library.h"
#include "suite/runner.h"

#define MIB (G_GUINT64_CONSTANT(1) << 20)

/* No more than SIZE of the free space: a test must not fill somebody's disk. */
static const char fill_text[] =
    "[suite]\nid=tiny-fill\nname=Fill\ndescription=Fill.\nsize=24MiB\nruns=2\nwarmup=1\n"
    "[fill]\nkind=fill-free-space\nblock=1MiB\nqueue=4\n";
static const char verify_text[] = "[suite]\nid=tiny-verify\nname=Verify\ndescription=Verify.\nsize=24MiB\n"
                                  "[verify]\nkind=verify-capacity\n";

typedef struct {
    char *folder_path, *library_path;
    PltTarget *target; /* NULL: the test's folder cannot be measured */
    PltPlan *plan;
} Fixture;

static void set_up(Fixture *f, gconstpointer suite_text)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *here = g_get_current_dir();
    g_autoptr(PltSuite) suite = plt_suite_parse(suite_text, -1, "tiny", &error);
    PltFolder *folder;

    g_assert_no_error(error);
    f->folder_path = g_strdup_printf("%s/free-space-%08x", here, g_random_int());
    g_assert_cmpint(g_mkdir(f->folder_path, 0700), ==, 0);
    f->library_path = g_strdup_printf("%s.db", f->folder_path);
    folder = plt_folder_open(f->folder_path, TRUE, NULL);
    f->target = folder != NULL ? plt_target_new_folder(folder) : NULL;
    f->plan = plt_plan_new(suite, NULL, 0, 1, &error);
    g_assert_no_error(error);
}

static void tear_down(Fixture *f, gconstpointer unused)
{
    static const char *const endings[] = {"", "-wal", "-shm"};

    g_clear_pointer(&f->plan, plt_plan_free);
    g_clear_pointer(&f->target, plt_target_free);
    /* Fails if a file was left behind: that is a test too. */
    g_assert_cmpint(g_rmdir(f->folder_path), ==, 0);
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        g_autofree char *path = g_strconcat(f->library_path, endings[i], NULL);

        g_remove(path);
    }
    g_free(f->folder_path);
    g_free(f->library_path);
}

static PltRun *execute(Fixture *f, PltRunnerFunc func, gpointer user, GCancellable *cancellable)
{
    g_autoptr(GError) error = NULL;
    PltRun *run = f->target != NULL ? plt_runner_execute(f->plan, f->target, f->library_path, func, user,
                                                         cancellable, &error)
                                    : NULL;

    if (f->target == NULL || g_error_matches(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED) ||
        g_error_matches(error, PLT_ERROR, PLT_ERROR_NO_SPACE)) {
        g_test_skip("the build folder's file system cannot be measured or is full");
        return NULL;
    }
    g_assert_no_error(error);
    return run;
}

static JsonObject *finding(const PltCellRun *run, const char *name)
{
    JsonObject *engine = json_node_get_object(run->engine);

    g_assert_true(json_object_has_member(engine, name));
    return json_object_get_object_member(engine, name);
}

static const char *verdict_of(const PltRun *run)
{
    for (guint i = 0; i < run->warnings->len; i++) {
        const PltWarning *warning = run->warnings->pdata[i];

        if (g_str_has_prefix(warning->id, "capacity-"))
            return warning->id;
    }
    return NULL;
}

/* Every pass writes the whole amount, and its samples add up to it. */
static void test_fill(Fixture *f, gconstpointer unused)
{
    g_autoptr(PltRun) run = execute(f, NULL, NULL, NULL);
    g_autoptr(PltLibrary) library = NULL;
    g_autoptr(PltRun) stored = NULL;
    const PltCell *cell;

    if (run == NULL)
        return;
    g_assert_cmpint(run->status, ==, PLT_RUN_COMPLETE);
    library = plt_library_open(f->library_path, NULL);
    stored = plt_library_load(library, run->id, NULL);
    g_assert_nonnull(stored);
    g_assert_cmpuint(stored->cells->len, ==, 1);
    cell = stored->cells->pdata[0];
    g_assert_cmpuint(cell->runs->len, ==, 3);
    for (guint i = 0; i < cell->runs->len; i++) {
        PltCellRun *pass = cell->runs->pdata[i];
        guint64 bytes = 0;

        g_assert_true(pass->complete);
        g_assert_true(pass->warmup == (i == 0));
        g_assert_cmpuint(pass->total.bytes, ==, 24 * MIB);
        g_assert_cmpint(json_object_get_int_member(finding(pass, "space"), "planned"), ==, 24 * MIB);
        g_assert_false(json_object_get_boolean_member(finding(pass, "space"), "gave_way"));
        g_assert_true(plt_library_load_samples(library, pass, NULL));
        for (guint s = 0; s < pass->samples->len; s++)
            bytes += g_array_index(pass->samples, struct plt_sample, s).op[PLT_OP_WRITE].bytes;
        g_assert_cmpuint(bytes, ==, 24 * MIB);
    }
}

static void test_verify(Fixture *f, gconstpointer unused)
{
    g_autoptr(PltRun) run = execute(f, NULL, NULL, NULL);
    const PltCellRun *pass;

    if (run == NULL)
        return;
    g_assert_cmpint(run->status, ==, PLT_RUN_COMPLETE);
    g_assert_cmpstr(verdict_of(run), ==, "capacity-genuine");
    g_assert_cmpuint(run->cells->len, ==, 2);
    for (guint i = 0; i < 2; i++) {
        pass = ((const PltCell *)run->cells->pdata[i])->runs->pdata[0];
        g_assert_cmpuint(pass->total.bytes, ==, 24 * MIB);
    }
    g_assert_cmpstr(json_object_get_string_member(finding(pass, "capacity"), "verdict"), ==, "genuine");
    g_assert_cmpint(json_object_get_int_member(finding(pass, "capacity"), "good"), ==, 24 * MIB);
}

/* Overwrites 4 KiB at FAULT_AT of each file without a name that this program has open, before the reading. */
#define FAULT_AT (5 * MIB + 8192)

static void harm_files(void)
{
    g_autoptr(GDir) dir = g_dir_open("/proc/self/fd", 0, NULL);
    const char *name;

    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename("/proc/self/fd", name, NULL);
        g_autofree char *at = g_file_read_link(path, NULL);
        guint8 bad[4096];
        int fd;

        if (at == NULL || strstr(at, "free-space-") == NULL || strstr(at, "(deleted)") == NULL)
            continue;
        memset(bad, 0x5a, sizeof bad);
        fd = open(path, O_WRONLY | O_CLOEXEC);
        g_assert_cmpint(fd, >=, 0);
        g_assert_cmpint(pwrite(fd, bad, sizeof bad, FAULT_AT), ==, sizeof bad);
        g_assert_cmpint(fsync(fd), ==, 0);
        close(fd);
    }
}

static void harm_between_passes(const PltRunnerProgress *progress, const struct plt_sample *sample,
                                gpointer user)
{
    gboolean *done = user;

    if (progress->step == 1 && !*done)
        harm_files();
    *done |= progress->step == 1;
}

/* What was changed behind its back is found, counted and located. */
static void test_damage(Fixture *f, gconstpointer unused)
{
    gboolean done = FALSE;
    g_autoptr(PltRun) run = execute(f, harm_between_passes, &done, NULL);
    JsonObject *found;

    if (run == NULL)
        return;
    g_assert_cmpint(run->status, ==, PLT_RUN_COMPLETE);
    g_assert_cmpstr(verdict_of(run), ==, "capacity-damaged");
    found = finding(((const PltCell *)run->cells->pdata[1])->runs->pdata[0], "capacity");
    g_assert_cmpint(json_object_get_int_member(found, "corrupted"), ==, 4096);
    g_assert_cmpint(json_object_get_int_member(found, "first_bad"), ==, FAULT_AT);
    g_assert_cmpint(json_object_get_int_member(found, "good"), ==, 24 * MIB - 4096);
}

static void stop_at_first_sample(const PltRunnerProgress *progress, const struct plt_sample *sample,
                                 gpointer user)
{
    if (sample != NULL)
        g_cancellable_cancel(user);
}

/* A check that was stopped judges nothing. */
static void test_stop(Fixture *f, gconstpointer unused)
{
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(PltRun) run = execute(f, stop_at_first_sample, cancellable, cancellable);

    if (run == NULL)
        return;
    g_assert_cmpint(run->status, ==, PLT_RUN_STOPPED);
    g_assert_null(verdict_of(run));
}

static void test_refuses_reading_alone(Fixture *f, gconstpointer unused)
{
    g_autoptr(PltOverrides) overrides = plt_overrides_new();
    g_autoptr(PltSuite) suite = plt_suite_parse(verify_text, -1, "tiny", NULL);
    g_autoptr(PltRun) run = NULL;

    g_assert_true(plt_overrides_set(overrides, "only=read", NULL));
    plt_plan_free(g_steal_pointer(&f->plan));
    f->plan = plt_plan_new(suite, overrides, 0, 1, NULL);
    run = execute(f, NULL, NULL, NULL);
    if (run == NULL)
        return;
    g_assert_cmpint(run->status, ==, PLT_RUN_FAILED);
    g_assert_nonnull(run->status_detail);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/suite/free-space/fill", Fixture, fill_text, set_up, test_fill, tear_down);
    g_test_add("/suite/free-space/verify", Fixture, verify_text, set_up, test_verify, tear_down);
    g_test_add("/suite/free-space/damage", Fixture, verify_text, set_up, test_damage, tear_down);
    g_test_add("/suite/free-space/stop-fill", Fixture, fill_text, set_up, test_stop, tear_down);
    g_test_add("/suite/free-space/stop-verify", Fixture, verify_text, set_up, test_stop, tear_down);
    g_test_add("/suite/free-space/reading-alone", Fixture, verify_text, set_up, test_refuses_reading_alone,
               tear_down);
    return g_test_run();
}
