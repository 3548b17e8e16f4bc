/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tap.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_SKIPPED 77
#define CHILD_SECONDS 60

/* A loop with a wrong value in it would fill the log: what a case says after this many lines adds nothing. */
#define MOST_LINES 20

static unsigned failures;
static char skip_reason[256];
static const char *program;

static void say(const char *format, va_list args)
{
    fputs("# ", stdout);
    vprintf(format, args);
    fputc('\n', stdout);
    fflush(stdout);
}

void tap_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

void tap_skip(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(skip_reason, sizeof skip_reason, format, args);
    va_end(args);
}

unsigned tap_failures(void)
{
    return failures;
}

bool tap_check(bool ok, const char *file, int line, const char *format, ...)
{
    if (ok) {
        return true;
    }
    if (failures++ < MOST_LINES) {
        char text[512];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        tap_note("%s:%d: not true: %s", file, line, text);
    }
    return false;
}

static bool holds(int order, const char *relation)
{
    switch (relation[0]) {
    case '<':
        return order < 0 || (relation[1] == '=' && order == 0);
    case '>':
        return order > 0 || (relation[1] == '=' && order == 0);
    case '!':
        return order != 0;
    default:
        return order == 0;
    }
}

bool tap_check_int(uint64_t left, const char *relation, uint64_t right, const char *left_text,
                   const char *right_text, const char *file, int line)
{
    return tap_check(holds((left > right) - (left < right), relation), file, line,
                     "%s %s %s (%" PRIu64 ", %" PRIu64 ")", left_text, relation, right_text, left, right);
}

bool tap_check_real(double left, const char *relation, double right, const char *left_text,
                    const char *right_text, const char *file, int line)
{
    bool ordered = left <= right || left > right; /* not a number never holds */
    return tap_check(ordered && holds((left > right) - (left < right), relation), file, line,
                     "%s %s %s (%.17g, %.17g)", left_text, relation, right_text, left, right);
}

bool tap_check_text(const char *left, const char *right, const char *left_text, const char *file, int line)
{
    if (left == NULL || right == NULL) {
        return tap_check(left == right, file, line, "%s is %s, not %s", left_text,
                         left == NULL ? "nothing" : left, right == NULL ? "nothing" : right);
    }
    return tap_check(strcmp(left, right) == 0, file, line, "%s is \"%s\", not \"%s\"", left_text, left,
                     right);
}

bool tap_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}

/* The child writes its notes to our output; its last line, if it skipped, is the reason. */
static void read_child(int fd)
{
    FILE *from = fdopen(fd, "r");
    char line[512];
    while (from != NULL && fgets(line, sizeof line, from) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "SKIP ", 5) == 0) {
            tap_skip("%s", line + 5);
        } else {
            tap_note("%s", line[0] == '#' ? line + 2 : line);
        }
    }
    if (from != NULL) {
        fclose(from);
    }
}

void tap_child(const char *name)
{
    int ends[2];
    fflush(stdout);
    if (!CHECK(pipe(ends) == 0)) {
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/proc/self/exe", program, "--child", name, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    read_child(ends[0]);
    int status = -1;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == CHILD_SKIPPED;
    tap_check(skipped || status == 0, __FILE__, __LINE__, "child %s ends well (wait status 0x%x)", name,
              (unsigned)status);
}

static int run_child(const char *name, const struct tap_case *children, size_t n_children)
{
    for (size_t i = 0; i < n_children; i++) {
        if (strcmp(children[i].path, name) == 0) {
            alarm(CHILD_SECONDS);
            children[i].func();
            if (failures == 0 && skip_reason[0] != '\0') {
                printf("SKIP %s\n", skip_reason);
                return CHILD_SKIPPED;
            }
            return failures == 0 ? 0 : 1;
        }
    }
    printf("there is no child %s\n", name);
    return 1;
}

int tap_run(int argc, char **argv, const struct tap_case *cases, size_t n_cases,
            const struct tap_case *children, size_t n_children)
{
    unsigned failed = 0;
    program = argv[0];
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 3 && strcmp(argv[1], "--child") == 0) {
        return run_child(argv[2], children, n_children);
    }
    printf("TAP version 13\n1..%zu\n", n_cases);
    for (size_t i = 0; i < n_cases; i++) {
        /* `test-run /engine/run/cancel` runs only what its path has in it. */
        bool wanted = argc < 2 || strstr(cases[i].path, argv[1]) != NULL;
        failures = 0;
        skip_reason[0] = '\0';
        if (wanted) {
            cases[i].func();
        } else {
            tap_skip("not asked for");
        }
        failed += failures != 0;
        printf("%sok %zu - %s%s%s\n", failures != 0 ? "not " : "", i + 1, cases[i].path,
               skip_reason[0] != '\0' && failures == 0 ? " # SKIP " : "", failures == 0 ? skip_reason : "");
    }
    return failed == 0 ? 0 : 1;
}
