/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/facts-private.h"

#include <glib/gi18n-lib.h>

#include "drive/ata.h"
#include "drive/nvme-log.h"
#include "drive/size.h"

static char *join(const char *a, const char *b, const char *c)
{
    const char *words[4] = {NULL};
    guint n = 0;

    if (a != NULL)
        words[n++] = a;
    if (b != NULL)
        words[n++] = b;
    if (c != NULL)
        words[n++] = c;
    return n > 0 ? g_strjoinv(", ", (char **)words) : g_strdup(_("none"));
}

static char *sanitize_text(gboolean block, gboolean crypto, gboolean overwrite)
{
    return join(block ? _("block erase") : NULL, crypto ? _("crypto erase") : NULL,
                overwrite ? _("overwrite") : NULL);
}

static char *format_text(const PltNvmeController *controller)
{
    if ((controller->oacs & PLT_NVME_OACS_FORMAT) == 0)
        return g_strdup(_("no"));
    return join(_("yes"), controller->fna & PLT_NVME_FNA_CRYPTO ? _("with crypto erase") : NULL,
                controller->fna & PLT_NVME_FNA_FORMATS_ALL ? _("all namespaces at once") : NULL);
}

static char *memory_text(PltInquiry *inquiry, const PltNvmeController *controller)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_HOST_MEMORY);
    g_autofree char *preferred = plt_size_text(controller->hmb_preferred);
    g_autofree char *used = NULL;

    if (controller->hmb_preferred == 0)
        return g_strdup(_("not needed"));
    if (!plt_answer_is_there(answer))
        return g_strdup_printf(_("asks for %s"), preferred);
    if ((answer->result & 1) == 0)
        return g_strdup_printf(_("asks for %s, gets none"), preferred);
    /* The size is counted in memory pages; 4 KiB is the page of the controllers of all machines that we know.
     */
    used = plt_size_text((guint64)plt_bytes_u32(plt_answer_bytes(answer), 0) * 4096);
    return g_strdup_printf(_("asks for %s, gets %s"), preferred, used);
}

static char *cache_text(PltInquiry *inquiry, const PltNvmeController *controller)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_WRITE_CACHE);

    if ((controller->vwc & 1) == 0)
        return g_strdup(_("none that loses data with the power"));
    if (!plt_answer_is_there(answer))
        return g_strdup(_("loses data with the power"));
    return g_strdup(answer->result & 1 ? _("on, loses data with the power") : _("off"));
}

static char *thermal_text(const PltNvmeController *controller)
{
    if ((controller->hctma & 1) == 0)
        return g_strdup(_("no"));
    return g_strdup_printf(_("from %d to %d °C"), controller->thermal_min_k - 273,
                           controller->thermal_max_k - 273);
}

static char *transfer_text(guint8 mdts)
{
    if (mdts == 0)
        return g_strdup(_("no limit"));
    if (mdts > 30)
        return NULL;
    return plt_size_text((guint64)4096 << mdts);
}

static void add_nvme(PltFactGroup *group, PltInquiry *inquiry, const PltNvmeController *controller)
{
    plt_fact_add(group, _("Largest transfer"), transfer_text(controller->mdts));
    plt_fact_add(group, _("Write cache"), cache_text(inquiry, controller));
    plt_fact_add(group, _("Host memory buffer"), memory_text(inquiry, controller));
    plt_fact_add_flag(group, _("TRIM (Deallocate)"), (controller->oncs & PLT_NVME_ONCS_DEALLOCATE) != 0);
    plt_fact_add_flag(group, _("Write zeroes"), (controller->oncs & PLT_NVME_ONCS_WRITE_ZEROES) != 0);
    plt_fact_add(group, _("Format"), format_text(controller));
    plt_fact_add(group, _("Sanitize"),
                 sanitize_text((controller->sanicap & PLT_NVME_SANICAP_BLOCK) != 0,
                               (controller->sanicap & PLT_NVME_SANICAP_CRYPTO) != 0,
                               (controller->sanicap & PLT_NVME_SANICAP_OVERWRITE) != 0));
    if (controller->oacs & PLT_NVME_OACS_SELF_TEST)
        plt_fact_add(group, _("Self-test"),
                     g_strdup_printf(_("yes, the extended one takes %u min"), controller->self_test_minutes));
    else
        plt_fact_add(group, _("Self-test"), g_strdup(_("no")));
    plt_fact_add_flag(group, _("Manages namespaces"), (controller->oacs & PLT_NVME_OACS_NAMESPACES) != 0);
    plt_fact_add(group, _("Thermal management by the host"), thermal_text(controller));
    plt_fact_add(group, _("Firmware slots"), g_strdup_printf("%u", controller->firmware_updates >> 1 & 7));
}

static void add_ata(PltFactGroup *group, const PltAta *ata)
{
    plt_fact_add(group, _("Write cache"),
                 g_strdup(!ata->write_cache          ? _("none")
                          : ata->write_cache_enabled ? _("on")
                                                     : _("off")));
    plt_fact_add(group, _("TRIM"),
                 !ata->trim ? g_strdup(_("no"))
                            : join(_("yes"), ata->trim_zeroes ? _("trimmed blocks read as zeros") : NULL,
                                   ata->trim_deterministic && !ata->trim_zeroes
                                       ? _("trimmed blocks always read the same")
                                       : NULL));
    plt_fact_add(group, _("Sanitize"),
                 sanitize_text(ata->sanitize_block, ata->sanitize_crypto, ata->sanitize_overwrite));
    plt_fact_add(group, _("Security erase"),
                 g_strdup(!ata->security         ? _("no")
                          : ata->security_frozen ? _("yes, but locked by the firmware until power is cycled")
                                                 : _("yes")));
    plt_fact_add(group, "SMART", g_strdup(!ata->smart ? _("no") : ata->smart_enabled ? _("on") : _("off")));
    plt_fact_add_flag(group, _("Self-test"), ata->self_tests);
}

PltFactGroup *plt_drive_facts_abilities(PltInquiry *inquiry)
{
    PltTopic topic = plt_inquiry_is_nvme(inquiry) ? PLT_TOPIC_CONTROLLER : PLT_TOPIC_ATA_IDENTIFY;
    const PltAnswer *answer = plt_inquiry_ask(inquiry, topic);
    PltFactGroup *group = plt_fact_group_new("abilities", _("Abilities"), answer);
    PltNvmeController controller;
    PltAta ata;

    if (topic == PLT_TOPIC_CONTROLLER && plt_fact_controller(inquiry, &controller))
        add_nvme(group, inquiry, &controller);
    else if (topic == PLT_TOPIC_ATA_IDENTIFY && plt_ata_decode(plt_answer_bytes(answer), &ata))
        add_ata(group, &ata);
    return group;
}

PltFactGroup *plt_drive_facts_firmware(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_FIRMWARE_LOG);
    PltFactGroup *group;
    PltNvmeFirmware firmware;

    if (!plt_nvme_firmware_decode(plt_answer_bytes(answer), &firmware))
        return NULL;
    group = plt_fact_group_new("firmware", _("Firmware"), answer);
    for (guint i = 0; i < G_N_ELEMENTS(firmware.slots); i++) {
        g_autofree char *title = g_strdup_printf(_("Slot %u"), i + 1);

        if (firmware.slots[i][0] != '\0')
            plt_fact_add(group, title,
                         join(firmware.slots[i], firmware.active == i + 1 ? _("active") : NULL,
                              firmware.next == i + 1 ? _("active after the next reset") : NULL));
    }
    return group;
}

PltFactGroup *plt_drive_facts_sanitize(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_SANITIZE_LOG);
    PltFactGroup *group;
    PltNvmeSanitize sanitize;
    const struct {
        const char *title;
        const guint32 *seconds;
    } times[] = {
        {_("Block erase takes"), &sanitize.block_erase_s},
        {_("Crypto erase takes"), &sanitize.crypto_erase_s},
        {_("Overwrite takes"), &sanitize.overwrite_s},
    };

    if (!plt_nvme_sanitize_decode(plt_answer_bytes(answer), &sanitize))
        return NULL;
    group = plt_fact_group_new("sanitize", _("Sanitize"), answer);
    plt_fact_add(group, _("Last time"), g_strdup(plt_nvme_sanitize_state_text(sanitize.state)));
    if (sanitize.state == 2)
        plt_fact_add(group, _("Done"), g_strdup_printf("%.0f %%", sanitize.progress * 100));
    for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
        if (*times[i].seconds != G_MAXUINT32)
            plt_fact_add(group, times[i].title, g_strdup_printf(_("%u s"), *times[i].seconds));
    }
    return group;
}
