/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * TRUE when there is a graphics processor that draws for this program: a render node of the kernel, or the
 * device of a driver that has none. ROOT is "/", or a recorded tree that stands for it.
 */
gboolean plt_graphics_has_processor(const char *root);

/*
 * Keeps GTK from drawing through OpenGL or Vulkan where only the processor could do it for them: that takes
 * about 100 MB and half of the time of a start, and gives the same picture. What a person has set in
 * GDK_DISABLE or GSK_RENDERER stands. Call it before GTK is initialised and before there are threads.
 */
void plt_graphics_choose(void);
