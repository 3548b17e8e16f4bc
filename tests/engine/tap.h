/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The least of a test frame for code without GLib: cases print TAP, a failed check says what it saw and the
 * case goes on, so one run shows all that is wrong with it.
 */
struct tap_case {
    const char *path; /* "/engine/histogram/empty" */
    void (*func)(void);
};

/* The body of a test program's main: runs all CASES, or the hidden child that ARGV names. Its exit status. */
int tap_run(int argc, char **argv, const struct tap_case *cases, size_t n_cases,
            const struct tap_case *children, size_t n_children);

#define TAP_MAIN(cases)                                                              \
    int main(int argc, char **argv)                                                  \
    {                                                                                \
        return tap_run(argc, argv, cases, sizeof(cases) / sizeof *(cases), NULL, 0); \
    }
#define TAP_MAIN_WITH_CHILDREN(cases, children)                                      \
    int main(int argc, char **argv)                                                  \
    {                                                                                \
        return tap_run(argc, argv, cases, sizeof(cases) / sizeof *(cases), children, \
                       sizeof(children) / sizeof *(children));                       \
    }

/*
 * Runs the child case NAME in a new process of this program, in which nothing is set up yet: for what can
 * only be tried with limits, filters or privileges that a process does not get rid of again. Fails when the
 * child does, is killed, or takes longer than a minute; skips when the child skips.
 */
void tap_child(const char *name);

/* The rest of the case is not run; the text says what it would need. Return right after it. */
void tap_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line for the log. */
void tap_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool tap_check(bool ok, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define CHECK(condition) tap_check((condition), __FILE__, __LINE__, "%s", #condition)
#define CHECK_INT(left, relation, right) \
    tap_check_int((left), #relation, (right), #left, #right, __FILE__, __LINE__)
#define CHECK_REAL(left, relation, right) \
    tap_check_real((left), #relation, (right), #left, #right, __FILE__, __LINE__)
#define CHECK_TEXT(left, right) tap_check_text((left), (right), #left, __FILE__, __LINE__)

/* Unsigned 64-bit values, which is all that the engine counts in. */
bool tap_check_int(uint64_t left, const char *relation, uint64_t right, const char *left_text,
                   const char *right_text, const char *file, int line);
bool tap_check_real(double left, const char *relation, double right, const char *left_text,
                    const char *right_text, const char *file, int line);
bool tap_check_text(const char *left, const char *right, const char *left_text, const char *file, int line);

/* How many checks have failed in this process: to stop a loop that would say the same a thousand times. */
unsigned tap_failures(void);

/* True in a program under a sanitizer that reserves all address space, where limits on memory mean nothing.
 */
bool tap_sanitized(void);
