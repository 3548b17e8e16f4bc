/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

/*
 * Every page of the window as a picture: plateau-shots FOLDER [--variant NAME] [--scene NAME] [--scale N].
 * A variant and what the program finds at its start belong to one process: it starts itself for each.
 */

#include "config.h"

#include <ftw.h>
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "machine.h"
#include "records.h"
#include "scenes.h"

#define WIDTH 1120
#define HEIGHT 760

/* GtkSettings:gtk-xft-dpi counts 1024ths; 96 is the usual text, 144 the largest of the desktop's switch. */
#define LARGE_TEXT_DPI (144 * 1024)

static const struct {
    const char *name;
    const char *environment[4]; /* names and values */
    int width, height;
    gboolean right_to_left, large_text;
} variants[] = {
    {"light", {"ADW_DEBUG_COLOR_SCHEME", "prefer-light"}, WIDTH, HEIGHT, FALSE, FALSE},
    {"dark", {"ADW_DEBUG_COLOR_SCHEME", "prefer-dark"}, WIDTH, HEIGHT, FALSE, FALSE},
    {"korean", {"LC_ALL", "ko_KR.UTF-8", "LANGUAGE", "ko"}, WIDTH, HEIGHT, FALSE, FALSE},
    {"rtl", {NULL}, WIDTH, HEIGHT, TRUE, FALSE},
    {"narrow", {NULL}, 360, 720, FALSE, FALSE},
    {"large-text", {NULL}, WIDTH, HEIGHT, FALSE, TRUE},
    {"contrast", {"ADW_DEBUG_HIGH_CONTRAST", "1"}, WIDTH, HEIGHT, FALSE, FALSE},
};

static const char *const situations[N_SITUATIONS] = {"full", "first", "none", "damaged"};

static char *variant_name, *situation_name, *scene_name;
static double scale = 1;
static char **folders;

static const GOptionEntry options[] = {
    {"variant", 0, 0, G_OPTION_ARG_STRING, &variant_name, "light, dark, korean, rtl, …; default: all",
     "NAME"},
    {"situation", 0, 0, G_OPTION_ARG_STRING, &situation_name, "full, first, none, damaged; default: all",
     "NAME"},
    {"scene", 0, 0, G_OPTION_ARG_STRING, &scene_name, "only pictures whose name starts so", "NAME"},
    {"scale", 0, 0, G_OPTION_ARG_DOUBLE, &scale, "pixels per point", "N"},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &folders, NULL, "FOLDER"},
    {NULL},
};

typedef struct {
    Stage *stage;
    const char *folder, *variant;
    guint n;
} Album;

static void take_picture(const char *name, gpointer data)
{
    Album *album = data;
    g_autofree char *path = NULL;

    if (scene_name != NULL && !g_str_has_prefix(name, scene_name))
        return;
    path = g_strdup_printf("%s/%s-%s.png", album->folder, name, album->variant);
    stage_snap(album->stage, path);
    album->n++;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    return remove(path);
}

static void prepare_library(Situation situation, Fixture *machine)
{
    g_autofree char *path = plt_library_default_path();
    g_autofree char *folder = g_path_get_dirname(path);

    g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
    if (situation == SITUATION_FULL)
        records_store(path, machine);
    else if (situation == SITUATION_DAMAGED)
        records_damage(path);
}

static int play(gsize variant, Situation situation, const char *folder)
{
    g_autofree char *work = g_dir_make_tmp("plateau-shots-XXXXXX", NULL);
    g_autoptr(Fixture) machine = NULL;
    Album album = {.folder = folder, .variant = variants[variant].name};

    g_assert_nonnull(work);
    g_setenv("XDG_DATA_HOME", work, TRUE);
    machine = machine_new(work);
    if (situation == SITUATION_NONE)
        machine_unplug_all();
    prepare_library(situation, machine);

    gtk_disable_setlocale();
    gtk_init();
    if (variants[variant].right_to_left)
        gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL);
    if (variants[variant].large_text)
        g_object_set(gtk_settings_get_default(), "gtk-xft-dpi", LARGE_TEXT_DPI, NULL);
    album.stage = stage_new(variants[variant].width, variants[variant].height);
    album.stage->scale = scale;
    scenes_play(album.stage, situation, variants[variant].width, variants[variant].height, take_picture,
                &album);
    stage_free(album.stage);
    g_assert_cmpint(nftw(work, remove_one, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
    return album.n > 0 || scene_name != NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}

static gboolean start(const char *program, gsize variant, gsize situation, const char *folder)
{
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_NONE);
    g_autoptr(GSubprocess) child = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *scale_text = g_strdup_printf("%g", scale);
    const char *arguments[] = {program,
                               folder,
                               "--variant",
                               variants[variant].name,
                               "--situation",
                               situations[situation],
                               "--scale",
                               scale_text,
                               scene_name != NULL ? "--scene" : NULL,
                               scene_name,
                               NULL};

    for (gsize i = 0; i < 4 && variants[variant].environment[i] != NULL; i += 2)
        g_subprocess_launcher_setenv(launcher, variants[variant].environment[i],
                                     variants[variant].environment[i + 1], TRUE);
    child = g_subprocess_launcher_spawnv(launcher, arguments, &error);
    g_assert_no_error(error);
    if (g_subprocess_wait_check(child, NULL, &error))
        return TRUE;
    g_printerr("%s, %s: %s\n", variants[variant].name, situations[situation], error->message);
    return FALSE;
}

static gboolean is_wanted(const char *name, const char *chosen)
{
    return chosen == NULL || g_str_equal(name, chosen);
}

static int play_all(const char *program, const char *folder)
{
    gboolean ok = TRUE;

    for (gsize v = 0; v < G_N_ELEMENTS(variants); v++) {
        for (gsize s = 0; s < N_SITUATIONS; s++) {
            if (is_wanted(variants[v].name, variant_name) && is_wanted(situations[s], situation_name))
                ok = start(program, v, s, folder) && ok;
        }
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int play_one(const char *folder)
{
    for (gsize v = 0; v < G_N_ELEMENTS(variants); v++) {
        for (gsize s = 0; s < N_SITUATIONS; s++) {
            if (g_str_equal(variants[v].name, variant_name) && g_str_equal(situations[s], situation_name))
                return play(v, s, folder);
        }
    }
    g_printerr("plateau-shots: no variant %s or no situation %s\n", variant_name, situation_name);
    return 2;
}

int main(int argc, char **argv)
{
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    gboolean child = g_getenv("PLATEAU_SHOTS_CHILD") != NULL;

    /* Translations need no more than a locale that is not "C". */
    if (setlocale(LC_ALL, "") == NULL)
        setlocale(LC_ALL, "C.UTF-8");
    setlocale(LC_NUMERIC, "C");
    bindtextdomain(GETTEXT_PACKAGE, g_getenv("PLATEAU_LOCALE_DIR"));
    bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
    textdomain(GETTEXT_PACKAGE);
    g_option_context_add_main_entries(context, options, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error) || folders == NULL || folders[1] != NULL) {
        g_printerr("plateau-shots: %s\n", error != NULL ? error->message : "give one folder");
        return 2;
    }
    if (g_mkdir_with_parents(folders[0], 0777) != 0) {
        g_printerr("plateau-shots: the folder %s cannot be made\n", folders[0]);
        return 1;
    }
    g_setenv("PLATEAU_SHOTS_CHILD", "1", TRUE);
    return child ? play_one(folders[0]) : play_all(argv[0], folders[0]);
}
