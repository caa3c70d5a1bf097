// SPDX-License-Identifier: BSD-2-Clause
/* error.c - filling in a struct rc_error. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

RC_PRINTF(2, 0)
static void fill(struct rc_error *error, const char *format, va_list arguments)
{
    memset(error, 0, sizeof *error);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    rc_text_mend_cut(error->text, sizeof error->text);
}

int rc_error_set(struct rc_error *error, const char *format, ...)
{
    va_list arguments;

    if (error) {
        va_start(arguments, format);
        fill(error, format, arguments);
        va_end(arguments);
    }
    return -1;
}

int rc_error_at(struct rc_error *error, const char *file, unsigned line, unsigned column,
                const char *format, ...)
{
    va_list arguments;

    if (error) {
        va_start(arguments, format);
        fill(error, format, arguments);
        va_end(arguments);
        snprintf(error->file, sizeof error->file, "%s", file);
        rc_text_mend_cut(error->file, sizeof error->file);
        error->line = line;
        error->column = column;
    }
    return -1;
}

int rc_error_hint(struct rc_error *error, const char *format, ...)
{
    va_list arguments;

    if (error) {
        va_start(arguments, format);
        vsnprintf(error->hint, sizeof error->hint, format, arguments);
        va_end(arguments);
        rc_text_mend_cut(error->hint, sizeof error->hint);
    }
    return -1;
}

int rc_error_code(struct rc_error *error, const char *code, const char *facts, ...)
{
    va_list arguments;

    if (error) {
        error->code = code;
        error->facts[0] = '\0';
        if (facts) {
            va_start(arguments, facts);
            vsnprintf(error->facts, sizeof error->facts, facts, arguments);
            va_end(arguments);
            rc_text_mend_cut(error->facts, sizeof error->facts);
        }
    }
    return -1;
}

int rc_error_set_code(struct rc_error *error, const char *code, const char *format, ...)
{
    va_list arguments;

    if (error) {
        va_start(arguments, format);
        fill(error, format, arguments);
        va_end(arguments);
        error->code = code;
    }
    return -1;
}

int rc_error_hint_of(struct rc_error *error, const struct rc_error *inner)
{
    if (error && error != inner) {
        memcpy(error->hint, inner->hint, sizeof error->hint);
        memcpy(error->facts, inner->facts, sizeof error->facts);
        error->code = inner->code;
    }
    return -1;
}

int rc_error_errno(struct rc_error *error, int errno_value, const char *format, ...)
{
    va_list arguments;
    size_t length;

    if (error) {
        va_start(arguments, format);
        fill(error, format, arguments);
        va_end(arguments);
        length = strlen(error->text);
        snprintf(error->text + length, sizeof error->text - length, ": %s", strerror(errno_value));
        error->system = errno_value == ENOMEM || errno_value == EIO || errno_value == ENOSPC ||
                        errno_value == EDQUOT || errno_value == EMFILE || errno_value == ENFILE;
    }
    return -1;
}

int rc_error_no_memory(struct rc_error *error)
{
    rc_error_set(error, "out of memory");
    return rc_error_system(error);
}

int rc_error_system(struct rc_error *error)
{
    if (error)
        error->system = 1;
    return -1;
}
