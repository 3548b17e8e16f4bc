/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/platform-private.h"

#include <string.h>

#include "drive/sysfs.h"

/* What virtual machines call themselves in their firmware tables. */
static const struct {
    const char *text, *name;
} makers[] = {
    {"QEMU", "QEMU"},
    {"VMware", "VMware"},
    {"VirtualBox", "VirtualBox"},
    {"innotek", "VirtualBox"},
    {"Xen", "Xen"},
    {"Bochs", "Bochs"},
    {"Parallels", "Parallels"},
    {"BHYVE", "bhyve"},
    {"Amazon EC2", "Amazon EC2"},
    {"Google Compute", "Google Compute Engine"},
    {"KVM", "KVM"},
    {"OpenStack", "OpenStack"},
    {"DigitalOcean", "DigitalOcean"},
    {"Virtual Machine", "Hyper-V"},
    {"Apple Virtualization", "Apple Virtualization"},
};

static const char *maker_of(const char *root)
{
    static const char *const files[] = {"product_name", "sys_vendor", "bios_vendor"};

    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *text = plt_sysfs_read(root, "/sys/class/dmi/id/%s", files[i]);

        for (gsize j = 0; text != NULL && j < G_N_ELEMENTS(makers); j++) {
            if (strstr(text, makers[j].text) != NULL)
                return makers[j].name;
        }
    }
    return NULL;
}

static gboolean has_hypervisor_flag(const char *root)
{
    g_autofree char *cpuinfo = plt_sysfs_read(root, "/proc/cpuinfo");
    g_autofree char *flags = cpuinfo != NULL ? plt_processor_field(cpuinfo, "flags") : NULL;
    g_auto(GStrv) list = flags != NULL ? g_strsplit(flags, " ", -1) : NULL;

    return list != NULL && g_strv_contains((const char *const *)list, "hypervisor");
}

/*
 * The processor's flag is the proof on x86; Amazon and Google also sell whole machines whose tables bear
 * their name, so there the name alone is none. Elsewhere the device tree or the tables must do.
 */
static char *machine_of(const char *root)
{
    g_autofree char *type = plt_sysfs_read(root, "/sys/hypervisor/type");
    g_autofree char *tree = plt_sysfs_read(root, "/sys/firmware/devicetree/base/hypervisor/compatible");
    gboolean flag = has_hypervisor_flag(root);
    const char *maker = maker_of(root);

    if (maker != NULL && (flag || !g_str_has_prefix(maker, "Amazon")))
        return g_strdup(maker);
    if (type != NULL || tree != NULL)
        return g_strdup(type != NULL ? type : tree);
    return flag ? g_strdup("hypervisor") : NULL;
}

static char *container_of(const char *root)
{
    static const struct {
        const char *file, *name;
    } marks[] = {
        {"/.flatpak-info", "Flatpak"},
        {"/run/.containerenv", "Podman"},
        {"/.dockerenv", "Docker"},
    };
    g_autofree char *manager = plt_sysfs_read(root, "/run/systemd/container");
    const char *variable = root[0] == '\0' ? g_getenv("container") : NULL;

    if (manager != NULL)
        return g_steal_pointer(&manager);
    for (gsize i = 0; i < G_N_ELEMENTS(marks); i++) {
        if (plt_sysfs_exists(root, "%s", marks[i].file))
            return g_strdup(marks[i].name);
    }
    if (variable != NULL && variable[0] != '\0' && g_utf8_validate(variable, -1, NULL))
        return g_strdup(variable);
    return NULL;
}

void plt_virtualization_add_members(const char *root, JsonObject *platform)
{
    g_autofree char *machine = machine_of(root);
    g_autofree char *container = container_of(root);

    if (machine != NULL)
        json_object_set_string_member(platform, "virtual_machine", machine);
    if (container != NULL)
        json_object_set_string_member(platform, "container", container);
}
