// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_notes.c - what is doubtful about an answer of 'runcast scale predict'. */
#include <inttypes.h>
#include <string.h>

#include "cmd/scale/predict.h"

/* The notes of one cluster, with its name where there are several. */
static int join(struct rc_cmd_scale_prediction *it, size_t part,
                const struct rc_scaling_notes *more, struct rc_error *error)
{
    if (it->scale->n_parts == 1)
        return rc_scaling_notes_join(&it->notes, more, error);
    for (size_t i = 0; i < more->n; i++)
        if (rc_scaling_note(&it->notes, error, "%s: %s", it->shares[part].model->setting.cluster,
                            more->text[i]))
            return -1;
    return 0;
}

static bool has(const struct rc_scaling_notes *notes, const char *text)
{
    for (size_t i = 0; i < notes->n; i++)
        if (strcmp(notes->text[i], text) == 0)
            return true;
    return false;
}

/* The notes of the whole answer that are of no one cluster. */
static int join_whole(struct rc_cmd_scale_prediction *it, struct rc_error *error)
{
    for (size_t i = 0; i < it->estimate.notes.n; i++) {
        const char *text = it->estimate.notes.text[i];
        bool own = false;

        for (size_t k = 0; k < it->scale->n_parts; k++)
            own |= has(&it->estimates[k].notes, text);
        if (!own && rc_scaling_note(&it->notes, error, "%s", text))
            return -1;
    }
    return 0;
}

/* With --force there may be more processes than the cluster takes. */
static int note_capacity(struct rc_cmd_scale_prediction *it, size_t part, struct rc_error *error)
{
    const struct rc_cmd_scale_part *asked = &it->scale->parts[part];
    struct rc_cluster cluster = it->scale->platform->clusters[asked->cluster];

    if (it->per_host[part] > 0)
        cluster.per_host = it->per_host[part];
    if (asked->procs <= rc_platform_cluster_capacity(&cluster))
        return 0;
    return rc_scaling_note(&it->notes, error,
                           "%" PRId64 " processes do not fit on the cluster '%s', which takes "
                           "%" PRId64 " with %d on a host",
                           asked->procs, cluster.name, rc_platform_cluster_capacity(&cluster),
                           cluster.n_hosts > 0 ? rc_platform_cluster_slots(&cluster, 0) : 0);
}

static bool are_linked(const struct rc_platform *platform, size_t a, size_t b)
{
    for (size_t i = 0; i < platform->n_links; i++) {
        const size_t *ends = platform->links[i].cluster;

        if ((ends[0] == a && ends[1] == b) || (ends[0] == b && ends[1] == a))
            return true;
    }
    return false;
}

/* Rows go to the clusters in their order: those that follow one another exchange edges. */
static int note_links(struct rc_cmd_scale_prediction *it, struct rc_error *error)
{
    const struct rc_platform *platform = it->scale->platform;
    size_t before = SIZE_MAX;

    for (size_t i = 0; i < it->scale->n_parts; i++) {
        size_t cluster = it->scale->parts[i].cluster;

        if (it->shares[i].rows == 0)
            continue;
        if (before != SIZE_MAX && !are_linked(platform, before, cluster) &&
            rc_scaling_note(
                &it->notes, error,
                "the platform has no link between '%s' and '%s': whether one program can "
                "run on both is not known",
                platform->clusters[before].name, platform->clusters[cluster].name))
            return -1;
        before = cluster;
    }
    return 0;
}

int rc_cmd_scale_predict_notes(struct rc_cmd_scale_prediction *it, struct rc_error *error)
{
    for (size_t i = 0; i < it->scale->n_parts; i++)
        if (it->shares[i].rows > 0 &&
            (note_capacity(it, i, error) || join(it, i, &it->estimates[i].notes, error) ||
             join(it, i, &it->shares[i].model->notes, error)))
            return -1;
    return join_whole(it, error) || note_links(it, error) ? -1 : 0;
}
