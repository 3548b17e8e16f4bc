/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "drive/power-control.h"
#include "nvme-drive.h"

/* Five states, of which PS3 and PS4 only rest; it does what Set Features says and keeps a journal of it. */
typedef struct {
    MockDrive *mock;
    guint32 state, apst;
    guint8 table[256];
    GString *journal; /* "PS2 apst=0 " */
    int fail;         /* what Set Features returns */
    gboolean stubborn;
    char *tolerance; /* a file that stands for the kernel's */
} Drive;

static int set_feature(Drive *drive, const PltNvmeCommand *command)
{
    if (drive->fail != 0)
        return drive->fail;
    if (command->cdw10 == 0x02) {
        g_string_append_printf(drive->journal, "PS%u ", command->cdw11 & 31);
        if (!drive->stubborn)
            drive->state = command->cdw11;
        return 0;
    }
    g_assert_cmpuint(command->cdw10, ==, 0x0c);
    g_assert_cmpuint(command->size, ==, 256);
    g_string_append_printf(drive->journal, "apst=%u ", command->cdw11);
    drive->apst = command->cdw11;
    memcpy(drive->table, command->data, 256);
    return 0;
}

static int drive_submit(gpointer user, const PltNvmeCommand *command, guint32 *result)
{
    Drive *drive = user;

    if (command->opcode == PLT_NVME_SET_FEATURES)
        return set_feature(drive, command);
    if (drive->mock->fail == 0 && command->opcode == PLT_NVME_GET_FEATURES && command->cdw10 == 0x02) {
        *result = drive->state;
        return 0;
    }
    if (drive->mock->fail == 0 && command->opcode == PLT_NVME_GET_FEATURES && command->cdw10 == 0x0c) {
        *result = drive->apst;
        memcpy(command->data, drive->table, 256);
        return 0;
    }
    return mock_drive_submit(drive->mock, command, result);
}

/* In STATE (the whole dword), with APST as a person has set it. */
static Drive *drive_new(guint32 state, guint32 apst)
{
    Drive *drive = g_new0(Drive, 1);

    drive->mock = mock_drive_new_full();
    drive->state = state;
    drive->apst = apst;
    make_full_apst(drive->table);
    drive->journal = g_string_new(NULL);
    return drive;
}

static void drive_free(Drive *drive)
{
    if (drive->tolerance != NULL) {
        unlink(drive->tolerance);
        g_free(drive->tolerance);
    }
    mock_drive_free(drive->mock);
    g_string_free(drive->journal, TRUE);
    g_free(drive);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Drive, drive_free)

static void drive_set_tolerance(Drive *drive, const char *text)
{
    int fd = g_file_open_tmp("tolerance-XXXXXX", &drive->tolerance, NULL);

    g_assert_cmpint(fd, >=, 0);
    close(fd);
    g_assert_true(g_file_set_contents(drive->tolerance, text, -1, NULL));
}

static PltPowerControl *control_new(Drive *drive)
{
    g_autoptr(GError) error = NULL;
    PltPowerControl *control = plt_power_control_new(drive_submit, drive, NULL, drive->tolerance, &error);

    g_assert_no_error(error);
    return control;
}

static void test_look(void)
{
    g_autoptr(Drive) drive = drive_new(2, 1);
    g_autoptr(PltPowerControl) control = control_new(drive);
    gboolean on;
    guint state;

    g_assert_cmpuint(plt_power_control_n_states(control), ==, 5);
    g_assert_true(plt_power_control_is_operational(control, 2));
    g_assert_false(plt_power_control_is_operational(control, 3));
    g_assert_true(plt_power_control_has_apst(control));
    g_assert_true(plt_power_control_get_state(control, &state, NULL));
    g_assert_cmpuint(state, ==, 2);
    g_assert_true(plt_power_control_get_apst(control, &on, NULL));
    g_assert_true(on);
    g_assert_true(plt_power_control_restore(control, NULL));
    g_assert_cmpstr(drive->journal->str, ==, "");
}

/* The workload hint (bits 7:5) is somebody else's: it stays. */
static void test_state(void)
{
    g_autoptr(Drive) drive = drive_new(0x40 | 1, 0);
    g_autoptr(PltPowerControl) control = control_new(drive);
    g_autoptr(GError) error = NULL;

    g_assert_true(plt_power_control_set_state(control, 2, &error));
    g_assert_no_error(error);
    g_assert_cmphex(drive->state, ==, 0x42);
    g_assert_true(plt_power_control_set_state(control, 0, &error));
    g_assert_true(plt_power_control_restore(control, &error));
    g_assert_no_error(error);
    g_assert_cmphex(drive->state, ==, 0x41);
    g_assert_cmpstr(drive->journal->str, ==, "PS2 PS0 PS1 ");
    /* Once is enough. */
    g_assert_true(plt_power_control_restore(control, &error));
    g_assert_cmpstr(drive->journal->str, ==, "PS2 PS0 PS1 ");
}

/* A drive that rested must not come back to the state that was tried. */
static void test_resting(void)
{
    g_autoptr(Drive) drive = drive_new(4, 0);
    g_autoptr(PltPowerControl) control = control_new(drive);

    g_assert_true(plt_power_control_set_state(control, 2, NULL));
    g_assert_true(plt_power_control_restore(control, NULL));
    g_assert_cmpstr(drive->journal->str, ==, "PS2 PS0 PS4 ");
}

static void test_close_restores(void)
{
    g_autoptr(Drive) drive = drive_new(0, 1);
    PltPowerControl *control = control_new(drive);

    g_assert_true(plt_power_control_set_state(control, 1, NULL));
    g_assert_true(plt_power_control_set_apst(control, FALSE, NULL));
    plt_power_control_close(control);
    g_assert_cmphex(drive->state, ==, 0);
    g_assert_cmphex(drive->apst, ==, 1);
}

static void test_no_such_state(void)
{
    g_autoptr(Drive) drive = drive_new(0, 0);
    g_autoptr(PltPowerControl) control = control_new(drive);
    g_autoptr(GError) error = NULL;

    g_assert_false(plt_power_control_set_state(control, 5, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "PS4"));
    g_assert_cmpstr(drive->journal->str, ==, "");
}

static void test_stubborn(void)
{
    g_autoptr(Drive) drive = drive_new(0, 0);
    g_autoptr(PltPowerControl) control = control_new(drive);
    g_autoptr(GError) error = NULL;

    drive->stubborn = TRUE;
    g_assert_false(plt_power_control_set_state(control, 2, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_DEVICE);
    /* A resting state may already be over. */
    g_assert_true(plt_power_control_set_state(control, 3, NULL));
}

static void test_failures(void)
{
    static const struct {
        int fail, code;
        gboolean refused;
    } cases[] = {
        {0x4002, PLT_ERROR_DEVICE, TRUE},
        {-EACCES, PLT_ERROR_PERMISSION, TRUE},
        {-ENODEV, PLT_ERROR_GONE, FALSE},
        {-ETIMEDOUT, PLT_ERROR_DEVICE, FALSE},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Drive) drive = drive_new(1, 1);
        g_autoptr(PltPowerControl) control = control_new(drive);
        g_autoptr(GError) error = NULL, later = NULL;

        drive->fail = cases[i].fail;
        g_assert_false(plt_power_control_set_state(control, 2, &error));
        g_assert_error(error, PLT_ERROR, cases[i].code);
        /* A drive that refuses has done nothing. One that does not answer may have: it is set back, and it is
         * said when it cannot be. */
        g_assert_cmpint(plt_power_control_restore(control, &later), ==, cases[i].refused);
        if (!cases[i].refused)
            g_assert_error(later, PLT_ERROR, cases[i].code);
        drive->fail = 0;
        g_assert_true(plt_power_control_restore(control, NULL));
        g_assert_cmphex(drive->state, ==, 1);
    }
}

static void test_gone_from_the_start(void)
{
    g_autoptr(Drive) drive = drive_new(0, 0);
    g_autoptr(GError) error = NULL;

    drive->mock->fail = -ENODEV;
    g_assert_null(plt_power_control_new(drive_submit, drive, NULL, NULL, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_GONE);
}

/* Without the kernel's file the command alone does it, with the table that is there. */
static void test_apst(void)
{
    g_autoptr(Drive) drive = drive_new(0, 1);
    g_autoptr(PltPowerControl) control = control_new(drive);
    guint8 table[256];
    gboolean on;

    make_full_apst(table);
    g_assert_true(plt_power_control_set_apst(control, FALSE, NULL));
    g_assert_true(plt_power_control_get_apst(control, &on, NULL));
    g_assert_false(on);
    g_assert_cmpmem(drive->table, 256, table, 256);
    g_assert_true(plt_power_control_restore(control, NULL));
    g_assert_cmpuint(drive->apst, ==, 1);
    g_assert_cmpmem(drive->table, 256, table, 256);
    g_assert_cmpstr(drive->journal->str, ==, "apst=0 apst=1 ");
}

/* The kernel's number is set too, or the next reset would bring APST back; and both are restored. */
static void test_tolerance(void)
{
    g_autoptr(Drive) drive = drive_new(0, 1);
    g_autoptr(PltPowerControl) control = NULL;
    g_autofree char *text = NULL, *after = NULL;

    drive_set_tolerance(drive, "25000\n");
    control = control_new(drive);
    g_assert_true(plt_power_control_set_apst(control, FALSE, NULL));
    g_assert_true(g_file_get_contents(drive->tolerance, &text, NULL, NULL));
    g_assert_true(g_str_has_prefix(text, "0"));
    g_assert_true(plt_power_control_restore(control, NULL));
    g_assert_true(g_file_get_contents(drive->tolerance, &after, NULL, NULL));
    g_assert_true(g_str_has_prefix(after, "25000"));
    g_assert_cmpuint(drive->apst, ==, 1);
}

static void test_apst_without_table(void)
{
    g_autoptr(Drive) drive = drive_new(0, 0);
    g_autoptr(PltPowerControl) control = control_new(drive);
    g_autoptr(GError) error = NULL;

    memset(drive->table, 0, sizeof drive->table);
    g_assert_false(plt_power_control_set_apst(control, TRUE, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED);
    g_assert_cmpstr(drive->journal->str, ==, "");
}

static void test_no_apst(void)
{
    g_autoptr(Drive) drive = drive_new(0, 0);
    g_autoptr(PltPowerControl) control = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree guint8 *data = g_malloc(4096);
    gboolean on = TRUE;

    make_qemu_controller(data);
    mock_drive_answer(drive->mock, PLT_NVME_IDENTIFY, 1, data, 4096, 0);
    control = control_new(drive);
    g_assert_false(plt_power_control_has_apst(control));
    g_assert_true(plt_power_control_get_apst(control, &on, NULL));
    g_assert_false(on);
    g_assert_false(plt_power_control_set_apst(control, FALSE, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED);
}

/* What the transport lets through: two features, never their Save bit. */
static void test_transport(void)
{
    static const struct {
        guint8 opcode;
        guint32 cdw10;
        int status;
    } cases[] = {
        {0x09, 0x02, -EBADF}, {0x09, 0x0c, -EBADF}, {0x09, 0x8000000c, -EPERM}, {0x09, 0x80000002, -EPERM},
        {0x09, 0x06, -EPERM}, {0x09, 0x84, -EPERM}, {0x14, 1, -EBADF},          {0x0a, 0x02, -EBADF},
        {0x80, 0, -EPERM},    {0x84, 2, -EPERM},    {0x01, 0, -EPERM},          {0x0d, 0, -EPERM},
        {0x10, 0, -EPERM},    {0x11, 0, -EPERM},
    };
    guint32 result;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        PltNvmeCommand command = {.opcode = cases[i].opcode, .cdw10 = cases[i].cdw10};

        g_assert_cmpint(plt_nvme_submit_setting(GINT_TO_POINTER(-1), &command, &result), ==, cases[i].status);
    }
}

static void test_not_here(void)
{
    g_autoptr(PltInquiry) recorded = mock_drive_inquiry(mock_drive_new_full());
    g_autoptr(PltPowerControl) control = NULL;
    g_autoptr(GError) error = NULL;

    control = plt_power_control_open(recorded, &error);
    g_assert_null(control);
    g_assert_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/power-control/look", test_look);
    g_test_add_func("/drive/power-control/state", test_state);
    g_test_add_func("/drive/power-control/resting", test_resting);
    g_test_add_func("/drive/power-control/close-restores", test_close_restores);
    g_test_add_func("/drive/power-control/no-such-state", test_no_such_state);
    g_test_add_func("/drive/power-control/stubborn", test_stubborn);
    g_test_add_func("/drive/power-control/failures", test_failures);
    g_test_add_func("/drive/power-control/gone-from-the-start", test_gone_from_the_start);
    g_test_add_func("/drive/power-control/apst", test_apst);
    g_test_add_func("/drive/power-control/tolerance", test_tolerance);
    g_test_add_func("/drive/power-control/apst-without-table", test_apst_without_table);
    g_test_add_func("/drive/power-control/no-apst", test_no_apst);
    g_test_add_func("/drive/power-control/transport", test_transport);
    g_test_add_func("/drive/power-control/not-here", test_not_here);
    return g_test_run();
}
