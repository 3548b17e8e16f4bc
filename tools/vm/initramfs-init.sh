#!/bin/busybox sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The first program of the guest: its root is an overlay in memory over the packages and the system outside,
# which it can only read.
busybox=/bin/busybox
$busybox mount -t proc proc /proc
for module in $($busybox cat /modules/order); do
    $busybox insmod "/modules/$module"
done
share=trans=virtio,version=9p2000.L,msize=262144
version=$($busybox uname -r)
# The packages and the system outside do not change meanwhile: what has been read once may be kept.
$busybox mount -t 9p -o "ro,cache=loose,$share" system /lower
$busybox mount -t 9p -o "ro,cache=loose,$share" packages /top
$busybox mount -t tmpfs -o size=75% over /over
$busybox mkdir /over/upper /over/work
$busybox mount -t overlay -o lowerdir=/top:/lower,upperdir=/over/upper,workdir=/over/work root /new
$busybox mkdir -p "/new/usr/lib/modules/$version" /new/run
$busybox mount -t 9p -o "ro,cache=loose,$share" modules "/new/usr/lib/modules/$version"
$busybox mount -t tmpfs run /new/run
$busybox mkdir /new/run/vm
$busybox mount -t 9p -o "ro,$share" job /new/run/vm
$busybox umount /proc
exec $busybox switch_root /new /bin/bash /run/vm/init.sh
