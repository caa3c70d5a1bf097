// SPDX-License-Identifier: GPL-3.0-or-later
/* memory.c - what a process has in memory: a base, and so much for each cell of its block. */
#include "model/scaling/memory.h"

#include <math.h>

#include "base/error.h"
#include "model/scaling/forms.h"

/* Blocks that differ by less than this factor show no line. */
#define LINE_LEAST 2

double rc_scaling_memory(const struct rc_scaling_model *model, const struct rc_mesh *block)
{
    return model->bytes_base + model->bytes_per_cell * rc_scaling_mesh_cells(block);
}

void rc_scaling_memory_line(const double *cells, const double *bytes, size_t n, double *per_cell,
                            double *base)
{
    double least = INFINITY, most = 0;

    *per_cell = NAN;
    *base = 0;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, cells[i]);
        if (cells[i] > most || (cells[i] == most && bytes[i] / most > *per_cell)) {
            most = cells[i];
            *per_cell = bytes[i] / most;
        }
    }
    if (n > 0 && most >= LINE_LEAST * least)
        rc_scaling_line_rising(cells, bytes, NULL, n, base, per_cell);
}

int rc_scaling_memory_fit(struct rc_scaling_model *model, struct rc_error *error)
{
    double cells[RC_SCALING_GROUPS_MAX] = {0}, bytes[RC_SCALING_GROUPS_MAX] = {0};
    size_t n = 0;

    model->bytes_base = 0;
    model->bytes_per_cell = model->options.bytes_per_cell;
    if (!isnan(model->bytes_per_cell))
        return 0;
    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i];

        if (isnan(group->memory))
            continue;
        cells[n] = rc_scaling_mesh_cells(&group->block);
        bytes[n++] = group->memory;
    }
    rc_scaling_memory_line(cells, bytes, n, &model->bytes_per_cell, &model->bytes_base);
    if (n > 0)
        return 0;
    return rc_scaling_note(&model->notes, error,
                           "nothing is known of the memory of the runs: whether a choice fits "
                           "is only known where the bytes of a cell are given");
}
