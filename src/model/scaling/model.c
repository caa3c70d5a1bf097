// SPDX-License-Identifier: GPL-3.0-or-later
/* model.c - a scaling model as a thing: its options, its setting, and the memory that it gives. */
#include "model/scaling/model.h"

#include <math.h>

void rc_scaling_options_init(struct rc_scaling_options *options)
{
    *options = (struct rc_scaling_options){
        .noise = NAN, .bytes_per_cell = NAN, .form_sd = 0.15, .model_error = 0.02};
}

void rc_scaling_model_free(struct rc_scaling_model *model)
{
    rc_scaling_samples_free(&model->samples);
    rc_scaling_work_free(&model->work);
    rc_scaling_notes_free(&model->notes);
    rc_scaling_notes_free(&model->warnings);
    *model = (struct rc_scaling_model){0};
}

void rc_scaling_setting_count(struct rc_scaling_setting *setting,
                              const struct rc_platform *platform, size_t cluster,
                              const struct rc_scaling_run *runs, size_t n_runs)
{
    bool clusters = platform->n_clusters > 1, networks = platform->clusters[cluster].n_networks > 1;

    setting->alone = setting->unsaid = 0;
    for (size_t i = 0; i < n_runs; i++) {
        setting->alone += runs[i].alone;
        setting->unsaid += (clusters && runs[i].cluster == RC_SCALING_CLUSTER_UNSAID) ||
                           (networks && runs[i].procs > 1 && runs[i].network == 0);
    }
}

double rc_scaling_memory(const struct rc_scaling_model *model, const struct rc_mesh *block)
{
    return model->bytes_base + model->bytes_per_cell * rc_scaling_mesh_cells(block);
}
