/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/hold.h"

/* A drive with PS0 to PS2, without APST, that keeps a journal. SIGNAL_AT: what comes when it is first set. */
typedef struct {
    guint32 state;
    GString *journal;
    int fail, signal_at;
} Drive;

static void identify(guint8 *data)
{
    memset(data, 0, 4096);
    memcpy(data + 24, "Test", 4);
    data[82] = 1; /* version 1.0 */
    data[263] = 2;
    for (guint i = 0; i < 3; i++)
        data[2048 + 32 * i] = (guint8)(30 - 10 * i);
}

static int submit(gpointer user, const PltNvmeCommand *command, guint32 *result)
{
    Drive *drive = user;

    if (command->opcode == PLT_NVME_IDENTIFY)
        identify(command->data);
    if (command->opcode == PLT_NVME_GET_FEATURES)
        *result = drive->state;
    if (command->opcode != PLT_NVME_SET_FEATURES)
        return 0;
    if (drive->fail != 0)
        return drive->fail;
    g_string_append_printf(drive->journal, "PS%u ", command->cdw11);
    drive->state = command->cdw11;
    if (drive->signal_at != 0)
        kill(getpid(), drive->signal_at);
    drive->signal_at = 0;
    return 0;
}

static PltExit hold(Drive *drive, double for_s, const char *const *command)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPowerControl) control = plt_power_control_new(submit, drive, NULL, NULL, &error);
    const PltHold wanted = {.state = 2, .for_s = for_s, .command = (char **)command};

    g_assert_no_error(error);
    drive->journal = g_string_new(NULL);
    return plt_hold_run(control, &wanted);
}

static void check(Drive *drive, const char *journal)
{
    g_assert_cmpstr(drive->journal->str, ==, journal);
    g_string_free(drive->journal, TRUE);
}

/* Ctrl+C, or the end of the session: what was before comes back each time. */
static void test_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

    signal(SIGHUP, SIG_DFL); /* the tests may be under nohup */
    for (gsize i = 0; i < G_N_ELEMENTS(signals); i++) {
        Drive drive = {.state = 1, .signal_at = signals[i]};

        g_assert_cmpint(hold(&drive, 0, NULL), ==, PLT_EXIT_DONE);
        check(&drive, "PS2 PS1 ");
    }
}

static void test_time(void)
{
    Drive drive = {.state = 0}, stopped = {.state = 0, .signal_at = SIGINT};

    g_assert_cmpint(hold(&drive, 0.01, NULL), ==, PLT_EXIT_DONE);
    check(&drive, "PS2 PS0 ");
    g_assert_cmpint(hold(&stopped, 1e6, NULL), ==, PLT_EXIT_STOPPED);
    check(&stopped, "PS2 PS0 ");
}

static void test_command(void)
{
    static const struct {
        const char *const command[4];
        int status;
    } cases[] = {
        {{"true", NULL}, 0},
        {{"sh", "-c", "exit 7", NULL}, 7},
        {{"sh", "-c", "kill -TERM $$", NULL}, 128 + SIGTERM},
        {{"/nonexistent/program", NULL}, PLT_EXIT_FAILED},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Drive drive = {.state = 0};

        g_assert_cmpint((int)hold(&drive, 0, cases[i].command), ==, cases[i].status);
        check(&drive, "PS2 PS0 ");
    }
}

/* A command that does not heed the signal is told to end, and waited for, before anything is restored. */
static void test_stopped_command(void)
{
    static const char *const command[] = {"sleep", "100000", NULL};
    Drive drive = {.state = 0, .signal_at = SIGTERM};

    g_assert_cmpint(hold(&drive, 0, command), ==, PLT_EXIT_STOPPED);
    check(&drive, "PS2 PS0 ");
}

static void test_refused(void)
{
    static const char *const command[] = {"sh", "-c", "exit 9", NULL};
    static const struct {
        int fail;
        PltExit status;
    } cases[] = {
        {0x410e, PLT_EXIT_DEVICE},
        {-ENODEV, PLT_EXIT_DEVICE},
        {-EACCES, PLT_EXIT_REFUSED},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Drive drive = {.fail = cases[i].fail};

        /* Closing tries once more, and says so. */
        if (cases[i].fail == -ENODEV)
            g_test_expect_message("plateau-drive", G_LOG_LEVEL_WARNING, "*could not be restored*");
        g_assert_cmpint(hold(&drive, 0, command), ==, cases[i].status);
        g_test_assert_expected_messages();
        check(&drive, "");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/hold/signals", test_signals);
    g_test_add_func("/cli/hold/time", test_time);
    g_test_add_func("/cli/hold/command", test_command);
    g_test_add_func("/cli/hold/stopped-command", test_stopped_command);
    g_test_add_func("/cli/hold/refused", test_refused);
    return g_test_run();
}
