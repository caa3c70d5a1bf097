// SPDX-License-Identifier: BSD-2-Clause
/* malloc_tuning.h - settings of malloc() for runcast programs. */
#ifndef RC_BASE_MALLOC_TUNING_H
#define RC_BASE_MALLOC_TUNING_H

/* Reuses freed memory rather than returning it to the system: calculations with many samples
 * allocate and free all the time. Call once, from programs; the library does not change these
 * settings. */
void rc_malloc_keep(void);

#endif
