// SPDX-License-Identifier: GPL-3.0-or-later
/* model.c - a fitted model as a thing. */
#include "model/scaling/model.h"

#include <math.h>

void rc_scale_options_init(struct rc_scale_options *options)
{
    *options = (struct rc_scale_options){
        .noise = NAN, .bytes_per_cell = NAN, .form_sd = 0.15, .model_error = 0.02};
}

void rc_scale_model_free(struct rc_scale_model *model)
{
    rc_scale_samples_free(&model->samples);
    rc_scale_work_free(&model->work);
    rc_scale_notes_free(&model->notes);
    rc_scale_notes_free(&model->doubts);
    *model = (struct rc_scale_model){0};
}

void rc_scale_setting_count(struct rc_scale_setting *setting, const struct rc_platform *platform,
                            size_t cluster, const struct rc_scale_run *runs, size_t n_runs)
{
    bool clusters = platform->n_clusters > 1, networks = platform->clusters[cluster].n_networks > 1;

    setting->alone = setting->unsaid = 0;
    for (size_t i = 0; i < n_runs; i++) {
        setting->alone += runs[i].alone;
        setting->unsaid += (clusters && runs[i].cluster == RC_SCALE_CLUSTER_UNSAID) ||
                           (networks && runs[i].procs > 1 && runs[i].network == 0);
    }
}
