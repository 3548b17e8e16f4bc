# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian 13 root: made once with mmdebstrap, kept in the cache, entered in a mount namespace of its own.
# Sourced by ./dev.

ROOT_SUITE=trixie
# Counts up when root_build below changes what a root contains, so that older roots are made anew.
ROOT_RECIPE=1
# What a finished root and its packages on the way take, with some air.
ROOT_NEEDS_MIB=4000

root_cache() {
    echo "${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/plateau"
}

# The name carries everything that decides the content. For other users than root the user's name is inside.
root_path() {
    local sum
    sum=$(printf '%s\n' "$ROOT_SUITE $ROOT_RECIPE $(id -u) ${PACKAGES[*]}" | sha256sum)
    echo "$(root_cache)/root-${sum:0:12}"
}

# Leaves a finished root at root_path, and a shared lock on it in this process (and what it becomes), so that
# nobody removes it meanwhile. It is built under another name and renamed when it is whole.
root_make() {
    local cache root lock in_use
    cache=$(root_cache)
    root=$(root_path)
    mkdir -p "$cache"
    exec {in_use}>>"$root.lock"
    flock -s "$in_use"
    [ ! -d "$root" ] || return 0

    root_requirements
    exec {lock}>>"$cache/lock"
    if ! flock -n "$lock"; then
        note "Another ./dev is making the Debian 13 root: waiting for it …"
        flock "$lock"
    fi
    if [ ! -d "$root" ]; then
        root_check_space "$cache"
        root_remove "$cache"/new-*
        new=$cache/new-${root##*-}
        note "Making a Debian 13 root in $root: some minutes, once …"
        # A job of its own, so that a signal ends all of it at once, and what it left is removed.
        set -m
        root_build "$new" &
        child=$!
        set +m
        trap 'root_abort "$child" "$new"' EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM HUP
        wait "$child" || fail "the Debian 13 root could not be made; the lines above say why."
        mv -T "$new" "$root"
        trap - EXIT INT TERM HUP
        root_remove_others "$root"
    fi
    exec {lock}>&-
}

# root_abort CHILD NEW: ends the making of a root, and what it has started, before it removes what is there.
root_abort() {
    local child=$1 new=$2
    # As root all of it is in a process namespace that ends at once; else mmdebstrap cleans up what only it can.
    if [ "$(id -u)" -eq 0 ]; then
        kill -KILL -- "-$child" 2>/dev/null || true
    else
        kill -TERM -- "-$child" 2>/dev/null || true
    fi
    for _ in {1..200}; do
        kill -0 -- "-$child" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL -- "-$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
    root_remove "$new"
}

# What a root takes that cannot be had here is said in one sentence, before anything is begun.
root_requirements() {
    if ! have mmdebstrap; then
        if have apt-get && can_be_root; then
            note "Installing mmdebstrap …"
            apt_install mmdebstrap || fail "apt-get could not install mmdebstrap."
        elif have apt-get; then
            fail "this system's libraries are too old, so Plateau is built in a Debian 13 root; install what makes it with: sudo apt-get install mmdebstrap uidmap"
        else
            fail "this system's libraries are too old or their development files are missing; install mmdebstrap (and uidmap), with which Plateau is built in a Debian 13 root."
        fi
    fi
    if [ "$(id -u)" -eq 0 ]; then
        unshare --mount true 2>/dev/null || fail "mount namespaces are not allowed here, which the Debian 13 root needs; start this container with --privileged, or use a Debian 13 system."
        return
    fi
    unshare --user --map-root-user --mount true 2>/dev/null || fail "user namespaces are not allowed here, which the Debian 13 root needs; allow them (kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0), or run ./dev as root."
    have newuidmap || fail "newuidmap is missing, which the Debian 13 root needs; install it with: sudo apt-get install uidmap"
    grep -qs "^$(id -un):" /etc/subuid && grep -qs "^$(id -un):" /etc/subgid ||
        fail "this user has no subordinate ids, which the Debian 13 root needs; add them with: sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $(id -un)"
}

root_check_space() {
    local free
    free=$(df -P -m "$1" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge "$ROOT_NEEDS_MIB" ] ||
        fail "the Debian 13 root needs $ROOT_NEEDS_MIB MiB in $1, where $free MiB are free; free some, or set XDG_CACHE_HOME to another place."
}

# root_build NEW: a whole root in the folder NEW.
root_build() {
    local new=$1 packages line options=()
    packages=$(IFS=, && echo "${PACKAGES[*]}")
    # The machine's own way to the network holds for the root too.
    if have apt-config; then
        while IFS= read -r line; do
            options+=("--aptopt=$line")
        done < <(apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-Valid-Until|Check-Date)[^ ]* "[^"]' || true)
    fi
    options+=(
        --variant=apt
        --include="$packages"
        --aptopt='APT::Install-Recommends "false"'
        --aptopt='APT::Sandbox::User "root"'
        --dpkgopt=force-unsafe-io
        --dpkgopt='path-exclude=/usr/share/man/*'
        --dpkgopt='path-exclude=/usr/share/doc/*'
        --dpkgopt='path-include=/usr/share/doc/*/copyright'
        # The languages that Plateau is shown in, and one with a comma in its numbers.
        --customize-hook='chroot "$1" localedef -i de_DE -f UTF-8 de_DE.UTF-8'
        --customize-hook='chroot "$1" localedef -i ko_KR -f UTF-8 ko_KR.UTF-8'
        --customize-hook='chroot "$1" localedef -i en_US -f UTF-8 en_US.UTF-8'
        # Files of the machine are laid over these when the root is entered: they must be plain files.
        --customize-hook='for f in localtime resolv.conf machine-id; do rm -f "$1/etc/$f"; : >"$1/etc/$f"; done'
        --customize-hook='chroot "$1" dbus-uuidgen >"$1/etc/machine-id"'
        "$ROOT_SUITE"
    )
    if [ "$(id -u)" -eq 0 ]; then
        root_mmdebstrap unshare --pid --fork --kill-child --mount-proc \
            mmdebstrap --mode=root --format=directory "${options[@]}" "$new" >&2
        return
    fi
    # Made with the user's subordinate ids, but kept as the user's own files: only one id is there later.
    mkdir -p "$new"
    TMPDIR=/var/tmp root_mmdebstrap mmdebstrap --mode=unshare --format=tar "${options[@]}" - |
        unshare --user --map-root-user tar -x -C "$new" --no-same-owner --exclude='./dev/*'
    grep -q "^[^:]*:[^:]*:$(id -u):" "$new/etc/passwd" ||
        echo "$(id -un):x:$(id -u):$(id -g)::${HOME:-/}:/bin/bash" >>"$new/etc/passwd"
    grep -q "^[^:]*:[^:]*:$(id -g):" "$new/etc/group" || echo "$(id -gn):x:$(id -g):" >>"$new/etc/group"
}

# root_mmdebstrap COMMAND…: without questions, from the mirror that the person has named.
root_mmdebstrap() {
    "$@" ${PLATEAU_DEBIAN_MIRROR:+"$PLATEAU_DEBIAN_MIRROR"} </dev/null
}

# Removes folders, never what is mounted in them.
root_remove() {
    local dir
    for dir in "$@"; do
        [ -d "$dir" ] || continue
        if [ "$(id -u)" -eq 0 ]; then
            rm -rf --one-file-system "$dir"
        else
            # Folders without write permission are no hindrance to the root of a user namespace.
            unshare --user --map-root-user rm -rf --one-file-system "$dir"
        fi
    done
}

# Removes the roots of other package lists, except those that something runs in.
root_remove_others() {
    local keep=$1 old fd
    for old in "$(root_cache)"/root-*; do
        [ -d "$old" ] && [ "$old" != "$keep" ] || continue
        exec {fd}>>"$old.lock"
        if flock -n "$fd"; then
            root_remove "$old"
            rm -f "$old.lock"
        fi
        exec {fd}>&-
    done
}

# root_enter COMMAND ARGS…: becomes `./dev COMMAND ARGS…` inside the root, in the same folder.
root_enter() {
    local root user=()
    root=$(root_path)
    [ "$(id -u)" -eq 0 ] || user=(--user --map-root-user)
    exec unshare "${user[@]}" --mount --propagation private \
        bash "$REPO/tools/enter.sh" "$root" "$(id -u):$(id -g)" "$PWD" "$REPO" "$REPO/dev" "$@"
}
