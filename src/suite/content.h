/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/section.h"

/* How the cells of neighbouring measure steps follow each other. */
typedef enum {
    PLT_ORDER_STEP, /* as the steps stand; in a step block by block, queue, threads, then its operations */
    PLT_ORDER_OPERATION, /* all reads, then all writes, then all mixes, as CrystalDiskMark */
} PltOrder;

/* What a suite file says. For the files of this folder; everybody else uses suite.h. */
struct plt_suite {
    gatomicrefcount references;
    char *id;
    guint version;
    char *name;          /* in the program's language */
    char *original_name; /* as the file has it without a language */
    char *description;
    char *group;
    guint place; /* within the group, low first */
    char *chart;
    PltOrder order;
    struct plt_settings settings;
    GPtrArray *sections; /* PltSection */
};

const char *plt_order_name(PltOrder order);

/* Place of the suite's group in lists, from 0. */
guint plt_suite_group_rank(const PltSuite *suite);
