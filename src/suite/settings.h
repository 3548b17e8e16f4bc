/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/workload.h"
#include "library/run.h"

/* What can be set for a suite, narrowed by a step and overridden for one run: bits of struct
 * plt_settings.set. */
enum plt_setting {
    PLT_SETTING_SIZE = 1 << 0,
    PLT_SETTING_RUNS = 1 << 1,
    PLT_SETTING_WARMUP = 1 << 2,
    PLT_SETTING_SECONDS = 1 << 3,
    PLT_SETTING_INTERVAL = 1 << 4,
    PLT_SETTING_DATA = 1 << 5,
    PLT_SETTING_MIX = 1 << 6,
    PLT_SETTING_SCORE = 1 << 7,
    PLT_SETTING_GENERATOR = 1 << 8,
    PLT_SETTING_TICK = 1 << 9,
    PLT_SETTING_LEAVE = 1 << 10,
};

#define PLT_SETTINGS_ALL ((PLT_SETTING_LEAVE << 1) - 1)

/* What one step can have for itself: the test file, its data and the pauses belong to the whole suite. */
#define PLT_SETTINGS_STEP                                                                                \
    (PLT_SETTING_RUNS | PLT_SETTING_WARMUP | PLT_SETTING_SECONDS | PLT_SETTING_MIX | PLT_SETTING_SCORE | \
     PLT_SETTING_GENERATOR | PLT_SETTING_TICK)

/* All that the target has: the whole drive or range, or what is free in a folder but for a margin. */
#define PLT_SIZE_ALL G_MAXUINT64

/* What one step that fills the free space can have for itself. */
#define PLT_SETTINGS_FREE (PLT_SETTING_RUNS | PLT_SETTING_WARMUP | PLT_SETTING_SCORE | PLT_SETTING_TICK)

struct plt_settings {
    guint set;    /* which of the following count */
    guint64 size; /* bytes of the test file, or of the drive; PLT_SIZE_ALL */
    guint runs;
    guint warmup; /* discarded runs before them */
    guint64 duration_ms;
    guint64 interval_ms;
    enum plt_data data;
    guint zero_percent; /* COMPRESSIBLE only */
    guint mix_percent;  /* share of reads; 0 = mixed cells are not run */
    PltScoreRule score;
    enum plt_generator generator;
    guint64 tick_ms;
    guint64 leave; /* bytes that stay free where all of a folder's space is used; 0 = see target.h */
};

/* What holds where neither suite, nor step, nor override says anything. SIZE and SECONDS are not set. */
struct plt_settings plt_settings_defaults(void);

/* TRUE when KEY names one of the settings in MASK. */
gboolean plt_settings_has_key(const char *key, guint mask);

/* Reads VALUE into the setting KEY, which must be one (plt_settings_has_key). */
gboolean plt_settings_read(struct plt_settings *settings, const char *key, const char *value, GError **error);

/* Takes over everything that OVER sets. */
void plt_settings_merge(struct plt_settings *settings, const struct plt_settings *over);

/* Adds the keys in MASK to NAMES (GPtrArray of static const char *). */
void plt_settings_add_keys(GPtrArray *names, guint mask);

/* The word that stands for a value in files: "zero", "70%", "tausworthe64". */
char *plt_settings_data_text(enum plt_data data, guint zero_percent);
const char *plt_settings_score_name(PltScoreRule score);
const char *plt_settings_generator_name(enum plt_generator generator);
