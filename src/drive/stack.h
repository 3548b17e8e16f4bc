/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "drive/place.h"

/* What carries a place, from the file system down to whole drives. */
typedef struct {
    GPtrArray *layers;  /* char *, top first: "ext4", "LVM", "LUKS", "partition" */
    GPtrArray *tops;    /* char *, block devices (sysfs names) that the file system itself sits on */
    GPtrArray *drives;  /* char *, whole drives (sysfs names: "nvme0n1", "cciss!c0d0") */
    gboolean in_memory; /* at least one part is kept in memory (zram, a loop device's file on tmpfs) */
    gboolean hidden;    /* at least one part cannot be seen from here */
} PltStack;

/* Walks down from PLACE through the sysfs tree below ROOT. Never NULL. */
PltStack *plt_stack_new(const char *root, const PltPlace *place);
void plt_stack_free(PltStack *stack);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltStack, plt_stack_free)

/* TRUE when LAYER is one of the layers, or begins one followed by a space ("md" for "md raid1"). */
gboolean plt_stack_has_layer(const PltStack *stack, const char *layer);

/* TRUE when A and B have a drive in common. */
gboolean plt_stack_shares_drive(const PltStack *a, const PltStack *b);
