// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_crossing.c - the run across two clusters, by which the link between them is measured. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/scale/scale.h"
#include "platform/hostlist.h"

/* Two processes on two hosts of each cluster, and the hosts of both as one expression. */
static int place_sides(const struct rc_cmd_scale_plan *plans,
                       struct rc_cmd_scale_crossing *crossing, struct rc_error *error)
{
    struct rc_hostlist lists[RC_CMD_CROSSING_SIDES] = {0};
    const char *names[4];
    size_t n = 0;
    int status = 0;

    for (size_t i = 0; i < RC_CMD_CROSSING_SIDES && !status; i++) {
        struct rc_scaling_planned *side = &crossing->sides[i];

        status = rc_scaling_plan_side(&plans[i].request, &crossing->block,
                                      crossing->procs / RC_CMD_CROSSING_SIDES, side, error) ||
                 rc_platform_hostlist_expand(side->hosts, strlen(side->hosts), RC_HOSTS_MAX,
                                             &lists[i], error);
        crossing->busy = side->busy > crossing->busy ? side->busy : crossing->busy;
        for (size_t k = 0; k < lists[i].count && n < sizeof names / sizeof *names; k++)
            names[n++] = lists[i].names[k];
    }
    if (!status && !(crossing->hosts = rc_platform_hostlist_compress(names, n, error)))
        status = -1;
    for (size_t i = 0; i < RC_CMD_CROSSING_SIDES; i++)
        rc_platform_hostlist_free(&lists[i]);
    return status ? -1 : 0;
}

/* Whether a run across both clusters is the one that is asked for. */
static bool crosses(const struct rc_cmd_scale_crossing *crossing,
                    const struct rc_scaling_request *request, const struct rc_scaling_run *run)
{
    return run->procs == crossing->procs && rc_scaling_mesh_equal(&run->mesh, &crossing->mesh) &&
           (run->network == 0 || (size_t)run->network == request->network + 1) &&
           (run->per_host == 0 || run->per_host == crossing->busy);
}

int rc_cmd_scale_make_crossing(const struct rc_cmd_scale *scale,
                               const struct rc_cmd_scale_plan *plans,
                               const struct rc_cmd_scale_runs *runs,
                               struct rc_cmd_scale_crossing *crossing, struct rc_error *error)
{
    uint64_t across = 0;
    int status;

    *crossing = (struct rc_cmd_scale_crossing){.procs = 4, .block = plans[0].plan.block};
    for (size_t i = 0; i < RC_CMD_CROSSING_SIDES; i++)
        across |= (uint64_t)1 << (scale->parts[i].cluster % RC_CMD_CROSSING_CLUSTERS);
    status =
        place_sides(plans, crossing, error) ||
        rc_scaling_mesh_of_blocks(&crossing->block, crossing->procs, 1, &crossing->mesh, error);
    for (size_t i = 0; i < runs->n && !status; i++)
        if (runs->asides[i].across == across &&
            crosses(crossing, &plans[0].request, &runs->items[i]))
            status =
                rc_cmd_scale_runs_add(&crossing->used, &runs->items[i], &runs->asides[i], error);
    return status ? -1 : 0;
}

void rc_cmd_scale_crossing_free(struct rc_cmd_scale_crossing *crossing)
{
    for (size_t i = 0; i < RC_CMD_CROSSING_SIDES; i++)
        free(crossing->sides[i].hosts);
    free(crossing->hosts);
    rc_cmd_scale_runs_free(&crossing->used);
    *crossing = (struct rc_cmd_scale_crossing){0};
}
