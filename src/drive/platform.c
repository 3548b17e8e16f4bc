/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/platform-private.h"

#include <string.h>

#include "drive/sysfs.h"

static void add_file(JsonObject *object, const char *member, const char *root, const char *path)
{
    g_autofree char *text = plt_sysfs_read(root, "%s", path);

    if (text != NULL && g_utf8_validate(text, -1, NULL))
        json_object_set_string_member(object, member, text);
}

static void add_number(JsonObject *object, const char *member, const char *root, const char *path)
{
    guint64 value;

    if (plt_sysfs_read_number(&value, root, "%s", path))
        json_object_set_int_member(object, member, (gint64)value);
}

static void add_memory(JsonObject *object, const char *root)
{
    g_autofree char *meminfo = plt_sysfs_read(root, "/proc/meminfo");
    g_autofree char *total = meminfo != NULL ? plt_processor_field(meminfo, "MemTotal") : NULL;

    if (total != NULL)
        json_object_set_int_member(object, "memory", (gint64)g_ascii_strtoull(total, NULL, 10) * 1024);
}

/* In a Flatpak the system's own file is the one of the runtime; the host's is beside it. */
static char *os_release_read(const char *root)
{
    static const char *const files[] = {"/run/host/os-release", "/etc/os-release", "/usr/lib/os-release"};
    char *text = NULL;

    for (gsize i = 0; text == NULL && i < G_N_ELEMENTS(files); i++)
        text = plt_sysfs_read(root, "%s", files[i]);
    return text;
}

static char *os_release_value(const char *text, const char *name)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    size_t length = strlen(name);

    for (guint i = 0; lines[i] != NULL; i++) {
        char *value;

        if (strncmp(lines[i], name, length) != 0 || lines[i][length] != '=')
            continue;
        /* Its values are quoted as in a shell. */
        value = g_shell_unquote(g_strstrip(lines[i] + length + 1), NULL);
        if (value != NULL && value[0] != '\0' && g_utf8_validate(value, -1, NULL))
            return value;
        g_free(value);
        return NULL;
    }
    return NULL;
}

/* "Debian GNU/Linux" 13 → "Debian 13", as people say it. */
static char *short_distribution(const char *name, const char *version)
{
    GString *text = g_string_new(name);

    g_string_replace(text, " GNU/Linux", "", 0);
    if (g_str_equal(text->str, "Fedora Linux"))
        g_string_assign(text, "Fedora");
    if (version != NULL)
        g_string_append_printf(text, " %s", version);
    return g_string_free(text, FALSE);
}

static void add_distribution(JsonObject *object, const char *root)
{
    g_autofree char *text = os_release_read(root);
    g_autofree char *pretty = text != NULL ? os_release_value(text, "PRETTY_NAME") : NULL;
    g_autofree char *name = text != NULL ? os_release_value(text, "NAME") : NULL;
    g_autofree char *version = text != NULL ? os_release_value(text, "VERSION_ID") : NULL;

    if (pretty != NULL || name != NULL)
        json_object_set_string_member(object, "distribution", pretty != NULL ? pretty : name);
    if (name != NULL) {
        g_autofree char *brief = short_distribution(name, version);

        json_object_set_string_member(object, "distribution_short", brief);
    }
}

/* "[default] performance powersave powersupersave" */
static void add_aspm(JsonObject *object, const char *root)
{
    g_autofree char *text = plt_sysfs_read(root, "/sys/module/pcie_aspm/parameters/policy");
    char *start = text != NULL ? strchr(text, '[') : NULL;
    char *end = start != NULL ? strchr(start, ']') : NULL;

    if (end == NULL)
        return;
    *end = '\0';
    json_object_set_string_member(object, "aspm_policy", start + 1);
}

static void add_load(JsonObject *object, const char *root)
{
    g_autofree char *text = plt_sysfs_read(root, "/proc/loadavg");

    if (text != NULL && g_ascii_isdigit(text[0]))
        json_object_set_double_member(object, "load_1min", g_ascii_strtod(text, NULL));
}

static void add_board(JsonObject *object, const char *root)
{
    g_autofree char *vendor = plt_sysfs_read(root, "/sys/class/dmi/id/board_vendor");
    g_autofree char *board = plt_sysfs_read(root, "/sys/class/dmi/id/board_name");
    g_autofree char *tree = plt_sysfs_read(root, "/sys/firmware/devicetree/base/model");
    g_autofree char *text = NULL;

    if (board != NULL)
        text = vendor != NULL ? g_strconcat(vendor, " ", board, NULL) : g_strdup(board);
    else
        text = g_steal_pointer(&tree);
    if (text != NULL && g_utf8_validate(text, -1, NULL))
        json_object_set_string_member(object, "board", text);
}

JsonNode *plt_platform_to_json_at(const char *root)
{
    JsonObject *object = json_object_new();
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    json_object_set_string_member(object, "program", PLT_VERSION);
    plt_processor_add_members(root, object);
    add_memory(object, root);
    add_board(object, root);
    add_file(object, "kernel", root, "/proc/sys/kernel/osrelease");
    add_distribution(object, root);
    add_aspm(object, root);
    add_number(object, "nvme_poll_queues", root, "/sys/module/nvme/parameters/poll_queues");
    add_file(object, "nvme_max_power_latency_us", root,
             "/sys/module/nvme_core/parameters/default_ps_max_latency_us");
    add_file(object, "clocksource", root, "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    add_number(object, "io_uring_disabled", root, "/proc/sys/kernel/io_uring_disabled");
    plt_virtualization_add_members(root, object);
    plt_power_add_members(root, object);
    add_load(object, root);
    json_node_take_object(node, object);
    return node;
}

JsonNode *plt_platform_to_json(void)
{
    return plt_platform_to_json_at("");
}

/* "6.12.48+deb13-amd64" → "6.12": the rest is for the document, not for a caption. */
static char *short_kernel(const char *kernel)
{
    g_autoptr(GRegex) regex = g_regex_new("^[0-9]+\\.[0-9]+", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    if (g_regex_match(regex, kernel, 0, &match))
        return g_match_info_fetch(match, 0);
    return g_strdup(kernel);
}

char *plt_platform_summary(JsonNode *platform)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    JsonObject *object, *cpu = NULL;
    const char *model, *kernel, *distribution;

    if (platform == NULL || !JSON_NODE_HOLDS_OBJECT(platform))
        return g_strdup("");
    object = json_node_get_object(platform);
    if (json_object_has_member(object, "cpu") &&
        JSON_NODE_HOLDS_OBJECT(json_object_get_member(object, "cpu")))
        cpu = json_object_get_object_member(object, "cpu");
    model = cpu != NULL ? json_object_get_string_member_with_default(cpu, "model", NULL) : NULL;
    kernel = json_object_get_string_member_with_default(object, "kernel", NULL);
    distribution = json_object_get_string_member_with_default(object, "distribution_short", NULL);
    if (distribution == NULL)
        distribution = json_object_get_string_member_with_default(object, "distribution", NULL);
    if (model != NULL)
        g_ptr_array_add(parts, plt_processor_short_name(model));
    if (kernel != NULL) {
        g_autofree char *brief = short_kernel(kernel);

        g_ptr_array_add(parts, g_strdup_printf("Linux %s", brief));
    }
    if (distribution != NULL)
        g_ptr_array_add(parts, g_strdup(distribution));
    g_ptr_array_add(parts, NULL);
    return g_strjoinv(" · ", (GStrv)parts->pdata);
}
