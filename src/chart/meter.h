/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * How full a bar beside a figure is, 0..1: CrystalDiskMark's logarithmic scale, which tells a QD1 access of
 * 40 MB/s and a sequential one of 14 GB/s apart in one table.
 */

/* 0.1 MB/s is empty, 100 GB/s full: six decades. */
double plt_meter_bandwidth(double bytes_per_second);

/* The other way round: 1 µs is full, 1 s empty; 0, which is no latency, is empty. */
double plt_meter_latency(double ns);
