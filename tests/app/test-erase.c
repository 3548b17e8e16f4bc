/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "app/erase-dialog.h"
#include "bed.h"

/* The question before a drive is erased: it says what is lost, and a slip of the hand does not answer it. */

static PltPlan *plan_new(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_find("fill-drive", &error);
    PltPlan *plan;

    g_assert_no_error(error);
    plan = plt_plan_new(suite, NULL, 0, 1, &error);
    g_assert_no_error(error);
    plt_plan_fit(plan, G_GUINT64_CONSTANT(2000398934016), TRUE);
    return plan;
}

static AdwAlertDialog *dialog_new(const char *serial, const char *losses)
{
    g_autoptr(PltPlan) plan = plan_new();
    g_autoptr(JsonNode) node = json_from_string(losses, NULL);
    const PltDriveSeal seal = {.name = (char *)"nvme0n1",
                               .model = (char *)"Samsung SSD 990 PRO 2TB",
                               .serial = (char *)serial,
                               .size = G_GUINT64_CONSTANT(2000398934016),
                               .logical_block = 512};

    return g_object_ref_sink(plt_erase_dialog_new(plan, &seal, node));
}

static GtkEditable *entry_of(AdwAlertDialog *dialog)
{
    return GTK_EDITABLE(bed_find(adw_alert_dialog_get_extra_child(dialog), "AdwEntryRow"));
}

static gboolean can_start(AdwAlertDialog *dialog)
{
    return adw_alert_dialog_get_response_enabled(dialog, "start");
}

static void test_serial(void)
{
    static const char *const wrong[] = {"", "0", "001", "00001", "nvme0n1", "0002", " "};
    AdwAlertDialog *dialog = dialog_new("S7KHNJ0W000001", "[]");
    GtkEditable *entry = entry_of(dialog);

    g_assert_false(can_start(dialog));
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        gtk_editable_set_text(entry, "0001");
        g_assert_true(can_start(dialog));
        gtk_editable_set_text(entry, wrong[i]);
        g_assert_false(can_start(dialog));
    }
    gtk_editable_set_text(entry, "0001");
    g_assert_cmpstr(plt_erase_dialog_get_text(dialog), ==, "0001");
    g_assert_cmpstr(adw_alert_dialog_get_default_response(dialog), ==, "cancel");
    g_assert_cmpstr(adw_alert_dialog_get_close_response(dialog), ==, "cancel");
    g_assert_cmpint(adw_alert_dialog_get_response_appearance(dialog, "start"), ==, ADW_RESPONSE_DESTRUCTIVE);
    g_object_unref(dialog);
}

/* A drive without a serial number is confirmed by its name, and the entry says so. */
static void test_no_serial(void)
{
    AdwAlertDialog *dialog = dialog_new(NULL, "[]");
    GtkEditable *entry = entry_of(dialog);

    g_assert_cmpstr(adw_preferences_row_get_title(ADW_PREFERENCES_ROW(entry)), ==, "Name of the drive");
    gtk_editable_set_text(entry, "nvme0n1");
    g_assert_true(can_start(dialog));
    g_object_unref(dialog);
}

static void check_says(AdwAlertDialog *dialog, const char *text)
{
    if (strstr(adw_alert_dialog_get_body(dialog), text) == NULL)
        g_error("“%s” is not in “%s”", text, adw_alert_dialog_get_body(dialog));
}

static void test_losses(void)
{
    g_autoptr(GString) many = g_string_new("[");
    AdwAlertDialog *dialog =
        dialog_new("S7KHNJ0W000001", "[{\"name\":\"nvme0n1\",\"size\":2000398934016,\"content\":\"gpt\"},"
                                     "{\"name\":\"nvme0n1p1\",\"size\":512000000000,\"content\":\"ext4\","
                                     "\"label\":\"Photos\"},{\"name\":\"nvme0n1p2\",\"size\":1000000000}]");

    g_assert_cmpstr(adw_alert_dialog_get_heading(dialog), ==, "Erase “Samsung SSD 990 PRO 2TB”?");
    check_says(dialog, "overwrites all of nvme0n1 (2 TB)");
    check_says(dialog, "nvme0n1p1: ext4 “Photos”, 512 GB");
    check_says(dialog, "nvme0n1p2: unknown content, 1 GB");
    g_object_unref(dialog);
    for (guint i = 1; i <= 20; i++)
        g_string_append_printf(many, "%s{\"name\":\"nvme0n1p%u\",\"size\":1000}", i > 1 ? "," : "", i);
    g_string_append_c(many, ']');
    dialog = dialog_new("S7KHNJ0W000001", many->str);
    check_says(dialog, "and 12 more");
    g_object_unref(dialog);
    dialog = dialog_new("S7KHNJ0W000001", "[]");
    check_says(dialog, "Nothing was recognised on it");
    g_object_unref(dialog);
}

int main(int argc, char **argv)
{
    gtk_test_init(&argc, &argv, NULL);
    adw_init();
    g_test_add_func("/app/erase/serial", test_serial);
    g_test_add_func("/app/erase/no-serial", test_no_serial);
    g_test_add_func("/app/erase/losses", test_losses);
    return g_test_run();
}
