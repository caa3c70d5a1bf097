// SPDX-License-Identifier: BSD-2-Clause
/* array.c - arrays that grow. */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

int rc_array_room(void *array, size_t wanted, size_t *room, size_t size, struct rc_error *error)
{
    void *memory;
    size_t more;

    if (wanted <= *room)
        return 0;
    more = wanted + wanted / 2 + 4; /* many arrays stay small */
    if (more < wanted || more > SIZE_MAX / size)
        return rc_error_no_memory(error);
    memcpy(&memory, array, sizeof memory);
    memory = realloc(memory, more * size);
    if (!memory)
        return rc_error_no_memory(error);
    memcpy(array, &memory, sizeof memory);
    *room = more;
    return 0;
}
