/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/facts-private.h"

#include <glib/gi18n-lib.h>

#include "drive/drive-text.h"
#include "drive/pcie.h"

static char *link_text(JsonObject *device, const char *member, const char *bandwidth)
{
    const char *link = json_object_get_string_member_with_default(device, member, NULL);
    gint64 bytes = json_object_get_int_member_with_default(device, bandwidth, 0);
    g_autofree char *text = link != NULL ? plt_drive_link_text(link) : NULL;

    if (text == NULL || bytes <= 0)
        return g_steal_pointer(&text);
    return g_strdup_printf("%s (%.2f GB/s)", text, (double)bytes / 1e9);
}

static gint64 bandwidth_of(JsonObject *device, const char *member)
{
    return json_object_get_int_member_with_default(device, member, 0);
}

/* The link should be what the weaker end is able to. */
static void add_speed_notes(PltFactGroup *group, JsonObject *device)
{
    gint64 now = bandwidth_of(device, "link_bandwidth_bps");
    gint64 drive = bandwidth_of(device, "link_max_bandwidth_bps");
    gint64 slot = bandwidth_of(device, "link_slot_max_bandwidth_bps");
    gint64 possible = slot > 0 ? MIN(drive, slot) : drive;

    if (now <= 0 || drive <= 0)
        return;
    if (now < possible)
        plt_fact_add_note(group,
                          g_strdup(_("The link runs slower than both ends could: look at the contacts, the "
                                     "firmware settings and power saving before measuring.")));
    if (slot > 0 && slot < drive)
        plt_fact_add_note(group, g_strdup(_("The slot is slower than the drive: the highest figures are the "
                                            "slot's, not the drive's.")));
}

static void add_payload(PltFactGroup *group, JsonObject *device, const PltPcie *pcie, const PltPcie *port)
{
    double bandwidth = (double)bandwidth_of(device, "link_bandwidth_bps");
    double ceiling = plt_pcie_ceiling(bandwidth, pcie->payload);

    if (pcie->payload > 0)
        plt_fact_add(group, _("Payload of a packet (MPS)"),
                     g_strdup_printf(_("%u bytes; the drive could %u"), pcie->payload, pcie->payload_max));
    if (port->payload_max > 0)
        plt_fact_add(group, _("Payload that the slot could"),
                     g_strdup_printf(_("%u bytes"), port->payload_max));
    if (pcie->request > 0)
        plt_fact_add(group, _("Read request (MRRS)"), g_strdup_printf(_("%u bytes"), pcie->request));
    if (ceiling > 0)
        plt_fact_add(group, _("Ceiling of the link"), g_strdup_printf("%.2f GB/s", ceiling / 1e9));
    if (ceiling > 0 && pcie->payload < pcie->payload_max)
        plt_fact_add_note(
            group, g_strdup_printf(_("The system sends packets of %u bytes where the drive could %u: at "
                                     "most %.2f GB/s pass the link, with larger ones %.2f GB/s would."),
                                   pcie->payload, pcie->payload_max, ceiling / 1e9,
                                   plt_pcie_ceiling(bandwidth, pcie->payload_max) / 1e9));
}

static void add_power(PltFactGroup *group, JsonObject *link)
{
    static const struct {
        const char *member, *title;
    } states[] = {
        {"l0s_aspm", "L0s"},
        {"l1_aspm", "L1"},
        {"l1_1_aspm", "L1.1"},
        {"l1_2_aspm", "L1.2"},
    };
    g_autoptr(GString) on = g_string_new(NULL);
    gboolean known = FALSE;

    for (gsize i = 0; i < G_N_ELEMENTS(states); i++) {
        if (!json_object_has_member(link, states[i].member))
            continue;
        known = TRUE;
        if (json_object_get_boolean_member_with_default(link, states[i].member, FALSE))
            g_string_append_printf(on, "%s%s", on->len > 0 ? ", " : "", states[i].title);
    }
    if (known)
        plt_fact_add(group, _("Power saving (ASPM)"), g_strdup(on->len > 0 ? on->str : _("off")));
    plt_fact_add(group, _("PCI address"),
                 g_strdup(json_object_get_string_member_with_default(link, "address", NULL)));
}

PltFactGroup *plt_drive_facts_link(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_DEVICE);
    JsonObject *device = plt_answer_object(answer), *link = plt_inquiry_object(inquiry, PLT_TOPIC_LINK);
    PltFactGroup *group = plt_fact_group_new("link", _("Link"), answer);
    PltPcie pcie, port;

    if (device == NULL)
        return group;
    plt_fact_add(group, _("Now"), link_text(device, "link", "link_bandwidth_bps"));
    plt_fact_add(group, _("The drive could"), link_text(device, "link_max", "link_max_bandwidth_bps"));
    plt_fact_add(group, _("The slot could"),
                 link_text(device, "link_slot_max", "link_slot_max_bandwidth_bps"));
    plt_fact_add(group, _("USB bridge"),
                 g_strdup(json_object_get_string_member_with_default(device, "usb_id", NULL)));
    plt_fact_add(group, _("USB driver"),
                 g_strdup(json_object_get_string_member_with_default(device, "usb_driver", NULL)));
    add_speed_notes(group, device);
    plt_pcie_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_PORT_CONFIG), &port);
    if (plt_pcie_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_PCI_CONFIG), &pcie))
        add_payload(group, device, &pcie, &port);
    if (link != NULL)
        add_power(group, link);
    return group;
}
