// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - the table of hosts on a terminal, and the summary at the end. */
#include "cmd/monitor/monitor.h"

#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "base/unit.h"
#include "report/cell.h"
#include "cmd/core/command.h"

enum { AROUND = 4, HEIGHT_DEFAULT = 24, COLUMNS = 16 }; /* AROUND: lines around the hosts */

/* ---- on a terminal ---- */

/* If not all fit, lost hosts come first. */
static size_t put_hosts(FILE *out, struct rc_watch *watch, size_t width, size_t most)
{
    static const enum rc_watch_state order[] = {RC_WATCH_LOST, RC_WATCH_STARTING, RC_WATCH_UP};
    size_t n = rc_watch_n_hosts(watch), shown = 0;
    bool all = n <= most;
    double now = rc_watch_now(watch);
    struct rc_column columns[COLUMNS];
    size_t n_columns = rc_field_columns(rc_answer_monitor_host, columns, COLUMNS);
    struct rc_table *table = rc_table_create(out, columns, n_columns, width);

    for (size_t pass = 0; table && pass < (all ? 1 : 3); pass++)
        for (size_t i = 0; i < n && shown < most; i++)
            if (all || rc_watch_host(watch, i)->state == order[pass]) {
                const struct rc_answer_monitor_host host =
                    rc_answer_monitor_host_make(rc_watch_host(watch, i), now);

                rc_field_row(table, rc_answer_monitor_host, &host);
                shown++;
            }
    if (table)
        rc_table_finish(table);
    return n - shown;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;

    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

static void put_state(FILE *out, const struct rc_watch *watch,
                      const struct rc_watch_db_info *stored)
{
    fprintf(out, "%zu up, %zu lost, %zu starting; %" PRIu64 " samples stored in %zu series",
            rc_watch_count(watch, RC_WATCH_UP), rc_watch_count(watch, RC_WATCH_LOST),
            rc_watch_count(watch, RC_WATCH_STARTING), stored->stored, stored->series);
    if (stored->dropped)
        fprintf(out, ", %" PRIu64 " lost", stored->dropped);
    fputc('\n', out);
}

void rc_cmd_monitor_clear(struct rc_cmd_monitor_screen *screen)
{
    if (screen->lines > 0)
        printf("\033[%zuA\r\033[J", screen->lines);
    screen->lines = 0;
}

void rc_cmd_monitor_draw(struct rc_cmd_monitor_screen *screen, struct rc_watch *watch,
                         const struct rc_watch_db_info *stored)
{
    size_t height = rc_terminal_height(stdout), size, left;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return;
    if (height == 0)
        height = HEIGHT_DEFAULT;
    left = put_hosts(out, watch, rc_cmd_width(), height > AROUND + 1 ? height - AROUND : 1);
    if (left > 0)
        fprintf(out, "... and %zu more\n", left);
    put_state(out, watch, stored);
    if (fclose(out) == 0) {
        rc_cmd_monitor_clear(screen);
        fputs(text, stdout);
        fflush(stdout);
        screen->lines = count_lines(text);
    }
    free(text);
}

/* ---- at the end ---- */

void rc_cmd_monitor_report(const struct rc_answer_monitor *answer)
{
    const struct rc_watch_db_info *stored = &answer->stored;
    char length[RC_UNIT_SIZE];

    rc_field_table(stdout, rc_answer_monitor_host, answer->hosts, answer->n_hosts,
                   sizeof *answer->hosts, rc_cmd_width(), NULL);
    if (answer->n_links > 0) {
        putchar('\n');
        rc_field_table(stdout, rc_answer_monitor_link, answer->links, answer->n_links,
                       sizeof *answer->links, rc_cmd_width(), NULL);
    }
    rc_unit_format(answer->seconds, RC_SECONDS, length);
    printf("\nmonitored %zu host%s for %s%s: %" PRIu64 " samples stored in %zu series, %" PRIu64
           " lost\n",
           answer->n_hosts, rc_cell_plural((long long)answer->n_hosts, "s"), length,
           answer->interrupted ? " (interrupted)" : "", stored->stored, stored->series,
           stored->dropped + stored->waiting);
}
