/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/database.h"

/* What a version adds to the one before it: SQL, run inside one transaction with all the others it needs. */
typedef struct {
    int version;
    const char *sql;
} PltMigration;

/* "PltL": marks the file as a library of Plateau. */
#define PLT_SCHEMA_APPLICATION_ID 0x506c744c

/* The version that this program reads and writes. */
int plt_schema_version(void);

/* Brings an empty or older library to this program's version; refuses anything else unchanged. */
gboolean plt_schema_ensure(PltDatabase *database, GError **error);

/* The same with other steps: MIGRATIONS in ascending order, ended by version 0. For tests. */
gboolean plt_schema_migrate(PltDatabase *database, const PltMigration *migrations, GError **error);
