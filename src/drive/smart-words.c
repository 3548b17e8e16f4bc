/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/smart-private.h"

#include <glib/gi18n-lib.h>

#include "drive/size.h"

typedef enum {
    UNIT_COUNT,
    UNIT_WARNING,
    UNIT_KELVIN,
    UNIT_CELSIUS, /* of ATA: the lowest byte, the others may hold the extremes */
    UNIT_PERCENT,
    UNIT_DATA_UNITS, /* 1000 blocks of 512 bytes, whatever the drive's block is */
    UNIT_HOURS,
    UNIT_MINUTES,
    UNIT_SECONDS,
} Unit;

typedef struct {
    const char *id;
    Unit unit;
    const char *title, *explanation;
} Words;

static const Words nvme_words[] = {
    {"critical_warning", UNIT_WARNING, N_("Critical warning"),
     N_("Alarms that the drive raises itself; anything but none needs attention now.")},
    {"temperature", UNIT_KELVIN, N_("Temperature"),
     N_("The drive's own single figure for how warm it is, made of all its sensors.")},
    {"avail_spare", UNIT_PERCENT, N_("Available spare"),
     N_("Reserve blocks that are left to replace worn ones; 100 % when new.")},
    {"spare_thresh", UNIT_PERCENT, N_("Spare threshold"),
     N_("When the available spare falls below this, the drive raises an alarm.")},
    {"percent_used", UNIT_PERCENT, N_("Percentage used"),
     N_("How much of the rated write endurance is gone by the maker's reckoning; it may pass 100 %, "
        "and the drive still work.")},
    {"endurance_grp_critical_warning_summary", UNIT_COUNT, N_("Endurance group warnings"),
     N_("Alarms of the parts that a large drive can be divided into.")},
    {"data_units_read", UNIT_DATA_UNITS, N_("Data read"),
     N_("Data that the computer has read over the drive's life.")},
    {"data_units_written", UNIT_DATA_UNITS, N_("Data written"),
     N_("Data that the computer has written over the drive's life; warranties (TBW) count this.")},
    {"host_read_commands", UNIT_COUNT, N_("Read commands"),
     N_("Read requests that the drive has completed.")},
    {"host_write_commands", UNIT_COUNT, N_("Write commands"),
     N_("Write requests that the drive has completed.")},
    {"controller_busy_time", UNIT_MINUTES, N_("Busy time"),
     N_("Time in which at least one request was open.")},
    {"power_cycles", UNIT_COUNT, N_("Power cycles"), N_("How often the drive was switched on.")},
    {"power_on_hours", UNIT_HOURS, N_("Power-on time"),
     N_("Time under power; many drives do not count the time in their sleep states.")},
    {"unsafe_shutdowns", UNIT_COUNT, N_("Unsafe shutdowns"),
     N_("How often power went away without a warning: crashes, pulled plugs, a held power button.")},
    {"media_errors", UNIT_COUNT, N_("Media errors"),
     N_("Data that could not be read back right even with error correction. It should be 0.")},
    {"num_err_log_entries", UNIT_COUNT, N_("Error log entries"),
     N_("Commands that ended with an error over the drive's life; requests for things that the drive does "
        "not know "
        "count too, so a large number alone is no fault.")},
    {"warning_temp_time", UNIT_MINUTES, N_("Time above warning temperature"),
     N_("Time in which the drive was warmer than its warning temperature.")},
    {"critical_comp_time", UNIT_MINUTES, N_("Time above critical temperature"),
     N_("Time in which the drive was so warm that it had to protect itself.")},
    {"thm_temp1_trans_count", UNIT_COUNT, N_("Light throttling, times"),
     N_("How often the drive slowed down a little to stay below the first limit that the system set.")},
    {"thm_temp2_trans_count", UNIT_COUNT, N_("Heavy throttling, times"),
     N_("How often the drive slowed down strongly to stay below the second limit that the system set.")},
    {"thm_temp1_total_time", UNIT_SECONDS, N_("Light throttling, time"),
     N_("Time in which the drive was slowed down a little.")},
    {"thm_temp2_total_time", UNIT_SECONDS, N_("Heavy throttling, time"),
     N_("Time in which the drive was slowed down strongly.")},
    {"temperature_sensor_1", UNIT_KELVIN, N_("Temperature sensor 1"), NULL},
    {"temperature_sensor_2", UNIT_KELVIN, N_("Temperature sensor 2"), NULL},
    {"temperature_sensor_3", UNIT_KELVIN, N_("Temperature sensor 3"), NULL},
    {"temperature_sensor_4", UNIT_KELVIN, N_("Temperature sensor 4"), NULL},
    {"temperature_sensor_5", UNIT_KELVIN, N_("Temperature sensor 5"), NULL},
    {"temperature_sensor_6", UNIT_KELVIN, N_("Temperature sensor 6"), NULL},
    {"temperature_sensor_7", UNIT_KELVIN, N_("Temperature sensor 7"), NULL},
    {"temperature_sensor_8", UNIT_KELVIN, N_("Temperature sensor 8"), NULL},
};

/* What makers agree on; numbers that each uses for something else have the reader's name and no words. */
static const Words ata_words[] = {
    {"ata_1", UNIT_COUNT, N_("Read error rate"),
     N_("A figure of the maker's own about reading; its raw value is large on many sound drives.")},
    {"ata_3", UNIT_COUNT, N_("Spin-up time"), N_("How long the disk takes to reach its speed.")},
    {"ata_4", UNIT_COUNT, N_("Starts and stops"), N_("How often the disk was spun up.")},
    {"ata_5", UNIT_COUNT, N_("Reallocated sectors"),
     N_("Bad places that were replaced from the reserve. On a hard disk any is a sign of damage; on an SSD "
        "some are "
        "normal wear.")},
    {"ata_7", UNIT_COUNT, N_("Seek error rate"), N_("A figure of the maker's own about moving the heads.")},
    {"ata_9", UNIT_COUNT, N_("Power-on time"), N_("Time under power, on most drives in hours.")},
    {"ata_10", UNIT_COUNT, N_("Spin-up retries"),
     N_("How often the disk needed a second try to reach its speed; it should be 0.")},
    {"ata_12", UNIT_COUNT, N_("Power cycles"), N_("How often the drive was switched on.")},
    {"ata_169", UNIT_COUNT, N_("Remaining life"), N_("What is left of the rated endurance, in percent.")},
    {"ata_171", UNIT_COUNT, N_("Program failures"),
     N_("Flash pages that could not be written and were replaced.")},
    {"ata_172", UNIT_COUNT, N_("Erase failures"),
     N_("Flash blocks that could not be erased and were replaced.")},
    {"ata_173", UNIT_COUNT, N_("Wear of the flash memory"), N_("How often the flash blocks were erased.")},
    {"ata_174", UNIT_COUNT, N_("Unexpected power losses"),
     N_("How often power went away without a warning.")},
    {"ata_175", UNIT_COUNT, N_("Power loss protection"),
     N_("Self-test of the capacitors that hold up the drive.")},
    {"ata_177", UNIT_COUNT, N_("Wear leveling"),
     N_("How often the flash blocks were erased on average; the normalized value falls from 100 as the drive "
        "wears.")},
    {"ata_179", UNIT_COUNT, N_("Used reserve blocks"), N_("Reserve blocks that replaced bad ones.")},
    {"ata_180", UNIT_COUNT, N_("Unused reserve blocks"), N_("Reserve blocks that are left.")},
    {"ata_181", UNIT_COUNT, N_("Program failures"), N_("Flash pages that could not be written.")},
    {"ata_182", UNIT_COUNT, N_("Erase failures"), N_("Flash blocks that could not be erased.")},
    {"ata_183", UNIT_COUNT, N_("Link downshifts"),
     N_("How often the link fell back to a lower speed, or blocks went bad in use, depending on the maker.")},
    {"ata_184", UNIT_COUNT, N_("End-to-end errors"),
     N_("Data that changed on its way through the drive; it should be 0.")},
    {"ata_187", UNIT_COUNT, N_("Reported uncorrectable errors"),
     N_("Reads that failed even with error correction, and were reported.")},
    {"ata_188", UNIT_COUNT, N_("Command timeouts"),
     N_("Commands that took too long; often a cable or the power supply.")},
    {"ata_190", UNIT_CELSIUS, N_("Airflow temperature"), N_("Temperature of the drive.")},
    {"ata_192", UNIT_COUNT, N_("Emergency retracts"), N_("How often power went away without a warning.")},
    {"ata_193", UNIT_COUNT, N_("Load cycles"), N_("How often the heads were parked.")},
    {"ata_194", UNIT_CELSIUS, N_("Temperature"), N_("Temperature of the drive.")},
    {"ata_196", UNIT_COUNT, N_("Reallocation events"),
     N_("Attempts to replace a bad place, successful or not.")},
    {"ata_197", UNIT_COUNT, N_("Pending sectors"),
     N_("Places that could not be read and wait to be written again; data in them may be lost.")},
    {"ata_198", UNIT_COUNT, N_("Uncorrectable sectors"),
     N_("Places that could not be read when the drive checked itself.")},
    {"ata_199", UNIT_COUNT, N_("Transfer errors"),
     N_("Errors between drive and computer; nearly always the cable.")},
    {"ata_202", UNIT_COUNT, N_("Endurance used or left"),
     N_("The share of the rated endurance, in percent.")},
    {"ata_231", UNIT_COUNT, N_("Remaining life"), N_("What is left of the rated endurance, in percent.")},
    {"ata_232", UNIT_COUNT, N_("Available reserve"), N_("Reserve blocks that are left.")},
    {"ata_233", UNIT_COUNT, N_("Wear of the flash memory"),
     N_("The normalized value falls from 100 as the flash memory wears.")},
    {"ata_241", UNIT_COUNT, N_("Data written"),
     N_("What the computer has written, in a unit of the maker's own.")},
    {"ata_242", UNIT_COUNT, N_("Data read"), N_("What the computer has read, in a unit of the maker's own.")},
};

static const Words *find_words(const char *id)
{
    for (gsize i = 0; i < G_N_ELEMENTS(nvme_words); i++) {
        if (g_str_equal(id, nvme_words[i].id))
            return &nvme_words[i];
    }
    for (gsize i = 0; i < G_N_ELEMENTS(ata_words); i++) {
        if (g_str_equal(id, ata_words[i].id))
            return &ata_words[i];
    }
    return NULL;
}

const char *plt_smart_title(const PltSmartAttribute *attribute)
{
    const Words *words = find_words(attribute->id);

    if (words != NULL)
        return _(words->title);
    return attribute->name != NULL ? attribute->name : attribute->id;
}

const char *plt_smart_explanation(const PltSmartAttribute *attribute)
{
    const Words *words = find_words(attribute->id);

    if (words != NULL && words->explanation == NULL)
        return _("One of the drive's temperature sensors; the maker does not say where it sits.");
    return words != NULL ? _(words->explanation) : NULL;
}

char *plt_smart_warning_text(guint64 bits)
{
    static const char *const names[] = {
        N_("spare below its threshold"),
        N_("temperature out of range"),
        N_("reliability degraded"),
        N_("read-only"),
        N_("backup of volatile memory failed"),
        N_("persistent memory read-only"),
    };
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_auto(GStrv) found = NULL;

    if (bits == 0)
        return g_strdup(_("none"));
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (bits & (G_GUINT64_CONSTANT(1) << i))
            g_strv_builder_add(builder, _(names[i]));
    }
    if (bits >> G_N_ELEMENTS(names) != 0)
        g_strv_builder_add(builder, _("unknown"));
    found = g_strv_builder_end(builder);
    return g_strjoinv(", ", found);
}

static char *minutes_text(double minutes)
{
    double hours = minutes / 60;

    if (minutes < 60)
        return g_strdup_printf(_("%.0f min"), minutes);
    if (hours < 48)
        return g_strdup_printf(_("%.1f h"), hours);
    return g_strdup_printf(_("%.0f h (%.0f days)"), hours, hours / 24);
}

static char *format(Unit unit, PltWide raw, gboolean is_change)
{
    double value = plt_wide_to_double(raw);

    switch (unit) {
    case UNIT_WARNING:
        return plt_smart_warning_text(plt_wide_clamp(raw));
    case UNIT_KELVIN:
        if (raw.low == 0 && !is_change)
            return g_strdup(_("not reported"));
        return g_strdup_printf("%.0f °C", is_change ? value : value - 273);
    case UNIT_CELSIUS:
        return g_strdup_printf("%u °C", (guint)(raw.low & 0xff));
    case UNIT_PERCENT:
        return g_strdup_printf("%.0f %%", value);
    case UNIT_DATA_UNITS:
        return plt_size_amount_text(value * 512000);
    case UNIT_HOURS:
        return minutes_text(value * 60);
    case UNIT_MINUTES:
        return minutes_text(value);
    case UNIT_SECONDS:
        return value < 120 ? g_strdup_printf(_("%.0f s"), value) : minutes_text(value / 60);
    case UNIT_COUNT:
        break;
    }
    return plt_wide_to_text(raw);
}

static Unit unit_of(const PltSmartAttribute *attribute)
{
    const Words *words = find_words(attribute->id);

    return words != NULL ? words->unit : UNIT_COUNT;
}

char *plt_smart_text(const PltSmartAttribute *attribute)
{
    return format(unit_of(attribute), attribute->raw, FALSE);
}

char *plt_smart_change_text(const PltSmartChange *change)
{
    const PltSmartAttribute *attribute = change->after != NULL ? change->after : change->before;
    Unit unit = unit_of(attribute);
    g_autofree char *text = NULL, *old = NULL;

    if (change->before == NULL) {
        text = plt_smart_text(change->after);
        return g_strdup_printf(_("new: %s"), text);
    }
    if (change->after == NULL) {
        text = plt_smart_text(change->before);
        return g_strdup_printf(_("gone: %s"), text);
    }
    /* Bits and packed values have no difference. */
    if (unit == UNIT_WARNING || unit == UNIT_CELSIUS) {
        old = plt_smart_text(change->before);
        text = plt_smart_text(change->after);
        return g_strdup_printf("%s → %s", old, text);
    }
    text = format(unit, change->distance, TRUE);
    return g_strdup_printf("%s%s", change->less ? "−" : "+", text);
}
