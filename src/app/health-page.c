/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/health-page.h"

#include "app/sensor-row.h"

struct _PltHealthPage {
    AdwBin parent_instance;
    PltDrive *drive;
    AdwPreferencesGroup *temperatures;
    AdwActionRow *firmware;
    GPtrArray *rows; /* PltSensorRow, owned by the group */
};

typedef enum {
    PROP_DRIVE = 1,
} PltHealthPageProperty;

static GParamSpec *properties[PROP_DRIVE + 1];

G_DEFINE_FINAL_TYPE(PltHealthPage, plt_health_page, ADW_TYPE_BIN)

/* Also while the page is not seen: the range is of the whole time. */
static void update(PltHealthPage *page)
{
    GPtrArray *sensors = plt_drive_get_sensors(page->drive);

    while (page->rows->len > sensors->len) {
        adw_preferences_group_remove(page->temperatures, page->rows->pdata[page->rows->len - 1]);
        g_ptr_array_set_size(page->rows, (int)page->rows->len - 1);
    }
    while (page->rows->len < sensors->len) {
        GtkWidget *row = plt_sensor_row_new();

        adw_preferences_group_add(page->temperatures, row);
        g_ptr_array_add(page->rows, row);
    }
    for (guint i = 0; i < sensors->len; i++)
        plt_sensor_row_update(page->rows->pdata[i], sensors->pdata[i]);
}

static void update_firmware(PltHealthPage *page)
{
    g_autoptr(JsonNode) node = plt_drive_to_json(page->drive);
    const char *firmware =
        json_object_get_string_member_with_default(json_node_get_object(node), "firmware", NULL);

    gtk_widget_set_visible(GTK_WIDGET(page->firmware), firmware != NULL);
    adw_action_row_set_subtitle(page->firmware, firmware != NULL ? firmware : "");
}

static void plt_health_page_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    switch ((PltHealthPageProperty)id) {
    case PROP_DRIVE:
        g_value_set_object(value, PLT_HEALTH_PAGE(object)->drive);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_health_page_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    switch ((PltHealthPageProperty)id) {
    case PROP_DRIVE:
        plt_health_page_set_drive(PLT_HEALTH_PAGE(object), g_value_get_object(value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_health_page_dispose(GObject *object)
{
    plt_health_page_set_drive(PLT_HEALTH_PAGE(object), NULL);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_HEALTH_PAGE);
    G_OBJECT_CLASS(plt_health_page_parent_class)->dispose(object);
}

static void plt_health_page_finalize(GObject *object)
{
    g_ptr_array_unref(PLT_HEALTH_PAGE(object)->rows);
    G_OBJECT_CLASS(plt_health_page_parent_class)->finalize(object);
}

static void plt_health_page_class_init(PltHealthPageClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    g_type_ensure(PLT_TYPE_SENSOR_ROW);
    object_class->get_property = plt_health_page_get_property;
    object_class->set_property = plt_health_page_set_property;
    object_class->dispose = plt_health_page_dispose;
    object_class->finalize = plt_health_page_finalize;
    properties[PROP_DRIVE] =
        g_param_spec_object("drive", NULL, NULL, PLT_TYPE_DRIVE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/health-page.ui");
    gtk_widget_class_bind_template_child(widget_class, PltHealthPage, temperatures);
    gtk_widget_class_bind_template_child(widget_class, PltHealthPage, firmware);
}

static void plt_health_page_init(PltHealthPage *page)
{
    page->rows = g_ptr_array_new();
    gtk_widget_init_template(GTK_WIDGET(page));
}

void plt_health_page_set_drive(PltHealthPage *page, PltDrive *drive)
{
    if (page->drive == drive)
        return;
    if (page->drive != NULL)
        g_signal_handlers_disconnect_by_data(page->drive, page);
    g_set_object(&page->drive, drive);
    if (drive != NULL) {
        g_signal_connect_swapped(drive, "notify::sensors", G_CALLBACK(update), page);
        g_signal_connect_swapped(drive, "changed", G_CALLBACK(update_firmware), page);
        update(page);
        update_firmware(page);
    }
    g_object_notify_by_pspec(G_OBJECT(page), properties[PROP_DRIVE]);
}
