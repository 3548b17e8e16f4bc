/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/power-state.h"

#include <math.h>
#include <string.h>

#include "drive/nvme-identify.h"
#include "nvme-drive.h"

/* The same watts in the two scales, and the others of a descriptor. */
static void test_scales(void)
{
    guint8 data[4096];
    PltNvmeController controller;
    const PltPowerState *states = controller.power_states;

    make_full_controller(data);
    g_assert_true(plt_nvme_controller_decode((PltBytes){data, sizeof data}, &controller));
    g_assert_cmpfloat_with_epsilon(states[0].max_watt, 8.25, 1e-9);
    g_assert_cmpfloat_with_epsilon(states[1].max_watt, 4.1, 1e-9);
    g_assert_cmpfloat_with_epsilon(states[2].max_watt, 2.6, 1e-9);
    g_assert_cmpfloat_with_epsilon(states[3].max_watt, 0.05, 1e-9);
    g_assert_cmpfloat_with_epsilon(states[4].max_watt, 0.005, 1e-9);
    g_assert_true(states[2].operational);
    g_assert_false(states[3].operational);
    g_assert_cmpfloat_with_epsilon(states[0].idle_watt, 1.5, 1e-9);
    g_assert_cmpfloat_with_epsilon(states[0].active_watt, 7.8, 1e-9);
    g_assert_cmpuint(states[0].active_workload, ==, 2);
    g_assert_cmpfloat_with_epsilon(states[3].idle_watt, 0.0499, 1e-9);
    g_assert_true(isnan(states[4].idle_watt));
    g_assert_true(isnan(states[1].active_watt));
    g_assert_cmpuint(states[4].entry_us, ==, 4000);
    g_assert_cmpuint(states[4].exit_us, ==, 1200000);
    g_assert_cmpuint(states[4].read_throughput, ==, 31);
    g_assert_cmpuint(states[4].write_latency, ==, 4);
    g_assert_cmpuint(states[3].index, ==, 3);
}

static void test_empty(void)
{
    PltPowerState state = plt_power_state_decode((PltBytes){NULL, 0}, 7);

    g_assert_true(isnan(state.max_watt));
    g_assert_cmpuint(state.index, ==, 7);
    g_assert_cmpuint(state.entry_us, ==, 0);
}

static void test_transitions(void)
{
    guint8 data[256];
    PltPowerTransition transitions[PLT_POWER_STATES_MAX];

    make_full_apst(data);
    g_assert_true(plt_power_transitions_decode((PltBytes){data, sizeof data}, transitions));
    g_assert_cmpuint(transitions[0].target, ==, 3);
    g_assert_cmpuint(transitions[0].idle_ms, ==, 100);
    g_assert_cmpuint(transitions[3].target, ==, 4);
    g_assert_cmpuint(transitions[3].idle_ms, ==, 2000);
    g_assert_cmpuint(transitions[4].idle_ms, ==, 0);
    g_assert_false(plt_power_transitions_decode((PltBytes){data, 255}, transitions));
    g_assert_cmpuint(transitions[0].idle_ms, ==, 0);
}

static void test_text(void)
{
    static const struct {
        double watt;
        const char *text;
    } watts[] = {{8.25, "8.25 W"}, {25, "25 W"}, {0.05, "50 mW"}, {0.0026, "2.6 mW"}, {1, "1 W"}};
    static const struct {
        guint32 us;
        const char *text;
    } latencies[] = {{16, "16 µs"}, {4000, "4000 µs"}, {10000, "10 ms"}, {1200000, "1.2 s"}};

    for (gsize i = 0; i < G_N_ELEMENTS(watts); i++) {
        g_autofree char *text = plt_power_text(watts[i].watt);

        g_assert_cmpstr(text, ==, watts[i].text);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(latencies); i++) {
        g_autofree char *text = plt_power_latency_text(latencies[i].us);

        g_assert_cmpstr(text, ==, latencies[i].text);
    }
    g_assert_null(plt_power_text(NAN));
    g_assert_null(plt_power_latency_text(0));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/power-state/scales", test_scales);
    g_test_add_func("/drive/power-state/empty", test_empty);
    g_test_add_func("/drive/power-state/transitions", test_transitions);
    g_test_add_func("/drive/power-state/text", test_text);
    return g_test_run();
}
