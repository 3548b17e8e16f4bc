/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * A key file with line numbers: GKeyFile reads the values, this says where they stand and refuses what
 * GKeyFile lets pass (a group or a key that stands twice, bytes that are no text, keys before any group).
 * Every error is PLT_ERROR_FORMAT and starts with "NAME:LINE: ".
 */
typedef struct plt_keyfile PltKeyfile;

/* One "key[locale]=" of a group, in the order of the file. */
typedef struct {
    char *key;
    char *locale; /* NULL for the plain key */
    guint line;
} PltKeyfileEntry;

typedef struct {
    char *name;
    guint line;
    GArray *entries; /* PltKeyfileEntry */
} PltKeyfileGroup;

/* Larger files are no suites. */
#define PLT_KEYFILE_MAX_BYTES ((gsize)1 << 20)

PltKeyfile *plt_keyfile_new(const char *data, gsize length, const char *name, GError **error);
void plt_keyfile_free(PltKeyfile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltKeyfile, plt_keyfile_free)

guint plt_keyfile_n_groups(const PltKeyfile *file);
const PltKeyfileGroup *plt_keyfile_group(const PltKeyfile *file, guint index);

/* The value, trimmed, escapes decoded; NULL on an escape that is none. Newly allocated. */
char *plt_keyfile_value(const PltKeyfile *file, const PltKeyfileGroup *group, const PltKeyfileEntry *entry,
                        GError **error);

/* Puts "NAME:LINE: " in front of ERROR (which may be NULL) and makes it a PLT_ERROR_FORMAT. */
void plt_keyfile_locate(const PltKeyfile *file, guint line, GError **error);
