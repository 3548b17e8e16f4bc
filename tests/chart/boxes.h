/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/picture.h"

/* An array for plt_picture_draw to note its texts in. */
GArray *plt_boxes_new(void);

/* Fails the test, naming NAME and the texts, when two overlap or one leaves WIDTH x HEIGHT. */
void plt_boxes_check(const GArray *boxes, double width, double height, const char *name);

/* TRUE when a text that begins with TEXT was drawn. */
gboolean plt_boxes_have(const GArray *boxes, const char *text);

/* How many texts had to be shortened. */
guint plt_boxes_shortened(const GArray *boxes);

/* Draws PICTURE into memory and checks its texts and that it is not blank; returns the texts. */
GArray *plt_boxes_draw(const PltPicture *picture, int width, int height, gboolean dark, const char *language,
                       const char *name);
