/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/sensor.h"

#include <math.h>

#include "drive/drive.h"
#include "drive/identity.h"
#include "drive/sysfs.h"

/*
 * A limit that a drive does not name is the largest 16-bit number of kelvins to the kernel, 65261.85 °C; a
 * real one of a drive lies below the melting point of its solder (217 °C).
 */
#define LIMIT_MAX_C 217

void plt_sensor_free(PltSensor *sensor)
{
    g_free(sensor->label);
    g_free(sensor);
}

static double read_celsius(const char *root, const char *folder, guint index, const char *what)
{
    g_autofree char *text = plt_sysfs_read(root, "%s/temp%u_%s", folder, index, what);
    char *end = NULL;
    gint64 value = text != NULL ? g_ascii_strtoll(text, &end, 10) : 0;

    return text != NULL && end != text ? (double)value / 1000 : NAN;
}

static double read_limit(const char *root, const char *folder, guint index, const char *what)
{
    double celsius = read_celsius(root, folder, index, what);

    return celsius > 0 && celsius < LIMIT_MAX_C ? celsius : NAN;
}

/* The sensors of one hwmon folder are numbered from 1, with holes where the drive leaves one out. */
static void read_folder(GPtrArray *sensors, const char *root, const char *folder)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "%s", folder);

    for (guint i = 0; names[i] != NULL; i++) {
        guint index = 0;
        double celsius;
        PltSensor *sensor;

        if (!g_str_has_prefix(names[i], "temp") || !g_str_has_suffix(names[i], "_input"))
            continue;
        index = (guint)g_ascii_strtoull(names[i] + strlen("temp"), NULL, 10);
        celsius = read_celsius(root, folder, index, "input");
        if (isnan(celsius))
            continue;
        sensor = g_new0(PltSensor, 1);
        sensor->label = plt_sysfs_read(root, "%s/temp%u_label", folder, index);
        sensor->celsius = celsius;
        sensor->warning = read_limit(root, folder, index, "max");
        sensor->critical = read_limit(root, folder, index, "crit");
        g_ptr_array_add(sensors, sensor);
    }
}

static gboolean read_below(GPtrArray *sensors, const char *root, const char *parent)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "%s", parent);

    for (guint i = 0; names[i] != NULL && sensors->len == 0; i++) {
        g_autofree char *folder = g_strdup_printf("%s/%s", parent, names[i]);

        if (g_str_has_prefix(names[i], "hwmon") && !g_str_equal(names[i], "hwmon"))
            read_folder(sensors, root, folder);
    }
    return sensors->len > 0;
}

/* NVMe: below the controller (older kernels: below its PCI device). SATA: below the SCSI device. */
GPtrArray *plt_sensors_read(const char *root, const char *name)
{
    GPtrArray *sensors = g_ptr_array_new_with_free_func((GDestroyNotify)plt_sensor_free);
    g_autofree char *controller = plt_identity_controller(root, name);
    static const char *const places[] = {"", "/hwmon", "/device/hwmon"};
    g_autofree char *scsi = NULL;

    for (gsize i = 0; controller != NULL && i < G_N_ELEMENTS(places); i++) {
        g_autofree char *parent = g_strdup_printf("/sys/class/nvme/%s%s", controller, places[i]);

        if (read_below(sensors, root, parent))
            return sensors;
    }
    scsi = g_strdup_printf("/sys/class/block/%s/device/hwmon", name);
    read_below(sensors, root, scsi);
    return sensors;
}

double plt_drive_read_temperature(const char *name)
{
    g_autofree char *sysfs_name = g_strdelimit(g_strdup(name), "/", '!');
    g_autoptr(GPtrArray) sensors = plt_sensors_read("", sysfs_name);

    return sensors->len > 0 ? ((PltSensor *)sensors->pdata[0])->celsius : NAN;
}
