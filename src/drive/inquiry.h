/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/answer.h"
#include "drive/error.h"

/*
 * One look at what a drive says. A topic is asked for when it is first wanted and kept after that; every
 * answer has its source, or the reason why it is missing. Nothing here changes anything on the drive. Asking
 * may wait for the drive: use a thread where a window must not freeze. An inquiry is used by one thread at a
 * time.
 */
typedef struct plt_inquiry PltInquiry;

/* One way to ask. ASK returns NULL for a topic that is none of its own, else an answer, which may be a lack.
 */
typedef struct plt_inquiry_backend PltInquiryBackend;
struct plt_inquiry_backend {
    PltAnswer *(*ask)(PltInquiryBackend *backend, PltInquiry *inquiry, PltTopic topic);
    void (*free)(PltInquiryBackend *backend);
};

/* A snapshot of the UDisks2 service that several inquiries may share: see drive/udisks.h. */
typedef struct plt_udisks PltUdisks;

/*
 * The drive NAME ("nvme0n1", as /dev or as sysfs write it) below ROOT, by all ways that this process has:
 * sysfs, commands to the drive (root, or group "disk"), UDISKS (may be NULL: one is made when it is needed),
 * smartctl. Only sysfs with a ROOT that is neither NULL nor "": another machine's tree. Fails when there is
 * no such drive.
 */
PltInquiry *plt_inquiry_new(const char *root, const char *name, PltUdisks *udisks, GError **error);

/* One without any way to ask, to which a test or another backend adds its own. */
PltInquiry *plt_inquiry_new_bare(const char *root, const char *name);

/* Takes BACKEND; it is asked after those that are there already. */
void plt_inquiry_add(PltInquiry *inquiry, PltInquiryBackend *backend);

void plt_inquiry_free(PltInquiry *inquiry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltInquiry, plt_inquiry_free)

/* Never NULL; owned by INQUIRY. The first backend that has an answer is taken; where none has, the lack that
 * tells most. */
const PltAnswer *plt_inquiry_ask(PltInquiry *inquiry, PltTopic topic);

/* Its bytes, empty when it is not there. */
PltBytes plt_inquiry_bytes(PltInquiry *inquiry, PltTopic topic);

/* Its object, NULL when it is not there. Borrowed. */
JsonObject *plt_inquiry_object(PltInquiry *inquiry, PltTopic topic);

const char *plt_inquiry_get_root(PltInquiry *inquiry);       /* "" for this machine */
const char *plt_inquiry_get_name(PltInquiry *inquiry);       /* sysfs name */
const char *plt_inquiry_get_controller(PltInquiry *inquiry); /* "nvme0"; NULL for other drives */
gint64 plt_inquiry_get_time(PltInquiry *inquiry);            /* unix µs at which it was asked */
gboolean plt_inquiry_is_replay(PltInquiry *inquiry);
gboolean plt_inquiry_is_nvme(PltInquiry *inquiry);

/* As a recording says it. */
void plt_inquiry_set_replay(PltInquiry *inquiry, const char *controller, gint64 unix_us);

/* The model, from whoever says it; NULL when nobody does. Borrowed. */
const char *plt_inquiry_get_model(PltInquiry *inquiry);
const char *plt_inquiry_get_serial(PltInquiry *inquiry);

/*
 * The sysfs name of the drive that TEXT means: a name, a path below /dev (links are followed), an NVMe
 * controller with one namespace, a serial number. A partition, or anything else, is refused with a sentence.
 */
char *plt_inquiry_find_name(const char *root, const char *text, GError **error);
