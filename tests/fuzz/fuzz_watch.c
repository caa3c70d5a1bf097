/* fuzz_watch.c - any bytes as what a sensor writes, and any text as a list of links. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/text.h"
#include "host/watch/internal.h"

static void check_number(double value)
{
    must(isnan(value) || (value >= 0 && isfinite(value)));
}

static void check_line(const char *text, size_t length)
{
    struct rc_watch_line line;
    struct rc_error error = {0};

    if (rc_watch_line_read(text, length, &line, &error)) {
        must(error.text[0] != '\0');
        return;
    }
    must(line.kind <= RC_WATCH_LINE_OTHER && line.id >= 0);
    check_number(line.time);
    for (size_t i = 0; i < RC_WATCH_METRICS; i++)
        check_number(line.values[i]);
    check_number(line.bandwidth);
    check_number(line.latency);
    check_number(line.wants);
    must(strlen(line.key) <= RC_WATCH_KEY_MAX && !strpbrk(line.key, " \n\r\t"));
    must(rc_text_is_printable(line.text, strlen(line.text)));
    if (line.kind == RC_WATCH_LINE_SAMPLE || line.kind == RC_WATCH_LINE_CLOCK)
        must(!isnan(line.time));
    if (line.kind == RC_WATCH_LINE_LISTENING)
        must(line.port >= 1 && line.port <= 65535 && line.key[0]);
}

/* In pieces of 1, 2, 3 ... bytes, as a pipe may bring them. */
static void check_pieces(const uint8_t *data, size_t size)
{
    static struct rc_watch_lines lines;
    size_t piece = 1, used;

    lines.length = 0;
    lines.too_long = false;
    for (size_t at = 0; at < size; at += used, piece++) {
        size_t length = piece < size - at ? piece : size - at;

        if (rc_watch_lines_add(&lines, (const char *)data + at, length, &used)) {
            must(lines.length <= RC_WATCH_LINE_MAX);
            if (!lines.too_long)
                check_line(lines.text, lines.length);
            lines.length = 0;
            lines.too_long = false;
        }
        must(used >= 1 && used <= length);
    }
}

static void check_links(const char *text)
{
    static const char *const hosts[] = {"a1", "a2", "b:1"};
    struct rc_watch_link *links;
    size_t n;

    if (rc_watch_links_parse(text, hosts, 3, &links, &n, NULL))
        return;
    must(n >= 1);
    for (size_t i = 0; i < n; i++)
        must(links[i].from < 3 && links[i].to < 3 && links[i].from != links[i].to);
    free(links);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    if (!text)
        return 0;
    check_line(text, size);
    check_pieces(data, size);
    check_links(text);
    free(text);
    return 0;
}
