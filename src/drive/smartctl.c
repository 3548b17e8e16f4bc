/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/smartctl.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "drive/backend.h"
#include "drive/smart-private.h"

/* A disk that spins up takes up to half a minute. */
#define TIMEOUT_S 60

/* Bits of smartctl(8)'s exit status: its command line was wrong; the device could not be opened, or sleeps.
 * The others are about the drive's health, and the document is there. */
#define EXIT_NOTHING 3

static const char *const places[] = {"/usr/sbin/smartctl", "/sbin/smartctl", "/usr/local/sbin/smartctl"};

/* A user's PATH often lacks the folders that the program is in. */
char *plt_smartctl_find(void)
{
    char *path = g_find_program_in_path("smartctl");

    for (gsize i = 0; path == NULL && i < G_N_ELEMENTS(places); i++) {
        if (g_file_test(places[i], G_FILE_TEST_IS_EXECUTABLE))
            path = g_strdup(places[i]);
    }
    return path;
}

/* The first of the document's messages; newly allocated, NULL when it has none. */
static char *message_of(JsonObject *document)
{
    JsonObject *own = plt_json_object_member(document, "smartctl");
    JsonNode *node = own != NULL ? json_object_get_member(own, "messages") : NULL;
    JsonArray *messages = node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    JsonNode *first =
        messages != NULL && json_array_get_length(messages) > 0 ? json_array_get_element(messages, 0) : NULL;
    const char *text =
        first != NULL && JSON_NODE_HOLDS_OBJECT(first)
            ? json_object_get_string_member_with_default(json_node_get_object(first), "string", NULL)
            : NULL;

    return g_strdup(text);
}

PltAnswer *plt_smartctl_parse(const char *text, gsize length, int exit_status)
{
    g_autoptr(JsonParser) parser = json_parser_new_immutable();
    JsonNode *root;

    if (!json_parser_load_from_data(parser, text, (gssize)length, NULL))
        return plt_answer_new_failure(_("smartctl said nothing that could be understood"));
    root = json_parser_get_root(parser);
    if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root))
        return plt_answer_new_failure(_("smartctl said nothing that could be understood"));
    if (exit_status & EXIT_NOTHING) {
        g_autofree char *message = message_of(json_node_get_object(root));

        if (message == NULL)
            return plt_answer_new_failure(_("smartctl could not read the drive"));
        return plt_answer_new_failure(_("smartctl could not read the drive: %s"), message);
    }
    return plt_answer_new_document(PLT_SOURCE_SMARTCTL, json_node_copy(root));
}

typedef struct {
    GMainLoop *loop;
    GBytes *output;
} Wait;

static void communicated(GObject *source, GAsyncResult *result, gpointer user)
{
    Wait *wait = user;

    g_subprocess_communicate_finish(G_SUBPROCESS(source), result, &wait->output, NULL, NULL);
    g_main_loop_quit(wait->loop);
}

static gboolean expired(gpointer process)
{
    g_subprocess_force_exit(process);
    return G_SOURCE_REMOVE;
}

/* Waits in a loop of its own, which works in any thread. */
static GBytes *communicate(GSubprocess *process)
{
    g_autoptr(GMainContext) context = g_main_context_new();
    g_autoptr(GMainLoop) loop = g_main_loop_new(context, FALSE);
    g_autoptr(GSource) timeout = g_timeout_source_new_seconds(TIMEOUT_S);
    Wait wait = {.loop = loop};

    g_main_context_push_thread_default(context);
    g_source_set_callback(timeout, expired, process, NULL);
    g_source_attach(timeout, context);
    g_subprocess_communicate_async(process, NULL, NULL, communicated, &wait);
    g_main_loop_run(loop);
    g_source_destroy(timeout);
    g_main_context_pop_thread_default(context);
    return wait.output;
}

PltAnswer *plt_smartctl_run_with(const char *program, const char *const *arguments)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(GSubprocess) process = NULL;
    g_autoptr(GBytes) output = NULL;
    gsize length = 0;
    const char *text;

    g_strv_builder_add_many(builder, program, "--json=c", NULL);
    g_strv_builder_addv(builder, (const char **)arguments);
    words = g_strv_builder_end(builder);
    process = g_subprocess_newv((const char *const *)words,
                                G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
    if (process == NULL)
        return plt_answer_new_failure(_("smartctl could not be started: %s"), error->message);
    output = communicate(process);
    if (!g_subprocess_get_if_exited(process))
        return plt_answer_new_failure(_("smartctl did not end within %d s: the drive does not answer"),
                                      TIMEOUT_S);
    text = output != NULL ? g_bytes_get_data(output, &length) : "";
    return plt_smartctl_parse(text != NULL ? text : "", length, g_subprocess_get_exit_status(process));
}

PltAnswer *plt_smartctl_run(const char *program, const char *device)
{
    const char *const arguments[] = {"-x", device, NULL};

    return plt_smartctl_run_with(program, arguments);
}

/* Drives that speak SCSI to the kernel: SATA, USB bridges, SAS. */
static gboolean is_candidate(PltInquiry *inquiry)
{
    const char *name = plt_inquiry_get_name(inquiry);

    return g_str_has_prefix(name, "sd") || g_str_has_prefix(name, "hd");
}

static PltAnswer *smartctl_ask(PltInquiryBackend *backend, PltInquiry *inquiry, PltTopic topic)
{
    g_autofree char *program = NULL, *device = NULL;

    if (topic != PLT_TOPIC_SMARTCTL)
        return NULL;
    if (!is_candidate(inquiry))
        return plt_answer_new_lack(PLT_LACK_BUS);
    if (geteuid() != 0)
        return plt_answer_new_lack(PLT_LACK_PERMISSION);
    program = plt_smartctl_find();
    if (program == NULL)
        return plt_answer_new_lack(PLT_LACK_TOOL);
    device = g_strconcat("/dev/", plt_inquiry_get_name(inquiry), NULL);
    return plt_smartctl_run(program, device);
}

static void smartctl_free(PltInquiryBackend *backend)
{
    g_free(backend);
}

PltInquiryBackend *plt_smartctl_backend_new(void)
{
    PltInquiryBackend *backend = g_new0(PltInquiryBackend, 1);

    backend->ask = smartctl_ask;
    backend->free = smartctl_free;
    return backend;
}
