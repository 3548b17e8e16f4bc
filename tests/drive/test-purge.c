/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "drive/purge-nvme.h"
#include "nvme-drive.h"

/* A drive with everything that does what it is told, and keeps what that was. */
typedef struct {
    MockDrive *mock;
    guint8 opcode;
    guint32 nsid, cdw10;
    guint n_changes;
    int fail; /* what a changing command returns */
    const guint16
        *states;      /* SPROG and state of one answer of the sanitize log after the other; 0 ends them */
    int log_fails;    /* so many answers fail first */
    guint lost_after; /* so many answers the drive is gone; 0 = never */
} Drive;

static int drive_submit(gpointer user, const PltNvmeCommand *command, guint32 *result)
{
    Drive *drive = user;

    if (command->opcode == PLT_NVME_FORMAT || command->opcode == PLT_NVME_SANITIZE) {
        drive->n_changes++;
        drive->opcode = command->opcode;
        drive->nsid = command->nsid;
        drive->cdw10 = command->cdw10;
        return drive->fail;
    }
    if (command->opcode == PLT_NVME_GET_LOG_PAGE && (command->cdw10 & 0xff) == 0x81 &&
        drive->states != NULL) {
        guint8 *data = command->data;

        if (drive->lost_after > 0 && --drive->lost_after == 0)
            return -ENODEV;
        if (drive->log_fails > 0) {
            drive->log_fails--;
            return 0x01d; /* sanitize in progress */
        }
        put_number(data, 0, 2, drive->states[0]);
        put_number(data, 2, 2, drive->states[1]);
        if (drive->states[2] != 0)
            drive->states += 2;
        return 0;
    }
    return mock_drive_submit(drive->mock, command, result);
}

static void drive_init(Drive *drive, PltPurgeNvme *nvme)
{
    g_autoptr(GError) error = NULL;

    *drive = (Drive){.mock = mock_drive_new_full()};
    g_assert_true(plt_purge_nvme_look(drive_submit, drive, 1, nvme, &error));
    g_assert_no_error(error);
}

static void drive_clear(Drive *drive)
{
    mock_drive_free(drive->mock);
}

static void test_look(void)
{
    Drive drive;
    PltPurgeNvme nvme;
    g_autoptr(GError) error = NULL;

    drive_init(&drive, &nvme);
    g_assert_true(plt_purge_nvme_can_sanitize(&nvme));
    g_assert_true(plt_purge_nvme_can_format(&nvme));
    nvme.controller.fna = 0;
    g_assert_false(plt_purge_nvme_formats_all(&nvme));
    nvme.controller.fna = PLT_NVME_FNA_ERASES_ALL;
    g_assert_true(plt_purge_nvme_formats_all(&nvme));
    g_assert_cmpuint(drive.n_changes, ==, 0);
    drive.mock->fail = -ENODEV;
    g_assert_false(plt_purge_nvme_look(drive_submit, &drive, 1, &nvme, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_GONE);
    drive_clear(&drive);
}

/* Dword 10: the format's number, and 1 in bits 11:9, which is user data erase. */
static void test_format(void)
{
    Drive drive;
    PltPurgeNvme nvme;
    g_autoptr(GError) error = NULL;

    drive_init(&drive, &nvme);
    g_assert_true(plt_purge_nvme_format(drive_submit, &drive, &nvme, 0, &error));
    g_assert_cmpuint(drive.opcode, ==, 0x80);
    g_assert_cmpuint(drive.nsid, ==, 1);
    g_assert_cmpuint(drive.cdw10, ==, nvme.ns.active | 1u << 9);
    g_assert_true(plt_purge_nvme_format(drive_submit, &drive, &nvme, 4096, &error));
    g_assert_cmpuint(nvme.ns.formats[drive.cdw10 & 0xf].data_size, ==, 4096);
    g_assert_cmpuint(nvme.ns.formats[drive.cdw10 & 0xf].metadata_size, ==, 0);
    g_assert_cmpuint(drive.n_changes, ==, 2);
    g_assert_false(plt_purge_nvme_format(drive_submit, &drive, &nvme, 520, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED);
    g_assert_cmpuint(drive.n_changes, ==, 2);
    drive_clear(&drive);
}

/* Metadata would make another drive of it, and a worse format a slower one. */
static void test_best_format(void)
{
    Drive drive;
    PltPurgeNvme nvme;

    drive_init(&drive, &nvme);
    nvme.ns.n_formats = 20;
    memset(nvme.ns.formats, 0, sizeof nvme.ns.formats);
    nvme.ns.formats[1] = (PltLbaFormat){4096, 8, 0};
    nvme.ns.formats[2] = (PltLbaFormat){4096, 0, 2};
    nvme.ns.formats[17] = (PltLbaFormat){4096, 0, 1};
    g_assert_true(plt_purge_nvme_format(drive_submit, &drive, &nvme, 4096, NULL));
    g_assert_cmpuint(drive.cdw10, ==, 1u | 1u << 12 | 1u << 9); /* 17 is 1 and, above, 1 */
    nvme.ns.active = nvme.ns.n_formats;                         /* the drive contradicts itself */
    g_assert_false(plt_purge_nvme_format(drive_submit, &drive, &nvme, 0, NULL));
    drive_clear(&drive);
}

static void test_refused(void)
{
    static const struct {
        int fail, code;
        const char *words;
    } cases[] = {
        {0x4002, PLT_ERROR_DEVICE, "invalid field"},
        {0x084, PLT_ERROR_DEVICE, "format in progress"},
        {-ENODEV, PLT_ERROR_GONE, "No such device"},
        {-ETIMEDOUT, PLT_ERROR_DEVICE, "timed out"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Drive drive;
        PltPurgeNvme nvme;
        g_autoptr(GError) error = NULL;

        drive_init(&drive, &nvme);
        drive.fail = cases[i].fail;
        g_assert_false(plt_purge_nvme_format(drive_submit, &drive, &nvme, 0, &error));
        g_assert_error(error, PLT_ERROR, cases[i].code);
        g_assert_nonnull(strstr(error->message, cases[i].words));
        drive_clear(&drive);
    }
}

typedef struct {
    guint n;
    double last;
} Progress;

static void on_progress(double fraction, gpointer user)
{
    Progress *progress = user;

    g_assert_cmpfloat(fraction, >=, progress->last);
    progress->last = fraction;
    progress->n++;
}

/* Block erase, deallocating; asked until the log says that it is done. */
static void test_sanitize(void)
{
    static const guint16 states[] = {0, 2, 0x4000, 2, 0xc000, 2, 0xffff, 1, 0};
    Drive drive;
    PltPurgeNvme nvme;
    Progress progress = {0};
    g_autoptr(GError) error = NULL;

    drive_init(&drive, &nvme);
    drive.states = states;
    drive.log_fails = 3;
    g_assert_true(plt_purge_nvme_sanitize(drive_submit, &drive, 1, on_progress, &progress, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(drive.opcode, ==, 0x84);
    g_assert_cmpuint(drive.cdw10, ==, 2);
    g_assert_cmpuint(drive.n_changes, ==, 1);
    g_assert_cmpuint(progress.n, ==, 4);
    g_assert_cmpfloat(progress.last, ==, 1);
    drive_clear(&drive);
}

static void test_sanitize_failed(void)
{
    static const guint16 states[] = {0x2000, 2, 0x2000, 3, 0};
    Drive drive;
    PltPurgeNvme nvme;
    g_autoptr(GError) error = NULL;

    drive_init(&drive, &nvme);
    drive.states = states;
    g_assert_false(plt_purge_nvme_sanitize(drive_submit, &drive, 1, NULL, NULL, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_DEVICE);
    g_assert_nonnull(strstr(error->message, "sanitize failed"));
    drive_clear(&drive);
}

/* A drive that goes away in the middle: no waiting for what cannot come. */
static void test_sanitize_lost(void)
{
    static const guint16 states[] = {0x2000, 2, 0};
    Drive drive;
    PltPurgeNvme nvme;
    g_autoptr(GError) error = NULL;

    drive_init(&drive, &nvme);
    drive.states = states;
    drive.lost_after = 3;
    g_assert_false(plt_purge_nvme_sanitize(drive_submit, &drive, 1, NULL, NULL, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_GONE);
    g_assert_cmpuint(drive.n_changes, ==, 1);
    drive_clear(&drive);
}

/* What the transports let through: the one for looking nothing that changes, the one for a purge just that.
 */
static void test_transports(void)
{
    static const guint8 changing[] = {0x01, 0x04, 0x09, 0x0d, 0x10, 0x11, 0x14, 0x15, 0xc1};
    const gpointer nowhere = GINT_TO_POINTER(-1);
    PltNvmeCommand format = {.opcode = PLT_NVME_FORMAT, .nsid = 1}, sanitize = {.opcode = PLT_NVME_SANITIZE};
    guint32 result;

    g_assert_cmpint(plt_nvme_submit_ioctl(nowhere, &format, &result), ==, -EPERM);
    g_assert_cmpint(plt_nvme_submit_ioctl(nowhere, &sanitize, &result), ==, -EPERM);
    g_assert_cmpint(plt_nvme_submit_purge(nowhere, &format, &result), ==, -EBADF);
    g_assert_cmpint(plt_nvme_submit_purge(nowhere, &sanitize, &result), ==, -EBADF);
    for (gsize i = 0; i < G_N_ELEMENTS(changing); i++) {
        PltNvmeCommand command = {.opcode = changing[i]};

        g_assert_cmpint(plt_nvme_submit_ioctl(nowhere, &command, &result), ==, -EPERM);
        g_assert_cmpint(plt_nvme_submit_purge(nowhere, &command, &result), ==, -EPERM);
    }
}

static void test_names(void)
{
    PltPurgeMethod method;

    for (guint i = PLT_PURGE_AUTO; i <= PLT_PURGE_DISCARD; i++) {
        g_assert_true(plt_purge_method_from_name(plt_purge_method_name((PltPurgeMethod)i), &method));
        g_assert_cmpuint(method, ==, i);
    }
    g_assert_false(plt_purge_method_from_name("shred", &method));
    g_assert_false(plt_purge_method_from_name(NULL, &method));
    /* What may hit other namespaces asks the guard about them, whoever runs it. */
    g_assert_cmpint(plt_purge_use("/nonexistent", "nvme0n1", PLT_PURGE_FORMAT), ==, PLT_USE_ERASE);
    g_assert_cmpint(plt_purge_use("/nonexistent", "nvme0n1", PLT_PURGE_SANITIZE), ==, PLT_USE_ERASE);
    g_assert_cmpint(plt_purge_use("/nonexistent", "sda", PLT_PURGE_DISCARD), ==, PLT_USE_WRITE);
    g_assert_cmpint(plt_purge_use("/nonexistent", "sda", PLT_PURGE_AUTO), ==, PLT_USE_WRITE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/purge/look", test_look);
    g_test_add_func("/drive/purge/format", test_format);
    g_test_add_func("/drive/purge/best-format", test_best_format);
    g_test_add_func("/drive/purge/refused", test_refused);
    g_test_add_func("/drive/purge/sanitize", test_sanitize);
    g_test_add_func("/drive/purge/sanitize-failed", test_sanitize_failed);
    g_test_add_func("/drive/purge/sanitize-lost", test_sanitize_lost);
    g_test_add_func("/drive/purge/transports", test_transports);
    g_test_add_func("/drive/purge/names", test_names);
    return g_test_run();
}
