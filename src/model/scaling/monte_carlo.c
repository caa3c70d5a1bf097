// SPDX-License-Identifier: GPL-3.0-or-later
/* monte_carlo.c - Monte Carlo samples of a model. */
#include "model/scaling/monte_carlo.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>

#include "base/error.h"
#include "base/random.h"
#include "model/scaling/fit_system.h"
#include "model/scaling/growth_curves.h"

/* One sample, besides its means. */
struct sample {
    double c, d, k, gamma, beta;
    double fault; /* of the method: how many of its standard deviations */
    double noise; /* of the predicted run: its time by the mean of its like */
};

struct rc_scaling_mc {
    const struct rc_scaling_model *model;
    struct rc_fit_system system;
    double *means; /* [sample][group] */
    struct sample samples[RC_SCALING_MC_SAMPLES];
};

/* Few degrees of freedom have long tails; a run with more noise than this is useless. */
#define NOISE_MOST 0.5
/* No mean is drawn below this part of itself. */
#define MEAN_LEAST 0.05

void rc_scaling_mc_free(struct rc_scaling_mc *mc)
{
    if (!mc)
        return;
    rc_scaling_fit_system_free(&mc->system);
    free(mc->means);
    free(mc);
}

/* FNV-1a of both names. */
static uint64_t stream_of(const struct rc_scaling_setting *setting)
{
    const char *names[2] = {setting->cluster, setting->network};
    uint64_t hash = 0xcbf29ce484222325u;

    for (int i = 0; i < 2; i++)
        for (const char *at = names[i];; at++) {
            hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
            if (!*at)
                break;
        }
    return hash;
}

static double draw_noise(const struct rc_scaling_noise *noise, struct rc_random *random)
{
    double freedom = (double)noise->freedom;

    if (noise->freedom == 0 || noise->sd == 0)
        return noise->sd;
    return fmin(noise->sd * sqrt(freedom / gsl_ran_chisq(rc_random_gsl(random), freedom)),
                fmax(NOISE_MOST, noise->sd));
}

static void draw_one(struct rc_scaling_mc *mc, const double *weight, const int64_t *procs,
                     struct rc_random *random, double *means, struct sample *sample)
{
    const struct rc_scaling_model *model = mc->model;
    const struct rc_fit_system *system = &mc->system;
    const size_t n = system->n_groups;
    double alpha[RC_SCALING_PROCS_MAX], noise = draw_noise(&model->noise, random);

    for (size_t i = 0; i < n; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i];
        double sd = noise / sqrt((double)group->n);

        means[i] = group->mean * fmax(1 + rc_random_normal(random, 0, sd), MEAN_LEAST);
    }
    sample->k = rc_random_normal(random, model->k, model->k_sd);
    for (size_t at = 0; at < system->n_at; at++)
        alpha[at] = rc_scaling_fit_sum(rc_scaling_fit_alpha(system, at), means, n);
    /* growth that was seen to fall may fall; other growth may not, however it is drawn */
    rc_scaling_fit_growth(alpha, weight, procs, system->n_at, sample->k, model->d >= 0, &sample->c,
                          &sample->d);
    sample->gamma = rc_scaling_fit_sum(rc_scaling_fit_gamma(system, system->n_at - 1), means, n);
    sample->beta = rc_scaling_fit_sum(rc_scaling_fit_beta(system), means, n);
    sample->fault = rc_random_normal(random, 0, 1);
    sample->noise = fmax(1 + rc_random_normal(random, 0, noise), MEAN_LEAST);
}

struct rc_scaling_mc *rc_scaling_mc_create(const struct rc_scaling_model *model, uint64_t seed,
                                           struct rc_error *error)
{
    struct rc_scaling_mc *mc = calloc(1, sizeof *mc);
    struct rc_random *random = rc_random_create(seed, stream_of(&model->setting));
    const size_t n = model->samples.n_groups;
    double weight[RC_SCALING_PROCS_MAX];
    int64_t procs[RC_SCALING_PROCS_MAX];

    if (mc)
        mc->means = calloc(RC_SCALING_MC_SAMPLES * (n + 1), sizeof *mc->means);
    if (!mc || !random || !mc->means) {
        rc_error_no_memory(error);
        goto failed;
    }
    mc->model = model;
    if (rc_scaling_fit_system_make(&model->samples, &model->work, model->one_gamma, model->has_beta,
                                   &mc->system, error))
        goto failed;
    rc_scaling_alpha_weights(model, weight, procs);
    for (size_t i = 0; i < RC_SCALING_MC_SAMPLES; i++)
        draw_one(mc, weight, procs, random, mc->means + i * n, &mc->samples[i]);
    rc_random_destroy(random);
    return mc;
failed:
    rc_random_destroy(random);
    rc_scaling_mc_free(mc);
    return NULL;
}

/* A block on so many processes. */
struct asked {
    double procs, amount, surface;
};

static double overhead(const struct sample *sample, const struct asked *asked)
{
    return sample->c + sample->gamma * asked->amount + sample->beta * asked->surface +
           sample->d * rc_scaling_growth(sample->k, asked->procs);
}

/* What was measured next to it. */
static struct asked nearest(const struct rc_scaling_mc *mc, const struct asked *asked)
{
    const struct rc_scaling_model *model = mc->model;
    struct asked near = *asked;
    double least, most;

    rc_scaling_fit_range(&mc->system, asked->procs > 1, &least, &most);
    near.amount = fmin(fmax(asked->amount, least), most);
    near.procs = fmin(fmax(asked->procs, (double)model->at[0].procs),
                      (double)model->at[model->n_at - 1].procs);
    return near;
}

/* The relative sd of the method's own error: what was measured is known, and what is far from it is
 * known less well.  It grows as the root of how often processes double beyond the most that were
 * measured, and of how often work doubles beyond the largest block or halves below the smallest. */
static double model_error(const struct rc_scaling_model *model, const struct asked *asked,
                          const struct asked *near)
{
    double doublings = fabs(log2(asked->amount / near->amount));

    if (asked->procs > near->procs)
        doublings += log2(asked->procs / near->procs);
    return model->options.model_error * sqrt(doublings);
}

int64_t rc_scaling_talking(int64_t procs, bool joined)
{
    return procs == 1 && joined ? 2 : procs;
}

int rc_scaling_mc_times(const struct rc_scaling_mc *mc, const struct rc_mesh *mesh, int64_t procs,
                        bool joined, double *computing, double *communicating, double *seconds,
                        struct rc_error *error)
{
    const size_t n = mc->system.n_groups;
    double row[RC_SCALING_GROUPS_MAX], sd;
    struct asked asked = {.procs = (double)rc_scaling_talking(procs, joined)}, near;
    struct rc_mesh block;

    if (rc_scaling_mesh_block(mesh, procs, mc->model->setting.cut, &block, error) ||
        rc_scaling_fit_computing(&mc->system, &block, procs, row, &asked.amount, error))
        return -1;
    asked.surface = rc_scaling_mesh_surface(&block, mc->model->setting.cut);
    near = nearest(mc, &asked);
    sd = model_error(mc->model, &asked, &near);
    for (size_t i = 0; i < RC_SCALING_MC_SAMPLES; i++) {
        const struct sample *sample = &mc->samples[i];
        double line = asked.procs > 1 ? overhead(sample, &asked) : 0;
        /* What was measured stays as it was: where it is below 0, that is noise, which Tcomp has
         * with the other sign.  No line goes below that. */
        double least = asked.procs > 1 ? fmin(overhead(sample, &near), 0) : 0;

        computing[i] = fmax(rc_scaling_fit_sum(row, mc->means + i * n, n), 0);
        communicating[i] = fmax(line, 0);
        seconds[i] = fmax(computing[i] + fmax(line, least), 0) *
                     fmax(1 + sd * sample->fault, MEAN_LEAST) * sample->noise;
    }
    return 0;
}
