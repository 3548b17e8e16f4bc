/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/health.h"

/* The table of CrystalDiskInfo's rules for NVMe, case by case. */
static void test_nvme(void)
{
    static const struct {
        guint64 warning, spare, threshold, used;
        PltVerdict verdict;
        int life;
        guint n_reasons;
    } cases[] = {
        {0, 100, 10, 0, PLT_VERDICT_GOOD, 100, 0},
        {0, 100, 10, 89, PLT_VERDICT_GOOD, 11, 0},
        {0, 100, 10, 90, PLT_VERDICT_CAUTION, 10, 1},
        {0, 100, 10, 100, PLT_VERDICT_CAUTION, 0, 1},
        {0, 100, 10, 255, PLT_VERDICT_CAUTION, 0, 1},
        {1, 100, 10, 0, PLT_VERDICT_BAD, 100, 1},
        {32, 100, 10, 95, PLT_VERDICT_BAD, 5, 2},
        {0, 11, 10, 0, PLT_VERDICT_GOOD, 100, 0},
        {0, 10, 10, 0, PLT_VERDICT_CAUTION, 100, 1},
        {0, 9, 10, 0, PLT_VERDICT_BAD, 100, 1},
        /* Thresholds that are none. */
        {0, 0, 0, 0, PLT_VERDICT_GOOD, 100, 0},
        {0, 100, 100, 0, PLT_VERDICT_GOOD, 100, 0},
        {0, 100, 101, 0, PLT_VERDICT_GOOD, 100, 0},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_NVME);
        g_autoptr(PltHealth) health = NULL;

        plt_smart_add(smart, "critical_warning", plt_wide(cases[i].warning));
        plt_smart_add(smart, "avail_spare", plt_wide(cases[i].spare));
        plt_smart_add(smart, "spare_thresh", plt_wide(cases[i].threshold));
        plt_smart_add(smart, "percent_used", plt_wide(cases[i].used));
        health = plt_health_judge(smart, "Some SSD", FALSE);
        g_assert_cmpint(health->verdict, ==, cases[i].verdict);
        g_assert_cmpint(health->life_percent, ==, cases[i].life);
        g_assert_cmpuint(health->reasons->len, ==, cases[i].n_reasons);
    }
}

static void test_unknown(void)
{
    g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_NVME);
    g_autoptr(PltHealth) none = plt_health_judge(NULL, "Some SSD", FALSE), empty = NULL, virtual = NULL;

    empty = plt_health_judge(smart, NULL, FALSE);
    plt_smart_add(smart, "critical_warning", plt_wide(0));
    virtual = plt_health_judge(smart, "QEMU NVMe Ctrl", FALSE);
    g_assert_cmpint(none->verdict, ==, PLT_VERDICT_UNKNOWN);
    g_assert_cmpint(none->life_percent, ==, -1);
    g_assert_cmpint(empty->verdict, ==, PLT_VERDICT_UNKNOWN);
    g_assert_cmpint(virtual->verdict, ==, PLT_VERDICT_UNKNOWN);
    g_assert_cmpuint(virtual->reasons->len, ==, 1);
    g_assert_true(plt_health_is_virtual("VMware Virtual NVMe Disk"));
    g_assert_true(plt_health_is_virtual("Parallels Virtual"));
    g_assert_false(plt_health_is_virtual("Samsung SSD 990 PRO"));
    g_assert_false(plt_health_is_virtual(NULL));
}

static PltSmartAttribute *add(PltSmart *smart, guint id, guint64 raw, int value, int threshold)
{
    g_autofree char *text = g_strdup_printf("ata_%u", id);
    PltSmartAttribute *attribute = plt_smart_add(smart, text, plt_wide(raw));

    attribute->value = attribute->worst = value;
    attribute->threshold = threshold;
    return attribute;
}

static void check_ata(guint id, guint64 raw, int value, int threshold, gboolean rotational,
                      PltVerdict verdict)
{
    g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_ATA);
    g_autoptr(PltHealth) health = NULL;

    /* One with a threshold that says nothing, so that there is something to compare with. */
    add(smart, 0xf1, 0, 100, 1);
    add(smart, id, raw, value, threshold);
    health = plt_health_judge(smart, "Some Drive", rotational);
    g_assert_cmpint(health->verdict, ==, verdict);
}

static void test_disk(void)
{
    check_ata(5, 0, 100, 10, TRUE, PLT_VERDICT_GOOD);
    check_ata(5, 1, 100, 10, TRUE, PLT_VERDICT_CAUTION);
    check_ata(197, 8, 100, 0, TRUE, PLT_VERDICT_CAUTION);
    check_ata(198, 8, 100, 0, TRUE, PLT_VERDICT_CAUTION);
    check_ata(197, 0xffffffff, 100, 0, TRUE, PLT_VERDICT_GOOD);
    /* Only the lower 16 bits count. */
    check_ata(5, 0x10000, 100, 10, TRUE, PLT_VERDICT_GOOD);
    check_ata(5, 0, 9, 10, TRUE, PLT_VERDICT_BAD);
    check_ata(5, 0, 10, 10, TRUE, PLT_VERDICT_GOOD);
    /* Attributes whose threshold does not count on a disk. */
    check_ata(0xc2, 0, 1, 10, TRUE, PLT_VERDICT_GOOD);
    check_ata(0xbe, 0, 1, 10, TRUE, PLT_VERDICT_GOOD);
    check_ata(0xbd, 0, 1, 10, TRUE, PLT_VERDICT_BAD);
}

static void test_ssd(void)
{
    /* Reallocated sectors alone are no caution of an SSD. */
    check_ata(5, 40, 100, 10, FALSE, PLT_VERDICT_GOOD);
    check_ata(5, 40, 9, 10, FALSE, PLT_VERDICT_BAD);
    check_ata(0xbe, 0, 1, 10, FALSE, PLT_VERDICT_BAD);
    check_ata(0xc2, 0, 1, 10, FALSE, PLT_VERDICT_GOOD);
}

static void test_life(void)
{
    static const struct {
        const char *model;
        guint id;
        guint64 raw;
        int value, life;
        PltVerdict verdict;
    } cases[] = {
        {"Samsung SSD 870 EVO 1TB", 177, 300, 85, 85, PLT_VERDICT_GOOD},
        {"Samsung SSD 870 EVO 1TB", 177, 300, 10, 10, PLT_VERDICT_CAUTION},
        {"Samsung SSD 870 EVO 1TB", 177, 300, 0, 0, PLT_VERDICT_BAD},
        {"CT1000MX500SSD1", 202, 4, 96, 96, PLT_VERDICT_GOOD},
        {"INTEL SSDSC2KB480G8", 233, 0, 99, 99, PLT_VERDICT_GOOD},
        {"KINGSTON SA400S37240G", 231, 88, 88, 88, PLT_VERDICT_GOOD},
        /* Byte 1 of the raw value is what is used. */
        {"WDC WDS500G2B0A-00SM50", 230, 0x0300, 100, 97, PLT_VERDICT_GOOD},
        {"Nobody Knows", 177, 5, 95, -1, PLT_VERDICT_GOOD},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_ATA);
        g_autoptr(PltHealth) health = NULL;

        add(smart, 5, 0, 100, 10);
        add(smart, cases[i].id, cases[i].raw, cases[i].value, 0);
        health = plt_health_judge(smart, cases[i].model, FALSE);
        g_assert_cmpint(health->life_percent, ==, cases[i].life);
        g_assert_cmpint(health->verdict, ==, cases[i].verdict);
    }
}

static void test_life_by_name(void)
{
    g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_ATA);

    add(smart, 202, 4, 96, 0)->name = g_strdup("Percent_Lifetime_Remain");
    g_assert_cmpint(plt_health_ata_life(smart, "Nobody Knows"), ==, 96);
    smart->endurance_used_percent = 30;
    g_assert_cmpint(plt_health_ata_life(smart, "Nobody Knows"), ==, 70);
    smart->endurance_used_percent = 140;
    g_assert_cmpint(plt_health_ata_life(smart, "Nobody Knows"), ==, 0);
}

static void test_ata_unknown(void)
{
    g_autoptr(PltSmart) twice = plt_smart_new(PLT_SMART_ATA), bare = plt_smart_new(PLT_SMART_ATA);
    g_autoptr(PltHealth) health = NULL, bare_health = NULL, failing = NULL;

    add(twice, 5, 0, 100, 10);
    add(twice, 5, 0, 100, 10);
    health = plt_health_judge(twice, NULL, FALSE);
    g_assert_cmpint(health->verdict, ==, PLT_VERDICT_UNKNOWN);
    add(bare, 9, 5, 100, 0);
    bare_health = plt_health_judge(bare, NULL, FALSE);
    g_assert_cmpint(bare_health->verdict, ==, PLT_VERDICT_UNKNOWN);
    /* Its own word counts whatever the attributes are. */
    bare->passed = 0;
    failing = plt_health_judge(bare, NULL, FALSE);
    g_assert_cmpint(failing->verdict, ==, PLT_VERDICT_BAD);
}

static void test_levels(void)
{
    static const struct {
        const char *id;
        guint64 raw;
        PltLevel level;
    } cases[] = {
        {"temperature", 323, PLT_LEVEL_NONE},          {"temperature", 324, PLT_LEVEL_NOTICE},
        {"temperature_sensor_1", 500, PLT_LEVEL_NONE}, {"critical_warning", 4, PLT_LEVEL_ALERT},
        {"avail_spare", 11, PLT_LEVEL_NONE},           {"avail_spare", 10, PLT_LEVEL_WARNING},
        {"avail_spare", 4, PLT_LEVEL_ALERT},           {"percent_used", 89, PLT_LEVEL_NONE},
        {"percent_used", 90, PLT_LEVEL_WARNING},       {"media_errors", 1, PLT_LEVEL_NOTICE},
        {"critical_comp_time", 1, PLT_LEVEL_NOTICE},   {"power_cycles", 99999, PLT_LEVEL_NONE},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_NVME);
        const char *note = NULL;

        plt_smart_add(smart, "spare_thresh", plt_wide(5));
        g_assert_cmpint(
            plt_health_level(smart, plt_smart_add(smart, cases[i].id, plt_wide(cases[i].raw)), &note), ==,
            cases[i].level);
        g_assert_true((note != NULL) == (cases[i].level != PLT_LEVEL_NONE));
    }
}

static void test_ata_levels(void)
{
    g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_ATA);
    PltSmartAttribute *attribute = add(smart, 1, 0, 5, 10);
    const char *note;

    g_assert_cmpint(plt_health_level(smart, attribute, &note), ==, PLT_LEVEL_WARNING);
    attribute->prefail = TRUE;
    g_assert_cmpint(plt_health_level(smart, attribute, &note), ==, PLT_LEVEL_ALERT);
    attribute->value = 50;
    g_assert_cmpint(plt_health_level(smart, attribute, &note), ==, PLT_LEVEL_NONE);
    attribute->failed_before = TRUE;
    g_assert_cmpint(plt_health_level(smart, attribute, &note), ==, PLT_LEVEL_WARNING);
    g_assert_cmpint(plt_health_level(smart, add(smart, 197, 1, 100, 0), &note), ==, PLT_LEVEL_NOTICE);
    g_assert_cmpint(plt_health_level(smart, add(smart, 194, 51, 49, 0), &note), ==, PLT_LEVEL_NOTICE);
    g_assert_cmpint(plt_health_level(smart, add(smart, 9, 70000, 1, 0), &note), ==, PLT_LEVEL_NONE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/health/nvme", test_nvme);
    g_test_add_func("/drive/health/unknown", test_unknown);
    g_test_add_func("/drive/health/disk", test_disk);
    g_test_add_func("/drive/health/ssd", test_ssd);
    g_test_add_func("/drive/health/life", test_life);
    g_test_add_func("/drive/health/life-by-name", test_life_by_name);
    g_test_add_func("/drive/health/ata-unknown", test_ata_unknown);
    g_test_add_func("/drive/health/levels", test_levels);
    g_test_add_func("/drive/health/ata-levels", test_ata_levels);
    return g_test_run();
}
