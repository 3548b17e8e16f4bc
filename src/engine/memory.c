/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* Maps a huge page more than asked, then gives back what stands before and behind the aligned part. */
static void *map_aligned(size_t length)
{
    unsigned char *start =
        mmap(NULL, length + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) {
        return NULL;
    }
    size_t before = (HUGE_PAGE - ((uintptr_t)start & (HUGE_PAGE - 1))) & (HUGE_PAGE - 1);
    if (before != 0) {
        munmap(start, before);
    }
    munmap(start + before + length, HUGE_PAGE - before);
    return start + before;
}

void *plt_memory_alloc(size_t *length)
{
    *length = (*length + 4095) & ~(size_t)4095;
    if (*length >= HUGE_PAGE) {
        *length = (*length + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    }
    void *data = map_aligned(*length);
    if (data == NULL) {
        return NULL;
    }
    if (*length >= HUGE_PAGE) {
        madvise(data, *length, MADV_HUGEPAGE);
    }
    memset(data, 0, *length);
    return data;
}

void plt_memory_free(void *data, size_t length)
{
    if (data != NULL) {
        munmap(data, length);
    }
}
