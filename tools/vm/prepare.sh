#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: prepare.sh
# Leaves in the cache what the virtual machine is made of, downloads what is missing of it, and prints two
# folders, one a line: the packages that are laid over the system here, and the kernel.
# Exit status 77, with one sentence on stderr, where it cannot be had.
set -euo pipefail

REPO=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
. "$REPO/tools/common.sh"
. "$REPO/tools/root.sh"

CACHE=$(root_cache)/vm
# Counts up when what is made below changes, so that older ones are made anew.
RECIPE=1
# The file systems of the initramfs; everything else is loaded when the guest's root is there.
MODULES=(9p 9pnet_virtio overlay)

# A download that failed is not tried again for each of several tests: only a person asks anew at once.
FAILED=$CACHE/failed
FAILED_MINUTES=10

cannot() {
    echo "$*" 2>/dev/null >"$FAILED" || true
    echo "There can be no virtual machine here: $*" >&2
    exit 77
}

cannot_still() {
    echo "There can be no virtual machine here: $(cat "$FAILED")" >&2
    exit 77
}

read_vm_packages() {
    mapfile -t PACKAGES < <(sed -n '/^[a-z]/p' "$REPO/tools/packages-vm.txt")
}

# Package names without versions: what is unpacked completes what is installed, and an update changes no names.
key() {
    local names
    # shellcheck disable=SC2016 # dpkg-query expands these
    names=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | grep '^installed')
    printf '%s\n' "$RECIPE" "${PACKAGES[@]}" "$names" | sha256sum | cut -c 1-12
}

# apt with lists and downloads of its own, so that it needs no rights and leaves the system's alone.
apt() {
    local program=$1
    shift
    "$program" -q -o Dir::State::lists="$CACHE/apt/lists" -o Dir::Cache="$CACHE/apt/cache" \
        -o Debug::NoLocking=true -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=2 \
        -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}

# The first that apt has said about an error.
why() {
    local line
    line=$(sed -n 's/^E: //p' "$1" | head -n 1)
    echo "${line:-apt-get failed.}"
}

apt_or_cannot() {
    apt "$@" >"$CACHE/apt/log" 2>&1 </dev/null || cannot "$(why "$CACHE/apt/log")"
}

# Where a package still has /lib or /sbin, they are what they are in the system: links into /usr.
merge_usr() {
    local root=$1 name
    for name in bin sbin lib lib64; do
        if [ -d "$root/$name" ] && [ ! -L "$root/$name" ]; then
            mkdir -p "$root/usr/$name"
            cp -a "$root/$name/." "$root/usr/$name/"
            rm -rf "${root:?}/$name"
        fi
    done
}

make_packages() {
    local new=$1 archive
    rm -rf "$CACHE/apt/cache/archives"
    mkdir -p "$CACHE/apt/cache/archives/partial"
    apt_or_cannot apt-get install --yes --download-only --no-install-recommends "${PACKAGES[@]}"
    mkdir -p "$new"
    for archive in "$CACHE"/apt/cache/archives/*.deb; do
        [ -e "$archive" ] || continue
        dpkg-deb -x "$archive" "$new" || cannot "$archive could not be unpacked."
    done
    rm -rf "$new/usr/share/doc" "$new/usr/share/man" "$new/usr/share/locale" "$new/usr/share/info"
    merge_usr "$new"
}

kernel_package() {
    apt apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9]\)/\1/p' | head -n 1
}

make_kernel() {
    local new=$1 package=$2 system=$3 version
    mkdir -p "$new/download"
    (cd "$new/download" && apt_or_cannot apt-get download "$package")
    dpkg-deb -x "$new"/download/*.deb "$new/unpacked" || cannot "$package could not be unpacked."
    version=${package#linux-image-}
    mv "$new/unpacked/boot/vmlinuz-$version" "$new/vmlinuz"
    mkdir -p "$new/usr/lib/modules"
    mv "$new"/unpacked/{usr/,}lib/modules/"$version" "$new/usr/lib/modules/" 2>/dev/null || true
    rm -rf "$new/download" "$new/unpacked"
    # Nothing of these can be in the machine, and they are two thirds of all.
    (cd "$new/usr/lib/modules/$version/kernel" &&
        rm -rf sound net/{bluetooth,mac80211,wireless} drivers/{gpu,media,infiniband,staging,iio,hwmon/pmbus} \
            drivers/net/{wireless,ethernet,can})
    ln -s usr/lib "$new/lib"
    depmod -b "$new" "$version" || cannot "depmod failed."
    make_initramfs "$new" "$version" "$system"
    echo "$version" >"$new/version"
}

# Busybox and what it takes to reach the guest's root.
make_initramfs() {
    local new=$1 version=$2 system=$3 tree=$1/initramfs name module busybox
    busybox=$(PATH=$system/usr/bin:$PATH type -P busybox) || cannot "busybox is missing."
    mkdir -p "$tree"/{bin,proc,modules,lower,top,over,new}
    cp "$busybox" "$tree/bin/busybox"
    cp "$REPO/tools/vm/initramfs-init.sh" "$tree/init"
    chmod 755 "$tree/init" "$tree/bin/busybox"
    modprobe -d "$new" -S "$version" --show-depends --all "${MODULES[@]}" |
        awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
        while read -r module; do
            name=$(basename "$module" .xz)
            case $module in
            *.xz) python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' "$module" ;;
            *) cat "$module" ;;
            esac >"$tree/modules/$name"
            echo "$name" >>"$tree/modules/order"
        done
    [ -s "$tree/modules/order" ] || cannot "the kernel's modules for the guest's root were not found."
    (cd "$tree" && find . | ./bin/busybox cpio -o -H newc 2>/dev/null) >"$new/initramfs.cpio"
    rm -rf "$tree"
}

# Removes what other package lists and older kernels have left, except what something runs in.
remove_others() {
    local old fd
    for old in "$CACHE"/packages-* "$CACHE"/kernel-*; do
        [ -d "$old" ] && [ "$old" != "$1" ] && [ "$old" != "$2" ] || continue
        exec {fd}>>"$old.lock"
        if flock -n "$fd"; then
            rm -rf "$old" "$old.lock"
        fi
        exec {fd}>&-
    done
}

make() {
    local packages=$1 package kernel
    mkdir -p "$CACHE/apt/lists/partial" "$CACHE/apt/cache"
    rm -rf "$CACHE"/new-*
    note "Fetching what the virtual machine is made of, once …"
    apt_or_cannot apt-get update -o APT::Update::Error-Mode=any
    package=$(kernel_package)
    [ -n "$package" ] || cannot "the packages of this system have no linux-image-amd64; use Debian's, with PLATEAU_DEV=root."
    make_packages "$CACHE/new-packages"
    kernel=$CACHE/kernel-${package#linux-image-}-$RECIPE
    if [ ! -d "$kernel" ]; then
        make_kernel "$CACHE/new-kernel" "$package" "$CACHE/new-packages"
        mv -T "$CACHE/new-kernel" "$kernel"
    fi
    echo "$kernel" >"$CACHE/new-packages/.kernel"
    mv -T "$CACHE/new-packages" "$packages"
    rm -rf "$CACHE/apt" "$FAILED"
    remove_others "$packages" "$kernel"
}

main() {
    local packages kernel lock program
    [ "$(uname -m)" = x86_64 ] || cannot "it is an x86_64 one, which this machine would emulate too slowly."
    for program in apt-get dpkg-deb dpkg-query depmod modprobe python3 flock; do
        have "$program" || cannot "$program is missing."
    done
    read_vm_packages
    packages=$CACHE/packages-$(key)
    mkdir -p "$CACHE" || cannot "$CACHE cannot be made."
    exec {lock}>>"$CACHE/lock"
    flock "$lock"
    kernel=$(cat "$packages/.kernel" 2>/dev/null || true)
    if [ -z "$kernel" ] || [ ! -e "$kernel/version" ]; then
        if [ "${PLATEAU_VM_RETRY:-yes}" = no ] && [ -n "$(find "$FAILED" -mmin "-$FAILED_MINUTES" 2>/dev/null)" ]; then
            cannot_still
        fi
        rm -rf "$packages"
        make "$packages"
        kernel=$(cat "$packages/.kernel")
    fi
    exec {lock}>&-
    printf '%s\n' "$packages" "$kernel"
}

main
