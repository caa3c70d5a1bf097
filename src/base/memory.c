// SPDX-License-Identifier: BSD-2-Clause
/* memory.c - how a program of ours keeps its memory. */
#include "base/memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void rc_memory_keep(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
#endif
}
