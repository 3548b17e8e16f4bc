# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether the system's own libraries will do, and installing what is missing of them. Sourced by ./dev.

# True when everything that has a floor is installed and new enough.
floors_hold() {
    have pkg-config && pkg-config --exists "${FLOORS[@]}" 2>/dev/null
}

# True when apt could install everything that has a floor in a version that is new enough.
apt_can_meet_floors() {
    local i candidate
    for i in "${!FLOORS[@]}"; do
        candidate=$(apt_candidate "${FLOOR_PACKAGES[$i]}")
        candidate=${candidate#*:}
        dpkg --compare-versions "${candidate:-0}" ge "${FLOORS[$i]##* }" || return 1
    done
}

apt_candidate() {
    LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p' | grep -v '^(none)$' || true
}

# Decides once a call. The cheap answers come first, so that a machine that is set up spends nothing here.
use_native() {
    case ${PLATEAU_DEV:-} in
    native) read_packages && return 0 ;;
    root) read_packages && return 1 ;;
    esac
    read_packages
    if floors_hold; then
        return 0
    fi
    if [ -d "$(root_path)" ] || ! have apt-cache; then
        return 1
    fi
    # A system that has never asked for its package lists knows no version of anything.
    if [ -z "$(apt_candidate "${FLOOR_PACKAGES[0]}")" ] && can_be_root; then
        note "Fetching the package lists …"
        as_root apt-get update >/dev/null 2>&1 </dev/null || true
    fi
    apt_can_meet_floors
}

# Installs what is missing of the package list, where there is apt; elsewhere names the tools that are missing.
native_install() {
    local missing=()
    if ! have dpkg-query; then
        native_check_tools
        return
    fi
    mapfile -t missing < <(comm -23 <(printf '%s\n' "${PACKAGES[@]}" | sort) <(installed_packages | sort))
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! can_be_root; then
        fail "some packages are missing; install them with: sudo apt-get install --no-install-recommends ${missing[*]}"
    fi
    note "Installing ${#missing[@]} packages that Plateau needs …"
    apt_install "${missing[@]}" || fail "apt-get could not install: ${missing[*]}"
}

installed_packages() {
    # shellcheck disable=SC2016 # dpkg-query expands these
    dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${PACKAGES[@]}" 2>/dev/null | sed -n 's/^installed //p'
}

native_check_tools() {
    local tool missing=()
    for tool in gcc meson ninja pkg-config msgfmt python3; do
        have "$tool" || missing+=("$tool")
    done
    [ ${#missing[@]} -eq 0 ] || fail "the libraries are there, but these tools are missing: ${missing[*]}"
}
