/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/filesystem.h"

#include <string.h>

struct fs_type {
    const char *name;
    guint32 magic; /* 0: none of its own, or not known */
    PltFsKind kind;
};

/*
 * Names as in /proc/filesystems, magic numbers as in linux/magic.h and the file systems' own sources. Where
 * several names share a number the first one names it.
 */
static const struct fs_type types[] = {
    {"ext4", 0xef53, PLT_FS_DRIVE},
    {"ext3", 0xef53, PLT_FS_DRIVE},
    {"ext2", 0xef53, PLT_FS_DRIVE},
    {"xfs", 0x58465342, PLT_FS_DRIVE},
    {"btrfs", 0x9123683e, PLT_FS_DRIVE},
    {"bcachefs", 0xca451a4e, PLT_FS_DRIVE},
    {"f2fs", 0xf2f52010, PLT_FS_DRIVE},
    {"zfs", 0x2fc12fc1, PLT_FS_DRIVE},
    {"jfs", 0x3153464a, PLT_FS_DRIVE},
    {"nilfs2", 0x3434, PLT_FS_DRIVE},
    {"reiserfs", 0x52654973, PLT_FS_DRIVE},
    {"vfat", 0x4d44, PLT_FS_DRIVE},
    {"msdos", 0x4d44, PLT_FS_DRIVE},
    {"exfat", 0x2011bab0, PLT_FS_DRIVE},
    {"ntfs3", 0x7366746e, PLT_FS_DRIVE},
    {"hfsplus", 0x482b, PLT_FS_DRIVE},
    {"udf", 0x15013346, PLT_FS_DRIVE},
    {"ecryptfs", 0xf15f, PLT_FS_OVERLAY},
    {"overlay", 0x794c7630, PLT_FS_OVERLAY},

    {"tmpfs", 0x01021994, PLT_FS_MEMORY},
    {"ramfs", 0x858458f6, PLT_FS_MEMORY},
    {"rootfs", 0, PLT_FS_MEMORY},
    {"hugetlbfs", 0x958458f6, PLT_FS_MEMORY},

    {"fuse", 0x65735546, PLT_FS_FUSE},
    {"fuseblk", 0x65735546, PLT_FS_FUSE},

    {"nfs", 0x6969, PLT_FS_NETWORK},
    {"nfs4", 0x6969, PLT_FS_NETWORK},
    {"smb3", 0xfe534d42, PLT_FS_NETWORK},
    {"smb2", 0xfe534d42, PLT_FS_NETWORK},
    {"cifs", 0xff534d42, PLT_FS_NETWORK},
    {"smbfs", 0x517b, PLT_FS_NETWORK},
    {"ncpfs", 0x564c, PLT_FS_NETWORK},
    {"9p", 0x01021997, PLT_FS_NETWORK},
    {"virtiofs", 0x6a656a63, PLT_FS_NETWORK},
    {"ceph", 0x00c36400, PLT_FS_NETWORK},
    {"afs", 0x5346414f, PLT_FS_NETWORK},
    {"kafs", 0x6b414653, PLT_FS_NETWORK},
    {"coda", 0x73757245, PLT_FS_NETWORK},
    {"lustre", 0x0bd00bd0, PLT_FS_NETWORK},
    {"gpfs", 0x47504653, PLT_FS_NETWORK},
    {"orangefs", 0x20030528, PLT_FS_NETWORK},
    {"beegfs", 0x19830326, PLT_FS_NETWORK},
    {"vboxsf", 0x786f4256, PLT_FS_NETWORK},
    {"vmhgfs", 0xbacbacbc, PLT_FS_NETWORK},
    {"prl_fs", 0x7c7c6673, PLT_FS_NETWORK},
    {"hostfs", 0x00c0ffee, PLT_FS_NETWORK},
    {"davfs", 0, PLT_FS_NETWORK},
    {"glusterfs", 0, PLT_FS_NETWORK},
    {"pvfs2", 0, PLT_FS_NETWORK},
    {"sshfs", 0, PLT_FS_NETWORK},

    {"squashfs", 0x73717368, PLT_FS_READ_ONLY},
    {"iso9660", 0x9660, PLT_FS_READ_ONLY},
    {"erofs", 0xe0f5e1e2, PLT_FS_READ_ONLY},
    {"cramfs", 0x28cd3d45, PLT_FS_READ_ONLY},
    {"romfs", 0x7275, PLT_FS_READ_ONLY},

    {"devtmpfs", 0x01021994, PLT_FS_PSEUDO},
    {"proc", 0x9fa0, PLT_FS_PSEUDO},
    {"sysfs", 0x62656572, PLT_FS_PSEUDO},
    {"devpts", 0x1cd1, PLT_FS_PSEUDO},
    {"cgroup", 0x27e0eb, PLT_FS_PSEUDO},
    {"cgroup2", 0x63677270, PLT_FS_PSEUDO},
    {"cpuset", 0x27e0eb, PLT_FS_PSEUDO},
    {"debugfs", 0x64626720, PLT_FS_PSEUDO},
    {"tracefs", 0x74726163, PLT_FS_PSEUDO},
    {"securityfs", 0x73636673, PLT_FS_PSEUDO},
    {"selinuxfs", 0xf97cff8c, PLT_FS_PSEUDO},
    {"configfs", 0x62656570, PLT_FS_PSEUDO},
    {"pstore", 0x6165676c, PLT_FS_PSEUDO},
    {"efivarfs", 0xde5e81e4, PLT_FS_PSEUDO},
    {"bpf", 0xcafe4a11, PLT_FS_PSEUDO},
    {"binfmt_misc", 0x42494e4d, PLT_FS_PSEUDO},
    {"mqueue", 0x19800202, PLT_FS_PSEUDO},
    {"nsfs", 0x6e736673, PLT_FS_PSEUDO},
    {"rpc_pipefs", 0x67596969, PLT_FS_PSEUDO},
    {"fusectl", 0x65735543, PLT_FS_PSEUDO},
    {"autofs", 0x0187, PLT_FS_PSEUDO},
    {"resctrl", 0x7655821, PLT_FS_PSEUDO},
};

static const struct fs_type *find_by_name(const char *fstype)
{
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i].name, fstype) == 0)
            return &types[i];
    }
    return NULL;
}

static const struct fs_type *find_by_magic(guint64 magic)
{
    for (gsize i = 0; magic != 0 && i < G_N_ELEMENTS(types); i++) {
        if (types[i].magic == (guint32)magic)
            return &types[i];
    }
    return NULL;
}

PltFsKind plt_filesystem_kind(const char *fstype, guint64 magic)
{
    const struct fs_type *type = fstype != NULL ? find_by_name(fstype) : NULL;

    if (type == NULL && fstype != NULL &&
        (g_str_has_prefix(fstype, "fuse.") || g_str_has_prefix(fstype, "fuseblk.")))
        return PLT_FS_FUSE;
    if (type == NULL)
        type = find_by_magic(magic);
    return type != NULL ? type->kind : PLT_FS_DRIVE;
}

const char *plt_filesystem_name(guint64 magic)
{
    const struct fs_type *type = find_by_magic(magic);

    return type != NULL ? type->name : NULL;
}

guint64 plt_filesystem_magic(const char *fstype)
{
    const struct fs_type *type = find_by_name(fstype);

    return type != NULL ? type->magic : 0;
}

gboolean plt_filesystem_copies_on_write(const char *fstype)
{
    return g_str_equal(fstype, "btrfs") || g_str_equal(fstype, "bcachefs") || g_str_equal(fstype, "zfs") ||
           g_str_equal(fstype, "nilfs2");
}
