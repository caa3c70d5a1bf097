// SPDX-License-Identifier: GPL-3.0-or-later
/* agree.c - which like runs disagree, by the numbers that they have in the store. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "cmd/scale/scale.h"

enum { LISTED = 12, LINE = 600 };

static int by_seconds(const void *a, const void *b)
{
    const struct rc_scaling_run *p = a, *q = b;

    return (p->seconds > q->seconds) - (p->seconds < q->seconds);
}

/* The runs of a group, the shortest first; where there are many, the ones in the middle are left
 * out, since those at the ends are the odd ones. */
static void list_runs(const struct rc_scaling_run *runs, size_t n, char line[LINE])
{
    size_t at = 0;

    line[0] = '\0';
    for (size_t i = 0; i < n && at < LINE; i++) {
        if (n > LISTED && i == LISTED / 2) {
            at += (size_t)snprintf(line + at, LINE - at, ", ...");
            i = n - LISTED / 2;
        }
        if (at < LINE)
            at += (size_t)snprintf(line + at, LINE - at, "%s%.4g s (run %" PRId64 ")",
                                   i ? ", " : "", runs[i].seconds, runs[i].id);
    }
    rc_text_mend_cut(line, LINE);
}

/* `room` has places for all runs. */
static void note_group(const struct rc_scaling_group *group, const struct rc_scaling_runs *used,
                       struct rc_scaling_run *room)
{
    char mesh[RC_MESH_TEXT], block[RC_MESH_TEXT], line[LINE];
    size_t n = 0;

    for (size_t i = 0; i < used->n; i++)
        if (used->items[i].procs == group->procs &&
            rc_scaling_mesh_equal(&used->items[i].mesh, &group->mesh))
            room[n++] = used->items[i];
    qsort(room, n, sizeof *room, by_seconds);
    list_runs(room, n, line);
    rc_cmd_note("%s on %" PRId64 " process%s, %s each: %s",
                rc_scaling_mesh_text(&group->mesh, mesh), group->procs,
                group->procs == 1 ? "" : "es", rc_scaling_mesh_text(&group->block, block), line);
}

void rc_cmd_scale_note_odd(const struct rc_scaling_samples *samples,
                           const struct rc_scaling_runs *used)
{
    struct rc_scaling_run *room = calloc(used->n + 1, sizeof *room);

    for (size_t i = 0; room && i < samples->n_groups; i++)
        if (rc_scaling_group_disagrees(&samples->groups[i]))
            note_group(&samples->groups[i], used, room);
    free(room);
}
