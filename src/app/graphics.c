/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/graphics.h"

#define RENDER_NODES "dev/dri"
#define RENDER_NODE "renderD"

/* Drivers that may work without a render node: NVIDIA's own, and the one of Windows' subsystem. */
static const char *const other_devices[] = {"dev/nvidiactl", "dev/dxg"};

static gboolean has_render_node(const char *root)
{
    g_autofree char *folder = g_build_filename(root, RENDER_NODES, NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name = NULL;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (g_str_has_prefix(name, RENDER_NODE))
            return TRUE;
    }
    return FALSE;
}

gboolean plt_graphics_has_processor(const char *root)
{
    for (gsize i = 0; i < G_N_ELEMENTS(other_devices); i++) {
        g_autofree char *path = g_build_filename(root, other_devices[i], NULL);

        if (g_file_test(path, G_FILE_TEST_EXISTS))
            return TRUE;
    }
    return has_render_node(root);
}

void plt_graphics_choose(void)
{
    if (g_getenv("GDK_DISABLE") != NULL || g_getenv("GSK_RENDERER") != NULL)
        return;
    if (!plt_graphics_has_processor("/"))
        g_setenv("GDK_DISABLE", "gl,vulkan", FALSE);
}
