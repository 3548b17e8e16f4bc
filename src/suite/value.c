/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/value.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "drive/error.h"

/* Digits behind the point that are taken; the smallest unit of any value is a thousandth. */
#define DECIMALS 3
#define SCALE 1000

/* Long enough for any sensible value, short enough that an error stays one line. */
#define QUOTE_CHARACTERS 40

struct unit {
    const char *name;
    guint64 factor;
};

/* MB and its like are missing on purpose: they are decimal, and no block or file here is meant that way. */
static const struct unit size_units[] = {
    {"", 1},
    {"B", 1},
    {"k", G_GUINT64_CONSTANT(1) << 10},
    {"K", G_GUINT64_CONSTANT(1) << 10},
    {"KiB", G_GUINT64_CONSTANT(1) << 10},
    {"M", G_GUINT64_CONSTANT(1) << 20},
    {"MiB", G_GUINT64_CONSTANT(1) << 20},
    {"G", G_GUINT64_CONSTANT(1) << 30},
    {"GiB", G_GUINT64_CONSTANT(1) << 30},
    {"T", G_GUINT64_CONSTANT(1) << 40},
    {"TiB", G_GUINT64_CONSTANT(1) << 40},
    {NULL, 0},
};

static const struct unit time_units[] = {
    {"", 1000}, {"ms", 1}, {"s", 1000}, {"min", 60 * 1000}, {"h", 3600 * 1000}, {NULL, 0},
};

static const struct unit rate_units[] = {
    {"B/s", 1}, {"kB/s", 1000}, {"MB/s", 1000 * 1000}, {"GB/s", 1000 * 1000 * 1000}, {NULL, 0},
};

char *plt_value_quote(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *quoted = g_string_new("“");
    guint n = 0;

    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);

        if (n++ == QUOTE_CHARACTERS) {
            g_string_append(quoted, "…");
            break;
        }
        g_string_append_unichar(quoted, g_unichar_isprint(c) ? c : 0xfffd);
    }
    g_string_append(quoted, "”");
    return g_string_free_and_steal(quoted);
}

G_GNUC_PRINTF(3, 4) static gboolean refuse(GError **error, const char *text, const char *format, ...)
{
    g_autofree char *quoted = plt_value_quote(text);
    g_autofree char *allowed = NULL;
    va_list args;

    va_start(args, format);
    allowed = g_strdup_vprintf(format, args);
    va_end(args);
    /* Translators: a wrong value, then what is allowed instead: “12 apples” is not … */
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("%s is not allowed: %s"), quoted, allowed);
    return FALSE;
}

/*
 * Reads digits, optionally a point and up to DECIMALS digits, as thousandths; sets END behind them. FALSE
 * when there is no digit, when a point has no digit behind it, when there are too many decimals, or on
 * overflow.
 */
static gboolean read_thousandths(const char *text, guint64 *thousandths, const char **end)
{
    guint64 value = 0;
    const char *p = text;
    guint decimals = 0;

    if (!g_ascii_isdigit(*p))
        return FALSE;
    for (; g_ascii_isdigit(*p); p++) {
        if (!g_uint64_checked_mul(&value, value, 10) ||
            !g_uint64_checked_add(&value, value, (guint64)(*p - '0')))
            return FALSE;
    }
    if (!g_uint64_checked_mul(&value, value, SCALE))
        return FALSE;
    if (*p == '.') {
        guint64 weight = SCALE / 10;

        for (p++; g_ascii_isdigit(*p); p++, decimals++, weight /= 10) {
            if (decimals == DECIMALS || !g_uint64_checked_add(&value, value, weight * (guint64)(*p - '0')))
                return FALSE;
        }
        if (decimals == 0)
            return FALSE;
    }
    *thousandths = value;
    *end = p;
    return TRUE;
}

/* A number with one of UNITS; a product that is no whole number is no value either. */
static gboolean read_with_unit(const char *text, const struct unit *units, guint64 *value)
{
    const char *rest = NULL;
    guint64 thousandths, product;

    if (!read_thousandths(text, &thousandths, &rest))
        return FALSE;
    if (*rest == ' ' && rest[1] != '\0')
        rest++;

    for (const struct unit *unit = units; unit->name != NULL; unit++) {
        if (strcmp(rest, unit->name) != 0)
            continue;
        if (!g_uint64_checked_mul(&product, thousandths, unit->factor) || product % SCALE != 0)
            return FALSE;
        *value = product / SCALE;
        return TRUE;
    }
    return FALSE;
}

gboolean plt_value_size(const char *text, guint64 min, guint64 max, guint64 *bytes, GError **error)
{
    g_autofree char *low = plt_value_size_text(min);
    g_autofree char *high = plt_value_size_text(max);
    guint64 value;

    if (!read_with_unit(text, size_units, &value) || value < min || value > max)
        return refuse(error, text,
                      _("a size is a number with K, M, G or T (binary: 4K = 4096), from %s to %s"), low,
                      high);
    *bytes = value;
    return TRUE;
}

gboolean plt_value_time(const char *text, guint64 min_ms, guint64 max_ms, guint64 *ms, GError **error)
{
    g_autofree char *low = plt_value_time_text(min_ms);
    g_autofree char *high = plt_value_time_text(max_ms);
    guint64 value;

    if (!read_with_unit(text, time_units, &value) || value < min_ms || value > max_ms)
        return refuse(error, text,
                      _("a time is a number of seconds, or one with ms, s, min or h, from %s to %s"), low,
                      high);
    *ms = value;
    return TRUE;
}

gboolean plt_value_rate(const char *text, guint64 min, guint64 max, guint64 *bytes_per_second, GError **error)
{
    guint64 value;

    if (!read_with_unit(text, rate_units, &value) || value < min || value > max)
        return refuse(
            error, text,
            _("a rate is a number with kB/s, MB/s or GB/s (decimal), from %" PRIu64 " to %" PRIu64 " B/s"),
            min, max);
    *bytes_per_second = value;
    return TRUE;
}

/* Digits only, no sign, no spaces; FALSE on overflow of a guint as well. */
static gboolean read_count(const char *text, gsize length, guint *value)
{
    guint result = 0;

    if (length == 0)
        return FALSE;
    for (gsize i = 0; i < length; i++) {
        if (!g_ascii_isdigit(text[i]) || !g_uint_checked_mul(&result, result, 10) ||
            !g_uint_checked_add(&result, result, (guint)(text[i] - '0')))
            return FALSE;
    }
    *value = result;
    return TRUE;
}

gboolean plt_value_count(const char *text, guint min, guint max, guint *count, GError **error)
{
    guint value;

    if (!read_count(text, strlen(text), &value) || value < min || value > max)
        return refuse(error, text, _("a whole number from %u to %u"), min, max);
    *count = value;
    return TRUE;
}

gboolean plt_value_percent(const char *text, guint min, guint max, guint *percent, GError **error)
{
    gsize length = strlen(text);
    guint value;

    if (length > 0 && text[length - 1] == '%')
        length--;
    if (!read_count(text, length, &value) || value < min || value > max)
        return refuse(error, text, _("a whole number of percent from %u to %u"), min, max);
    *percent = value;
    return TRUE;
}

gboolean plt_value_seed(const char *text, guint64 *seed, GError **error)
{
    gboolean hexadecimal = g_str_has_prefix(text, "0x");
    const char *digits = hexadecimal ? text + 2 : text;
    guint base = hexadecimal ? 16 : 10;
    guint64 value = 0;

    for (const char *p = digits; *p != '\0'; p++) {
        int digit = g_ascii_xdigit_value(*p);

        if (digit < 0 || digit >= (int)base || !g_uint64_checked_mul(&value, value, base) ||
            !g_uint64_checked_add(&value, value, (guint64)digit))
            return refuse(error, text, _("a 64-bit number, or one in hexadecimal with 0x in front"));
    }
    if (*digits == '\0')
        return refuse(error, text, _("a 64-bit number, or one in hexadecimal with 0x in front"));
    *seed = value;
    return TRUE;
}

gboolean plt_value_choice(const char *text, const char *const *names, guint *index, GError **error)
{
    g_autofree char *all = NULL;

    for (guint i = 0; names[i] != NULL; i++) {
        if (strcmp(text, names[i]) == 0) {
            *index = i;
            return TRUE;
        }
    }
    all = g_strjoinv(", ", (char **)names);
    return refuse(error, text, _("one of %s"), all);
}

gboolean plt_value_boolean(const char *text, gboolean *value, GError **error)
{
    static const char *const names[] = {"no", "yes", NULL};
    guint index;

    if (!plt_value_choice(text, names, &index, error))
        return FALSE;
    *value = index == 1;
    return TRUE;
}

gboolean plt_value_text(const char *text, guint max, char **value, GError **error)
{
    glong length = g_utf8_validate(text, -1, NULL) ? g_utf8_strlen(text, -1) : 0;

    for (const char *p = text; length > 0 && *p != '\0'; p = g_utf8_next_char(p)) {
        if (!g_unichar_isprint(g_utf8_get_char(p)))
            length = 0;
    }
    if (length < 1 || length > (glong)max)
        return refuse(error, text, _("one line of 1 to %u printable characters"), max);
    g_set_str(value, text);
    return TRUE;
}

GStrv plt_value_list(const char *text, guint max, GError **error)
{
    /* One more than allowed is enough to know that there are too many, however long the text is. */
    g_auto(GStrv) items = g_strsplit(text, ",", (int)max + 1);
    guint n = g_strv_length(items);

    if (n > max) {
        refuse(error, text, _("a list has at most %u items"), max);
        return NULL;
    }
    for (guint i = 0; i < n; i++)
        g_strstrip(items[i]);
    for (guint i = 0; i < MAX(n, 1); i++) {
        if (n == 0 || items[i][0] == '\0') {
            refuse(error, text,
                   _("a list has one item or several with commas between them, none of them empty"));
            return NULL;
        }
    }
    return g_steal_pointer(&items);
}

char *plt_value_block_name(guint64 bytes)
{
    static const char letters[] = "BKMGT";
    guint i = 0;

    while (i < strlen(letters) - 1 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        i++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT "%c", bytes, letters[i]);
}

char *plt_value_size_text(guint64 bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    guint i = 0;

    while (i < G_N_ELEMENTS(units) - 1 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        i++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s", bytes, units[i]);
}

char *plt_value_time_text(guint64 ms)
{
    if (ms != 0 && ms % (3600 * 1000) == 0)
        return g_strdup_printf("%" G_GUINT64_FORMAT " h", ms / (3600 * 1000));
    if (ms != 0 && ms % (60 * 1000) == 0)
        return g_strdup_printf("%" G_GUINT64_FORMAT " min", ms / (60 * 1000));
    if (ms % 1000 == 0)
        return g_strdup_printf("%" G_GUINT64_FORMAT " s", ms / 1000);
    if (ms < 1000)
        return g_strdup_printf("%" G_GUINT64_FORMAT " ms", ms);
    return g_strdup_printf("%.1f s", (double)ms / 1000);
}
