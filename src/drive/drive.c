/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/drive-private.h"

#include <math.h>

#include "drive/drive-text.h"
#include "drive/sensor.h"

struct _PltDrive {
    GObject parent_instance;
    PltDriveState *state;
    GListStore *folders; /* PltMount */
    char *title, *bus_title;
};

typedef enum {
    PROP_NAME = 1,
    PROP_TITLE,
    PROP_MODEL,
    PROP_SERIAL,
    PROP_CAPACITY,
    PROP_BUS,
    PROP_BUS_TITLE,
    PROP_TEMPERATURE,
    PROP_TEMPERATURE_WARNING,
    PROP_SENSORS,
    PROP_REMOVABLE,
    PROP_MOUNTED,
    PROP_FOLDERS,
} PltDriveProperty;

static GParamSpec *properties[PROP_FOLDERS + 1];

enum {
    SIGNAL_CHANGED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(PltDrive, plt_drive, G_TYPE_OBJECT)

static const char *member(const PltDriveState *state, const char *name)
{
    return json_object_get_string_member_with_default(state->device, name, NULL);
}

static guint64 capacity_of(const PltDriveState *state)
{
    return (guint64)json_object_get_int_member_with_default(state->device, "capacity", 0);
}

static gboolean is_removable(const PltDriveState *state)
{
    return json_object_get_boolean_member_with_default(state->device, "removable", FALSE);
}

static const PltSensor *main_sensor(const PltDriveState *state)
{
    return state->sensors->len > 0 ? state->sensors->pdata[0] : NULL;
}

static double warning_of(const PltDriveState *state)
{
    const PltSensor *sensor = main_sensor(state);

    return sensor != NULL ? sensor->warning : NAN;
}

static void plt_drive_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltDrive *drive = PLT_DRIVE(object);

    switch ((PltDriveProperty)id) {
    case PROP_NAME:
        g_value_set_string(value, plt_drive_get_name(drive));
        break;
    case PROP_TITLE:
        g_value_set_string(value, drive->title);
        break;
    case PROP_MODEL:
        g_value_set_string(value, member(drive->state, "model"));
        break;
    case PROP_SERIAL:
        g_value_set_string(value, member(drive->state, "serial"));
        break;
    case PROP_CAPACITY:
        g_value_set_uint64(value, capacity_of(drive->state));
        break;
    case PROP_BUS:
        g_value_set_string(value, member(drive->state, "bus"));
        break;
    case PROP_BUS_TITLE:
        g_value_set_string(value, drive->bus_title);
        break;
    case PROP_TEMPERATURE:
        g_value_set_double(value, plt_drive_get_temperature(drive));
        break;
    case PROP_TEMPERATURE_WARNING:
        g_value_set_double(value, warning_of(drive->state));
        break;
    case PROP_SENSORS:
        g_value_set_boxed(value, drive->state->sensors);
        break;
    case PROP_REMOVABLE:
        g_value_set_boolean(value, is_removable(drive->state));
        break;
    case PROP_MOUNTED:
        g_value_set_boolean(value, g_list_model_get_n_items(G_LIST_MODEL(drive->folders)) > 0);
        break;
    case PROP_FOLDERS:
        g_value_set_object(value, drive->folders);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_drive_finalize(GObject *object)
{
    PltDrive *drive = PLT_DRIVE(object);

    plt_drive_state_free(drive->state);
    g_object_unref(drive->folders);
    g_free(drive->title);
    g_free(drive->bus_title);
    G_OBJECT_CLASS(plt_drive_parent_class)->finalize(object);
}

static void install_properties(GObjectClass *object_class)
{
    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

    properties[PROP_NAME] = g_param_spec_string("name", NULL, NULL, NULL, flags);
    properties[PROP_TITLE] = g_param_spec_string("title", NULL, NULL, NULL, flags);
    properties[PROP_MODEL] = g_param_spec_string("model", NULL, NULL, NULL, flags);
    properties[PROP_SERIAL] = g_param_spec_string("serial", NULL, NULL, NULL, flags);
    properties[PROP_CAPACITY] = g_param_spec_uint64("capacity", NULL, NULL, 0, G_MAXUINT64, 0, flags);
    properties[PROP_BUS] = g_param_spec_string("bus", NULL, NULL, NULL, flags);
    properties[PROP_BUS_TITLE] = g_param_spec_string("bus-title", NULL, NULL, NULL, flags);
    properties[PROP_TEMPERATURE] =
        g_param_spec_double("temperature", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
    properties[PROP_TEMPERATURE_WARNING] =
        g_param_spec_double("temperature-warning", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
    properties[PROP_SENSORS] = g_param_spec_boxed("sensors", NULL, NULL, G_TYPE_PTR_ARRAY, flags);
    properties[PROP_REMOVABLE] = g_param_spec_boolean("removable", NULL, NULL, FALSE, flags);
    properties[PROP_MOUNTED] = g_param_spec_boolean("mounted", NULL, NULL, FALSE, flags);
    properties[PROP_FOLDERS] = g_param_spec_object("folders", NULL, NULL, G_TYPE_LIST_MODEL, flags);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
}

static void plt_drive_class_init(PltDriveClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);

    object_class->get_property = plt_drive_get_property;
    object_class->finalize = plt_drive_finalize;
    install_properties(object_class);
    signals[SIGNAL_CHANGED] =
        g_signal_new("changed", PLT_TYPE_DRIVE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void plt_drive_init(PltDrive *drive)
{
    drive->folders = g_list_store_new(PLT_TYPE_MOUNT);
}

static void take_state(PltDrive *drive, PltDriveState *state)
{
    drive->state = state;
    g_free(drive->title);
    g_free(drive->bus_title);
    drive->title = plt_drive_title_text(state->device);
    drive->bus_title = plt_drive_bus_text(state->device);
}

PltDrive *plt_drive_new(PltDriveState *state)
{
    PltDrive *drive = g_object_new(PLT_TYPE_DRIVE, NULL);

    take_state(drive, state);
    return drive;
}

gboolean plt_drive_is_same(PltDrive *drive, const PltDriveState *state)
{
    const PltDriveState *own = drive->state;

    return g_str_equal(own->sysfs_name, state->sysfs_name) && own->sequence == state->sequence &&
           g_strcmp0(member(own, "serial"), member(state, "serial")) == 0 &&
           g_strcmp0(member(own, "model"), member(state, "model")) == 0;
}

static void notify(PltDrive *drive, PltDriveProperty property)
{
    g_object_notify_by_pspec(G_OBJECT(drive), properties[property]);
}

/* NAN is equal to NAN here: a sensor that is still not there. */
static gboolean differs(double a, double b)
{
    return isnan(a) != isnan(b) || (!isnan(a) && a != b);
}

/* Whether B has all of A but temperatures, which have their own notifications. */
static gboolean covers(JsonObject *a, JsonObject *b)
{
    g_autoptr(GList) names = json_object_get_members(a);

    for (GList *item = names; item != NULL; item = item->next) {
        JsonNode *other = json_object_get_member(b, item->data);

        if (!g_str_has_prefix(item->data, "temperature_") &&
            (other == NULL || !json_node_equal(json_object_get_member(a, item->data), other)))
            return FALSE;
    }
    return TRUE;
}

static gboolean same_document(JsonObject *a, JsonObject *b)
{
    return covers(a, b) && covers(b, a);
}

void plt_drive_update(PltDrive *drive, PltDriveState *state)
{
    PltDriveState *old = g_steal_pointer(&drive->state);
    g_autofree char *old_title = g_strdup(drive->title), *old_bus_title = g_strdup(drive->bus_title);
    g_autoptr(GPtrArray) sensors = g_steal_pointer(&state->sensors);
    gboolean changed = !same_document(old->device, state->device);

    state->sensors = g_ptr_array_ref(old->sensors);
    take_state(drive, state);
    g_object_freeze_notify(G_OBJECT(drive));
    if (g_strcmp0(old_title, drive->title) != 0)
        notify(drive, PROP_TITLE);
    if (g_strcmp0(old_bus_title, drive->bus_title) != 0)
        notify(drive, PROP_BUS_TITLE);
    if (g_strcmp0(member(old, "bus"), member(state, "bus")) != 0)
        notify(drive, PROP_BUS);
    if (capacity_of(old) != capacity_of(state))
        notify(drive, PROP_CAPACITY);
    if (is_removable(old) != is_removable(state))
        notify(drive, PROP_REMOVABLE);
    plt_drive_update_sensors(drive, g_ptr_array_ref(sensors));
    g_object_thaw_notify(G_OBJECT(drive));
    plt_drive_state_free(old);
    if (changed)
        g_signal_emit(drive, signals[SIGNAL_CHANGED], 0);
}

void plt_drive_update_folders(PltDrive *drive, GPtrArray *mounts)
{
    GListModel *model = G_LIST_MODEL(drive->folders);
    guint n_old = g_list_model_get_n_items(model), n_new = mounts != NULL ? mounts->len : 0;
    g_autoptr(GPtrArray) objects = NULL;
    gboolean same = n_old == n_new;

    for (guint i = 0; same && i < n_old; i++) {
        g_autoptr(PltMount) mount = g_list_model_get_item(model, i);

        same = plt_mount_update(mount, mounts->pdata[i]);
    }
    if (same)
        return;
    objects = g_ptr_array_new_with_free_func(g_object_unref);
    for (guint i = 0; i < n_new; i++)
        g_ptr_array_add(objects, plt_mount_new(plt_mount_state_copy(mounts->pdata[i])));
    g_list_store_splice(drive->folders, 0, n_old, objects->pdata, n_new);
    if ((n_old > 0) != (n_new > 0))
        notify(drive, PROP_MOUNTED);
}

void plt_drive_update_sensors(PltDrive *drive, GPtrArray *sensors)
{
    double old = plt_drive_get_temperature(drive), old_warning = warning_of(drive->state);

    g_ptr_array_unref(drive->state->sensors);
    drive->state->sensors = sensors;
    if (differs(old, plt_drive_get_temperature(drive)))
        notify(drive, PROP_TEMPERATURE);
    if (differs(old_warning, warning_of(drive->state)))
        notify(drive, PROP_TEMPERATURE_WARNING);
    notify(drive, PROP_SENSORS);
}

const char *plt_drive_get_sysfs_name(PltDrive *drive)
{
    return drive->state->sysfs_name;
}

const char *plt_drive_get_name(PltDrive *drive)
{
    return member(drive->state, "name");
}

const char *plt_drive_get_title(PltDrive *drive)
{
    return drive->title;
}

const char *plt_drive_get_model(PltDrive *drive)
{
    return member(drive->state, "model");
}

const char *plt_drive_get_serial(PltDrive *drive)
{
    return member(drive->state, "serial");
}

guint64 plt_drive_get_capacity(PltDrive *drive)
{
    return capacity_of(drive->state);
}

const char *plt_drive_get_bus(PltDrive *drive)
{
    return member(drive->state, "bus");
}

const char *plt_drive_get_bus_title(PltDrive *drive)
{
    return drive->bus_title;
}

const char *plt_drive_get_file(PltDrive *drive)
{
    return drive->state->file;
}

gboolean plt_drive_is_rotational(PltDrive *drive)
{
    return json_object_get_boolean_member_with_default(drive->state->device, "rotational", FALSE);
}

double plt_drive_get_temperature(PltDrive *drive)
{
    const PltSensor *sensor = main_sensor(drive->state);

    return sensor != NULL ? sensor->celsius : NAN;
}

GPtrArray *plt_drive_get_sensors(PltDrive *drive)
{
    return drive->state->sensors;
}

GListModel *plt_drive_get_folders(PltDrive *drive)
{
    return G_LIST_MODEL(drive->folders);
}

JsonNode *plt_drive_to_json(PltDrive *drive)
{
    return json_node_init_object(json_node_alloc(), drive->state->device);
}
