/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/error.h"

/*
 * The words of one picture, in the language that the picture is in, which need not be the program's: a
 * Korean reviewer with an English desktop wants Korean charts. Immutable once made.
 */
typedef struct plt_language PltLanguage;

/*
 * LANGUAGE is "en", the name of a compiled catalog ("ko"), or NULL for the language of the program. A region
 * ("ko_KR.UTF-8") falls back to its language. Catalogs are <dir>/<language>/LC_MESSAGES/plateau.mo, with
 * <dir> from PLATEAU_LOCALE_DIR or where the program is installed. USAGE when there is no such catalog,
 * FORMAT when it is damaged.
 */
PltLanguage *plt_language_new(const char *language, GError **error);
void plt_language_free(PltLanguage *language);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltLanguage, plt_language_free)

/* The translation of MSGID, or MSGID. Belongs to LANGUAGE or is MSGID itself. */
const char *plt_language_text(const PltLanguage *language, const char *msgid);

/* The same where one English word has two meanings: msgctxt CONTEXT, as C_() marks it. */
const char *plt_language_context(const PltLanguage *language, const char *context, const char *msgid);

/*
 * The translation of FORMAT with each %s replaced by the next of the strings that follow (at most 9, up to a
 * NULL), or %2$s by the second, and each %% by a percent sign. No other conversion exists, so a bad
 * translation or a damaged catalog can show wrong words and nothing worse. Newly allocated.
 */
char *plt_language_format(const PltLanguage *language, const char *format, ...) G_GNUC_NULL_TERMINATED;

/* The tag for shaping ("ko"): which forms of Han characters are drawn. Never NULL. */
const char *plt_language_tag(const PltLanguage *language);
