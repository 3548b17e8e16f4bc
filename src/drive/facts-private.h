/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/facts.h"
#include "drive/nvme-identify.h"

/* SOURCE is the answer that the group is mainly made of. */
PltFactGroup *plt_fact_group_new(const char *id, const char *title, const PltAnswer *source);

/* Takes VALUE; one that is NULL or "" is left out. */
void plt_fact_add(PltFactGroup *group, const char *title, char *value);
void plt_fact_add_flag(PltFactGroup *group, const char *title, gboolean value);

/* As many texts as ALIGN has letters, which is given with the heading. Copied; NULL counts as "". */
void plt_fact_add_heading(PltFactGroup *group, const char *align, ...);
void plt_fact_add_row(PltFactGroup *group, ...);

/* Takes NOTE. */
void plt_fact_add_note(PltFactGroup *group, char *note);

/* "2.0 TB (2,000,398,934,016 bytes)". */
char *plt_fact_capacity_text(guint64 bytes);

/* FALSE when the drive did not answer. */
gboolean plt_fact_controller(PltInquiry *inquiry, PltNvmeController *controller);

/* Adds "controller", "namespace", "power_states", the features and the logs. */
void plt_drive_facts_add_nvme(JsonObject *root, PltInquiry *inquiry);

/* The groups, each NULL when it would be empty. */
PltFactGroup *plt_drive_facts_drive(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_link(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_formats(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_abilities(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_power(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_temperature(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_health(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_smart(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_ocp(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_firmware(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_errors(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_self_tests(PltInquiry *inquiry);
PltFactGroup *plt_drive_facts_sanitize(PltInquiry *inquiry);
