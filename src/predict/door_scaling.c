// SPDX-License-Identifier: GPL-3.0-or-later
/* door_scaling.c - scaling at the door: the large run from small ones, by the book that 'runcast
 * scale fit' keeps.
 *
 * The mesh is the one of a run with this size and these parameters (samples.h): a square, unless
 * they say otherwise.  The load of the hosts is not in it. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "predict/door_internal.h"
#include "model/scaling/find.h"
#include "model/scaling/samples.h"

/* A book is of a platform, whose file says which hosts are in which cluster. */
static int open_family(struct rc_door *door, struct rc_error *error)
{
    struct rc_error *lacks = &door->lacks[RC_DOOR_SCALING];
    const struct rc_platform *platform = door->options.file;
    int found;

    if (!platform) {
        rc_error_set(lacks, "it wants the platform file");
        rc_error_hint(lacks, "--platform FILE.yaml names it");
        return 0;
    }
    found =
        rc_scaling_book_load(door->store, door->options.app, platform->name, &door->book, error);
    if (found < 0)
        return -1;
    door->open[RC_DOOR_SCALING] = found > 0;
    if (found == 0) {
        rc_error_set(lacks, "there is no scaling model of '%s' on '%s'", door->options.app,
                     platform->name);
        rc_error_hint(lacks, "'runcast scale plan', 'measure' and 'fit' make one");
    }
    return 0;
}

/* What is asked as a run of that room: its mesh, its cluster, its network. */
static int read_run(const struct rc_door *door, const struct rc_door_question *question,
                    struct rc_scaling_run *out, struct rc_error *error)
{
    char *hosts = question->n_hosts
                      ? rc_platform_hostlist_compress(question->hosts, question->n_hosts, error)
                      : NULL;
    int status = rc_scaling_run_layout(question->n, question->p, hosts, question->params,
                                       question->n_params, door->options.file, out, error);

    free(hosts);
    if (status)
        return -1;
    if (out->cluster == RC_SCALING_CLUSTER_UNSAID)
        out->cluster = 0;
    if (out->cluster == RC_SCALING_CLUSTER_NONE) {
        rc_error_set(error, "the hosts are not of one cluster");
        return rc_error_hint(error, "'runcast scale predict' splits a run over several");
    }
    out->network = out->network ? out->network : 1;
    if ((size_t)out->network > door->options.file->clusters[out->cluster].n_networks)
        return rc_error_set(error, "the cluster has no network number %d", out->network);
    return 0;
}

static bool says_cut(const struct rc_door_question *question)
{
    for (size_t i = 0; i < question->n_params; i++)
        if (strcmp(question->params[i].name, "cut") == 0)
            return true;
    return false;
}

/* Where nobody says how the mesh is cut, as it was in the small runs. */
static const struct rc_scaling_model *find_model(const struct rc_door *door,
                                                 const struct rc_door_question *question,
                                                 const struct rc_scaling_run *run,
                                                 struct rc_error *error)
{
    struct rc_scaling_asked asked = {.app = door->options.app,
                                     .cluster = &door->options.file->clusters[run->cluster],
                                     .network = (size_t)run->network - 1,
                                     .per_host = run->per_host,
                                     .cut = run->cut,
                                     .mesh = &run->mesh,
                                     .procs = run->procs};
    const struct rc_scaling_model *model = rc_scaling_book_answering(&door->book, &asked, error);

    for (asked.cut = 2; !model && !says_cut(question) && asked.cut <= RC_MESH_DIRECTIONS;
         asked.cut++)
        model = rc_scaling_book_answering(&door->book, &asked, NULL);
    return model;
}

/* -1 where a process needs more memory than it may have. */
static int check_memory(const struct rc_door *door, const struct rc_scaling_run *run,
                        const struct rc_scaling_model *model, struct rc_error *error)
{
    struct rc_cluster cluster = door->options.file->clusters[run->cluster];
    struct rc_mesh block;

    if (model->setting.per_host > 0)
        cluster.per_host = model->setting.per_host;
    if (rc_scaling_mesh_block(&run->mesh, run->procs, model->setting.cut, &block, error))
        return -1;
    if (!(rc_scaling_memory(model, &block) >
          rc_platform_cluster_memory_per_process(&cluster, run->procs)))
        return 0;
    rc_error_set(error, "it does not fit in memory");
    return rc_error_hint(error, "take more processes; 'runcast scale predict' tells how much it "
                                "needs");
}

static int ask(struct rc_door *door, const struct rc_door_question *question,
               struct rc_random *random, double *draws, size_t *n_draws,
               struct rc_predict_summary *summary, struct rc_error *error)
{
    struct rc_scaling_estimate estimate = {0};
    struct rc_scaling_draws *drawn = NULL;
    const struct rc_scaling_model *model;
    struct rc_scaling_run run;
    const double *seconds;
    size_t n = 0;
    int got = 0;

    (void)random; /* the draws of a model are the same in every question */
    if (read_run(door, question, &run, error) ||
        !(model = find_model(door, question, &run, error)) ||
        check_memory(door, &run, model, error))
        return 0;
    drawn = rc_scaling_draws_create(model, 1, error);
    if (drawn && rc_scaling_estimate(model, drawn, &run.mesh, run.procs, &estimate, error) == 0) {
        seconds = rc_value_draws(estimate.seconds, &n);
        *n_draws = n < *n_draws ? n : *n_draws;
        for (size_t i = 0; i < *n_draws; i++)
            draws[i] = rc_predict_as_time(seconds[i]);
        rc_predict_summarise(draws, *n_draws, summary);
        got = 1;
    }
    rc_scaling_estimate_free(&estimate);
    rc_scaling_draws_free(drawn);
    return got;
}

static void close_family(struct rc_door *door)
{
    rc_scaling_book_free(&door->book);
}

const struct rc_predict_door_way rc_door_scaling = {
    .name = "scaling", .stored = "scaling", .open = open_family, .ask = ask, .close = close_family};
