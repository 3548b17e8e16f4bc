/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Asks the system's login manager (systemd-logind, elogind) to keep the computer awake and on until the
 * descriptor that is returned is closed. WHY is shown to whoever tries. -1 where nobody can be asked or it is
 * not allowed: a run goes on without, and a suspension shows in its warnings.
 */
int plt_inhibit_sleep(const char *why);
