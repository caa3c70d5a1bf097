/* scaling.h - made-up programs whose times are known, for the tests of scaling models. */
#ifndef RC_TESTS_SCALING_H
#define RC_TESTS_SCALING_H

#include "unit.h"

#include "base/random.h"
#include "model/scaling/models.h"
#include "model/scaling/growth_curves.h"

/* T = a + b cells + c + d phi_k(np) + gamma cells + beta surface. */
struct truth {
    double a, b, c, d, k, gamma, beta;
    double exponent; /* of cells in a + b cells^exponent and gamma; 0: 1 */
    int cut;         /* 0: 1 */
};

/* Orders of magnitude of Table I: 65536 x 65536 on 64 processes of cluster A. */
static const struct truth table_one = {.a = 2, .b = 10e-6, .c = 30, .d = 12, .gamma = 0.8e-6};

static inline int cut_of(const struct truth *truth)
{
    return truth->cut > 0 ? truth->cut : 1;
}

static inline double computing(const struct truth *truth, const struct rc_mesh *block)
{
    double e = truth->exponent > 0 ? truth->exponent : 1;

    return truth->a + truth->b * pow(rc_scaling_mesh_cells(block), e);
}

static inline double overhead(const struct truth *truth, const struct rc_mesh *block, int64_t procs)
{
    double e = truth->exponent > 0 ? truth->exponent : 1;

    if (procs == 1)
        return 0;
    return truth->c + truth->d * rc_scaling_growth(truth->k, (double)procs) +
           truth->gamma * pow(rc_scaling_mesh_cells(block), e) +
           truth->beta * rc_scaling_mesh_surface(block, cut_of(truth));
}

static inline double true_seconds(const struct truth *truth, const struct rc_mesh *mesh,
                                  int64_t procs)
{
    struct rc_mesh block;

    assert_int_equal(rc_scaling_mesh_block(mesh, procs, cut_of(truth), &block, NULL), 0);
    return computing(truth, &block) + overhead(truth, &block, procs);
}

/* Small runs of these blocks, each `repeats` times with a noise of sd `noise`. */
struct small_runs {
    struct rc_scaling_run runs[512];
    size_t n;
};

static inline void add_runs(struct small_runs *small, const struct truth *truth,
                            const struct rc_mesh *block, int64_t procs, int repeats, double noise,
                            struct rc_random *random)
{
    for (int i = 0; i < repeats; i++) {
        struct rc_scaling_run *run = &small->runs[small->n++];
        double luck = random ? rc_random_normal(random, 0, noise) : 0;

        assert_true(small->n <= COUNT(small->runs));
        *run = (struct rc_scaling_run){.procs = procs,
                                       .cut = cut_of(truth),
                                       .memory = NAN,
                                       .cluster = RC_SCALING_CLUSTER_UNSAID};
        assert_int_equal(rc_scaling_mesh_of_blocks(block, procs, cut_of(truth), &run->mesh, NULL),
                         0);
        run->seconds = true_seconds(truth, &run->mesh, procs) * (1 + luck);
    }
}

/* The runs of the six steps: `parts` of the rows of `block` (4: a quarter), on 1 and on `procs`. */
static inline void six_steps(struct small_runs *small, const struct truth *truth,
                             const struct rc_mesh *block, const int *parts, size_t n_parts,
                             const int64_t *procs, size_t n_procs, int repeats, double noise,
                             struct rc_random *random)
{
    small->n = 0;
    for (size_t i = 0; i < n_parts; i++) {
        struct rc_mesh part = *block;

        part.extent[RC_MESH_ROWS] /= parts[i];
        add_runs(small, truth, &part, 1, repeats, noise, random);
        for (size_t j = 0; j < n_procs; j++)
            add_runs(small, truth, &part, procs[j], repeats, noise, random);
    }
}

static inline void fit_runs(const struct small_runs *small, int cut,
                            const struct rc_scaling_work *work,
                            const struct rc_scaling_options *options, const char *cluster,
                            const char *network, int per_host, struct rc_scaling_model *model)
{
    struct rc_scaling_setting setting = {.per_host = per_host};
    const struct rc_scaling_work cells = {0};
    struct rc_scaling_options usual;
    struct rc_scaling_samples samples;
    struct rc_error error = {0};

    strcpy(setting.cluster, cluster);
    strcpy(setting.network, network);
    rc_scaling_options_init(&usual);
    assert_int_equal(rc_scaling_samples_make(small->runs, small->n, cut, &samples, NULL), 0);
    if (rc_scaling_fit(&samples, work ? work : &cells, &setting, options ? options : &usual, model,
                       &error))
        fail_msg("%s", error.text);
    rc_scaling_samples_free(&samples);
}

/* A model of `truth` by the paper's runs, without noise: two of each, so that this is known. */
static inline void fit_truth(const struct truth *truth, const struct rc_mesh *block,
                             const char *cluster, const char *network, int per_host,
                             struct rc_scaling_model *model)
{
    static struct small_runs small;

    six_steps(&small, truth, block, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 2, 0, NULL);
    fit_runs(&small, cut_of(truth), NULL, NULL, cluster, network, per_host, model);
}

#endif
