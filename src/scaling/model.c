// SPDX-License-Identifier: GPL-3.0-or-later
/* model.c - a fitted model as a thing, and the memory of its processes. */
#include "scaling/model.h"

#include <math.h>

#include "base/error.h"
#include "scaling/fit_system.h"
#include "scaling/forms.h"

void rc_scale_options_init(struct rc_scale_options *options)
{
    *options = (struct rc_scale_options){.noise = NAN, .bytes_per_cell = NAN, .form_sd = 0.15,
                                         .model_error = 0.02};
}

void rc_scale_model_free(struct rc_scale_model *model)
{
    rc_scale_samples_free(&model->samples);
    rc_scale_work_free(&model->work);
    rc_scale_notes_free(&model->notes);
    *model = (struct rc_scale_model){0};
}

void rc_scale_setting_count(struct rc_scale_setting *setting, const struct rc_platform *platform,
                            size_t cluster, const struct rc_scale_run *runs, size_t n_runs)
{
    bool clusters = platform->n_clusters > 1,
         networks = platform->clusters[cluster].n_networks > 1;

    setting->alone = setting->unsaid = 0;
    for (size_t i = 0; i < n_runs; i++) {
        setting->alone += runs[i].alone;
        setting->unsaid += (clusters && runs[i].cluster == RC_SCALE_CLUSTER_UNSAID) ||
                           (networks && runs[i].procs > 1 && runs[i].network == 0);
    }
}

double rc_scale_memory(const struct rc_scale_model *model, const struct rc_mesh *block)
{
    return model->bytes_base + model->bytes_per_cell * rc_mesh_cells(block);
}

int rc_scale_memory_fit(struct rc_scale_model *model, struct rc_error *error)
{
    double cells[RC_SCALE_GROUPS_MAX], bytes[RC_SCALE_GROUPS_MAX], most = 0;
    size_t n = 0;

    model->bytes_base = 0;
    model->bytes_per_cell = model->options.bytes_per_cell;
    if (!isnan(model->bytes_per_cell))
        return 0;
    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scale_group *group = &model->samples.groups[i];

        if (isnan(group->memory))
            continue;
        cells[n] = rc_mesh_cells(&group->block);
        bytes[n] = group->memory;
        most = fmax(most, bytes[n] / cells[n]);
        n++;
    }
    if (n == 0)
        return rc_scale_note(&model->notes, error,
                             "nothing is known of the memory of the runs: whether a choice fits "
                             "is asked with --bytes-per-cell alone");
    rc_scale_line(cells, bytes, NULL, n, &model->bytes_base, &model->bytes_per_cell);
    /* a line that would pass below 0 is none of memory: stay on the safe side */
    if (model->bytes_base < 0 || !(model->bytes_per_cell > 0)) {
        model->bytes_base = 0;
        model->bytes_per_cell = most;
    }
    return 0;
}
