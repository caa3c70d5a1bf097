// SPDX-License-Identifier: GPL-3.0-or-later
/* hosts.c - a hosts file, the aggregate slowdown of a parallel program, and its output. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cmd/slowdown/slowdown.h"

const char *const rc_cmd_slowdown_policies[] = {"load", "constraint", NULL};

/* ---- reading ---- */

int rc_cmd_hosts_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_hosts_options *options)
{
    if (!options->hosts_file)
        return rc_cmd_usage_text(invocation,
                                 "missing option --hosts-file FILE: hosts and competitors");
    if (!options->policy)
        return rc_cmd_usage_text(invocation, "missing option --policy: load or constraint");
    if (options->dedicated_uniform && strcmp(options->policy, "constraint") != 0)
        return rc_cmd_usage_text(
            invocation,
            "--dedicated-uniform has no effect with --policy %s; use --policy constraint",
            options->policy);
    return RC_EXIT_OK;
}

enum { HOSTS_SHOWN = 60, KNOWN_SHOWN = 60, PLATFORM_SHOWN = 40 };

/* Names of some hosts: for people, cut to the room; and as a list separated by commas, which may be
 * too long to be shown. */
struct some_hosts {
    char names[120], list[HOSTS_SHOWN + 2];
    size_t n;
    size_t room; /* usable bytes of `names`; 0: all */
};

static void name_host(struct some_hosts *some, const char *name)
{
    size_t used = strlen(some->names), room = some->room ? some->room : sizeof some->names;
    int length;

    rc_text_append(some->list, sizeof some->list, "%s%s", some->n++ ? "," : "", name);
    if (used >= 3 && strcmp(some->names + used - 3, "...") == 0)
        return;
    length = snprintf(some->names + used, room - used - 5, "%s'%s'", used ? ", " : "", name);
    if (length < 0 || (size_t)length >= room - used - 5)
        snprintf(some->names + used, room - used, "%s...", used ? ", " : "");
}

/* ---- hosts missing in a calibration ---- */

void rc_cmd_calibration_missing(const struct rc_calibration *calibration, const char *platform,
                                const char *hosts, const char *measure,
                                char text[RC_CMD_LACKS_SIZE])
{
    struct some_hosts known = {.room = KNOWN_SHOWN};

    for (size_t i = 0; i < calibration->n_hosts; i++)
        name_host(&known, calibration->hosts[i].name);
    /* A command with a truncated name would be wrong. */
    snprintf(
        text, RC_CMD_LACKS_SIZE,
        "the calibration has %s; 'runcast slowdown calibrate --platform %s --hosts %s --measure "
        "%s' adds to it",
        known.n ? known.names : "no hosts", strlen(platform) > PLATFORM_SHOWN ? "NAME" : platform,
        strlen(hosts) > HOSTS_SHOWN ? "HOSTS" : hosts, measure);
}

/* ---- all of it ---- */

static void look_into_calibration(const struct rc_cmd_hosts_options *options,
                                  struct rc_cmd_hosts *all)
{
    char missing[RC_CMD_LACKS_SIZE];
    struct some_hosts unknown = {0};

    for (size_t i = 0; options->platform && i < all->nodes.n; i++) {
        const char *name = all->nodes.items[i].name;

        if (!rc_slowdown_calibration_host(&all->calibration, name))
            name_host(&unknown, name);
    }
    if (unknown.n == 0)
        return;
    rc_cmd_note("%zu host%s not in the calibration of '%.60s': %s", unknown.n,
                unknown.n == 1 ? " is" : "s are", options->platform, unknown.names);
    rc_cmd_calibration_missing(&all->calibration, options->platform, unknown.list, "weights",
                               missing);
    rc_cmd_note("%s", missing);
}

static int settle(const struct rc_cmd_hosts_options *options, const char *db,
                  struct rc_cmd_hosts *all)
{
    struct rc_error error = {0};
    struct some_hosts weightless = {0};
    char missing[RC_CMD_LACKS_SIZE];
    int status = RC_EXIT_OK;

    for (size_t i = 0; options->dedicated_uniform && i < all->nodes.n; i++)
        if (!isnan(all->nodes.items[i].dedicated)) {
            rc_error_set(&error,
                         "'dedicated' of host '%.100s' contradicts --dedicated-uniform; remove one "
                         "of them",
                         all->nodes.items[i].name);
            return rc_cmd_fail(&error, "reading %s", options->hosts_file);
        }
    if (options->platform)
        status = rc_cmd_slowdown_calibration(db, options->platform, &all->calibration);
    if (status != RC_EXIT_OK)
        return status;
    look_into_calibration(options, all);
    if (options->platform) /* for the parts that are not in the file */
        rc_cmd_note_calibration(options->platform, &all->calibration,
                                rc_slowdown_nodes_parts(&all->nodes));
    if (rc_slowdown_nodes_settle(&all->nodes, options->platform ? &all->calibration : NULL,
                                 &error) == 0)
        return RC_EXIT_OK;
    for (size_t i = 0; i < all->nodes.n; i++)
        if (isnan(all->nodes.items[i].weight))
            name_host(&weightless, all->nodes.items[i].name);
    if (options->platform && weightless.n > 0) {
        rc_cmd_calibration_missing(&all->calibration, options->platform, weightless.list, "weights",
                                   missing);
        rc_error_hint(&error, "%s", missing);
    }
    return rc_cmd_fail(&error, "reading %s", options->hosts_file);
}

static int fill(const char *db, struct rc_cmd_hosts *all)
{
    size_t noted = 0;
    int status = RC_EXIT_OK;

    for (size_t i = 0; i < all->nodes.n && status == RC_EXIT_OK; i++) {
        struct rc_node *node = &all->nodes.items[i];

        status = rc_cmd_slowdown_fill(db, node->name, false, node->cores, node->processes,
                                      node->competitors, node->n_competitors, &noted);
    }
    rc_cmd_note_left_off(noted);
    return status;
}

/* On missing delays, and on competitors that a given slowdown replaces. */
static void note_all(struct rc_cmd_hosts *all)
{
    size_t communicating = 0;
    struct some_hosts given = {0}, unmeasured = {0};

    for (size_t i = 0; i < all->nodes.n; i++) {
        const struct rc_node *node = &all->nodes.items[i];

        all->coreless += node->cores_guessed && node->n_competitors > 0 && isnan(node->slowdown);
        all->crowded +=
            node->n_competitors > RC_CONTENTION_COMPETITORS_MAX && isnan(node->slowdown);
        if (node->memory > 0 && !node->memory_curve && isnan(node->slowdown))
            name_host(&unmeasured, node->name);
        if (isnan(node->slowdown))
            communicating += rc_observe_competitors_count(node->competitors, node->n_competitors,
                                                          RC_COMPETITOR_COMMUNICATES);
        else if (node->n_competitors > 0)
            name_host(&given, node->name);
    }
    if (given.n > 0)
        rc_cmd_note("competitors on %s are ignored: the file has the slowdown", given.names);
    if (unmeasured.n > 0)
        rc_cmd_note("memory contention on %s is ignored: it was not measured (--platform)",
                    unmeasured.names);
    if (communicating < 2 && all->nodes.shared_link)
        rc_cmd_note(
            "'shared-link' in the file has no effect: fewer than two competitors communicate");
    if (communicating > 0 && !all->nodes.has_delay)
        rc_cmd_note(
            "no delays: communicating competitors are assumed to cause no delay (add 'delay' "
            "to the file)");
    if (all->nodes.bare_bandwidth)
        rc_cmd_note(
            "'bandwidth' %g in the file has no unit: bytes/s is assumed (write 100Mbit/s or "
            "12.5MB/s)",
            all->nodes.bandwidth);
    if (!isnan(all->nodes.bandwidth) &&
        (communicating == 0 || !all->nodes.has_delay || all->nodes.delay.n == 0))
        rc_cmd_note("'bandwidth' in the file has no effect: %s",
                    communicating == 0      ? "no competitor communicates"
                    : !all->nodes.has_delay ? "no delay depends on it"
                                            : "the delay is the same for all rates");
}

static int compute(const struct rc_cmd_hosts_options *options, struct rc_cmd_hosts *all)
{
    struct rc_error error = {0};
    unsigned notes = 0;

    all->terms = calloc(all->nodes.n, sizeof *all->terms);
    if (!all->terms) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "computing the slowdown");
    }
    if (rc_slowdown_nodes_compute(&all->nodes, all->split, all->uniform, all->model, all->terms,
                                  &all->aggregate, &notes, &error))
        return rc_cmd_fail(&error, "computing the slowdown of %s", options->hosts_file);
    rc_cmd_note_delay(&all->nodes.delay, notes);
    if (notes & RC_NODES_WEIGHTS)
        rc_cmd_note(
            "Eq. 2 has no weights: the queueing model is used on one core, and a simulation "
            "on several");
    return RC_EXIT_OK;
}

int rc_cmd_hosts_read(const struct rc_cmd_hosts_options *options, const char *db,
                      struct rc_cmd_hosts *all)
{
    struct rc_error error = {0};
    int status;

    *all = (struct rc_cmd_hosts){.uniform = options->dedicated_uniform};
    all->split = strcmp(options->policy, "load") == 0 ? RC_SPLIT_LOAD : RC_SPLIT_CONSTRAINT;
    all->model = rc_slowdown_local_model_of(options->model);
    if (rc_slowdown_nodes_parse(NULL, 0, options->hosts_file, &all->nodes, &error))
        return rc_cmd_fail(&error, "reading the hosts file");
    if ((status = settle(options, db, all)) || (status = fill(db, all)))
        return status;
    note_all(all);
    return compute(options, all);
}

void rc_cmd_hosts_free(struct rc_cmd_hosts *all)
{
    free(all->terms);
    rc_slowdown_nodes_free(&all->nodes);
    rc_slowdown_calibration_free(&all->calibration);
}

int rc_cmd_network_check(const struct rc_invocation *invocation, double communicating,
                         double link_slowdown)
{
    if (!(communicating >= 0 && communicating <= 1))
        return rc_cmd_usage_text(invocation, "--communicating: must be from 0 to 1");
    if (!isnan(link_slowdown) && !(link_slowdown >= 1 && isfinite(link_slowdown)))
        return rc_cmd_usage_text(invocation, "--link-slowdown: must be at least 1, and is %g",
                                 link_slowdown);
    if (communicating > 0 && isnan(link_slowdown))
        return rc_cmd_usage_text(invocation, "--communicating needs --link-slowdown X");
    if (communicating == 0 && !isnan(link_slowdown))
        return rc_cmd_usage_text(invocation, "a slowdown of messages needs --communicating SHARE");
    return RC_EXIT_OK;
}

/* ---- showing ---- */

void rc_cmd_hosts_equation(const struct rc_cmd_hosts *all, struct rc_answer_equation *equation)
{
    rc_answer_equation_aggregate(&all->aggregate, all->split, all->uniform, all->terms, equation);
}

int rc_cmd_hosts_explain(const struct rc_cmd_hosts *all, struct rc_error *error)
{
    struct rc_answer_node *nodes =
        rc_answer_nodes_make(&all->nodes, all->terms, all->split, all->aggregate.slowest);
    struct rc_answer_equation equation;
    int status = nodes ? rc_field_table(stdout,
                                        all->split == RC_SPLIT_LOAD ? rc_answer_node_load
                                                                    : rc_answer_node_constraint,
                                        nodes, all->nodes.n, sizeof *nodes, rc_cmd_width(), error)
                       : rc_error_no_memory(error);

    free(nodes);
    if (status)
        return -1;
    rc_cmd_hosts_equation(all, &equation);
    printf("%s: %s\n", equation.name, equation.text);
    return 0;
}

int rc_cmd_hosts_answer(const struct rc_cmd_hosts *all, struct rc_answer_aggregate *answer,
                        struct rc_error *error)
{
    *answer = (struct rc_answer_aggregate){
        .policy = rc_cmd_slowdown_policies[all->split],
        .model = rc_slowdown_local_models[all->model],
        .aggregate = all->aggregate,
        .slowest = all->split == RC_SPLIT_CONSTRAINT ? all->nodes.items[all->aggregate.slowest].name
                                                     : NULL,
        .nodes = rc_answer_nodes_make(&all->nodes, all->terms, all->split, all->aggregate.slowest),
        .n = all->nodes.n};
    return answer->nodes ? 0 : rc_error_no_memory(error);
}
