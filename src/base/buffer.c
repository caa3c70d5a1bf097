// SPDX-License-Identifier: BSD-2-Clause
/* buffer.c - growable bytes, with a maximum. */
#include "base/buffer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

char *rc_buffer_reserve(struct rc_buffer *buffer, size_t length)
{
    size_t need, capacity;
    char *data;

    if (length > buffer->maximum || buffer->length > buffer->maximum - length) {
        buffer->full = 1;
        return NULL;
    }
    need = buffer->length + length + 1;
    if (need > buffer->capacity) {
        capacity = buffer->capacity ? buffer->capacity : 64;
        while (capacity < need)
            capacity = capacity > need / 2 ? need : capacity * 2;
        if (capacity < 2 * buffer->capacity)
            capacity = 2 * buffer->capacity;
        data = realloc(buffer->data, capacity);
        if (!data)
            return NULL;
        buffer->data = data;
        buffer->capacity = capacity;
    }
    return buffer->data + buffer->length;
}

int rc_buffer_add(struct rc_buffer *buffer, const void *data, size_t length)
{
    char *place = rc_buffer_reserve(buffer, length);

    if (!place)
        return -1;
    if (length)
        memcpy(place, data, length);
    place[length] = '\0';
    buffer->length += length;
    return 0;
}

int rc_buffer_add_text(struct rc_buffer *buffer, const char *text)
{
    return rc_buffer_add(buffer, text, strlen(text));
}

int rc_buffer_printf(struct rc_buffer *buffer, const char *format, ...)
{
    va_list arguments;
    int length;
    char *place;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return -1;
    place = rc_buffer_reserve(buffer, (size_t)length);
    if (!place)
        return -1;
    va_start(arguments, format);
    vsnprintf(place, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)length;
    return 0;
}

int rc_buffer_read_file(struct rc_buffer *buffer, const char *path, struct rc_error *error)
{
    FILE *file = fopen(path, "rbe");
    size_t got = 1;
    int status = 0;

    if (!file)
        return rc_error_errno(error, errno, "cannot open %s", path);
    while (got > 0 && status == 0) {
        size_t room = buffer->maximum - buffer->length, want = room < 65536 ? room : 65536;
        char *place = rc_buffer_reserve(buffer, want);

        if (!place) {
            status = rc_error_no_memory(error);
            break;
        }
        got = fread(place, 1, want, file);
        buffer->length += got;
        place[got] = '\0';
    }
    if (status == 0 && ferror(file))
        status = rc_error_errno(error, errno, "cannot read %s", path);
    fclose(file);
    return status;
}

void rc_buffer_clear(struct rc_buffer *buffer)
{
    buffer->length = 0;
    if (buffer->data)
        buffer->data[0] = '\0';
}

void rc_buffer_free(struct rc_buffer *buffer)
{
    free(buffer->data);
    buffer->data = NULL;
    buffer->length = buffer->capacity = 0;
}
