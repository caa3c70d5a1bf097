// SPDX-License-Identifier: BSD-2-Clause
/* last_line.c - the last line that a program wrote before it failed. */
#include "base/last_line.h"

#include <stdbool.h>
#include <string.h>

/* A line of what a program wrote, without the blanks around it. */
struct line {
    const char *text;
    size_t length;
};

static struct line next_line(const char **at, const char *end)
{
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    struct line line = {*at, (size_t)((stop ? stop : end) - *at)};

    *at = stop ? stop + 1 : end;
    while (line.length && strchr(" \t\r", line.text[0])) {
        line.text++;
        line.length--;
    }
    while (line.length && strchr(" \t\r", line.text[line.length - 1]))
        line.length--;
    return line;
}

/* "-----", with which launchers frame their messages. */
static bool is_rule(struct line line)
{
    bool rule = line.length >= 5 && strchr("-=*_#~+", line.text[0]);

    for (size_t i = 1; i < line.length && rule; i++)
        rule = line.text[i] == line.text[0];
    return rule;
}

void rc_last_line(const char *text, size_t length, struct rc_buffer *last)
{
    const char *end = text + length, *at = text;
    size_t rules = 0;
    bool outside = false;

    while (at < end) {
        struct line line = next_line(&at, end);

        rules += is_rule(line);
        outside |= line.length && !is_rule(line) && rules % 2 == 0;
    }
    at = text;
    for (size_t seen = 0; at < end;) {
        struct line line = next_line(&at, end);

        seen += is_rule(line);
        if (line.length == 0 || is_rule(line) || (rules % 2 == 0 && outside && seen % 2 == 1))
            continue;
        if (rules % 2 == 1 || outside) /* the last one stays */
            rc_buffer_clear(last);
        else if (seen > 1) /* of the boxes, the first */
            break;
        rc_buffer_printf(last, "%s%.*s", last->length ? " " : "", (int)line.length, line.text);
    }
}
