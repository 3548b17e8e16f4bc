/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/health.h"

/*
 * Where ATA SSDs keep what is left of their endurance: makers agreed on none. The reader's name decides where
 * it has one, else the maker.
 */
typedef enum {
    LIFE_VALUE,   /* the normalized value counts down from 100 */
    LIFE_SANDISK, /* byte 1 of the raw value counts up */
} LifeKind;

static const struct {
    const char *name;
    guint id;
} named[] = {
    {"SSD_Life_Left", 231},       {"Percent_Lifetime_Remain", 202}, {"Media_Wearout_Indicator", 233},
    {"Wear_Leveling_Count", 177}, {"Remaining_Lifetime_Perc", 169},
};

/* Beginnings of models; ids as CrystalDiskInfo has them. */
static const struct {
    const char *model;
    guint id;
    LifeKind kind;
} makers[] = {
    {"Samsung", 177, LIFE_VALUE},
    {"SAMSUNG", 177, LIFE_VALUE},
    {"CT", 202, LIFE_VALUE},
    {"Crucial", 202, LIFE_VALUE},
    {"Micron", 202, LIFE_VALUE},
    {"MTFD", 202, LIFE_VALUE},
    {"INTEL SSD", 233, LIFE_VALUE},
    {"SSDSC", 233, LIFE_VALUE},
    {"KINGSTON SKC600", 169, LIFE_VALUE},
    {"KINGSTON", 231, LIFE_VALUE},
    {"Corsair", 231, LIFE_VALUE},
    {"SK hynix", 231, LIFE_VALUE},
    {"HFS", 231, LIFE_VALUE},
    {"KIOXIA", 173, LIFE_VALUE},
    {"TOSHIBA THN", 173, LIFE_VALUE},
    {"PLEXTOR", 232, LIFE_VALUE},
    {"OCZ", 233, LIFE_VALUE},
    {"WDC WDS", 230, LIFE_SANDISK},
    {"WD Blue", 230, LIFE_SANDISK},
    {"WD Green", 230, LIFE_SANDISK},
    {"SanDisk", 230, LIFE_SANDISK},
    {"ADATA", 231, LIFE_VALUE},
    {"SSSTC", 231, LIFE_VALUE},
    {"Seagate BarraCuda SSD", 231, LIFE_VALUE},
    {"Patriot", 231, LIFE_VALUE},
    {"Apacer", 231, LIFE_VALUE},
    {"Mtron", 187, LIFE_VALUE},
};

static const PltSmartAttribute *find(const PltSmart *smart, guint id)
{
    g_autofree char *text = g_strdup_printf("ata_%u", id);

    return plt_smart_find(smart, text);
}

static int life_of(const PltSmartAttribute *attribute, LifeKind kind)
{
    guint64 used;

    if (kind == LIFE_VALUE)
        return attribute->value >= 0 && attribute->value <= 100 ? attribute->value : -1;
    used = attribute->raw.low >> 8 & 0xff;
    return 100 - (int)MIN(used, 100);
}

int plt_health_ata_life(const PltSmart *smart, const char *model)
{
    if (smart->endurance_used_percent >= 0)
        return 100 - MIN(smart->endurance_used_percent, 100);
    for (gsize i = 0; i < G_N_ELEMENTS(named); i++) {
        const PltSmartAttribute *attribute = find(smart, named[i].id);

        if (attribute != NULL && g_strcmp0(attribute->name, named[i].name) == 0)
            return life_of(attribute, LIFE_VALUE);
    }
    for (gsize i = 0; model != NULL && i < G_N_ELEMENTS(makers); i++) {
        const PltSmartAttribute *attribute;

        if (!g_str_has_prefix(model, makers[i].model))
            continue;
        attribute = find(smart, makers[i].id);
        return attribute != NULL ? life_of(attribute, makers[i].kind) : -1;
    }
    return -1;
}
