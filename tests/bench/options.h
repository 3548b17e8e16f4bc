/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/engine.h"

struct load_options {
    struct plt_workload workload;
    const char *path; /* NULL with --nop */
    uint64_t offset;
    uint64_t length; /* 0 = up to the end */
    bool overwrite;  /* the target's contents may be destroyed */
    bool buffered;   /* without O_DIRECT */
    bool samples;    /* print the samples */
    bool check;      /* a broken invariant is a failure */
};

enum load_parse {
    LOAD_PARSE_RUN,
    LOAD_PARSE_HELP,
    LOAD_PARSE_WRONG, /* the reason is on stderr */
};

enum load_parse load_options_parse(struct load_options *options, int argc, char **argv);
