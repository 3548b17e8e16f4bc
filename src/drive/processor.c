/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/platform-private.h"

#include <string.h>

#include "drive/sysfs.h"

/* Main ID Register parts (Arm and licensees), as in the manufacturers' reference manuals. */
static const struct {
    guint implementer, part;
    const char *name;
} arm_parts[] = {
    {0x41, 0xd03, "Arm Cortex-A53"},  {0x41, 0xd04, "Arm Cortex-A35"},  {0x41, 0xd05, "Arm Cortex-A55"},
    {0x41, 0xd07, "Arm Cortex-A57"},  {0x41, 0xd08, "Arm Cortex-A72"},  {0x41, 0xd09, "Arm Cortex-A73"},
    {0x41, 0xd0a, "Arm Cortex-A75"},  {0x41, 0xd0b, "Arm Cortex-A76"},  {0x41, 0xd0c, "Arm Neoverse N1"},
    {0x41, 0xd0d, "Arm Cortex-A77"},  {0x41, 0xd40, "Arm Neoverse V1"}, {0x41, 0xd41, "Arm Cortex-A78"},
    {0x41, 0xd44, "Arm Cortex-X1"},   {0x41, 0xd46, "Arm Cortex-A510"}, {0x41, 0xd47, "Arm Cortex-A710"},
    {0x41, 0xd48, "Arm Cortex-X2"},   {0x41, 0xd49, "Arm Neoverse N2"}, {0x41, 0xd4b, "Arm Cortex-A78C"},
    {0x41, 0xd4d, "Arm Cortex-A715"}, {0x41, 0xd4e, "Arm Cortex-X3"},   {0x41, 0xd4f, "Arm Neoverse V2"},
    {0x41, 0xd80, "Arm Cortex-A520"}, {0x41, 0xd81, "Arm Cortex-A720"}, {0x41, 0xd82, "Arm Cortex-X4"},
    {0x51, 0x001, "Qualcomm Oryon"},  {0xc0, 0xac3, "Ampere-1"},        {0xc0, 0xac4, "Ampere-1a"},
    {0x61, 0x022, "Apple M1"},        {0x61, 0x023, "Apple M1"},        {0x61, 0x032, "Apple M2"},
    {0x61, 0x033, "Apple M2"},
};

char *plt_processor_field(const char *cpuinfo, const char *name)
{
    size_t length = strlen(name);

    for (const char *line = cpuinfo; line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n');
        const char *next = end != NULL ? end + 1 : NULL;
        const char *value = line + length;

        if (strncmp(line, name, length) == 0) {
            value += strspn(value, " \t");
            if (*value == ':')
                return g_strstrip(end != NULL ? g_strndup(value + 1, (gsize)(end - value - 1))
                                              : g_strdup(value + 1));
        }
        line = next;
    }
    return NULL;
}

static char *arm_model(const char *cpuinfo)
{
    g_autofree char *implementer = plt_processor_field(cpuinfo, "CPU implementer");
    g_autofree char *part = plt_processor_field(cpuinfo, "CPU part");
    guint64 maker, number;

    if (implementer == NULL || part == NULL)
        return NULL;
    maker = g_ascii_strtoull(implementer, NULL, 16);
    number = g_ascii_strtoull(part, NULL, 16);
    for (gsize i = 0; i < G_N_ELEMENTS(arm_parts); i++) {
        if (arm_parts[i].implementer == maker && arm_parts[i].part == number)
            return g_strdup(arm_parts[i].name);
    }
    return g_strdup_printf("Arm %s/%s", implementer, part);
}

/* x86, s390 and LoongArch have a name there; POWER calls it "cpu", RISC-V "uarch"; Arm has only numbers. */
static char *model_of(const char *root)
{
    static const char *const fields[] = {"model name", "Model Name", "cpu model", "cpu", "uarch"};
    g_autofree char *cpuinfo = plt_sysfs_read(root, "/proc/cpuinfo");
    char *model = NULL;

    for (gsize i = 0; cpuinfo != NULL && model == NULL && i < G_N_ELEMENTS(fields); i++) {
        model = plt_processor_field(cpuinfo, fields[i]);
        if (model != NULL && model[0] == '\0')
            g_clear_pointer(&model, g_free);
    }
    if (model == NULL && cpuinfo != NULL)
        model = arm_model(cpuinfo);
    if (model != NULL && !g_utf8_validate(model, -1, NULL))
        g_clear_pointer(&model, g_free);
    return model;
}

static void remove_text(GString *text, const char *what)
{
    g_string_replace(text, what, "", 0);
}

char *plt_processor_short_name(const char *model)
{
    static const char *const noise[] = {"(R)", "(r)", "(TM)", "(tm)", " CPU", " Processor", " processor"};
    g_autoptr(GRegex) cores = g_regex_new(" ([0-9]+|Dual|Quad|Six|Eight|Twelve|Sixteen)-Core", 0, 0, NULL);
    g_autoptr(GRegex) blanks = g_regex_new(" +", 0, 0, NULL);
    g_autofree char *first = g_regex_replace(cores, model, -1, 0, "", 0, NULL);
    GString *text = g_string_new(first);
    g_autofree char *rest = NULL;
    char *cut;

    for (gsize i = 0; i < G_N_ELEMENTS(noise); i++)
        remove_text(text, noise[i]);
    rest = g_string_free(text, FALSE);
    if ((cut = strstr(rest, " @ ")) != NULL || (cut = strstr(rest, " with Radeon")) != NULL ||
        (cut = strstr(rest, " w/ Radeon")) != NULL)
        *cut = '\0';
    return g_strstrip(g_regex_replace(blanks, rest, -1, 0, " ", 0, NULL));
}

static gboolean is_processor(const char *name)
{
    return g_str_has_prefix(name, "cpu") && g_ascii_isdigit(name[3]);
}

static void add_counts(const char *root, JsonObject *cpu)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/devices/system/cpu");
    g_autoptr(GHashTable) sockets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) cores = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint threads = 0;

    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *package = NULL, *die = NULL, *core = NULL;

        if (!is_processor(names[i]))
            continue;
        /* A processor that is switched off has no topology. */
        package = plt_sysfs_read(root, "/sys/devices/system/cpu/%s/topology/physical_package_id", names[i]);
        die = plt_sysfs_read(root, "/sys/devices/system/cpu/%s/topology/die_id", names[i]);
        core = plt_sysfs_read(root, "/sys/devices/system/cpu/%s/topology/core_id", names[i]);
        if (core == NULL)
            continue;
        threads++;
        g_hash_table_add(cores, g_strdup_printf("%s/%s/%s", package, die, core));
        g_hash_table_add(sockets, g_steal_pointer(&package));
    }
    if (threads == 0)
        return;
    json_object_set_int_member(cpu, "sockets", g_hash_table_size(sockets));
    json_object_set_int_member(cpu, "cores", g_hash_table_size(cores));
    json_object_set_int_member(cpu, "threads", threads);
}

static void add_frequency(const char *root, JsonObject *platform)
{
    static const struct {
        const char *file, *member;
    } files[] = {
        {"scaling_governor", "governor"},
        {"scaling_driver", "frequency_driver"},
        {"energy_performance_preference", "energy_preference"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *text =
            plt_sysfs_read(root, "/sys/devices/system/cpu/cpu0/cpufreq/%s", files[i].file);

        if (text != NULL)
            json_object_set_string_member(platform, files[i].member, text);
    }
}

void plt_processor_add_members(const char *root, JsonObject *platform)
{
    JsonObject *cpu = json_object_new();
    g_autofree char *model = model_of(root);
    guint64 khz;

    if (model != NULL)
        json_object_set_string_member(cpu, "model", model);
    add_counts(root, cpu);
    if (plt_sysfs_read_number(&khz, root, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
        json_object_set_int_member(cpu, "max_mhz", (gint64)(khz / 1000));
    json_object_set_object_member(platform, "cpu", cpu);
    add_frequency(root, platform);
}
