// SPDX-License-Identifier: BSD-2-Clause
/* array.h - arrays that grow. */
#ifndef RC_BASE_ARRAY_H
#define RC_BASE_ARRAY_H

#include <stddef.h>

#include "runcast.h"

/* Makes room for `wanted` elements of `size` bytes in an array that has room for `*room`. `array`
 * is the address of the pointer to it, which may be NULL at first. -1, without a change, if memory
 * runs out. Room grows by half, so that adding elements one by one takes linear time. */
int rc_array_room(void *array, size_t wanted, size_t *room, size_t size, struct rc_error *error);

#endif
