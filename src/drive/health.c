/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/health.h"

#include <glib/gi18n-lib.h>

/* CrystalDiskInfo's defaults. */
#define LIFE_CAUTION_PERCENT 10
#define SECTORS_CAUTION 1

/* Kelvins of 50 °C and 120 °C: GSmartControl's notice, and above it a sensor that is not one. */
#define NOTICE_KELVIN 323
#define NONSENSE_KELVIN 393

static PltHealth *unknown(const char *reason)
{
    PltHealth *health = g_new0(PltHealth, 1);

    health->life_percent = -1;
    health->reasons = g_ptr_array_new_with_free_func(g_free);
    if (reason != NULL)
        g_ptr_array_add(health->reasons, g_strdup(reason));
    return health;
}

void plt_health_add_to_json(const PltHealth *health, JsonObject *object)
{
    JsonArray *reasons = json_array_new();

    json_object_set_string_member(object, "verdict", plt_verdict_id(health->verdict));
    if (health->life_percent >= 0)
        json_object_set_int_member(object, "life_percent", health->life_percent);
    for (guint i = 0; i < health->reasons->len; i++)
        json_array_add_string_element(reasons, health->reasons->pdata[i]);
    json_object_set_array_member(object, "reasons", reasons);
}

void plt_health_free(PltHealth *health)
{
    if (health == NULL)
        return;
    g_ptr_array_unref(health->reasons);
    g_free(health);
}

const char *plt_verdict_id(PltVerdict verdict)
{
    static const char *const ids[] = {"unknown", "good", "caution", "bad"};

    return ids[verdict];
}

const char *plt_verdict_text(PltVerdict verdict)
{
    switch (verdict) {
    case PLT_VERDICT_GOOD:
        return _("Good");
    case PLT_VERDICT_CAUTION:
        return _("Caution");
    case PLT_VERDICT_BAD:
        return _("Bad");
    case PLT_VERDICT_UNKNOWN:
        break;
    }
    return _("Unknown");
}

gboolean plt_health_is_virtual(const char *model)
{
    return model != NULL && (g_str_has_prefix(model, "Parallels") || g_str_has_prefix(model, "VMware") ||
                             g_str_has_prefix(model, "QEMU"));
}

/* A reason makes the verdict worse, never better. */
static void worsen(PltHealth *health, PltVerdict verdict, char *reason)
{
    health->verdict = MAX(health->verdict, verdict);
    g_ptr_array_add(health->reasons, reason);
}

static void judge_life(PltHealth *health)
{
    if (health->life_percent < 0 || health->life_percent > LIFE_CAUTION_PERCENT)
        return;
    worsen(health, PLT_VERDICT_CAUTION,
           g_strdup_printf(_("Only %d %% of the rated endurance is left."), health->life_percent));
}

static void judge_nvme(PltHealth *health, const PltSmart *smart)
{
    guint64 warning = 0, spare = 0, threshold = 0, used = 0;
    gboolean has_spare =
        plt_smart_get(smart, "avail_spare", &spare) && plt_smart_get(smart, "spare_thresh", &threshold);

    health->verdict = PLT_VERDICT_GOOD;
    if (plt_smart_get(smart, "percent_used", &used))
        health->life_percent = 100 - (int)MIN(used, 100);
    if (plt_smart_get(smart, "critical_warning", &warning) && warning != 0) {
        g_autofree char *text = plt_smart_warning_text(warning);

        worsen(health, PLT_VERDICT_BAD, g_strdup_printf(_("The drive raises an alarm: %s."), text));
    }
    /* A threshold of 0 or above 100 is none; one of 100 would make every drive look worn. */
    if (has_spare && threshold >= 1 && threshold <= 100) {
        if (spare < threshold)
            worsen(health, PLT_VERDICT_BAD,
                   g_strdup_printf(_("The available spare (%u %%) is below its threshold (%u %%)."),
                                   (guint)spare, (guint)threshold));
        else if (spare == threshold && threshold != 100)
            worsen(health, PLT_VERDICT_CAUTION,
                   g_strdup_printf(_("The available spare is down to its threshold (%u %%)."), (guint)spare));
    }
    judge_life(health);
}

/* The attributes of a hard disk whose threshold counts. */
static gboolean is_disk_attribute(guint id)
{
    return (id >= 0x01 && id <= 0x0d) || id == 0x16 || (id >= 0xbb && id <= 0xbd) ||
           (id >= 0xbf && id <= 0xc1) || (id >= 0xc3 && id <= 0xd1) || (id >= 0xd3 && id <= 0xd4) ||
           (id >= 0xdc && id <= 0xe4) || (id >= 0xe6 && id <= 0xe7) || id == 0xf0 || id == 0xfa || id == 0xfe;
}

/* Temperature (C2h) has a threshold on some SSDs that means nothing. */
static gboolean counts(const PltSmartAttribute *attribute, gboolean rotational)
{
    guint id = plt_smart_ata_id(attribute);

    return rotational ? is_disk_attribute(id) : id != 0xc2;
}

static gboolean is_failing(const PltSmartAttribute *attribute)
{
    return attribute->threshold > 0 && attribute->value >= 0 && attribute->value < attribute->threshold;
}

static void judge_thresholds(PltHealth *health, const PltSmart *smart, gboolean rotational)
{
    for (guint i = 0; i < smart->attributes->len; i++) {
        const PltSmartAttribute *attribute = smart->attributes->pdata[i];

        if (counts(attribute, rotational) && is_failing(attribute))
            worsen(health, PLT_VERDICT_BAD,
                   g_strdup_printf(_("%s has fallen to %d, below its threshold of %d."),
                                   plt_smart_title(attribute), attribute->value, attribute->threshold));
    }
}

/* 05h, C5h and C6h of a hard disk. Drives that do not count fill the raw value with ones. */
static void judge_sectors(PltHealth *health, const PltSmart *smart)
{
    static const char *const ids[] = {"ata_5", "ata_197", "ata_198"};

    for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
        const PltSmartAttribute *attribute = plt_smart_find(smart, ids[i]);
        guint count;

        if (attribute == NULL || (attribute->raw.low & 0xffffffff) == 0xffffffff)
            continue;
        count = (guint)(attribute->raw.low & 0xffff);
        if (count >= SECTORS_CAUTION)
            worsen(health, PLT_VERDICT_CAUTION,
                   g_strdup_printf("%s: %u.", plt_smart_title(attribute), count));
    }
}

static gboolean has_thresholds(const PltSmart *smart)
{
    for (guint i = 0; i < smart->attributes->len; i++) {
        if (((PltSmartAttribute *)smart->attributes->pdata[i])->threshold > 0)
            return TRUE;
    }
    return FALSE;
}

static gboolean has_duplicates(const PltSmart *smart)
{
    for (guint i = 0; i < smart->attributes->len; i++) {
        const PltSmartAttribute *attribute = smart->attributes->pdata[i];

        if (plt_smart_find(smart, attribute->id) != attribute)
            return TRUE;
    }
    return FALSE;
}

static void judge_ata(PltHealth *health, const PltSmart *smart, const char *model, gboolean rotational)
{
    if (!rotational)
        health->life_percent = plt_health_ata_life(smart, model);
    if (has_duplicates(smart)) {
        g_ptr_array_add(health->reasons, g_strdup(_("The drive lists an attribute twice.")));
        return;
    }
    if (!has_thresholds(smart) && health->life_percent < 0) {
        g_ptr_array_add(health->reasons,
                        g_strdup(_("The drive gives its attributes no thresholds to compare with.")));
        return;
    }
    health->verdict = PLT_VERDICT_GOOD;
    judge_thresholds(health, smart, rotational);
    if (rotational)
        judge_sectors(health, smart);
    if (!rotational && health->life_percent == 0)
        worsen(health, PLT_VERDICT_BAD, g_strdup(_("The rated endurance is used up.")));
    else
        judge_life(health);
}

PltHealth *plt_health_judge(const PltSmart *smart, const char *model, gboolean rotational)
{
    PltHealth *health;

    if (plt_health_is_virtual(model))
        return unknown(_("This is a virtual drive: what it says about its health means nothing."));
    if (smart == NULL || smart->attributes->len == 0)
        return unknown(NULL);
    health = unknown(NULL);
    if (smart->kind == PLT_SMART_NVME)
        judge_nvme(health, smart);
    else
        judge_ata(health, smart, model, rotational);
    if (smart->passed == 0)
        worsen(health, PLT_VERDICT_BAD, g_strdup(_("The drive itself says that it is failing.")));
    return health;
}

static PltLevel nvme_level(const PltSmart *smart, const PltSmartAttribute *attribute, const char **note)
{
    guint64 raw = plt_wide_clamp(attribute->raw), threshold = 0;
    const char *id = attribute->id;

    if (g_str_equal(id, "critical_warning") && raw != 0) {
        *note = _("the drive raises an alarm");
        return PLT_LEVEL_ALERT;
    }
    if (g_str_has_prefix(id, "temperature") && raw > NOTICE_KELVIN && raw <= NONSENSE_KELVIN) {
        *note = _("warmer than 50 °C");
        return PLT_LEVEL_NOTICE;
    }
    if (g_str_equal(id, "avail_spare") && plt_smart_get(smart, "spare_thresh", &threshold) &&
        threshold >= 1 && threshold <= 100) {
        if (raw < threshold) {
            *note = _("below its threshold");
            return PLT_LEVEL_ALERT;
        }
        if (raw <= 10) {
            *note = _("almost used up");
            return PLT_LEVEL_WARNING;
        }
    }
    if (g_str_equal(id, "percent_used") && raw >= 90) {
        *note = _("close to the rated endurance");
        return PLT_LEVEL_WARNING;
    }
    if (g_str_equal(id, "media_errors") && raw > 0) {
        *note = _("data could not be read right");
        return PLT_LEVEL_NOTICE;
    }
    if ((g_str_equal(id, "warning_temp_time") || g_str_equal(id, "critical_comp_time")) && raw > 0) {
        *note = _("was too warm before");
        return PLT_LEVEL_NOTICE;
    }
    return PLT_LEVEL_NONE;
}

static PltLevel ata_level(const PltSmartAttribute *attribute, const char **note)
{
    /* Reallocated, spin-up retry, soft read error, reallocation event, pending, offline uncorrectable. */
    static const guint counted[] = {5, 10, 13, 196, 197, 198};
    guint id = plt_smart_ata_id(attribute);

    if (is_failing(attribute)) {
        *note = _("below its threshold");
        return attribute->prefail ? PLT_LEVEL_ALERT : PLT_LEVEL_WARNING;
    }
    if (attribute->failed_before && attribute->prefail) {
        *note = _("was below its threshold before");
        return PLT_LEVEL_WARNING;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(counted); i++) {
        if (id == counted[i] && plt_wide_clamp(attribute->raw) > 0) {
            *note = _("not 0");
            return PLT_LEVEL_NOTICE;
        }
    }
    if ((id == 190 || id == 194) && (attribute->raw.low & 0xff) > 50 && (attribute->raw.low & 0xff) <= 120) {
        *note = _("warmer than 50 °C");
        return PLT_LEVEL_NOTICE;
    }
    return PLT_LEVEL_NONE;
}

PltLevel plt_health_level(const PltSmart *smart, const PltSmartAttribute *attribute, const char **note)
{
    *note = NULL;
    return smart->kind == PLT_SMART_NVME ? nvme_level(smart, attribute, note) : ata_level(attribute, note);
}
