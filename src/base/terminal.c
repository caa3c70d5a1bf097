// SPDX-License-Identifier: BSD-2-Clause
/* terminal.c - the size of a terminal. */
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"

bool rc_terminal_is(FILE *stream)
{
    const char *term = getenv("TERM");

    return isatty(fileno(stream)) && (!term || strcmp(term, "dumb") != 0);
}

size_t rc_terminal_width(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    int64_t width;

    if (!isatty(fileno(stream)))
        return 0;
    if (columns && rc_number_parse_integer(columns, strlen(columns), &width) == 0 && width >= 20 &&
        width <= 10000)
        return (size_t)width;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    return 80;
}

size_t rc_terminal_height(FILE *stream)
{
    struct winsize size;

    return isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_row
                                                                                   : 0;
}
