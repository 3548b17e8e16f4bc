/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/graphics.h"

#include <glib/gstdio.h>

typedef struct {
    char *root, *dev, *dri;
} Machine;

static void set_up(Machine *machine, gconstpointer nothing)
{
    g_autoptr(GError) error = NULL;

    machine->root = g_dir_make_tmp("plateau-graphics-XXXXXX", &error);
    g_assert_no_error(error);
    machine->dev = g_build_filename(machine->root, "dev", NULL);
    machine->dri = g_build_filename(machine->dev, "dri", NULL);
    g_assert_cmpint(g_mkdir_with_parents(machine->dri, 0700), ==, 0);
}

static void tear_down(Machine *machine, gconstpointer nothing)
{
    g_assert_cmpint(g_rmdir(machine->dri), ==, 0);
    g_assert_cmpint(g_rmdir(machine->dev), ==, 0);
    g_assert_cmpint(g_rmdir(machine->root), ==, 0);
    g_free(machine->root);
    g_free(machine->dev);
    g_free(machine->dri);
}

static gboolean has_processor_with(const Machine *machine, const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;
    gboolean found = FALSE;

    g_file_set_contents(path, "", 0, &error);
    g_assert_no_error(error);
    found = plt_graphics_has_processor(machine->root);
    g_assert_cmpint(g_unlink(path), ==, 0);
    return found;
}

/* A card that only shows pictures (the console of a virtual machine, a server's) makes none. */
static void test_processor(Machine *machine, gconstpointer nothing)
{
    g_assert_false(plt_graphics_has_processor(machine->root));
    g_assert_false(has_processor_with(machine, machine->dri, "card0"));
    g_assert_true(has_processor_with(machine, machine->dri, "renderD128"));
    g_assert_true(has_processor_with(machine, machine->dev, "nvidiactl"));
    g_assert_true(has_processor_with(machine, machine->dev, "dxg"));
}

static void test_no_devices(void)
{
    g_assert_false(plt_graphics_has_processor("/nonexistent"));
}

/* What somebody has set is theirs, whatever this machine has. */
static void test_choice_stands(void)
{
    g_setenv("GDK_DISABLE", "vulkan", TRUE);
    plt_graphics_choose();
    g_assert_cmpstr(g_getenv("GDK_DISABLE"), ==, "vulkan");
    g_unsetenv("GDK_DISABLE");
    g_setenv("GSK_RENDERER", "ngl", TRUE);
    plt_graphics_choose();
    g_assert_null(g_getenv("GDK_DISABLE"));
    g_unsetenv("GSK_RENDERER");
    plt_graphics_choose();
    g_assert_cmpstr(g_getenv("GDK_DISABLE"), ==, plt_graphics_has_processor("/") ? NULL : "gl,vulkan");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/graphics/processor", Machine, NULL, set_up, test_processor, tear_down);
    g_test_add_func("/graphics/no-devices", test_no_devices);
    g_test_add_func("/graphics/choice-stands", test_choice_stands);
    return g_test_run();
}
