/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/facts-private.h"

#include <glib/gi18n-lib.h>

#include "drive/health.h"
#include "drive/nvme-command.h"
#include "drive/nvme-log.h"
#include "drive/size.h"

/* A report is to be read: the rest of the log is in the JSON document. */
#define ERRORS_SHOWN 8

static gboolean is_rotational(PltInquiry *inquiry)
{
    JsonObject *device = plt_inquiry_object(inquiry, PLT_TOPIC_DEVICE);

    return device != NULL && json_object_get_boolean_member_with_default(device, "rotational", FALSE);
}

static PltFactGroup *group_for(const PltSmart *smart, const char *id, const char *title)
{
    PltAnswer from = {.source = smart->source, .replayed = smart->replayed};

    return plt_fact_group_new(id, title, &from);
}

PltFactGroup *plt_drive_facts_health(PltInquiry *inquiry)
{
    g_autoptr(PltSmart) smart = plt_smart_read(inquiry, NULL);
    g_autoptr(PltHealth) health =
        plt_health_judge(smart, plt_inquiry_get_model(inquiry), is_rotational(inquiry));
    PltFactGroup *group;

    if (smart == NULL)
        return NULL;
    group = group_for(smart, "health", _("Health"));
    plt_fact_add(group, _("Verdict"), g_strdup(plt_verdict_text(health->verdict)));
    if (health->life_percent >= 0)
        plt_fact_add(group, _("Rated endurance left"), g_strdup_printf("%d %%", health->life_percent));
    for (guint i = 0; i < health->reasons->len; i++)
        plt_fact_add_note(group, g_strdup(health->reasons->pdata[i]));
    return group;
}

static char *number_text(int value)
{
    return value >= 0 ? g_strdup_printf("%d", value) : NULL;
}

static void add_attribute(PltFactGroup *group, const PltSmart *smart, const PltSmartAttribute *attribute)
{
    const char *note = NULL;
    g_autofree char *text = plt_smart_text(attribute);

    plt_health_level(smart, attribute, &note);
    if (smart->kind == PLT_SMART_NVME) {
        plt_fact_add_row(group, plt_smart_title(attribute), text, note);
    } else {
        g_autofree char *id = g_strdup_printf("%u", plt_smart_ata_id(attribute));
        g_autofree char *value = number_text(attribute->value), *worst = number_text(attribute->worst);
        g_autofree char *threshold = number_text(attribute->threshold);

        plt_fact_add_row(group, id, plt_smart_title(attribute), value, worst, threshold, text, note);
    }
}

PltFactGroup *plt_drive_facts_smart(PltInquiry *inquiry)
{
    g_autoptr(PltSmart) smart = plt_smart_read(inquiry, NULL);
    PltFactGroup *group;

    if (smart == NULL)
        return NULL;
    group = group_for(smart, "smart", _("Health attributes"));
    if (smart->kind == PLT_SMART_NVME)
        plt_fact_add_heading(group, "lrl", _("ATTRIBUTE"), _("VALUE"), _("NOTE"));
    else
        plt_fact_add_heading(group, "rlrrrrl", _("ID"), _("ATTRIBUTE"), _("NOW"), _("WORST"), _("LIMIT"),
                             _("RAW"), _("NOTE"));
    for (guint i = 0; i < smart->attributes->len; i++)
        add_attribute(group, smart, smart->attributes->pdata[i]);
    return group;
}

static char *bytes_text(PltWide bytes)
{
    return bytes.high == 0 ? plt_size_amount_text((double)bytes.low) : plt_wide_to_text(bytes);
}

static void add_count(PltFactGroup *group, const char *title, guint64 count)
{
    plt_fact_add(group, title, g_strdup_printf("%" G_GUINT64_FORMAT, count));
}

/* What the flash memory took for what the computer wrote, over the drive's life. */
static void add_amplification(PltFactGroup *group, PltInquiry *inquiry, const PltNvmeOcp *ocp)
{
    g_autoptr(PltSmart) smart = plt_smart_from_nvme_log(plt_inquiry_bytes(inquiry, PLT_TOPIC_SMART_LOG));
    const PltSmartAttribute *host = smart != NULL ? plt_smart_find(smart, "data_units_written") : NULL;
    double written = host != NULL ? plt_wide_to_double(host->raw) * 512000 : 0;

    if (written > 0)
        plt_fact_add(group, _("Write amplification"),
                     g_strdup_printf("%.2f", plt_wide_to_double(ocp->written) / written));
}

PltFactGroup *plt_drive_facts_ocp(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_OCP_LOG);
    PltFactGroup *group;
    PltNvmeOcp ocp;

    if (!plt_nvme_ocp_decode(plt_answer_bytes(answer), &ocp))
        return NULL;
    group = plt_fact_group_new("ocp", _("Datacenter health log (OCP)"), answer);
    plt_fact_add(group, _("Written to the flash memory"), bytes_text(ocp.written));
    plt_fact_add(group, _("Read from the flash memory"), bytes_text(ocp.read));
    add_amplification(group, inquiry, &ocp);
    add_count(group, _("Bad blocks, user area"), ocp.bad_user_blocks);
    add_count(group, _("Bad blocks, system area"), ocp.bad_system_blocks);
    plt_fact_add(group, _("Erasures of a block"),
                 g_strdup_printf(_("%u to %u"), ocp.erase_count_min, ocp.erase_count_max));
    plt_fact_add(group, _("Free blocks"), g_strdup_printf("%u %%", ocp.free_blocks_percent));
    add_count(group, _("Uncorrectable reads"), ocp.uncorrectable_reads);
    add_count(group, _("Errors corrected by parity"), ocp.xor_recoveries);
    add_count(group, _("Soft read errors"), ocp.soft_ecc_errors);
    add_count(group, _("Throttling events"), ocp.throttle_events);
    add_count(group, _("PCIe errors, corrected"), ocp.pcie_correctable_errors);
    add_count(group, _("Link retrainings"), ocp.link_retrainings);
    add_count(group, _("Incomplete shutdowns"), ocp.incomplete_shutdowns);
    if (ocp.capacitor_health_percent != G_MAXUINT16)
        plt_fact_add(group, _("Power loss capacitors"),
                     g_strdup_printf("%u %%", ocp.capacitor_health_percent));
    add_count(group, _("Unaligned requests"), ocp.unaligned_ios);
    add_count(group, _("Power state changes"), ocp.power_state_changes);
    return group;
}

PltFactGroup *plt_drive_facts_self_tests(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_SELF_TEST_LOG);
    PltFactGroup *group;
    PltNvmeSelfTests tests;

    if (!plt_nvme_self_tests_decode(plt_answer_bytes(answer), &tests))
        return NULL;
    group = plt_fact_group_new("self-tests", _("Self-tests"), answer);
    if (tests.running != 0)
        plt_fact_add(
            group, _("Running"),
            g_strdup_printf("%s, %u %%", plt_nvme_self_test_kind_text(tests.running), tests.done_percent));
    else if (tests.n_results == 0)
        plt_fact_add(group, _("Results"), g_strdup(_("none so far")));
    plt_fact_add_heading(group, "lrl", _("TEST"), _("AT HOUR"), _("RESULT"));
    for (guint i = 0; i < tests.n_results; i++) {
        g_autofree char *hours = g_strdup_printf("%" G_GUINT64_FORMAT, tests.results[i].hours);

        plt_fact_add_row(group, plt_nvme_self_test_kind_text(tests.results[i].kind), hours,
                         plt_nvme_self_test_result_text(tests.results[i].result));
    }
    return group;
}

PltFactGroup *plt_drive_facts_errors(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_ERROR_LOG);
    g_autoptr(GArray) errors = plt_nvme_errors_decode(plt_answer_bytes(answer));
    PltFactGroup *group;

    if (!plt_answer_is_there(answer))
        return NULL;
    group = plt_fact_group_new("errors", _("Error log"), answer);
    if (errors->len == 0)
        plt_fact_add(group, _("Entries"), g_strdup(_("none")));
    plt_fact_add_heading(group, "rlrr", _("NUMBER"), _("STATUS"), _("NAMESPACE"), _("LBA"));
    for (guint i = 0; i < MIN(errors->len, ERRORS_SHOWN); i++) {
        const PltNvmeError *error = &g_array_index(errors, PltNvmeError, i);
        g_autofree char *number = g_strdup_printf("%" G_GUINT64_FORMAT, error->count);
        g_autofree char *status = plt_nvme_status_text(error->status);
        g_autofree char *nsid = g_strdup_printf("%u", error->nsid);
        g_autofree char *lba = g_strdup_printf("%" G_GUINT64_FORMAT, error->lba);

        plt_fact_add_row(group, number, status, error->nsid == PLT_NVME_BROADCAST ? _("all") : nsid, lba);
    }
    if (errors->len > ERRORS_SHOWN)
        plt_fact_add_note(group, g_strdup_printf(_("%u older entries are in the JSON document."),
                                                 errors->len - ERRORS_SHOWN));
    return group;
}
