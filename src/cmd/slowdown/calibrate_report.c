// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate_report.c - what 'runcast slowdown calibrate' reports before it measures, and
 * after it was broken off. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/terminal.h"
#include "cmd/slowdown/slowdown.h"

/* ---- before ---- */

/* "1 host", "2 hosts" and the like after `before`; nothing of none. */
static void add_count(struct rc_buffer *line, size_t n, const char *what)
{
    if (n > 0)
        rc_buffer_printf(line, "%s%zu %s%s", line->length > 0 ? ", " : "", n, what,
                         n == 1 ? "" : "s");
}

/* As roughly as it is known. */
static void add_seconds(struct rc_buffer *line, double seconds)
{
    if (seconds < 100)
        rc_buffer_printf(line, "about %.0f s", fmax(10 * ceil(seconds / 10), 10));
    else if (seconds < 6000)
        rc_buffer_printf(line, "about %.0f min", ceil(seconds / 60));
    else
        rc_buffer_printf(line, "about %.0f hours", ceil(seconds / 3600));
}

void rc_cmd_calibrate_announce(const struct rc_slowdown_calibrate *order,
                               const struct rc_slowdown_calibrate_plan *plan)
{
    struct rc_buffer line = RC_BUFFER_INIT(400);
    size_t counts[3] = {0};

    if (!rc_terminal_is(stderr))
        return;
    for (size_t i = 0; i < plan->n; i++)
        counts[plan->steps[i].kind]++;
    add_count(&line, counts[RC_CALIBRATE_HOST], "host");
    add_count(&line, counts[RC_CALIBRATE_LINK], "link");
    add_count(&line, counts[RC_CALIBRATE_DELAY], "delay curve");
    rc_buffer_add_text(&line, ": ");
    add_seconds(&line, rc_slowdown_calibrate_seconds(order, plan));
    if (order->benchmark && order->parts & RC_CALIBRATION_WEIGHTS)
        rc_buffer_printf(&line, ", and your benchmark %zu time%s", order->rounds * order->n_hosts,
                         order->rounds * order->n_hosts == 1 ? "" : "s");
    fprintf(stderr, "runcast: %s\n", line.data ? line.data : "");
    rc_buffer_free(&line);
}

/* ---- after ---- */

/* A word as a shell takes it. */
static void add_word(struct rc_buffer *line, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=%@+";

    if (*word && word[strspn(word, plain)] == '\0') {
        rc_buffer_printf(line, " %s", word);
        return;
    }
    rc_buffer_add_text(line, " '");
    for (; *word; word++)
        if (*word == '\'')
            rc_buffer_add_text(line, "'\\''");
        else
            rc_buffer_add(line, word, 1);
    rc_buffer_add_text(line, "'");
}

/* An option that was given, and the parts for which it is. */
struct given {
    const char *name, *text; /* NULL as text: it is a number, or a flag */
    double number;           /* 0: none */
    bool flag;
    unsigned parts;
};

static void add_given(struct rc_buffer *line, const struct given *given)
{
    if (!given->text && !(given->number > 0) && !given->flag)
        return;
    rc_buffer_printf(line, " --%s", given->name);
    if (given->text)
        add_word(line, given->text);
    else if (given->number > 0)
        rc_buffer_printf(line, " %.15g", given->number);
}

void rc_cmd_calibrate_rest(const struct rc_cmd_calibrate_options *options, const char *platform,
                           unsigned parts, char text[RC_CMD_REST_SIZE])
{
    enum { ALL = RC_CALIBRATION_ALL, BURSTS = RC_CALIBRATION_BURSTS, DELAY = RC_CALIBRATION_DELAY };
    char names[RC_CALIBRATION_PARTS_SIZE];
    const struct given given[] = {
        {.name = "only", .text = parts == ALL ? NULL : names, .parts = ALL},
        {.name = "platform", .text = platform, .parts = ALL},
        {.name = "hosts", .text = options->hosts, .parts = ALL},
        {.name = "launcher", .text = options->launcher, .parts = ALL},
        {.name = "program", .text = options->program, .parts = ALL},
        {.name = "rounds", .number = (double)options->rounds, .parts = ALL},
        {.name = "benchmark", .text = options->benchmark, .parts = RC_CALIBRATION_WEIGHTS},
        {.name = "bursts", .text = options->bursts, .parts = BURSTS},
        {.name = "word-bytes", .number = options->word_bytes, .parts = BURSTS},
        {.name = "all-links", .flag = options->all_links, .parts = BURSTS},
        {.name = "loopback", .flag = options->loopback, .parts = BURSTS},
        {.name = "communicating", .number = (double)options->communicating, .parts = DELAY},
        {.name = "points", .number = (double)options->points, .parts = DELAY},
        {.name = "quick", .flag = options->quick, .parts = ALL},
        {.name = "db", .text = options->db, .parts = ALL},
    };
    struct rc_buffer line = RC_BUFFER_INIT(1 << 16);

    rc_slowdown_calibration_parts_text(parts, names);
    rc_buffer_add_text(&line, "runcast slowdown calibrate");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].parts & parts)
            add_given(&line, &given[i]);
    snprintf(text, RC_CMD_REST_SIZE, "%s",
             line.data && line.length < RC_CMD_REST_SIZE ? line.data : "...");
    rc_buffer_free(&line);
}
