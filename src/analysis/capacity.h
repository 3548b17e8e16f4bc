/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Over-provisioning in %: (RAW - USER) / USER, both in the same unit. 0 when USER is not positive. */
double plt_analysis_over_provisioning_percent(double raw, double user);

/* Energy in J that COUNT capacitors of FARAD each hold at VOLT: count x C x V^2 / 2. */
double plt_analysis_capacitor_energy_j(unsigned count, double farad, double volt);

/*
 * Seconds that ENERGY_J feeds a drive that draws WATT, at an EFFICIENCY of 0..1. A best case: charge below
 * the rated voltage and the converter's cut-off are not in it. 0 when WATT is not positive.
 */
double plt_analysis_hold_up_s(double energy_j, double watt, double efficiency);
