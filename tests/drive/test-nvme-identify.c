/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/nvme-identify.h"

#include <math.h>
#include <string.h>

#include "nvme-drive.h"

static guint8 data[4096];

static PltBytes all(void)
{
    return (PltBytes){data, sizeof data};
}

/* Figures as nvme-cli 2.13 prints them of QEMU 10.0's drive. */
static void test_qemu_controller(void)
{
    PltNvmeController controller;
    g_autofree char *version = NULL;

    make_qemu_controller(data);
    g_assert_true(plt_nvme_controller_decode(all(), &controller));
    g_assert_cmpuint(controller.vendor_id, ==, 0x1b36);
    g_assert_cmpuint(controller.subsystem_vendor_id, ==, 0x1af4);
    g_assert_cmpstr(controller.serial, ==, "RIG2");
    g_assert_cmpstr(controller.model, ==, "QEMU NVMe Ctrl");
    g_assert_cmpstr(controller.firmware, ==, "10.0.2");
    g_assert_cmphex(controller.ieee_oui, ==, 0x525400);
    g_assert_cmpuint(controller.mdts, ==, 7);
    version = plt_nvme_version_text(controller.version);
    g_assert_cmpstr(version, ==, "1.4");
    g_assert_cmphex(controller.oacs, ==, 0x12a);
    g_assert_true(controller.oacs & PLT_NVME_OACS_FORMAT);
    g_assert_true(controller.oacs & PLT_NVME_OACS_NAMESPACES);
    g_assert_false(controller.oacs & PLT_NVME_OACS_SELF_TEST);
    g_assert_cmphex(controller.oncs, ==, 0x75d);
    g_assert_cmpuint(controller.warning_k, ==, 343);
    g_assert_cmpuint(controller.critical_k, ==, 373);
    g_assert_cmpuint(controller.error_entries, ==, 1);
    g_assert_cmpuint(controller.n_namespaces, ==, 256);
    g_assert_cmpuint(controller.sanicap, ==, 0);
    g_assert_cmpuint(controller.apsta, ==, 0);
    g_assert_cmpuint(controller.vwc, ==, 7);
    g_assert_cmpuint(controller.hmb_preferred, ==, 0);
    g_assert_cmpstr(controller.subnqn, ==, "nqn.2019-08.org.qemu:RIG2");
    g_assert_cmpuint(controller.n_power_states, ==, 1);
    g_assert_cmpfloat(controller.power_states[0].max_watt, ==, 25);
    g_assert_cmpuint(controller.power_states[0].entry_us, ==, 16);
    g_assert_cmpuint(controller.power_states[0].exit_us, ==, 4);
    g_assert_true(controller.power_states[0].operational);
    g_assert_true(isnan(controller.power_states[0].idle_watt));
}

static void test_full_controller(void)
{
    PltNvmeController controller;

    make_full_controller(data);
    g_assert_true(plt_nvme_controller_decode(all(), &controller));
    g_assert_cmphex(controller.version, ==, 0x20000);
    g_assert_cmpuint(controller.resume_us, ==, 200000);
    g_assert_cmpuint(controller.shutdown_us, ==, 8000000);
    g_assert_cmpuint(controller.error_entries, ==, 64);
    g_assert_cmpuint(controller.firmware_updates >> 1 & 7, ==, 3);
    /* 16384 x 4 KiB = 64 MiB. */
    g_assert_cmpuint(controller.hmb_preferred, ==, 67108864);
    g_assert_cmpuint(controller.hmb_min, ==, 16777216);
    g_assert_cmpuint(controller.capacity.low, ==, G_GUINT64_CONSTANT(2000398934016));
    g_assert_cmpuint(controller.self_test_minutes, ==, 35);
    g_assert_cmpuint(controller.thermal_min_k, ==, 318);
    g_assert_cmpuint(controller.thermal_max_k, ==, 356);
    g_assert_cmpuint(controller.sanicap, ==, PLT_NVME_SANICAP_BLOCK | PLT_NVME_SANICAP_CRYPTO);
    g_assert_cmpuint(controller.fna, ==, PLT_NVME_FNA_FORMATS_ALL | PLT_NVME_FNA_CRYPTO);
    g_assert_cmpuint(controller.n_power_states, ==, 5);
}

static void test_refuses_controller(void)
{
    PltNvmeController controller;

    make_full_controller(data);
    g_assert_false(plt_nvme_controller_decode((PltBytes){data, 3071}, &controller));
    g_assert_cmpuint(controller.n_power_states, ==, 0);
    memset(data, 0, sizeof data);
    g_assert_false(plt_nvme_controller_decode(all(), &controller));
    g_assert_false(plt_nvme_controller_decode((PltBytes){NULL, 0}, &controller));
    /* More power states than there is room for. */
    memset(data, 0xff, sizeof data);
    g_assert_true(plt_nvme_controller_decode(all(), &controller));
    g_assert_cmpuint(controller.n_power_states, ==, 32);
    g_assert_cmpuint(strlen(controller.serial), ==, 20);
    g_assert_cmpuint(strlen(controller.subnqn), ==, 256);
}

static void test_qemu_namespace(void)
{
    PltNvmeNamespace ns;

    make_qemu_namespace(data);
    g_assert_true(plt_nvme_namespace_decode(all(), &ns));
    g_assert_cmpuint(ns.size, ==, 262144);
    g_assert_cmpuint(ns.n_formats, ==, 8);
    g_assert_cmpuint(ns.active, ==, 4);
    g_assert_cmpuint(ns.formats[4].data_size, ==, 4096);
    g_assert_cmpuint(ns.formats[4].metadata_size, ==, 0);
    g_assert_cmpuint(ns.formats[3].data_size, ==, 512);
    g_assert_cmpuint(ns.formats[3].metadata_size, ==, 64);
    g_assert_cmpuint(ns.deallocated, ==, 1);
    g_assert_true(ns.shared);
    g_assert_cmpuint(ns.optimal_write_blocks, ==, 1);
    g_assert_cmpstr(ns.nguid, ==, "");
    g_assert_cmpstr(ns.eui64, ==, "");
}

static void test_full_namespace(void)
{
    PltNvmeNamespace ns;

    make_full_namespace(data);
    g_assert_true(plt_nvme_namespace_decode(all(), &ns));
    g_assert_cmpuint(ns.size, ==, G_GUINT64_CONSTANT(3907029168));
    g_assert_cmpuint(ns.used, ==, 1000000);
    g_assert_cmpuint(ns.n_formats, ==, 2);
    g_assert_cmpuint(ns.active, ==, 0);
    g_assert_cmpuint(ns.formats[0].performance, ==, 1);
    g_assert_cmpuint(ns.deallocated, ==, 9);
    g_assert_cmpuint(ns.formats[1].performance, ==, 0);
    g_assert_cmpuint(ns.optimal_write_blocks, ==, 0);
    g_assert_cmpstr(ns.nguid, ==, "0025380102030405060708090a0b0c0d");
    g_assert_cmpstr(ns.eui64, ==, "0025384b11223344");
}

static void test_odd_namespaces(void)
{
    PltNvmeNamespace ns;

    /* An index in five bits: format 17 of 20. */
    make_full_namespace(data);
    data[25] = 19;
    data[26] = 1 << 5 | 1;
    put_number(data, 128 + 17 * 4, 4, 12u << 16);
    g_assert_true(plt_nvme_namespace_decode(all(), &ns));
    g_assert_cmpuint(ns.active, ==, 17);
    g_assert_cmpuint(ns.formats[17].data_size, ==, 4096);
    /* An active format that is none; block sizes that cannot be. */
    make_full_namespace(data);
    data[26] = 15;
    put_number(data, 128, 4, 255u << 16);
    put_number(data, 132, 4, 8u << 16);
    g_assert_true(plt_nvme_namespace_decode(all(), &ns));
    g_assert_cmpuint(ns.active, ==, ns.n_formats);
    g_assert_cmpuint(ns.formats[0].data_size, ==, 0);
    g_assert_cmpuint(ns.formats[1].data_size, ==, 0);
    memset(data, 0, sizeof data);
    g_assert_false(plt_nvme_namespace_decode(all(), &ns));
}

static void test_list(void)
{
    g_autoptr(GArray) two = NULL, all_of_them = NULL;

    memset(data, 0, sizeof data);
    put_number(data, 0, 4, 1);
    put_number(data, 4, 4, 7);
    two = plt_nvme_namespaces_decode(all());
    g_assert_cmpuint(two->len, ==, 2);
    g_assert_cmpuint(g_array_index(two, guint32, 1), ==, 7);
    for (guint i = 0; i < 1024; i++)
        put_number(data, i * 4, 4, i + 1);
    all_of_them = plt_nvme_namespaces_decode(all());
    g_assert_cmpuint(all_of_them->len, ==, 1024);
}

static void test_version(void)
{
    g_autofree char *old = plt_nvme_version_text(0x10201);

    g_assert_cmpstr(old, ==, "1.2.1");
    g_assert_null(plt_nvme_version_text(0));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/nvme-identify/qemu-controller", test_qemu_controller);
    g_test_add_func("/drive/nvme-identify/full-controller", test_full_controller);
    g_test_add_func("/drive/nvme-identify/refuses-controller", test_refuses_controller);
    g_test_add_func("/drive/nvme-identify/qemu-namespace", test_qemu_namespace);
    g_test_add_func("/drive/nvme-identify/full-namespace", test_full_namespace);
    g_test_add_func("/drive/nvme-identify/odd-namespaces", test_odd_namespaces);
    g_test_add_func("/drive/nvme-identify/list", test_list);
    g_test_add_func("/drive/nvme-identify/version", test_version);
    return g_test_run();
}
