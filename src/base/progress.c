// SPDX-License-Identifier: BSD-2-Clause
/* progress.c - a progress bar on standard error, shown only on a terminal. */
#include "base/progress.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/terminal.h"
#include "base/text.h"
#include "base/unit.h"

static const double FIRST_AFTER = 0.5; /* short work shows nothing */
static const double REDRAW_EVERY = 0.1;

void rc_progress_begin(struct rc_progress *progress, FILE *out, struct rc_clock *clock,
                       const char *label)
{
    memset(progress, 0, sizeof *progress);
    progress->out = out;
    progress->clock = clock;
    progress->label = label;
    progress->enabled = rc_terminal_is(out);
    progress->begun = clock->monotonic(clock);
    progress->shown = progress->begun + FIRST_AFTER - REDRAW_EVERY;
}

size_t rc_progress_line(char *line, size_t size, const char *label, uint64_t done, uint64_t total,
                        double elapsed, size_t width)
{
    char left[RC_UNIT_SIZE] = "", bar[24];
    size_t filled, length;
    double share = total ? (double)done / (double)total : 0;

    if (share > 1)
        share = 1;
    if (!total && !done) {
        snprintf(line, size, "%s, for %.0f s so far", label, floor(elapsed));
    } else if (!total) {
        snprintf(line, size, "%s: %llu", label, (unsigned long long)done);
    } else {
        filled = (size_t)(share * (sizeof bar - 1));
        memset(bar, '.', sizeof bar - 1);
        memset(bar, '#', filled);
        bar[sizeof bar - 1] = '\0';
        if (share > 0.01 && share < 1)
            rc_unit_format(ceil(elapsed * (1 - share) / share), RC_SECONDS, left);
        snprintf(line, size, "%s [%s] %3d%%%s%s", label, bar, (int)(share * 100),
                 *left ? "  left: " : "", left);
    }
    rc_text_mend_cut(line, size);
    length = rc_text_prefix(line, strlen(line), width ? width - 1 : size);
    line[length] = '\0';
    return length;
}

static bool due(struct rc_progress *progress, double *now)
{
    if (!progress->enabled)
        return false;
    *now = progress->clock->monotonic(progress->clock);
    return *now - progress->shown >= REDRAW_EVERY;
}

static void draw(struct rc_progress *progress, const char *line, double now)
{
    fprintf(progress->out, "\r%s\033[K", line);
    fflush(progress->out);
    progress->shown = now;
    progress->drawn = true;
}

void rc_progress_update(struct rc_progress *progress, uint64_t done, uint64_t total)
{
    char line[256];
    double now;

    if (!due(progress, &now))
        return;
    rc_progress_line(line, sizeof line, progress->label, done, total, now - progress->begun,
                     rc_terminal_width(progress->out));
    draw(progress, line, now);
}

void rc_progress_say(struct rc_progress *progress, const char *format, ...)
{
    char line[256];
    va_list arguments;
    double now;
    size_t width = rc_terminal_width(progress->out);

    if (!due(progress, &now))
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(line, sizeof line);
    line[rc_text_prefix(line, strlen(line), width ? width - 1 : sizeof line)] = '\0';
    draw(progress, line, now);
}

void rc_progress_end(struct rc_progress *progress)
{
    if (progress->drawn) {
        fputs("\r\033[K", progress->out);
        fflush(progress->out);
    }
    progress->drawn = false;
    progress->enabled = false;
}
