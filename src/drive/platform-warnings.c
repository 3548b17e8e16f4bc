/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/platform-private.h"

#include <string.h>

#include "drive/size.h"
#include "drive/sysfs.h"
#include "drive/warning.h"

/* Pressure (share of the last 10 s in which some program waited) above which the machine is not quiet. */
#define IO_PRESSURE 10.0
#define CPU_PRESSURE 20.0
#define MEMORY_PRESSURE 5.0

/* "some avg10=1.23 avg60=…": Documentation/accounting/psi.rst. 0 where the kernel does not keep it. */
static double pressure(const char *root, const char *what)
{
    g_autofree char *text = plt_sysfs_read(root, "/proc/pressure/%s", what);
    const char *place = text != NULL ? strstr(text, "some avg10=") : NULL;

    return place != NULL ? g_ascii_strtod(place + strlen("some avg10="), NULL) : 0;
}

static void add_power(JsonObject *platform, GPtrArray *warnings)
{
    const char *power = json_object_get_string_member_with_default(platform, "power", "");
    const char *governor = json_object_get_string_member_with_default(platform, "governor", "");
    const char *driver = json_object_get_string_member_with_default(platform, "frequency_driver", "");
    const char *wish = json_object_get_string_member_with_default(platform, "energy_preference", NULL);
    const char *profile = json_object_get_string_member_with_default(platform, "power_profile", "");
    gint64 percent = json_object_get_int_member_with_default(platform, "battery_percent", -1);
    gboolean own_scaling = g_str_equal(driver, "intel_pstate") || g_str_has_prefix(driver, "amd-pstate-epp");

    if (g_str_equal(power, "battery")) {
        g_autofree char *text = percent >= 0 ? g_strdup_printf("%d %%", (int)percent) : g_strdup("?");

        plt_warning_add(warnings, "battery", text);
    }
    /* With these drivers "powersave" is the ordinary governor, and the preference tells what is wished. */
    if (g_str_equal(governor, "powersave") && !own_scaling)
        plt_warning_add(warnings, "powersave", governor);
    else if (wish != NULL && (g_str_equal(wish, "power") || g_str_equal(wish, "balance_power")))
        plt_warning_add(warnings, "powersave", wish);
    if (g_str_equal(profile, "low-power") || g_str_equal(profile, "quiet") || g_str_equal(profile, "cool"))
        plt_warning_add(warnings, "power-profile", profile);
}

/* A quarter of the processors at work for others, but at least one, is more than a desktop at rest. */
static void add_load(const char *root, JsonObject *platform, GPtrArray *warnings)
{
    JsonObject *cpu = json_object_get_object_member(platform, "cpu");
    gint64 threads = json_object_get_int_member_with_default(cpu, "threads", 1);
    double load = json_object_get_double_member_with_default(platform, "load_1min", 0);
    double io = pressure(root, "io");

    if (load >= MAX(1.0, (double)threads / 4) || pressure(root, "cpu") > CPU_PRESSURE) {
        g_autofree char *text = g_strdup_printf("%.1f", load);

        plt_warning_add(warnings, "load", text);
    }
    if (io > IO_PRESSURE) {
        g_autofree char *text = g_strdup_printf("%.0f %%", io);

        plt_warning_add(warnings, "io-pressure", text);
    }
}

static guint64 meminfo_bytes(const char *meminfo, const char *name)
{
    g_autofree char *text = meminfo != NULL ? plt_processor_field(meminfo, name) : NULL;

    return text != NULL ? g_ascii_strtoull(text, NULL, 10) * 1024 : 0;
}

static void add_memory(const char *root, GPtrArray *warnings)
{
    g_autofree char *meminfo = plt_sysfs_read(root, "/proc/meminfo");
    guint64 total = meminfo_bytes(meminfo, "MemTotal");
    guint64 available = meminfo_bytes(meminfo, "MemAvailable");
    g_autofree char *text = NULL;

    /* Under a twentieth the kernel begins to throw out pages that are in use. */
    if (available == 0 || (available >= total / 20 && pressure(root, "memory") <= MEMORY_PRESSURE))
        return;
    text = plt_size_text(available);
    plt_warning_add(warnings, "memory-pressure", text);
}

void plt_platform_add_warnings_at(const char *root, GPtrArray *warnings)
{
    g_autoptr(JsonNode) node = plt_platform_to_json_at(root);
    JsonObject *platform = json_node_get_object(node);
    const char *machine = json_object_get_string_member_with_default(platform, "virtual_machine", NULL);
    const char *container = json_object_get_string_member_with_default(platform, "container", NULL);

    add_power(platform, warnings);
    add_load(root, platform, warnings);
    add_memory(root, warnings);
    if (machine != NULL)
        plt_warning_add(warnings, "virtual-machine", machine);
    /* A Flatpak only hides things; the I/O path is the same. */
    if (container != NULL && !g_str_equal(container, "Flatpak"))
        plt_warning_add(warnings, "container", container);
}

void plt_platform_add_warnings(GPtrArray *warnings)
{
    plt_platform_add_warnings_at("", warnings);
}
