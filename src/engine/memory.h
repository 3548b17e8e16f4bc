/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

/*
 * Zeroed, pre-faulted memory on huge pages where the system gives them, aligned to 2 MiB. *LENGTH is rounded
 * up to what was mapped. NULL when there is none.
 */
void *plt_memory_alloc(size_t *length);
void plt_memory_free(void *data, size_t length);
