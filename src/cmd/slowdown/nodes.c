// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes.c - a nodes file, what it comes to for a parallel program, and what is shown of that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cmd/slowdown/slowdown.h"

const char *const rc_cmd_slowdown_policies[] = {"load", "constraint", NULL};

/* ---- reading ---- */

int rc_cmd_nodes_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_nodes_options *options)
{
    if (!options->file)
        return rc_cmd_usage_text(invocation,
                                 "--nodes FILE is missing: the hosts, and who else runs on them");
    if (!options->policy)
        return rc_cmd_usage_text(invocation, "--policy is missing: load or constraint");
    if (options->uniform && strcmp(options->policy, "constraint") != 0)
        return rc_cmd_usage_text(
            invocation, "--dedicated-uniform has no effect with --policy %s: it is for constraint",
            options->policy);
    return RC_EXIT_OK;
}

enum { HOSTS_SHOWN = 60, KNOWN_SHOWN = 60, PLATFORM_SHOWN = 40 };

/* Some of the nodes: their names for people, as far as there is room; and as a list between commas,
 * which may come out too long to be shown. */
struct some_nodes {
    char names[120], list[HOSTS_SHOWN + 2];
    size_t n;
    size_t room; /* of `names`, to be used; 0: all */
};

static void name_node(struct some_nodes *some, const char *name)
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

/* ---- what a calibration lacks ---- */

void rc_cmd_calibration_missing(const struct rc_calibration *calibration, const char *platform,
                                const char *hosts, const char *only, char text[RC_CMD_LACKS_SIZE])
{
    struct some_nodes known = {.room = KNOWN_SHOWN};

    for (size_t i = 0; i < calibration->n_hosts; i++)
        name_node(&known, calibration->hosts[i].name);
    /* A command with a name that was cut would be a wrong one. */
    snprintf(text, RC_CMD_LACKS_SIZE,
             "the calibration has %s; 'runcast slowdown calibrate --platform %s --hosts %s --only "
             "%s' adds to it",
             known.n ? known.names : "no hosts",
             strlen(platform) > PLATFORM_SHOWN ? "NAME" : platform,
             strlen(hosts) > HOSTS_SHOWN ? "HOSTS" : hosts, only);
}

/* ---- all of it ---- */

static void look_into_calibration(const struct rc_cmd_nodes_options *options,
                                  struct rc_cmd_nodes *all)
{
    char missing[RC_CMD_LACKS_SIZE];
    struct some_nodes unknown = {0};

    for (size_t i = 0; options->platform && i < all->nodes.n; i++) {
        const char *name = all->nodes.items[i].name;

        if (!rc_slowdown_calibration_host(&all->calibration, name))
            name_node(&unknown, name);
    }
    if (unknown.n == 0)
        return;
    rc_cmd_note("%zu node%s not in the calibration of '%.60s': %s", unknown.n,
                unknown.n == 1 ? " is" : "s are", options->platform, unknown.names);
    rc_cmd_calibration_missing(&all->calibration, options->platform, unknown.list, "weights",
                               missing);
    rc_cmd_note("%s", missing);
}

static int settle(const struct rc_cmd_nodes_options *options, const char *db,
                  struct rc_cmd_nodes *all)
{
    struct rc_error error = {0};
    struct some_nodes weightless = {0};
    char missing[RC_CMD_LACKS_SIZE];
    int status = RC_EXIT_OK;

    for (size_t i = 0; options->uniform && i < all->nodes.n; i++)
        if (!isnan(all->nodes.items[i].dedicated)) {
            rc_error_set(&error,
                         "'dedicated' of node '%.100s' says how the dedicated run was split, and "
                         "--dedicated-uniform says otherwise",
                         all->nodes.items[i].name);
            return rc_cmd_fail(&error, "reading %s", options->file);
        }
    if (options->platform)
        status = rc_cmd_slowdown_calibration(db, options->platform, &all->calibration);
    if (status != RC_EXIT_OK)
        return status;
    look_into_calibration(options, all);
    if (options->platform) /* how that was measured of it which the file leaves to it */
        rc_cmd_note_calibration(options->platform, &all->calibration,
                                rc_slowdown_nodes_parts(&all->nodes));
    if (rc_slowdown_nodes_settle(&all->nodes, options->platform ? &all->calibration : NULL,
                                 &error) == 0)
        return RC_EXIT_OK;
    for (size_t i = 0; i < all->nodes.n; i++)
        if (isnan(all->nodes.items[i].weight))
            name_node(&weightless, all->nodes.items[i].name);
    if (options->platform && weightless.n > 0) {
        rc_cmd_calibration_missing(&all->calibration, options->platform, weightless.list, "weights",
                                   missing);
        rc_error_hint(&error, "%s", missing);
    }
    return rc_cmd_fail(&error, "reading %s", options->file);
}

static int fill(const char *db, struct rc_cmd_nodes *all)
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

/* Delays that nobody gave, and competitors that a given slowdown leaves out. */
static void note_all(struct rc_cmd_nodes *all)
{
    size_t communicating = 0;
    struct some_nodes given = {0}, unmeasured = {0};

    for (size_t i = 0; i < all->nodes.n; i++) {
        const struct rc_node *node = &all->nodes.items[i];

        all->coreless += node->cores_guessed && node->n_competitors > 0 && isnan(node->slowdown);
        all->crowded +=
            node->n_competitors > RC_CONTENTION_COMPETITORS_MAX && isnan(node->slowdown);
        if (node->memory > 0 && !node->memory_curve && isnan(node->slowdown))
            name_node(&unmeasured, node->name);
        if (isnan(node->slowdown))
            communicating += rc_observe_competitors_count(node->competitors, node->n_competitors,
                                                          RC_COMPETITOR_COMMUNICATES);
        else if (node->n_competitors > 0)
            name_node(&given, node->name);
    }
    if (given.n > 0)
        rc_cmd_note("of %s the file gives the slowdown: competitors there are not looked at",
                    given.names);
    if (unmeasured.n > 0)
        rc_cmd_note("what others cost a program that waits for memory is not known of %s: it is "
                    "left out (--platform)",
                    unmeasured.names);
    if (communicating < 2 && all->nodes.shared_link)
        rc_cmd_note(
            "fewer than two competitors communicate: 'shared-link' in the file changes nothing");
    if (communicating > 0 && !all->nodes.has_delay)
        rc_cmd_note("no delays were measured or given: communicating competitors are taken to cost "
                    "nothing ('delay' in the file)");
    if (all->nodes.bare_bandwidth)
        rc_cmd_note("'bandwidth' in the file has no unit: %g bytes/s (write 100Mbit/s, 12.5MB/s)",
                    all->nodes.bandwidth);
    if (!isnan(all->nodes.bandwidth) &&
        (communicating == 0 || !all->nodes.has_delay || all->nodes.delay.n == 0))
        rc_cmd_note("'bandwidth' in the file changes nothing: %s",
                    communicating == 0      ? "no competitor communicates"
                    : !all->nodes.has_delay ? "there are no delays that depend on it"
                                            : "the delay is the same at any");
}

static int reckon(const struct rc_cmd_nodes_options *options, struct rc_cmd_nodes *all)
{
    struct rc_error error = {0};
    unsigned notes = 0;

    all->terms = calloc(all->nodes.n, sizeof *all->terms);
    if (!all->terms) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "reckoning the slowdown");
    }
    if (rc_slowdown_nodes_compute(&all->nodes, all->split, all->uniform, all->model, all->terms,
                                  &all->aggregate, &notes, &error))
        return rc_cmd_fail(&error, "reckoning the slowdown of %s", options->file);
    rc_cmd_note_delay(&all->nodes.delay, notes);
    if (notes & RC_NODES_WEIGHTS)
        rc_cmd_note("Eq. 2 knows of equal turns alone: where competitors have weights, the queue "
                    "answers on one core, and a contest that is played out on several");
    return RC_EXIT_OK;
}

int rc_cmd_nodes_read(const struct rc_cmd_nodes_options *options, const char *db,
                      struct rc_cmd_nodes *all)
{
    struct rc_error error = {0};
    int status;

    *all = (struct rc_cmd_nodes){.uniform = options->uniform};
    all->split = strcmp(options->policy, "load") == 0 ? RC_SPLIT_LOAD : RC_SPLIT_CONSTRAINT;
    all->model = rc_slowdown_local_model_of(options->model);
    if (rc_slowdown_nodes_parse(NULL, 0, options->file, &all->nodes, &error))
        return rc_cmd_fail(&error, "reading the nodes");
    if ((status = settle(options, db, all)) || (status = fill(db, all)))
        return status;
    note_all(all);
    return reckon(options, all);
}

void rc_cmd_nodes_free(struct rc_cmd_nodes *all)
{
    free(all->terms);
    rc_slowdown_nodes_free(&all->nodes);
    rc_slowdown_calibration_free(&all->calibration);
}

int rc_cmd_network_check(const struct rc_invocation *invocation, double communicating, double link)
{
    if (!(communicating >= 0 && communicating <= 1))
        return rc_cmd_usage_text(invocation,
                                 "--communicating: a part of the time is between 0 and 1");
    if (!isnan(link) && !(link >= 1 && isfinite(link)))
        return rc_cmd_usage_text(invocation, "--link-slowdown: a slowdown is 1 or more, and not %g",
                                 link);
    if (communicating > 0 && isnan(link))
        return rc_cmd_usage_text(
            invocation, "--communicating needs --link-slowdown X: how much longer messages take");
    if (communicating == 0 && !isnan(link))
        return rc_cmd_usage_text(invocation, "a slowdown of messages needs --communicating PART: "
                                             "the part of the time that they take");
    return RC_EXIT_OK;
}

/* ---- showing ---- */

void rc_cmd_nodes_equation(const struct rc_cmd_nodes *all, struct rc_answer_equation *equation)
{
    rc_answer_equation_aggregate(&all->aggregate, all->split, all->uniform, all->terms, equation);
}

int rc_cmd_nodes_explain(const struct rc_cmd_nodes *all, struct rc_error *error)
{
    struct rc_answer_node *nodes =
        rc_answer_nodes_make(&all->nodes, all->terms, all->aggregate.slowest);
    struct rc_answer_equation equation;
    int status = nodes ? rc_field_table(stdout,
                                        all->split == RC_SPLIT_LOAD ? rc_answer_node_load
                                                                    : rc_answer_node_constraint,
                                        nodes, all->nodes.n, sizeof *nodes, rc_cmd_width(), error)
                       : rc_error_no_memory(error);

    free(nodes);
    if (status)
        return -1;
    rc_cmd_nodes_equation(all, &equation);
    printf("%s: %s\n", equation.name, equation.text);
    return 0;
}

json_t *rc_cmd_nodes_json(const struct rc_cmd_nodes *all)
{
    struct rc_answer_node *nodes =
        rc_answer_nodes_make(&all->nodes, all->terms, all->aggregate.slowest);
    const struct rc_answer_aggregate answer = {
        .policy = rc_cmd_slowdown_policies[all->split],
        .model = rc_slowdown_local_models[all->model],
        .aggregate = all->aggregate,
        .slowest = all->split == RC_SPLIT_CONSTRAINT ? all->nodes.items[all->aggregate.slowest].name
                                                     : NULL,
        .nodes = nodes,
        .n = nodes ? all->nodes.n : 0};
    json_t *object = nodes ? rc_field_json(rc_answer_aggregate, &answer) : NULL;

    free(nodes);
    return object;
}
