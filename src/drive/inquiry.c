/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/inquiry.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/backend.h"
#include "drive/identity.h"
#include "drive/sysfs.h"

struct plt_inquiry {
    char *root, *name, *controller;
    GPtrArray *backends; /* PltInquiryBackend */
    PltAnswer *answers[PLT_N_TOPICS];
    gint64 taken_us;
    gboolean replay;
};

static void backend_free(gpointer data)
{
    PltInquiryBackend *backend = data;

    backend->free(backend);
}

PltInquiry *plt_inquiry_new_bare(const char *root, const char *name)
{
    PltInquiry *inquiry = g_new0(PltInquiry, 1);

    inquiry->root = g_strdup(root != NULL && !g_str_equal(root, "/") ? root : "");
    inquiry->name = g_strdelimit(g_strdup(name), "/", '!');
    inquiry->controller = plt_identity_controller(inquiry->root, inquiry->name);
    inquiry->backends = g_ptr_array_new_with_free_func(backend_free);
    inquiry->taken_us = g_get_real_time();
    return inquiry;
}

PltInquiry *plt_inquiry_new(const char *root, const char *name, PltUdisks *udisks, GError **error)
{
    g_autoptr(PltInquiry) inquiry = plt_inquiry_new_bare(root, name);

    if (!plt_sysfs_exists(inquiry->root, "/sys/class/block/%s/dev", inquiry->name)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("there is no drive “%s”; “plateau-cli list” shows those that are there"), name);
        return NULL;
    }
    plt_inquiry_add(inquiry, plt_sysfs_backend_new());
    if (inquiry->root[0] == '\0') {
        if (inquiry->controller != NULL)
            plt_inquiry_add(inquiry, plt_nvme_backend_new(inquiry));
        plt_inquiry_add(inquiry, plt_udisks_backend_new(udisks));
        plt_inquiry_add(inquiry, plt_smartctl_backend_new());
    }
    return g_steal_pointer(&inquiry);
}

void plt_inquiry_add(PltInquiry *inquiry, PltInquiryBackend *backend)
{
    g_ptr_array_add(inquiry->backends, backend);
}

void plt_inquiry_free(PltInquiry *inquiry)
{
    if (inquiry == NULL)
        return;
    for (guint i = 0; i < PLT_N_TOPICS; i++)
        plt_answer_free(inquiry->answers[i]);
    g_ptr_array_unref(inquiry->backends);
    g_free(inquiry->root);
    g_free(inquiry->name);
    g_free(inquiry->controller);
    g_free(inquiry);
}

static PltAnswer *ask_backends(PltInquiry *inquiry, PltTopic topic)
{
    PltAnswer *best = NULL;

    for (guint i = 0; i < inquiry->backends->len; i++) {
        PltInquiryBackend *backend = inquiry->backends->pdata[i];
        PltAnswer *answer = backend->ask(backend, inquiry, topic);

        /* PltLack is in the order of how much it tells. */
        if (answer == NULL || (best != NULL && answer->lack != PLT_LACK_NONE && answer->lack <= best->lack)) {
            plt_answer_free(answer);
            continue;
        }
        plt_answer_free(best);
        best = answer;
        if (best->lack == PLT_LACK_NONE)
            break;
    }
    return best != NULL ? best : plt_answer_new_lack(PLT_LACK_BUS);
}

const PltAnswer *plt_inquiry_ask(PltInquiry *inquiry, PltTopic topic)
{
    g_return_val_if_fail(topic < PLT_N_TOPICS, NULL);

    if (inquiry->answers[topic] == NULL)
        inquiry->answers[topic] = ask_backends(inquiry, topic);
    return inquiry->answers[topic];
}

PltBytes plt_inquiry_bytes(PltInquiry *inquiry, PltTopic topic)
{
    return plt_answer_bytes(plt_inquiry_ask(inquiry, topic));
}

JsonObject *plt_inquiry_object(PltInquiry *inquiry, PltTopic topic)
{
    return plt_answer_object(plt_inquiry_ask(inquiry, topic));
}

const char *plt_inquiry_get_root(PltInquiry *inquiry)
{
    return inquiry->root;
}

const char *plt_inquiry_get_name(PltInquiry *inquiry)
{
    return inquiry->name;
}

const char *plt_inquiry_get_controller(PltInquiry *inquiry)
{
    return inquiry->controller;
}

gint64 plt_inquiry_get_time(PltInquiry *inquiry)
{
    return inquiry->taken_us;
}

gboolean plt_inquiry_is_replay(PltInquiry *inquiry)
{
    return inquiry->replay;
}

gboolean plt_inquiry_is_nvme(PltInquiry *inquiry)
{
    return inquiry->controller != NULL;
}

void plt_inquiry_set_replay(PltInquiry *inquiry, const char *controller, gint64 unix_us)
{
    g_free(inquiry->controller);
    inquiry->controller = g_strdup(controller);
    inquiry->taken_us = unix_us;
    inquiry->replay = TRUE;
}

static const char *device_text(PltInquiry *inquiry, const char *member)
{
    JsonObject *device = plt_inquiry_object(inquiry, PLT_TOPIC_DEVICE);

    return device != NULL ? json_object_get_string_member_with_default(device, member, NULL) : NULL;
}

const char *plt_inquiry_get_model(PltInquiry *inquiry)
{
    return device_text(inquiry, "model");
}

const char *plt_inquiry_get_serial(PltInquiry *inquiry)
{
    return device_text(inquiry, "serial");
}
