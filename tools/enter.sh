#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: enter.sh ROOT UID:GID FOLDER REPOSITORY COMMAND ARGS…
# Runs COMMAND in ROOT with the machine's devices and the person's folders at their usual places, then becomes
# it. Started by ./dev as root of a mount namespace of its own, so nothing has to be undone afterwards.
set -euo pipefail

root=$1 ids=$2 folder=$3 repository=$4
shift 4
bound=()

fail() {
    echo "./dev: $*" >&2
    exit 1
}

# True for what has been laid over the root, so that it is the machine's own.
is_bound() {
    local top
    for top in "${bound[@]}"; do
        case $1/ in
        "$top"/*) return 0 ;;
        esac
    done
    return 1
}

bind() {
    mkdir -p "$root$1"
    mount --rbind "$1" "$root$1"
    bound+=("$1")
}

bind_file() { # FROM TO
    local from
    from=$(readlink -e "$1") || return 0
    [ -f "$root$2" ] && [ ! -L "$root$2" ] || return 0
    mount --bind "$from" "$root$2"
}

# These belong to the root; everything else at the top of the machine belongs to the person.
is_system() {
    case $1 in
    /bin | /sbin | /lib | /lib[0-9x]* | /usr | /etc | /var | /boot | /dev | /proc | /sys | /lost+found) return 0 ;;
    esac
    return 1
}

# A folder outside of what is bound anyway, such as one under /var: laid over the same place.
cover() {
    local path
    path=$(readlink -e "$1") || return 0
    is_bound "$path" && return 0
    case $path in
    / | /usr | /usr/* | /etc | /etc/* | /bin | /sbin | /lib* | /boot | /boot/* | /var | /var/lib | /var/cache | /var/log)
        return 1
        ;;
    esac
    bind "$path"
}

# A bind takes along what is mounted below it. The folder that the root itself lies in comes first, while
# the root has nothing mounted in it, and the root's copy in it is taken off again.
mount --bind "$root" "$root"
home_of_root=/$(cut -d/ -f2 <<<"$root")
if ! is_system "$home_of_root"; then
    bind "$home_of_root"
    umount -l "$root$root"
fi
for top in /dev /proc /sys; do
    bind "$top"
done
for top in /* /.[!.]*; do
    if is_system "$top" || [ "$top" = "$home_of_root" ]; then
        continue
    elif [ -L "$top" ]; then
        [ -d "$root$top" ] || ln -sfn "$(readlink "$top")" "$root$top"
        [ ! -d "$top" ] || cover "$top" || true
    elif [ -d "$top" ]; then
        bind "$top"
    fi
done
bind /var/tmp
cover "$repository" || fail "the repository must not lie in a system folder: move it to your home folder."
cover "$folder" || fail "$folder belongs to the system; here Plateau is built in a Debian 13 root, which has its own: go to another folder."
[ -z "${HOME:-}" ] || cover "$HOME" || true
# Folders that are given to plateau-cli.
if [ "${2:-}" = cli ]; then
    for argument in "${@:3}"; do
        if [ -d "$argument" ] && ! cover "$argument"; then
            echo "./dev: $argument belongs to the system; here Plateau runs in a Debian 13 root, which has its own: choose another folder." >&2
            exit 3 # refused, as plateau-cli says it
        fi
    done
fi
for file in /etc/resolv.conf /etc/hosts /etc/localtime /etc/machine-id; do
    bind_file "$file" "$file"
done
# The results name the machine's own system, not the root's.
bind_file /etc/os-release /usr/lib/os-release

export PLATEAU_DEV_ROOT=${root##*/}
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# These name files of the machine that the root has at other places or in other versions.
unset LD_LIBRARY_PATH LD_PRELOAD PKG_CONFIG_PATH PYTHONHOME PYTHONPATH GIO_EXTRA_MODULES GTK_PATH GTK_MODULES \
    XDG_DATA_DIRS XDG_CONFIG_DIRS

# pivot_root leaves nothing of the old tree in the mount table and, unlike chroot, lets the command make user
# namespaces; where the machine's own root is no mount point it is not possible, and chroot does.
cd "$root"
pivoted=yes
if pivot_root . . 2>/dev/null; then
    umount -l .
    cd /
    enter=()
else
    pivoted=no
    enter=(chroot "$root")
fi
# Back to the person's own ids: a program must not think that it is root.
if [ "$ids" != 0:0 ] && [ "$pivoted" = yes ]; then
    enter=(unshare --user --map-user="${ids%:*}" --map-group="${ids#*:}")
fi
# The language of the person is made on its first use.
exec "${enter[@]}" bash -c '
    lang=${LC_ALL:-${LANG:-C}}
    case $lang in
    C | POSIX | C.*) ;;
    *)
        if ! locale -a 2>/dev/null | grep -qxiF -e "$lang" -e "${lang/UTF-8/utf8}"; then
            localedef -i "${lang%%.*}" -f UTF-8 "$lang" 2>/dev/null || true
        fi
        ;;
    esac
    cd "$0" && exec "$@"' "$folder" "$@"
