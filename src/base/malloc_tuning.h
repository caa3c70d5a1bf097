// SPDX-License-Identifier: BSD-2-Clause
/* malloc_tuning.h - how a program of ours keeps its memory. */
#ifndef RC_BASE_MALLOC_TUNING_H
#define RC_BASE_MALLOC_TUNING_H

/* Lets memory that is freed be used again at once, rather than be given back to the system and
 * asked for anew: what calculates with many draws allocates and frees all the time.  To be called
 * once, by programs; the library leaves such things to whoever links it. */
void rc_malloc_keep(void);

#endif
