# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ./dev shots: every page of the window as a picture. Sourced by ./dev.

shots_all() {
    local dir=${1:-} status=0
    [ -n "$dir" ] && [ "${dir#-}" = "$dir" ] || fail "give the folder for the pictures: ./dev shots DIR"
    shift
    need_command xvfb-run
    mkdir -p "$dir"
    WORK=$(mktemp -d)
    trap 'rm -rf "$WORK"' EXIT
    # Dates and the like of the Korean pictures are Korean too.
    if localedef -i ko_KR -f UTF-8 "$WORK/ko_KR.UTF-8" 2>/dev/null; then
        export LOCPATH=$WORK
    fi
    env LC_ALL=C.UTF-8 XDG_RUNTIME_DIR="$WORK" GTK_A11Y=none GSETTINGS_BACKEND=memory GDK_DEBUG=no-portals \
        ADW_DISABLE_PORTAL=1 GSK_RENDERER=cairo G_DEBUG=fatal-criticals \
        xvfb-run --auto-servernum --server-args="-screen 0 1600x6200x24" \
        "$BUILD/tests/app/plateau-shots" "$dir" "$@" || status=$?
    note "Pictures: $(find "$dir" -name '*.png' | wc -l) in $dir"
    return $status
}
