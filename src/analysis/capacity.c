/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/capacity.h"

double plt_analysis_over_provisioning_percent(double raw, double user)
{
    return user > 0 ? 100 * (raw - user) / user : 0;
}

double plt_analysis_capacitor_energy_j(unsigned count, double farad, double volt)
{
    return count * farad * volt * volt / 2;
}

double plt_analysis_hold_up_s(double energy_j, double watt, double efficiency)
{
    return watt > 0 ? energy_j * efficiency / watt : 0;
}
