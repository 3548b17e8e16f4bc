/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/pcie.h"

#include <string.h>

#include "drive/ata.h"
#include "nvme-drive.h"

/* A drive's first 256 bytes: power management at 40h, MSI at 50h, PCI Express at 70h. */
static void make_config(guint8 data[256])
{
    memset(data, 0, 256);
    put_number(data, 6, 2, 0x0010);
    data[0x34] = 0x40;
    put_number(data, 0x40, 2, 0x5001);
    put_number(data, 0x50, 2, 0x7005);
    put_number(data, 0x70, 2, 0x0010);
    put_number(data, 0x74, 4, 0x8fc2);
    /* Max payload 256 (001b), read request 512 (010b). */
    put_number(data, 0x78, 2, 2 << 12 | 1 << 5 | 0x000f);
    /* 16 GT/s, four lanes at most; 8 GT/s, two lanes now; ASPM L1 on. */
    put_number(data, 0x7c, 4, 4 | 4 << 4 | 2 << 10);
    put_number(data, 0x80, 2, 2);
    put_number(data, 0x82, 2, 3 | 2 << 4);
}

static void test_decode(void)
{
    guint8 data[256];
    PltPcie pcie;

    make_config(data);
    g_assert_true(plt_pcie_decode((PltBytes){data, sizeof data}, &pcie));
    g_assert_cmpuint(pcie.payload, ==, 256);
    g_assert_cmpuint(pcie.payload_max, ==, 512);
    g_assert_cmpuint(pcie.request, ==, 512);
    g_assert_cmpuint(pcie.speed, ==, 3);
    g_assert_cmpuint(pcie.width, ==, 2);
    g_assert_cmpuint(pcie.speed_max, ==, 4);
    g_assert_cmpuint(pcie.width_max, ==, 4);
    g_assert_true(pcie.aspm_l1);
    g_assert_false(pcie.aspm_l0s);
}

static void test_refuses(void)
{
    guint8 data[256];
    PltPcie pcie;

    make_config(data);
    /* What an ordinary user may read. */
    g_assert_false(plt_pcie_decode((PltBytes){data, 64}, &pcie));
    g_assert_cmpuint(pcie.payload, ==, 0);
    g_assert_false(plt_pcie_decode((PltBytes){data, 0x80}, &pcie));
    /* A list that goes in a circle. */
    data[0x51] = 0x40;
    g_assert_false(plt_pcie_decode((PltBytes){data, sizeof data}, &pcie));
    /* No list at all. */
    make_config(data);
    data[6] = 0;
    g_assert_false(plt_pcie_decode((PltBytes){data, sizeof data}, &pcie));
    /* A capability so near the end that it is cut. */
    make_config(data);
    data[0x51] = 0xf8;
    data[0xf8] = 0x10;
    g_assert_false(plt_pcie_decode((PltBytes){data, sizeof data}, &pcie));
    g_assert_false(plt_pcie_decode((PltBytes){NULL, 0}, &pcie));
}

static void test_reserved(void)
{
    guint8 data[256];
    PltPcie pcie;

    make_config(data);
    put_number(data, 0x78, 2, 7 << 12 | 6 << 5);
    g_assert_true(plt_pcie_decode((PltBytes){data, sizeof data}, &pcie));
    g_assert_cmpuint(pcie.payload, ==, 0);
    g_assert_cmpuint(pcie.request, ==, 0);
    g_assert_cmpfloat(plt_pcie_ceiling(7.877e9, 0), ==, 0);
}

/* PCIe 4.0 x4: 7.877 GB/s before packets; 84.2, 91.4 and 95.5 % of it. */
static void test_ceiling(void)
{
    guint64 bytes = 0;
    g_autofree char *text = plt_pcie_text(4, 4, &bytes);

    g_assert_cmpstr(text, ==, "PCIe 4.0 x4");
    g_assert_cmpuint(bytes, ==, 7876923076);
    g_assert_cmpfloat_with_epsilon(plt_pcie_ceiling((double)bytes, 128), 6.63e9, 0.005e9);
    g_assert_cmpfloat_with_epsilon(plt_pcie_ceiling((double)bytes, 256), 7.20e9, 0.005e9);
    g_assert_cmpfloat_with_epsilon(plt_pcie_ceiling((double)bytes, 512), 7.52e9, 0.005e9);
    g_assert_null(plt_pcie_text(0, 4, &bytes));
    g_assert_null(plt_pcie_text(15, 4, &bytes));
    g_assert_null(plt_pcie_text(4, 0, &bytes));
}

static void set_word(guint8 *data, guint word, guint value)
{
    put_number(data, word * 2, 2, value);
}

static void test_ata(void)
{
    guint8 data[512] = {0};
    PltBytes bytes = {data, sizeof data};
    PltAta ata;

    g_assert_false(plt_ata_decode(bytes, &ata));
    set_word(data, 0, 0x0040);
    set_word(data, 59, 1 << 12 | 1 << 13 | 1 << 15);
    set_word(data, 69, 1 << 14 | 1 << 5);
    set_word(data, 75, 31);
    set_word(data, 76, 1 << 8 | 7 << 1);
    set_word(data, 77, 3 << 1);
    set_word(data, 80, 0x0ff0);
    set_word(data, 82, 1 << 5 | 1 << 1 | 1);
    set_word(data, 83, 0x4000);
    set_word(data, 84, 0x4002);
    set_word(data, 85, 1 << 5 | 1);
    set_word(data, 106, 1 << 14 | 1 << 13 | 3);
    set_word(data, 128, 0x0029);
    set_word(data, 169, 1);
    set_word(data, 217, 1);
    g_assert_true(plt_ata_decode(bytes, &ata));
    g_assert_true(ata.smart && ata.smart_enabled && ata.self_tests);
    g_assert_true(ata.write_cache && ata.write_cache_enabled);
    g_assert_true(ata.trim && ata.trim_deterministic && ata.trim_zeroes);
    g_assert_true(ata.sanitize_crypto && ata.sanitize_block);
    g_assert_false(ata.sanitize_overwrite);
    g_assert_true(ata.security && ata.security_frozen);
    g_assert_cmpuint(ata.queue_depth, ==, 32);
    g_assert_cmpuint(ata.rotation, ==, 1);
    g_assert_cmpuint(ata.speed_max, ==, 3);
    g_assert_cmpuint(ata.speed, ==, 3);
    /* Bit 11 of word 80 is ACS-4. */
    g_assert_cmpuint(ata.standard, ==, 4);
    g_assert_cmpuint(ata.logical, ==, 512);
    g_assert_cmpuint(ata.physical, ==, 4096);
    g_assert_false(plt_ata_decode((PltBytes){data, 511}, &ata));
    /* Not an ATA device. */
    set_word(data, 0, 0x8580);
    g_assert_false(plt_ata_decode(bytes, &ata));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/pcie/decode", test_decode);
    g_test_add_func("/drive/pcie/refuses", test_refuses);
    g_test_add_func("/drive/pcie/reserved", test_reserved);
    g_test_add_func("/drive/pcie/ceiling", test_ceiling);
    g_test_add_func("/drive/ata/decode", test_ata);
    return g_test_run();
}
