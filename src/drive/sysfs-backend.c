/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/backend.h"

#include <math.h>

#include "drive/device.h"
#include "drive/sensor.h"
#include "drive/sysfs.h"

/* Of 4096 bytes the first 256 hold the PCI Express capability; the first 64 are what everybody may read. */
#define CONFIG_SIZE 256

/* SAT-4, VPD page 89h: IDENTIFY DEVICE begins at byte 60. */
#define ATA_PAGE_OFFSET 60
#define ATA_IDENTIFY_SIZE 512

static JsonNode *object_node(JsonObject *object)
{
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    json_node_take_object(node, object);
    return node;
}

static PltAnswer *ask_device(PltInquiry *inquiry)
{
    const char *name = plt_inquiry_get_name(inquiry);
    JsonObject *device = plt_device_to_json(plt_inquiry_get_root(inquiry), name);

    if (g_str_has_prefix(name, "loop") || g_str_has_prefix(name, "zram"))
        json_object_set_string_member(device, "bus", name[0] == 'l' ? "loop" : "zram");
    return plt_answer_new_document(PLT_SOURCE_SYSFS, object_node(device));
}

static PltAnswer *ask_sensors(PltInquiry *inquiry)
{
    g_autoptr(GPtrArray) sensors =
        plt_sensors_read(plt_inquiry_get_root(inquiry), plt_inquiry_get_name(inquiry));
    JsonArray *array = json_array_new();
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);

    for (guint i = 0; i < sensors->len; i++) {
        const PltSensor *sensor = sensors->pdata[i];
        JsonObject *object = json_object_new();

        if (sensor->label != NULL)
            json_object_set_string_member(object, "label", sensor->label);
        json_object_set_double_member(object, "celsius", sensor->celsius);
        if (!isnan(sensor->warning))
            json_object_set_double_member(object, "warning", sensor->warning);
        if (!isnan(sensor->critical))
            json_object_set_double_member(object, "critical", sensor->critical);
        json_array_add_object_element(array, object);
    }
    json_node_take_array(node, array);
    return plt_answer_new_document(PLT_SOURCE_SYSFS, node);
}

/* The PCI device of the drive's controller; NULL when it is on another bus. */
static char *pci_path(PltInquiry *inquiry)
{
    const char *root = plt_inquiry_get_root(inquiry), *controller = plt_inquiry_get_controller(inquiry);
    g_autofree char *path = NULL;

    if (controller == NULL)
        return NULL;
    path = plt_sysfs_resolve(root, "/sys/class/nvme/%s/device", controller);
    if (path == NULL || !plt_sysfs_exists(root, "%s/config", path))
        return NULL;
    return g_steal_pointer(&path);
}

static PltAnswer *ask_config(PltInquiry *inquiry, gboolean port)
{
    g_autofree char *path = pci_path(inquiry);
    g_autoptr(GBytes) config = NULL;

    if (path != NULL && port) {
        g_autofree char *device = g_steal_pointer(&path);

        path = g_path_get_dirname(device);
    }
    if (path == NULL)
        return plt_answer_new_lack(PLT_LACK_BUS);
    config = plt_sysfs_read_bytes(plt_inquiry_get_root(inquiry), "%s/config", path);
    /* A controller of the chipset itself has no port above it. */
    if (config == NULL)
        return plt_answer_new_lack(PLT_LACK_BUS);
    if (g_bytes_get_size(config) < CONFIG_SIZE)
        return plt_answer_new_lack(PLT_LACK_PERMISSION);
    return plt_answer_new_bytes(PLT_SOURCE_SYSFS, g_bytes_new_from_bytes(config, 0, CONFIG_SIZE), 0);
}

static PltAnswer *ask_link(PltInquiry *inquiry)
{
    static const char *const names[] = {"l0s_aspm",   "l1_aspm",    "l1_1_aspm", "l1_2_aspm",
                                        "l1_1_pcipm", "l1_2_pcipm", "clkpm"};
    const char *root = plt_inquiry_get_root(inquiry);
    g_autofree char *path = pci_path(inquiry), *state = NULL, *policy = NULL, *address = NULL;
    JsonObject *object;
    guint64 value;

    if (path == NULL)
        return plt_answer_new_lack(PLT_LACK_BUS);
    object = json_object_new();
    address = g_path_get_basename(path);
    json_object_set_string_member(object, "address", address);
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (plt_sysfs_read_number(&value, root, "%s/link/%s", path, names[i]))
            json_object_set_boolean_member(object, names[i], value != 0);
    }
    state = plt_sysfs_read(root, "%s/power_state", path);
    if (state != NULL)
        json_object_set_string_member(object, "power_state", state);
    policy = plt_sysfs_read(root, "/sys/module/pcie_aspm/parameters/policy");
    if (policy != NULL)
        json_object_set_string_member(object, "aspm_policy", policy);
    return plt_answer_new_document(PLT_SOURCE_SYSFS, object_node(object));
}

static PltAnswer *ask_ata(PltInquiry *inquiry)
{
    g_autoptr(GBytes) page = plt_sysfs_read_bytes(
        plt_inquiry_get_root(inquiry), "/sys/class/block/%s/device/vpd_pg89", plt_inquiry_get_name(inquiry));

    if (page == NULL || g_bytes_get_size(page) < ATA_PAGE_OFFSET + ATA_IDENTIFY_SIZE)
        return plt_answer_new_lack(PLT_LACK_BUS);
    return plt_answer_new_bytes(PLT_SOURCE_SYSFS,
                                g_bytes_new_from_bytes(page, ATA_PAGE_OFFSET, ATA_IDENTIFY_SIZE), 0);
}

static PltAnswer *sysfs_ask(PltInquiryBackend *backend, PltInquiry *inquiry, PltTopic topic)
{
    switch (topic) {
    case PLT_TOPIC_DEVICE:
        return ask_device(inquiry);
    case PLT_TOPIC_SENSORS:
        return ask_sensors(inquiry);
    case PLT_TOPIC_LINK:
        return ask_link(inquiry);
    case PLT_TOPIC_PCI_CONFIG:
        return ask_config(inquiry, FALSE);
    case PLT_TOPIC_PORT_CONFIG:
        return ask_config(inquiry, TRUE);
    case PLT_TOPIC_ATA_IDENTIFY:
        return ask_ata(inquiry);
    default:
        return NULL;
    }
}

static void sysfs_free(PltInquiryBackend *backend)
{
    g_free(backend);
}

PltInquiryBackend *plt_sysfs_backend_new(void)
{
    PltInquiryBackend *backend = g_new0(PltInquiryBackend, 1);

    backend->ask = sysfs_ask;
    backend->free = sysfs_free;
    return backend;
}
