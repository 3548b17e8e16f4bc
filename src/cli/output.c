/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "drive/error.h"

static int stdout_errno;

static int write_all(int fd, const char *data, gsize length)
{
    while (length > 0) {
        ssize_t n = write(fd, data, length);

        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            data += n;
            length -= (gsize)n;
        }
    }
    return 0;
}

char *plt_output_clean(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_autoptr(GString) clean = g_string_sized_new(strlen(valid));

    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        GUnicodeType type = g_unichar_type(c);

        /* CONTROL holds ESC and the C1 set; FORMAT holds the marks that reverse the direction of text. */
        if (c != '\n' && (type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT))
            c = 0xFFFD;
        g_string_append_unichar(clean, c);
    }
    return g_string_free_and_steal(g_steal_pointer(&clean));
}

gboolean plt_output_is_unicode(void)
{
    return g_get_charset(NULL);
}

static int write_text(int fd, const char *text)
{
    g_autofree char *clean = plt_output_clean(text);
    g_autofree char *local = NULL, *to = NULL;
    const char *charset;

    if (g_get_charset(&charset))
        return write_all(fd, clean, strlen(clean));
    to = g_strconcat(charset, "//TRANSLIT", NULL);
    local = g_convert_with_fallback(clean, -1, to, "UTF-8", "?", NULL, NULL, NULL);
    if (local == NULL)
        local = g_str_to_ascii(clean, "C");
    return write_all(fd, local, strlen(local));
}

void plt_output_write(const char *data, gsize length)
{
    if (stdout_errno == 0)
        stdout_errno = write_all(STDOUT_FILENO, data, length);
}

void plt_output_print(const char *text)
{
    if (stdout_errno == 0)
        stdout_errno = write_text(STDOUT_FILENO, text);
}

void plt_output_printf(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    plt_output_print(text);
}

void plt_output_json(JsonNode *node)
{
    g_autofree char *text = json_to_string(node, TRUE);

    plt_output_write(text, strlen(text));
    plt_output_write("\n", 1);
}

/* A message is one line whatever it was made of. Standard error that fails has nobody left to tell. */
static void write_line(const char *prefix, const char *text)
{
    g_autofree char *copy = g_strdup(text);
    g_autofree char *line = NULL;

    g_strdelimit(copy, "\r\n", ' ');
    g_strchomp(copy);
    line = g_strconcat(prefix, copy, "\n", NULL);
    (void)write_text(STDERR_FILENO, line);
}

void plt_output_error(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    write_line("plateau-cli: ", text);
}

void plt_output_note(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    write_line("", text);
}

PltExit plt_output_target_status(const GError *error)
{
    if (error->domain != PLT_ERROR)
        return PLT_EXIT_FAILED;
    switch ((PltError)error->code) {
    case PLT_ERROR_USAGE:
        return PLT_EXIT_USAGE;
    case PLT_ERROR_REFUSED:
    case PLT_ERROR_READ_ONLY:
    case PLT_ERROR_NO_SPACE:
    case PLT_ERROR_PERMISSION:
    case PLT_ERROR_UNSUPPORTED:
        return PLT_EXIT_REFUSED;
    case PLT_ERROR_GONE:
    case PLT_ERROR_DEVICE:
        return PLT_EXIT_DEVICE;
    case PLT_ERROR_FORMAT:
    case PLT_ERROR_FAILED:
        return PLT_EXIT_FAILED;
    }
    return PLT_EXIT_FAILED;
}

PltExit plt_output_fail(const GError *error)
{
    plt_output_error("%s", error->message);
    return g_error_matches(error, PLT_ERROR, PLT_ERROR_USAGE) ? PLT_EXIT_USAGE : PLT_EXIT_FAILED;
}

gboolean plt_output_finish(void)
{
    if (stdout_errno == 0 || stdout_errno == EPIPE)
        return TRUE;
    plt_output_error(_("standard output could not be written: %s"), g_strerror(stdout_errno));
    stdout_errno = 0;
    return FALSE;
}
