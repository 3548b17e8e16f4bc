/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Bandwidths of one direction in MB/s (10^6 bytes/s). */
struct plt_score_input {
    double sequential; /* 16 MiB blocks, one at a time */
    double random;     /* 4 KiB, one at a time */
    double random64;   /* 4 KiB, 64 threads */
};

struct plt_score {
    double read;
    double write;
    double total;
};

/*
 * The "AS SSD-style" score in points, not rounded. The weights are those that Tom's Hardware ("Three PCI
 * Express-Based SSDs", page 6) and ssd-tester.com give for AS SSD; access times do not enter. The figures
 * come from Plateau's own workloads, so it is a score of that style and not AS SSD's.
 */
struct plt_score plt_analysis_as_ssd_score(const struct plt_score_input *read,
                                           const struct plt_score_input *write);
