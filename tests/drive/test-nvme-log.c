/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/nvme-log.h"

#include <errno.h>
#include <string.h>

#include "drive/nvme-command.h"
#include "nvme-drive.h"

static guint8 data[4096];

static void test_errors(void)
{
    g_autoptr(GArray) errors = NULL, cut = NULL;
    const PltNvmeError *first;
    g_autofree char *read_error = NULL, *known = NULL, *unknown = plt_nvme_status_text(0x3ab);

    make_full_errors(data);
    errors = plt_nvme_errors_decode((PltBytes){data, sizeof data});
    g_assert_cmpuint(errors->len, ==, 2);
    first = &g_array_index(errors, PltNvmeError, 0);
    g_assert_cmpuint(first->count, ==, 2);
    g_assert_cmpuint(first->queue, ==, 3);
    g_assert_cmphex(first->command, ==, 0x1234);
    g_assert_cmphex(first->status, ==, 0x281);
    g_assert_cmpuint(first->lba, ==, 4096);
    g_assert_cmphex(g_array_index(errors, PltNvmeError, 1).status, ==, 0x4002);
    read_error = plt_nvme_status_text(0x281);
    known = plt_nvme_status_text(0x4002);
    g_assert_cmpstr(read_error, ==, "unrecovered read error (0281h)");
    g_assert_cmpstr(unknown, ==, "NVMe status 03ABh");
    g_assert_cmpstr(known, ==, "invalid field in command (4002h)");
    /* Half an entry is none. */
    cut = plt_nvme_errors_decode((PltBytes){data, 100});
    g_assert_cmpuint(cut->len, ==, 1);
}

static void test_firmware(void)
{
    PltNvmeFirmware firmware;

    make_full_firmware(data);
    g_assert_true(plt_nvme_firmware_decode((PltBytes){data, 512}, &firmware));
    g_assert_cmpuint(firmware.active, ==, 1);
    g_assert_cmpuint(firmware.next, ==, 2);
    g_assert_cmpstr(firmware.slots[0], ==, "4B2QJXD7");
    g_assert_cmpstr(firmware.slots[1], ==, "5B2QJXD7");
    g_assert_cmpstr(firmware.slots[2], ==, "");
    g_assert_false(plt_nvme_firmware_decode((PltBytes){data, 63}, &firmware));
}

static void test_self_tests(void)
{
    PltNvmeSelfTests tests;

    make_full_self_tests(data);
    g_assert_true(plt_nvme_self_tests_decode((PltBytes){data, 564}, &tests));
    g_assert_cmpuint(tests.running, ==, 2);
    g_assert_cmpuint(tests.done_percent, ==, 45);
    g_assert_cmpuint(tests.n_results, ==, 2);
    g_assert_cmpuint(tests.results[0].kind, ==, 1);
    g_assert_cmpuint(tests.results[0].result, ==, 0);
    g_assert_cmpuint(tests.results[0].hours, ==, 4000);
    g_assert_false(tests.results[0].has_lba);
    g_assert_cmpuint(tests.results[1].kind, ==, 2);
    g_assert_cmpuint(tests.results[1].result, ==, 7);
    g_assert_cmpuint(tests.results[1].segment, ==, 2);
    g_assert_true(tests.results[1].has_lba && tests.results[1].has_nsid && tests.results[1].has_status);
    g_assert_cmpuint(tests.results[1].lba, ==, 777);
    g_assert_cmphex(tests.results[1].status, ==, 0x281);
    g_assert_cmpstr(plt_nvme_self_test_result_text(7), ==, "failed");
    g_assert_cmpstr(plt_nvme_self_test_result_text(10), ==, "unknown");
    /* A log of zeros is one of a drive that was never tested. */
    memset(data, 0, 564);
    g_assert_true(plt_nvme_self_tests_decode((PltBytes){data, 564}, &tests));
    g_assert_cmpuint(tests.n_results, ==, 0);
    g_assert_false(plt_nvme_self_tests_decode((PltBytes){data, 563}, &tests));
}

static void test_sanitize(void)
{
    PltNvmeSanitize sanitize;

    make_full_sanitize(data);
    g_assert_true(plt_nvme_sanitize_decode((PltBytes){data, 512}, &sanitize));
    g_assert_cmpuint(sanitize.state, ==, 2);
    g_assert_cmpfloat(sanitize.progress, ==, 0.25);
    g_assert_cmpuint(sanitize.passes, ==, 3);
    g_assert_cmpuint(sanitize.block_erase_s, ==, 120);
    g_assert_cmpuint(sanitize.crypto_erase_s, ==, 2);
    g_assert_cmpuint(sanitize.overwrite_s, ==, G_MAXUINT32);
    g_assert_false(sanitize.nothing_written_since);
    put_number(data, 2, 2, 1 | 0x100);
    g_assert_true(plt_nvme_sanitize_decode((PltBytes){data, 512}, &sanitize));
    g_assert_cmpuint(sanitize.state, ==, 1);
    g_assert_true(sanitize.nothing_written_since);
    g_assert_cmpstr(plt_nvme_sanitize_state_text(7), ==, "unknown");
}

static void test_log_pages(void)
{
    memset(data, 0, sizeof data);
    put_number(data, 0xc0 * 4, 4, 1);
    put_number(data, 0x06 * 4, 4, 0x10000);
    g_assert_true(plt_nvme_log_page_is_supported((PltBytes){data, 1024}, 0xc0));
    g_assert_false(plt_nvme_log_page_is_supported((PltBytes){data, 1024}, 0x06));
    g_assert_false(plt_nvme_log_page_is_supported((PltBytes){data, 512}, 0xc0));
}

static void test_ocp(void)
{
    PltNvmeOcp ocp;

    make_full_ocp(data);
    g_assert_true(plt_nvme_ocp_decode((PltBytes){data, 512}, &ocp));
    g_assert_cmpuint(ocp.written.low, ==, G_GUINT64_CONSTANT(2560000000000));
    g_assert_cmpuint(ocp.bad_user_blocks, ==, 7);
    g_assert_cmpuint(ocp.bad_user_normalized, ==, 99);
    g_assert_cmpuint(ocp.bad_system_blocks, ==, 1);
    g_assert_cmpuint(ocp.erase_count_max, ==, 40);
    g_assert_cmpuint(ocp.erase_count_min, ==, 30);
    g_assert_cmpuint(ocp.throttle_events, ==, 4);
    g_assert_cmpuint(ocp.pcie_correctable_errors, ==, 9);
    g_assert_cmpuint(ocp.free_blocks_percent, ==, 55);
    g_assert_cmpuint(ocp.capacitor_health_percent, ==, 100);
    g_assert_cmpuint(ocp.link_retrainings, ==, 3);
    g_assert_cmpuint(ocp.power_state_changes, ==, 12345);
    /* Another vendor's C0h. */
    data[511] ^= 1;
    g_assert_false(plt_nvme_ocp_decode((PltBytes){data, 512}, &ocp));
    g_assert_cmpuint(ocp.bad_user_blocks, ==, 0);
    data[511] ^= 1;
    g_assert_false(plt_nvme_ocp_decode((PltBytes){data, 511}, &ocp));
}

/* The transport lets nothing through that could change a drive, whatever it is asked. */
static void test_only_reads(void)
{
    for (guint opcode = 0; opcode < 256; opcode++) {
        PltNvmeCommand command = {.opcode = (guint8)opcode};
        guint32 result = 0;
        int status = plt_nvme_submit_ioctl(GINT_TO_POINTER(-1), &command, &result);

        if (opcode == 0x02 || opcode == 0x06 || opcode == 0x0a)
            g_assert_cmpint(status, ==, -EBADF);
        else
            g_assert_cmpint(status, ==, -EPERM);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/nvme-log/errors", test_errors);
    g_test_add_func("/drive/nvme-log/firmware", test_firmware);
    g_test_add_func("/drive/nvme-log/self-tests", test_self_tests);
    g_test_add_func("/drive/nvme-log/sanitize", test_sanitize);
    g_test_add_func("/drive/nvme-log/log-pages", test_log_pages);
    g_test_add_func("/drive/nvme-log/ocp", test_ocp);
    g_test_add_func("/drive/nvme-command/only-reads", test_only_reads);
    return g_test_run();
}
