# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ./dev test: the builds, what runs in each, and the count over all of them. Sourced by ./dev.

SANITIZERS=$REPO/tools/sanitizers
# AddressSanitizer and the undefined behaviour sanitizer see everything that has no screen.
ADDRESS_SUITES=(engine analysis chart drive library suite report)
# ThreadSanitizer knows only what is compiled with it: the engine, which has threads and no GLib.
THREAD_SUITES=(engine)
# What meson test is started through.
TEST_PREFIX=()

test_all() {
    local suite=${1:-} status=0
    COUNTS=$(mktemp)
    trap 'rm -f "$COUNTS"' EXIT

    configure "$BUILD" --werror
    if [ -n "$suite" ]; then
        run_suites default "$BUILD" "$suite"
    else
        run_suites default "$BUILD"
        run_address "${ADDRESS_SUITES[@]}"
        run_thread "${THREAD_SUITES[@]}"
    fi
    python3 "$REPO/tools/testlog.py" sum "$COUNTS" || status=1
    return $status
}

run_address() {
    configure "$BUILD-address" --werror -Dbuildtype=debug -Doptimization=1 -Db_sanitize=address,undefined
    export ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1
    export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
    export LSAN_OPTIONS=suppressions="\"$SANITIZERS/leak.supp\"":print_suppressions=0
    # GLib's own pool of slices would hide who leaked.
    export G_SLICE=always-malloc
    run_suites address "$BUILD-address" "$@"
    unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS G_SLICE
}

run_thread() {
    # The sanitizer's fixed memory layout and a randomised one do not always fit together.
    TEST_PREFIX=()
    if setarch -R true 2>/dev/null; then
        TEST_PREFIX=(setarch -R)
    fi
    configure "$BUILD-thread" --werror -Dbuildtype=debug -Doptimization=1 -Db_sanitize=thread
    export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions="\"$SANITIZERS/thread.supp\""
    run_suites thread "$BUILD-thread" "$@"
    unset TSAN_OPTIONS
    TEST_PREFIX=()
}

# run_suites LABEL DIR [SUITE…]: compiles what the tests of the suites need, runs them, adds to the counts.
run_suites() {
    local label=$1 dir=$2 arguments=() suite status=0 targets
    shift 2
    if ! targets=$(python3 "$REPO/tools/testlog.py" targets "$dir" "$@"); then
        exit 2
    fi
    for suite in "$@"; do
        arguments+=(--suite "$suite")
    done
    if [ "$label" != default ]; then
        arguments+=(--timeout-multiplier 5)
    fi
    rm -f "$dir/meson-logs/testlog.json"
    # Scripts alone need nothing compiled, where ninja without a target would make everything.
    # shellcheck disable=SC2086 # one word each target
    if { [ $# -eq 0 ] || [ -n "$targets" ]; } && ! compile "$dir" $targets; then
        note "The $label build does not compile."
        echo "0 1 0" >>"$COUNTS"
        return
    fi
    "${TEST_PREFIX[@]}" meson test -C "$dir" --no-rebuild "${arguments[@]}" >"$dir/meson-logs/dev-test.txt" 2>&1 || status=$?
    python3 "$REPO/tools/testlog.py" report "$dir" "$label" "$status" "$COUNTS"
}
