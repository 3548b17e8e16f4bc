#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The guest's first process once its root is there: as little of a system as the command needs, the command,
# and the end. /run/vm is what the host has put there; settings.sh sets services, user, shares, folder.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb
services='' user=no shares='' folder=/ drives=0
. /run/vm/settings.sh

mount_system() {
    mount -t proc proc /proc
    mount -t sysfs sys /sys
    mount -t devtmpfs dev /dev
    mkdir -p /dev/pts /dev/shm /dev/virtio-ports
    mount -t devpts pts /dev/pts
    mount -t tmpfs shm /dev/shm
    mount -t tmpfs tmp /tmp
    chmod 1777 /tmp /dev/shm
    mkdir -p /run/lock /run/dbus
    mount -t cgroup2 cgroup /sys/fs/cgroup
    mount -t debugfs debug /sys/kernel/debug
    local port name
    for port in /sys/class/virtio-ports/*; do
        read -r name <"$port/name"
        ln -sf "../${port##*/}" "/dev/virtio-ports/$name"
    done
    ip link set lo up 2>/dev/null
    echo plateau-vm >/proc/sys/kernel/hostname
}

mount_shares() {
    local tag folder
    while read -r tag folder; do
        [ -n "$tag" ] || continue
        mkdir -p "$folder"
        mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 "$tag" "$folder"
    done <<<"$shares"
}

# An own mount table and accounts: those of the system outside have nothing to say here.
make_accounts() {
    : >/etc/fstab
    : >/etc/crypttab
    local name=$1 id=$2
    getent passwd "$name" >/dev/null || echo "$name:x:$id:$id::$3:/bin/bash" >>/etc/passwd
    getent group "$name" >/dev/null || echo "$name:x:$id:" >>/etc/group
}

start_udev() {
    local subsystem
    /usr/lib/systemd/systemd-udevd --daemon
    # All devices would take 10 to 20 s of loading drivers that nothing here needs.
    for subsystem in nvme nvme-subsystem block ata_port scsi virtio-ports; do
        udevadm trigger --type=devices --action=add --subsystem-match="$subsystem"
    done
    udevadm settle --timeout=60
}

start_udisks() {
    local name
    make_accounts messagebus 998 /nonexistent
    make_accounts polkitd 997 /nonexistent
    mkdir -p /var/lib/udisks2 /var/lib/polkit-1 /run/udisks2
    dbus-daemon --system --fork
    /usr/lib/polkit-1/polkitd --no-debug >/run/polkit.log 2>&1 &
    /usr/libexec/udisks2/udisksd >/run/udisks.log 2>&1 &
    for name in PolicyKit1 UDisks2; do
        gdbus wait --system --timeout 60 "org.freedesktop.$name"
    done
}

run_command() {
    local status as=()
    if [ "$user" = yes ]; then
        as=(setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/tester USER=tester)
    fi
    cd "$folder" 2>/dev/null || cd /
    read -r uptime _ </proc/uptime
    echo "ready $uptime" >/dev/virtio-ports/control
    "${as[@]}" setsid bash /run/vm/command.sh >/dev/virtio-ports/output 2>/dev/virtio-ports/errors </dev/null
    status=$?
    sync
    echo "exit $status" >/dev/virtio-ports/control
}

main() {
    mount_system
    mount_shares
    make_accounts tester 1000 /home/tester
    mkdir -p /home/tester
    chown 1000:1000 /home/tester
    modprobe --all --quiet nvme ahci sd_mod ext4
    case $services in
    udev) start_udev ;;
    udisks)
        start_udev
        start_udisks
        ;;
    # Without udevd libdevmapper would wait for it.
    *) export DM_DISABLE_UDEV=1 ;;
    esac
    # Drivers that were loaded find their drives in a moment of their own.
    for _ in {1..100}; do
        [ "$(lsblk --nodeps --noheadings --output NAME 2>/dev/null | grep -c -E '^(nvme|sd)')" -lt "$drives" ] || break
        sleep 0.05
    done
    run_command
}

main >/dev/console 2>&1
echo o >/proc/sysrq-trigger
sleep 60
