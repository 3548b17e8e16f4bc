/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/smart.h"

#include <string.h>

#include "nvme-drive.h"

static void check(const PltSmart *smart, const char *id, guint64 raw, const char *text)
{
    const PltSmartAttribute *attribute = plt_smart_find(smart, id);
    g_autofree char *shown = NULL;

    g_assert_nonnull(attribute);
    g_assert_cmpuint(attribute->raw.low, ==, raw);
    shown = plt_smart_text(attribute);
    g_assert_cmpstr(shown, ==, text);
}

static PltSmart *full(void)
{
    guint8 data[512];
    PltSmart *smart;

    make_full_smart(data);
    smart = plt_smart_from_nvme_log((PltBytes){data, sizeof data});
    g_assert_nonnull(smart);
    return smart;
}

static void test_log(void)
{
    g_autoptr(PltSmart) smart = full();
    const PltSmartAttribute *wide = plt_smart_find(smart, "host_read_commands");
    g_autofree char *text = plt_smart_text(wide);

    g_assert_cmpint(smart->kind, ==, PLT_SMART_NVME);
    check(smart, "critical_warning", 0, "none");
    check(smart, "temperature", 318, "45 °C");
    check(smart, "avail_spare", 100, "100 %");
    check(smart, "spare_thresh", 10, "10 %");
    check(smart, "percent_used", 3, "3 %");
    /* 1000 x 512 bytes each: 512 GB and 1.28 TB. */
    check(smart, "data_units_read", 1000000, "512 GB");
    check(smart, "data_units_written", 2500000, "1.28 TB");
    /* 2^65 - 1: all of the field, not half. */
    g_assert_cmpuint(wide->raw.high, ==, 1);
    g_assert_cmpstr(text, ==, "36893488147419103231");
    check(smart, "host_write_commands", 123456789, "123456789");
    check(smart, "controller_busy_time", 90, "1.5 h");
    check(smart, "power_cycles", 321, "321");
    check(smart, "power_on_hours", 4096, "4096 h (171 days)");
    check(smart, "unsafe_shutdowns", 17, "17");
    check(smart, "media_errors", 0, "0");
    check(smart, "num_err_log_entries", 2, "2");
    check(smart, "warning_temp_time", 5, "5 min");
    check(smart, "critical_comp_time", 1, "1 min");
    check(smart, "temperature_sensor_1", 318, "45 °C");
    check(smart, "temperature_sensor_2", 331, "58 °C");
    g_assert_null(plt_smart_find(smart, "temperature_sensor_3"));
    check(smart, "thm_temp1_trans_count", 11, "11");
    check(smart, "thm_temp2_trans_count", 12, "12");
    check(smart, "thm_temp1_total_time", 130, "2 min");
    check(smart, "thm_temp2_total_time", 14, "14 s");
    for (guint i = 0; i < smart->attributes->len; i++) {
        const char *explanation = plt_smart_explanation(smart->attributes->pdata[i]);

        g_assert_nonnull(explanation);
        g_assert_true(g_str_has_suffix(explanation, "."));
    }
}

static void test_refuses_log(void)
{
    guint8 data[512] = {0};

    g_assert_null(plt_smart_from_nvme_log((PltBytes){data, sizeof data}));
    make_full_smart(data);
    g_assert_null(plt_smart_from_nvme_log((PltBytes){data, 511}));
    g_assert_null(plt_smart_from_nvme_log((PltBytes){NULL, 0}));
}

static void test_json(void)
{
    g_autoptr(PltSmart) smart = full(), back = NULL;
    g_autoptr(JsonNode) node = NULL, parsed = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    g_autoptr(GArray) changes = NULL;

    smart->source = PLT_SOURCE_DIRECT;
    smart->taken_us = 1700000000000000;
    node = plt_smart_to_json(smart);
    text = json_to_string(node, FALSE);
    g_assert_nonnull(strstr(text, "\"id\":\"host_read_commands\",\"raw\":\"36893488147419103231\""));
    parsed = json_from_string(text, &error);
    g_assert_no_error(error);
    back = plt_smart_from_json(parsed, &error);
    g_assert_no_error(error);
    g_assert_cmpint(back->source, ==, PLT_SOURCE_DIRECT);
    g_assert_cmpint(back->taken_us, ==, 1700000000000000);
    g_assert_cmpuint(back->attributes->len, ==, smart->attributes->len);
    changes = plt_smart_difference(smart, back);
    g_assert_cmpuint(changes->len, ==, 0);
}

static void test_refuses_json(void)
{
    static const char *const texts[] = {
        "[]",
        "{}",
        "{\"schema\":\"plateau.smart/1\"}",
        "{\"schema\":\"plateau.smart/1\",\"attributes\":{}}",
        "{\"schema\":\"plateau.smart/1\",\"attributes\":[5]}",
        "{\"schema\":\"plateau.smart/1\",\"attributes\":[{\"id\":\"x\"}]}",
        "{\"schema\":\"plateau.smart/1\",\"attributes\":[{\"id\":\"x\",\"raw\":-1}]}",
        "{\"schema\":\"plateau.smart/1\",\"attributes\":[{\"id\":\"x\",\"raw\":\"12x\"}]}",
        "{\"schema\":\"plateau.smart/1\",\"attributes\":[{\"id\":5,\"raw\":1}]}",
        "{\"schema\":\"plateau.smart/2\",\"attributes\":[]}",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(JsonNode) node = json_from_string(texts[i], NULL);
        g_autoptr(GError) error = NULL;

        g_assert_null(plt_smart_from_json(node, &error));
        g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
    }
}

static const PltSmartChange *change_of(GArray *changes, const char *id)
{
    for (guint i = 0; i < changes->len; i++) {
        const PltSmartChange *change = &g_array_index(changes, PltSmartChange, i);

        if (g_str_equal((change->after != NULL ? change->after : change->before)->id, id))
            return change;
    }
    return NULL;
}

static void check_change(GArray *changes, const char *id, const char *text)
{
    const PltSmartChange *change = change_of(changes, id);
    g_autofree char *shown = NULL;

    g_assert_nonnull(change);
    shown = plt_smart_change_text(change);
    g_assert_cmpstr(shown, ==, text);
}

static void test_difference(void)
{
    guint8 data[512];
    g_autoptr(PltSmart) before = full(), after = NULL;
    g_autoptr(GArray) changes = NULL;

    make_full_smart(data);
    put_number(data, 1, 2, 315);
    put_number(data, 48, 8, 2500000 + 2000);
    put_number(data, 64, 8, 4);
    put_number(data, 72, 8, 2);
    data[0] = 2;
    put_number(data, 202, 2, 0);
    put_number(data, 204, 2, 300);
    after = plt_smart_from_nvme_log((PltBytes){data, sizeof data});
    changes = plt_smart_difference(before, after);
    g_assert_cmpuint(changes->len, ==, 6);
    check_change(changes, "critical_warning", "none → temperature out of range");
    check_change(changes, "temperature", "−3 °C");
    check_change(changes, "data_units_written", "+1.024 GB");
    /* 2 x 2^64 + 4 less 2^65 - 1, across the halves: 5. */
    check_change(changes, "host_read_commands", "+5");
    check_change(changes, "temperature_sensor_2", "gone: 58 °C");
    check_change(changes, "temperature_sensor_3", "new: 27 °C");
}

static JsonObject *parse(const char *text, JsonNode **node)
{
    g_autoptr(GError) error = NULL;

    *node = json_from_string(text, &error);
    g_assert_no_error(error);
    return json_node_get_object(*node);
}

static void test_udisks_nvme(void)
{
    g_autoptr(JsonNode) node = NULL;
    JsonObject *document =
        parse("{\"nvme\":{\"SmartUpdated\":1700000000,\"SmartCriticalWarning\":[\"spare\",\"readonly\"],"
              "\"SmartTemperature\":318,\"SmartPowerOnHours\":4096,\"attributes\":{\"avail_spare\":100,"
              "\"spare_thresh\":10,\"percent_used\":3,\"total_data_written\":1280000000000,"
              "\"power_cycles\":321,\"media_errors\":0,\"temp_sensors\":[318,331,0,0,0,0,0,0]}}}",
              &node);
    g_autoptr(PltSmart) smart = plt_smart_from_udisks(document);

    g_assert_cmpint(smart->taken_us, ==, 1700000000000000);
    check(smart, "critical_warning", 9, "spare below its threshold, read-only");
    check(smart, "temperature", 318, "45 °C");
    check(smart, "data_units_written", 2500000, "1.28 TB");
    /* A count of 0 is what UDisks2 leaves out. */
    check(smart, "data_units_read", 0, "0 B");
    check(smart, "temperature_sensor_2", 331, "58 °C");
    /* What it never gives is not made up. */
    g_assert_null(plt_smart_find(smart, "host_read_commands"));
    g_assert_null(plt_smart_find(smart, "thm_temp1_trans_count"));
}

static void test_udisks_never_read(void)
{
    g_autoptr(JsonNode) node = NULL;
    JsonObject *document =
        parse("{\"nvme\":{\"SmartUpdated\":0,\"attributes\":{\"percent_used\":0}}}", &node);

    g_assert_null(plt_smart_from_udisks(document));
}

static void test_udisks_ata(void)
{
    g_autoptr(JsonNode) node = NULL;
    JsonObject *document =
        parse("{\"ata\":{\"SmartUpdated\":1700000000,\"SmartFailing\":true,\"attributes\":["
              "[5,\"reallocated-sector-count\",51,100,99,10,3,3,{}],"
              "[9,\"power-on-hours\",50,98,98,0,36000000,2,{}],"
              "[194,\"temperature-celsius-2\",34,60,50,0,313150,4,{}],[0,\"none\",0,0,0,0,0,0,{}],[1,2]]}}",
              &node);
    g_autoptr(PltSmart) smart = plt_smart_from_udisks(document);

    g_assert_cmpint(smart->kind, ==, PLT_SMART_ATA);
    g_assert_cmpint(smart->passed, ==, 0);
    g_assert_cmpuint(smart->attributes->len, ==, 3);
    check(smart, "ata_5", 3, "3");
    check(smart, "ata_9", 10, "10");
    check(smart, "ata_194", 40, "40 °C");
    g_assert_true(plt_smart_find(smart, "ata_5")->prefail);
    g_assert_cmpint(plt_smart_find(smart, "ata_5")->threshold, ==, 10);
    g_assert_cmpint(plt_smart_find(smart, "ata_5")->worst, ==, 99);
}

/* Parts of what smartctl 7.4 prints of a SATA SSD. */
static void test_smartctl_ata(void)
{
    g_autoptr(JsonNode) node = NULL;
    JsonObject *document =
        parse("{\"smart_status\":{\"passed\":true},\"endurance_used\":{\"current_percent\":7},"
              "\"ata_smart_attributes\":{\"table\":["
              "{\"id\":5,\"name\":\"Reallocated_Sector_Ct\",\"value\":100,\"worst\":100,\"thresh\":10,"
              "\"when_failed\":\"\",\"flags\":{\"prefailure\":true},\"raw\":{\"value\":0,\"string\":\"0\"}},"
              "{\"id\":194,\"name\":\"Temperature_Celsius\",\"value\":64,\"worst\":40,\"thresh\":0,"
              "\"when_failed\":\"past\",\"flags\":{\"prefailure\":false},"
              "\"raw\":{\"value\":171800788004,\"string\":\"36 (0 40 0 40 0)\"}}]}}",
              &node);
    g_autoptr(PltSmart) smart = plt_smart_from_smartctl(document);

    g_assert_cmpint(smart->passed, ==, 1);
    g_assert_cmpint(smart->endurance_used_percent, ==, 7);
    g_assert_true(plt_smart_find(smart, "ata_5")->prefail);
    g_assert_true(plt_smart_find(smart, "ata_194")->failed_before);
    check(smart, "ata_194", G_GUINT64_CONSTANT(171800788004), "36 °C");
    g_assert_cmpstr(plt_smart_title(plt_smart_find(smart, "ata_5")), ==, "Reallocated sectors");
}

/* An NVMe drive behind a USB bridge. */
static void test_smartctl_nvme(void)
{
    g_autoptr(JsonNode) node = NULL;
    JsonObject *document =
        parse("{\"smart_status\":{\"passed\":true},\"nvme_smart_health_information_log\":{"
              "\"critical_warning\":0,\"temperature\":45,\"available_spare\":100,"
              "\"available_spare_threshold\":10,\"percentage_used\":3,\"data_units_written\":2500000,"
              "\"host_reads\":77}}",
              &node);
    g_autoptr(PltSmart) smart = plt_smart_from_smartctl(document);

    g_assert_cmpint(smart->kind, ==, PLT_SMART_NVME);
    check(smart, "temperature", 318, "45 °C");
    check(smart, "percent_used", 3, "3 %");
    check(smart, "host_read_commands", 77, "77");
    g_assert_null(plt_smart_find(smart, "media_errors"));
}

static void test_nothing(void)
{
    g_autoptr(JsonNode) empty = NULL, odd = NULL;

    g_assert_null(plt_smart_from_smartctl(parse("{}", &empty)));
    g_assert_null(plt_smart_from_udisks(json_node_get_object(empty)));
    g_assert_null(plt_smart_from_smartctl(parse(
        "{\"ata_smart_attributes\":{\"table\":[1,{\"id\":0},{\"id\":999},[]]},\"smart_status\":4}", &odd)));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/smart/log", test_log);
    g_test_add_func("/drive/smart/refuses-log", test_refuses_log);
    g_test_add_func("/drive/smart/json", test_json);
    g_test_add_func("/drive/smart/refuses-json", test_refuses_json);
    g_test_add_func("/drive/smart/difference", test_difference);
    g_test_add_func("/drive/smart/udisks-nvme", test_udisks_nvme);
    g_test_add_func("/drive/smart/udisks-never-read", test_udisks_never_read);
    g_test_add_func("/drive/smart/udisks-ata", test_udisks_ata);
    g_test_add_func("/drive/smart/smartctl-ata", test_smartctl_ata);
    g_test_add_func("/drive/smart/smartctl-nvme", test_smartctl_nvme);
    g_test_add_func("/drive/smart/nothing", test_nothing);
    return g_test_run();
}
