/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/settings.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/error.h"
#include "suite/value.h"

/*
 * The ranges hold all that CrystalDiskMark offers (16 MiB … 64 GiB, 1 … 60 s, 1 … 9 runs, pauses to 600 s)
 * with room on both sides; the ends are where a value is more likely a slip than a wish.
 */
#define SIZE_MIN (G_GUINT64_CONSTANT(1) << 20)
#define SIZE_MAX_BYTES (G_GUINT64_CONSTANT(64) << 40)
#define DURATION_MIN_MS 100
#define DURATION_MAX_MS (G_GUINT64_CONSTANT(86400) * 1000)
#define INTERVAL_MAX_MS (G_GUINT64_CONSTANT(86400) * 1000)
#define LEAVE_MIN (G_GUINT64_CONSTANT(32) << 20)
#define RUNS_MAX 99
#define WARMUP_MAX 9

static const char *const score_names[] = {[PLT_SCORE_BEST] = "best", [PLT_SCORE_MEDIAN] = "median", NULL};
static const char *const generator_names[] = {
    [PLT_GENERATOR_XOSHIRO256PP] = "xoshiro256pp", [PLT_GENERATOR_TAUSWORTHE64] = "tausworthe64", NULL};

/* Whole MiB, so that the file ends on a block boundary of whatever it lies on. */
static gboolean read_size(struct plt_settings *settings, const char *value, GError **error)
{
    guint64 size = 0;

    if (strcmp(value, "all") == 0) {
        settings->size = PLT_SIZE_ALL;
        return TRUE;
    }
    if (!plt_value_size(value, SIZE_MIN, SIZE_MAX_BYTES, &size, error))
        return FALSE;
    if (size % SIZE_MIN != 0) {
        g_autofree char *quoted = plt_value_quote(value);

        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("%s is not allowed: a test file has a whole number of MiB"), quoted);
        return FALSE;
    }
    settings->size = size;
    return TRUE;
}

/* Less than the minimum does not hold the file system's own records of so large a file. */
static gboolean read_leave(struct plt_settings *settings, const char *value, GError **error)
{
    return plt_value_size(value, LEAVE_MIN, SIZE_MAX_BYTES, &settings->leave, error);
}

static gboolean read_runs(struct plt_settings *settings, const char *value, GError **error)
{
    return plt_value_count(value, 1, RUNS_MAX, &settings->runs, error);
}

static gboolean read_warmup(struct plt_settings *settings, const char *value, GError **error)
{
    return plt_value_count(value, 0, WARMUP_MAX, &settings->warmup, error);
}

static gboolean read_seconds(struct plt_settings *settings, const char *value, GError **error)
{
    return plt_value_time(value, DURATION_MIN_MS, DURATION_MAX_MS, &settings->duration_ms, error);
}

static gboolean read_interval(struct plt_settings *settings, const char *value, GError **error)
{
    return plt_value_time(value, 0, INTERVAL_MAX_MS, &settings->interval_ms, error);
}

static gboolean read_data(struct plt_settings *settings, const char *value, GError **error)
{
    g_autofree char *quoted = NULL;
    guint percent = 0;

    if (strcmp(value, "random") == 0 || strcmp(value, "zero") == 0) {
        settings->data = value[0] == 'r' ? PLT_DATA_RANDOM : PLT_DATA_ZERO;
        settings->zero_percent = 0;
        return TRUE;
    }
    if (g_str_has_suffix(value, "%") && plt_value_percent(value, 0, 100, &percent, NULL)) {
        settings->data = percent == 0     ? PLT_DATA_RANDOM
                         : percent == 100 ? PLT_DATA_ZERO
                                          : PLT_DATA_COMPRESSIBLE;
        settings->zero_percent = settings->data == PLT_DATA_COMPRESSIBLE ? percent : 0;
        return TRUE;
    }
    quoted = plt_value_quote(value);
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                _("%s is not allowed: random, zero, or the compressible share from 0%% to 100%%, as in 50%%"),
                quoted);
    return FALSE;
}

static gboolean read_mix(struct plt_settings *settings, const char *value, GError **error)
{
    g_autofree char *quoted = NULL;

    if (strcmp(value, "off") == 0) {
        settings->mix_percent = 0;
        return TRUE;
    }
    if (plt_value_percent(value, 1, 99, &settings->mix_percent, NULL))
        return TRUE;
    quoted = plt_value_quote(value);
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                _("%s is not allowed: off, or the percentage of reads from 1 to 99"), quoted);
    return FALSE;
}

static gboolean read_score(struct plt_settings *settings, const char *value, GError **error)
{
    guint index = 0;

    if (!plt_value_choice(value, score_names, &index, error))
        return FALSE;
    settings->score = (PltScoreRule)index;
    return TRUE;
}

static gboolean read_generator(struct plt_settings *settings, const char *value, GError **error)
{
    guint index = 0;

    if (!plt_value_choice(value, generator_names, &index, error))
        return FALSE;
    settings->generator = (enum plt_generator)index;
    return TRUE;
}

static gboolean read_tick(struct plt_settings *settings, const char *value, GError **error)
{
    static const char *const names[] = {"100ms", "10ms", NULL};
    guint index = 0;

    if (!plt_value_choice(value, names, &index, error))
        return FALSE;
    settings->tick_ms = index == 0 ? 100 : 10;
    return TRUE;
}

static const struct {
    const char *key;
    guint bit;
    gboolean (*read)(struct plt_settings *settings, const char *value, GError **error);
} table[] = {
    {"size", PLT_SETTING_SIZE, read_size},
    {"runs", PLT_SETTING_RUNS, read_runs},
    {"warmup", PLT_SETTING_WARMUP, read_warmup},
    {"seconds", PLT_SETTING_SECONDS, read_seconds},
    {"interval", PLT_SETTING_INTERVAL, read_interval},
    {"data", PLT_SETTING_DATA, read_data},
    {"mix", PLT_SETTING_MIX, read_mix},
    {"score", PLT_SETTING_SCORE, read_score},
    {"generator", PLT_SETTING_GENERATOR, read_generator},
    {"tick", PLT_SETTING_TICK, read_tick},
    {"leave", PLT_SETTING_LEAVE, read_leave},
};

struct plt_settings plt_settings_defaults(void)
{
    return (struct plt_settings){
        .runs = 1,
        .data = PLT_DATA_RANDOM,
        .score = PLT_SCORE_BEST,
        .generator = PLT_GENERATOR_XOSHIRO256PP,
        .tick_ms = 100,
    };
}

gboolean plt_settings_has_key(const char *key, guint mask)
{
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        if ((table[i].bit & mask) != 0 && strcmp(table[i].key, key) == 0)
            return TRUE;
    }
    return FALSE;
}

gboolean plt_settings_read(struct plt_settings *settings, const char *key, const char *value, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(table[i].key, key) != 0)
            continue;
        if (!table[i].read(settings, value, error))
            return FALSE;
        settings->set |= table[i].bit;
        return TRUE;
    }
    g_return_val_if_reached(FALSE);
}

void plt_settings_merge(struct plt_settings *settings, const struct plt_settings *over)
{
    settings->set |= over->set;
    if (over->set & PLT_SETTING_SIZE)
        settings->size = over->size;
    if (over->set & PLT_SETTING_RUNS)
        settings->runs = over->runs;
    if (over->set & PLT_SETTING_WARMUP)
        settings->warmup = over->warmup;
    if (over->set & PLT_SETTING_SECONDS)
        settings->duration_ms = over->duration_ms;
    if (over->set & PLT_SETTING_INTERVAL)
        settings->interval_ms = over->interval_ms;
    if (over->set & PLT_SETTING_DATA) {
        settings->data = over->data;
        settings->zero_percent = over->zero_percent;
    }
    if (over->set & PLT_SETTING_MIX)
        settings->mix_percent = over->mix_percent;
    if (over->set & PLT_SETTING_SCORE)
        settings->score = over->score;
    if (over->set & PLT_SETTING_GENERATOR)
        settings->generator = over->generator;
    if (over->set & PLT_SETTING_TICK)
        settings->tick_ms = over->tick_ms;
    if (over->set & PLT_SETTING_LEAVE)
        settings->leave = over->leave;
}

void plt_settings_add_keys(GPtrArray *names, guint mask)
{
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        if (table[i].bit & mask)
            g_ptr_array_add(names, (gpointer)table[i].key);
    }
}

char *plt_settings_data_text(enum plt_data data, guint zero_percent)
{
    switch (data) {
    case PLT_DATA_RANDOM:
        return g_strdup("random");
    case PLT_DATA_ZERO:
        return g_strdup("zero");
    case PLT_DATA_COMPRESSIBLE:
        return g_strdup_printf("%u%%", zero_percent);
    }
    g_return_val_if_reached(NULL);
}

const char *plt_settings_score_name(PltScoreRule score)
{
    return score_names[score];
}

const char *plt_settings_generator_name(enum plt_generator generator)
{
    return generator_names[generator];
}
