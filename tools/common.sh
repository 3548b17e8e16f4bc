# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What every part of ./dev uses. Sourced, never run.

note() {
    echo "$*" >&2
}

fail() {
    echo "./dev: $*" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

need_command() {
    have "$1" || fail "$1 is missing: install it and try again."
}

# PACKAGES: all package names. FLOORS: "module >= version". FLOOR_PACKAGES: the names that FLOORS belong to.
read_packages() {
    local package module version
    PACKAGES=() FLOORS=() FLOOR_PACKAGES=()
    while read -r package module version; do
        case $package in
        '' | '#'*) continue ;;
        esac
        PACKAGES+=("$package")
        if [ -n "$module" ]; then
            FLOORS+=("$module >= $version")
            FLOOR_PACKAGES+=("$package")
        fi
    done <"$REPO/tools/packages.txt"
}

# as_root COMMAND…: runs it as root if that needs no question; 1 when it cannot.
can_be_root() {
    [ "$(id -u)" -eq 0 ] || { have sudo && sudo -n true 2>/dev/null; }
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo -n -- "$@"
    fi
}

# apt_install PACKAGES…: without questions, its talk to stderr and only if it fails.
apt_install() {
    local log
    log=$(mktemp)
    if ! { as_root apt-get update && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
        tail -n 30 "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

# Where a build folder is good for: the system itself, or one particular root.
where_we_are() {
    echo "${PLATEAU_DEV_ROOT:-native}"
}

inside_root() {
    [ -n "${PLATEAU_DEV_ROOT:-}" ]
}
