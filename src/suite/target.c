/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/target.h"

#include <glib/gi18n-lib.h>

#include "drive/device.h"
#include "suite/value.h"

struct plt_target {
    PltFolder *folder;       /* NULL for a drive */
    PltTestFile file;        /* of a folder, while open */
    const PltTestFile *lent; /* instead of it; or NULL */

    PltDriveSeal *seal; /* NULL for a folder */
    guint64 offset, length;
    gboolean confirmed;
    PltBlock *block; /* while open */

    guint64 size; /* bytes that the plan works on, while open */
};

PltTarget *plt_target_new_folder(PltFolder *folder)
{
    PltTarget *target = g_new0(PltTarget, 1);

    target->folder = folder;
    target->file.fd = -1;
    return target;
}

static gboolean refuse(GError **error, PltError code, char *sentence)
{
    g_set_error_literal(error, PLT_ERROR, (gint)code, sentence);
    g_free(sentence);
    return FALSE;
}

PltTarget *plt_target_new_drive(const PltDriveSeal *seal, guint64 offset, guint64 length, GError **error)
{
    guint32 block = MAX(seal->logical_block, 512);
    PltTarget *target;

    if (offset >= seal->size || length > seal->size - offset) {
        g_autofree char *size = plt_value_size_text(seal->size);

        refuse(error, PLT_ERROR_USAGE,
               g_strdup_printf(_("the range does not lie on %s, which has %s"), seal->name, size));
        return NULL;
    }
    length = length != 0 ? length : seal->size - offset;
    if (offset % block != 0 || length % block != 0) {
        refuse(error, PLT_ERROR_USAGE,
               g_strdup_printf(_("the range must be a multiple of %u bytes, the logical block of %s"), block,
                               seal->name));
        return NULL;
    }
    target = g_new0(PltTarget, 1);
    target->file.fd = -1;
    target->seal = plt_drive_seal_copy(seal);
    target->offset = offset;
    target->length = length;
    return target;
}

void plt_target_free(PltTarget *target)
{
    if (target == NULL)
        return;
    plt_target_close(target);
    plt_folder_free(target->folder);
    plt_drive_seal_free(target->seal);
    g_free(target);
}

PltFolder *plt_target_get_folder(PltTarget *target)
{
    return target->folder;
}

const PltDriveSeal *plt_target_get_seal(PltTarget *target)
{
    return target->seal;
}

guint64 plt_target_get_offset(PltTarget *target)
{
    return target->offset;
}

/*
 * What a test that fills a file system leaves free: file systems slow down and fail for others when they are
 * full to the last byte (methods 8: the larger of 1 GiB and 1 %).
 */
#define MARGIN_BYTES (G_GUINT64_CONSTANT(1) << 30)
#define MARGIN_SHARE 100
#define WHOLE (G_GUINT64_CONSTANT(1) << 20) /* files end at a whole MiB */

/* Bytes that are left, where LEAVE does not say it. */
static guint64 margin_of(PltTarget *target, guint64 leave)
{
    if (target->folder == NULL || leave != 0)
        return target->folder != NULL ? leave : 0;
    return MAX(MARGIN_BYTES, plt_folder_free_bytes(target->folder) / MARGIN_SHARE);
}

static guint64 room_of(PltTarget *target, guint64 leave)
{
    guint64 space, margin;

    if (target->folder == NULL)
        return target->length;
    space = plt_folder_free_bytes(target->folder);
    margin = margin_of(target, leave);
    return space > margin ? (space - margin) / WHOLE * WHOLE : 0;
}

guint64 plt_target_get_length(PltTarget *target)
{
    return room_of(target, 0);
}

guint64 plt_target_get_room(PltTarget *target, const PltPlan *plan)
{
    return room_of(target, plan->leave);
}

guint64 plt_target_get_margin(PltTarget *target, const PltPlan *plan)
{
    return margin_of(target, plan->leave);
}

GStrv plt_target_get_drives(PltTarget *target)
{
    const char *names[] = {target->seal != NULL ? target->seal->name : NULL, NULL};

    return target->folder != NULL ? plt_folder_drives(target->folder) : g_strdupv((char **)names);
}

gboolean plt_target_confirm(PltTarget *target, const char *typed, GError **error)
{
    if (target->folder != NULL)
        return TRUE;
    target->confirmed = plt_guard_confirms(target->seal, typed);
    if (target->confirmed)
        return TRUE;
    return refuse(
        error, PLT_ERROR_REFUSED,
        g_strdup_printf(_("“%s” is not the serial number of %s, nor its last four characters: nothing is "
                          "written"),
                        typed != NULL ? typed : "", target->seal->name));
}

static PltDriveUse use_of(const PltTarget *target, const PltPlan *plan)
{
    return !plan->writes  ? PLT_USE_READ
           : plan->purges ? plt_purge_use("", target->seal->name, plan->purge_method)
                          : PLT_USE_WRITE;
}

static gboolean check_drive(PltTarget *target, const PltPlan *plan, GError **error)
{
    PltDriveUse use = use_of(target, plan);
    g_autoptr(PltGuardFacts) facts = plt_guard_look("", target->seal->name, use);

    if (!plt_guard_check(facts, target->seal, use, error))
        return FALSE;
    if (plan->writes && !target->confirmed)
        return refuse(error, PLT_ERROR_REFUSED,
                      g_strdup_printf(target->seal->serial != NULL
                                          ? _("this suite overwrites %s: confirm that with the last four "
                                              "characters of its serial number")
                                          : _("this suite overwrites %s: confirm that with its name"),
                                      target->seal->name));
    if (plan->size > target->length) {
        g_autofree char *needed = plt_value_size_text(plan->size);

        return refuse(error, PLT_ERROR_NO_SPACE,
                      g_strdup_printf(_("the suite needs %s, and the drive or the range has less"), needed));
    }
    return TRUE;
}

static gboolean check_kind(PltTarget *target, const PltPlan *plan, GError **error)
{
    if (target->folder != NULL && plt_suite_erases(plan->suite))
        return refuse(error, PLT_ERROR_REFUSED,
                      g_strdup(_("this suite needs a whole drive, which it erases; a folder is not enough")));
    if (plan->size == PLT_SIZE_ALL || plan->size == 0)
        return refuse(error, PLT_ERROR_NO_SPACE, g_strdup(_("there is no space left to measure with")));
    return TRUE;
}

gboolean plt_target_check(PltTarget *target, const PltPlan *plan, GError **error)
{
    if (!check_kind(target, plan, error))
        return FALSE;
    return target->folder != NULL
               ? plt_folder_check_size(target->folder, plan->size, plan->smallest_block, error)
               : check_drive(target, plan, error);
}

gboolean plt_target_open(PltTarget *target, const PltPlan *plan, GCancellable *cancellable, GError **error)
{
    if (!check_kind(target, plan, error))
        return FALSE;
    target->size = plan->size;
    if (target->folder != NULL && plan->makes_files)
        return plt_folder_check_size(target->folder, plan->size, plan->smallest_block, error);
    if (target->folder != NULL)
        return plt_folder_make_test_file(target->folder, plan->size, plan->smallest_block, &target->file,
                                         error);
    if (!check_drive(target, plan, error))
        return FALSE;
    target->block = plt_block_open(target->seal, use_of(target, plan), PLT_BLOCK_MAY_ASK, cancellable, error);
    return target->block != NULL;
}

void plt_target_close(PltTarget *target)
{
    if (target->file.fd >= 0)
        plt_test_file_close(&target->file);
    target->file.fd = -1;
    g_clear_pointer(&target->block, plt_block_close);
}

gboolean plt_target_check_write(PltTarget *target, GError **error)
{
    return target->block == NULL || plt_block_check(target->block, error);
}

void plt_target_lend_file(PltTarget *target, const PltTestFile *file)
{
    target->lent = file;
}

static const PltTestFile *file_of(PltTarget *target)
{
    return target->lent != NULL ? target->lent : &target->file;
}

void plt_target_get_engine(PltTarget *target, guint32 block, struct plt_engine_target *engine)
{
    *engine = (struct plt_engine_target){
        .fd = target->block != NULL ? plt_block_fd(target->block) : file_of(target)->fd,
        .offset = target->offset,
        .length = (target->lent != NULL ? target->lent->size : target->size) / block * block,
        .logical_block = plt_target_get_logical_block(target),
        .memory_align =
            target->block != NULL ? plt_block_memory_align(target->block) : file_of(target)->memory_align,
    };
}

guint32 plt_target_get_logical_block(PltTarget *target)
{
    guint32 of_file = file_of(target)->logical_block;

    if (target->block != NULL)
        return plt_block_logical_block(target->block);
    return of_file != 0 ? of_file : 512; /* a plan that makes its own files finds out with each */
}

PltBlock *plt_target_get_block(PltTarget *target)
{
    return target->block;
}

gboolean plt_target_is_gone(PltTarget *target)
{
    return target->block != NULL ? plt_block_is_gone(target->block) : plt_folder_is_gone(target->folder);
}

gboolean plt_target_is_written(PltTarget *target)
{
    return target->block != NULL || plt_test_file_is_written(target->file.fd, target->size);
}

gboolean plt_target_shares_drive(PltTarget *target, const char *path)
{
    g_autofree char *folder = NULL;
    g_autoptr(PltFolder) other = NULL;
    g_auto(GStrv) drives = NULL;

    if (target->folder != NULL)
        return plt_folder_shares_drive(target->folder, path);
    folder = g_path_get_dirname(path);
    other = plt_folder_open(folder, TRUE, NULL);
    drives = other != NULL ? plt_folder_drives(other) : NULL;
    return drives != NULL && g_strv_contains((const char *const *)drives, target->seal->name);
}

static void add_range(PltTarget *target, JsonNode *node)
{
    JsonObject *object = json_node_get_object(node);

    json_object_set_int_member(object, "range_offset", (gint64)target->offset);
    json_object_set_int_member(object, "range_length", (gint64)target->length);
}

/* What is known of a drive that is not open. */
static JsonNode *seal_to_json(const PltDriveSeal *seal)
{
    JsonObject *object = json_object_new();
    JsonArray *drives = json_array_new();
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    json_object_set_string_member(object, "kind", "drive");
    json_object_set_string_member(object, "name", seal->name);
    json_object_set_int_member(object, "size", (gint64)seal->size);
    json_object_set_int_member(object, "logical_block", seal->logical_block);
    json_array_add_string_element(drives, seal->name);
    json_object_set_array_member(object, "drives", drives);
    json_node_take_object(node, object);
    return node;
}

JsonNode *plt_target_to_json(PltTarget *target)
{
    JsonNode *node;

    if (target->folder != NULL)
        return plt_folder_to_json(target->folder);
    node = target->block != NULL ? plt_block_to_json(target->block) : seal_to_json(target->seal);
    if (target->offset != 0 || target->length != target->seal->size)
        add_range(target, node);
    return node;
}

JsonNode *plt_target_drives_to_json(PltTarget *target)
{
    JsonArray *array;
    JsonNode *node;

    if (target->folder != NULL)
        return plt_folder_drives_to_json(target->folder);
    array = json_array_new();
    node = json_node_new(JSON_NODE_ARRAY);
    json_array_add_object_element(array, plt_device_to_json("", target->seal->name));
    json_node_take_array(node, array);
    return node;
}

JsonNode *plt_target_losses_to_json(PltTarget *target, const PltPlan *plan)
{
    g_autoptr(PltGuardFacts) facts = NULL;

    if (target->folder != NULL)
        return json_node_init_array(json_node_alloc(), json_array_new());
    facts = plt_guard_look("", target->seal->name, use_of(target, plan));
    return plt_guard_losses_to_json(facts);
}

void plt_target_add_warnings(PltTarget *target, const PltPlan *plan, GPtrArray *warnings)
{
    if (target->folder != NULL) {
        /* That a run over all the space fills the file system needs no warning. */
        plt_folder_add_warnings(target->folder, plan->makes_files ? 0 : plan->size, warnings);
        return;
    }
    plt_block_add_warnings(target->block, warnings);
    if (plan->any_read && !plan->writes)
        plt_warning_add(warnings, "raw-content", NULL);
}
