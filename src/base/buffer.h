// SPDX-License-Identifier: BSD-2-Clause
/* buffer.h - growable bytes, with a maximum. */
#ifndef RC_BASE_BUFFER_H
#define RC_BASE_BUFFER_H

#include <stddef.h>

#include "runcast.h"

/* Start from RC_BUFFER_INIT(maximum); free with rc_buffer_free().  `data` always ends in a NUL
 * that `length` does not count, once anything was added; before that it is NULL. */
struct rc_buffer {
    char *data;
    size_t length;
    size_t capacity;
    size_t maximum; /* of `length` */
    int full;       /* other than 0: something was refused for the maximum, and not for memory */
};

#define RC_BUFFER_INIT(max)                                                                        \
    {                                                                                              \
        .maximum = (max)                                                                           \
    }

/* The next three return -1, and do not change the buffer, if memory runs out or the result would be
 * longer than the maximum. */
int rc_buffer_add(struct rc_buffer *buffer, const void *data, size_t length);
int rc_buffer_add_text(struct rc_buffer *buffer, const char *text);
int rc_buffer_printf(struct rc_buffer *buffer, const char *format, ...) RC_PRINTF(2, 3);

/* Makes room for `length` more bytes and returns their address. The caller then adds the number of
 * bytes that it wrote to `length`, and writes the NUL. NULL as above. */
char *rc_buffer_reserve(struct rc_buffer *buffer, size_t length);

/* Adds the content of a file, up to the maximum: if the buffer is full then, the file may be
 * longer. -1, with `error` set, if the file cannot be read. */
int rc_buffer_read_file(struct rc_buffer *buffer, const char *path, struct rc_error *error);

/* Removes the content; the memory stays allocated. */
void rc_buffer_clear(struct rc_buffer *buffer);
void rc_buffer_free(struct rc_buffer *buffer);

#endif
