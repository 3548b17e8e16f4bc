/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "drive/sysfs.h"

/* NETLINK_KOBJECT_UEVENT: what the kernel says, and what udev says once its database knows the device too. */
#define GROUP_KERNEL 1
#define GROUP_UDEV 2

#define POLL_SECONDS 2

/* The longest message: UEVENT_BUFFER_SIZE of the kernel is 2048; udev's carry more properties. */
#define MESSAGE_SIZE 16384

struct plt_watch {
    GSourceOnceFunc func;
    gpointer user;
    int uevents, mounts; /* descriptors, -1 where there is none */
    guint uevents_source, mounts_source, poll_source;
    char *names; /* what the last poll saw */
};

gboolean plt_watch_is_about_drive(const char *message, gsize size)
{
    static const char *const subsystems[] = {"SUBSYSTEM=block", "SUBSYSTEM=hwmon", "SUBSYSTEM=nvme"};

    /* Properties are separated by NUL; udev puts a binary header before them, which holds none of these. */
    for (gsize i = 0; i < G_N_ELEMENTS(subsystems); i++) {
        const char *end = message + size, *at = message;
        gsize length = strlen(subsystems[i]);

        while ((at = memmem(at, (gsize)(end - at), subsystems[i], length)) != NULL) {
            if ((at == message || at[-1] == '\0') && (at + length == end || at[length] == '\0'))
                return TRUE;
            at++;
        }
    }
    return FALSE;
}

static gboolean uevents_ready(int fd, GIOCondition condition, gpointer user)
{
    PltWatch *watch = user;
    char message[MESSAGE_SIZE];
    gboolean relevant = FALSE;
    ssize_t size;

    while ((size = recv(fd, message, sizeof message, 0)) > 0 || (size < 0 && errno == ENOBUFS)) {
        /* Messages were lost: any of them may have been about a drive. */
        if (size < 0 || plt_watch_is_about_drive(message, (gsize)size))
            relevant = TRUE;
    }
    if (relevant)
        watch->func(watch->user);
    return G_SOURCE_CONTINUE;
}

static gboolean mounts_changed(int fd, GIOCondition condition, gpointer user)
{
    PltWatch *watch = user;

    watch->func(watch->user);
    return G_SOURCE_CONTINUE;
}

/* Each disk has a number of its own in newer kernels, so a quick exchange is seen as well. */
static char *names_read(void)
{
    g_auto(GStrv) names = plt_sysfs_list("", "/sys/class/block");
    GString *text = g_string_new(NULL);

    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *sequence = plt_sysfs_read("", "/sys/class/block/%s/diskseq", names[i]);

        g_string_append_printf(text, "%s %s\n", names[i], sequence != NULL ? sequence : "");
    }
    return g_string_free(text, FALSE);
}

static gboolean poll_names(gpointer user)
{
    PltWatch *watch = user;
    g_autofree char *names = names_read();

    if (g_strcmp0(names, watch->names) != 0) {
        g_free(watch->names);
        watch->names = g_steal_pointer(&names);
        watch->func(watch->user);
    }
    return G_SOURCE_CONTINUE;
}

/*
 * The kernel sends uevents of devices to the user namespace that owns them, which is the first one: in any
 * other the socket opens and stays silent.
 */
static gboolean in_first_user_namespace(void)
{
    g_autofree char *map = plt_sysfs_read("", "/proc/self/uid_map");
    guint64 inside = 1, outside = 1, count = 0;

    if (map == NULL)
        return TRUE;
    return sscanf(map, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &inside, &outside,
                  &count) == 3 &&
           inside == 0 && outside == 0 && count == G_MAXUINT32;
}

static int uevents_open(void)
{
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = GROUP_KERNEL | GROUP_UDEV};
    int fd;

    if (!in_first_user_namespace())
        return -1;
    fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

PltWatch *plt_watch_new(GSourceOnceFunc func, gpointer user)
{
    PltWatch *watch = g_new0(PltWatch, 1);

    watch->func = func;
    watch->user = user;
    watch->uevents = uevents_open();
    if (watch->uevents >= 0) {
        watch->uevents_source = g_unix_fd_add(watch->uevents, G_IO_IN, uevents_ready, watch);
    } else {
        watch->names = names_read();
        watch->poll_source = g_timeout_add_seconds(POLL_SECONDS, poll_names, watch);
    }
    watch->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (watch->mounts >= 0)
        watch->mounts_source = g_unix_fd_add(watch->mounts, G_IO_PRI | G_IO_ERR, mounts_changed, watch);
    return watch;
}

void plt_watch_free(PltWatch *watch)
{
    if (watch == NULL)
        return;
    g_clear_handle_id(&watch->uevents_source, g_source_remove);
    g_clear_handle_id(&watch->mounts_source, g_source_remove);
    g_clear_handle_id(&watch->poll_source, g_source_remove);
    if (watch->uevents >= 0)
        close(watch->uevents);
    if (watch->mounts >= 0)
        close(watch->mounts);
    g_free(watch->names);
    g_free(watch);
}
