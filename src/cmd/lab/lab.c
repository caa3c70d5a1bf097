// SPDX-License-Identifier: GPL-3.0-or-later
/* lab.c - 'runcast lab': virtual nodes and simulated clusters; its verbs status and down. */
#include "cmd/lab/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/lab_fields.h"
#include "base/error.h"
#include "cmd/core/commands.h"

int rc_cmd_lab_link_rate(const char *text, double *link, struct rc_error *error)
{
    *link = text ? INFINITY : NAN;
    if (!text || strcmp(text, "none") == 0)
        return 0;
    return rc_unit_parse(text, strlen(text), RC_RATE, link, error);
}

/* ---- showing ---- */

static int fail_memory(void)
{
    struct rc_error error;

    rc_error_no_memory(&error);
    return rc_cmd_fail(&error, "showing the labs");
}

static int show_table(const struct rc_answer_lab *lab)
{
    printf("lab '%s': %s\n", lab->name, lab->state);
    if (rc_field_table(stdout, rc_answer_lab_node, lab->nodes, lab->n_nodes, sizeof *lab->nodes,
                       rc_cmd_width(), NULL))
        return fail_memory();
    if (lab->broken)
        printf("remove it with: runcast lab down %s\n", lab->name);
    return RC_EXIT_OK;
}

int rc_cmd_lab_show(const struct rc_testbed *labs, size_t n, bool json)
{
    struct rc_answer_lab *lab = malloc(sizeof *lab);
    struct rc_answer_labs answer = {json_array(), rc_cmd_notes_json()};
    int status = lab ? RC_EXIT_OK : fail_memory();

    for (size_t i = 0; i < n && status == RC_EXIT_OK; i++) {
        rc_answer_lab_make(lab, &labs[i]);
        if (json) {
            json_array_append_new(answer.labs, rc_field_json(rc_answer_lab, lab));
            continue;
        }
        if (i > 0)
            putchar('\n');
        status = show_table(lab);
    }
    if (lab && json)
        rc_cmd_print_json(rc_field_json(rc_answer_labs, &answer));
    json_decref(answer.labs);
    json_decref(answer.notes);
    free(lab);
    return status;
}

/* ---- status ---- */

struct status_options {
    const char *lab;
    bool json;
};

static const struct rc_option status_options[] = {
    RC_OPTION_LAB(struct status_options, " (default: all labs)"),
    RC_OPTION_JSON(struct status_options),
    RC_OPTIONS_END,
};

struct lab_list {
    struct rc_testbed *labs;
    size_t n;
    const char *only;
    struct rc_error *error;
};

static int add_lab(void *data, const char *name)
{
    struct lab_list *list = data;
    struct rc_testbed *grown;

    if (list->only && strcmp(name, list->only) != 0)
        return 0;
    grown = realloc(list->labs, (list->n + 1) * sizeof *grown);
    if (!grown)
        return rc_error_no_memory(list->error);
    list->labs = grown;
    if (rc_nodes_load(name, &list->labs[list->n], NULL) == 0)
        list->n++;
    else
        rc_cmd_note("the lab '%s' is incomplete; remove it with: runcast lab down %s", name, name);
    return 0;
}

static int run_status(struct rc_invocation *invocation)
{
    const struct status_options *options = invocation->options;
    struct rc_error error = {0};
    struct lab_list list = {.only = options->lab, .error = &error};
    int status;

    if (options->lab) {
        status = rc_nodes_check_name(options->lab, &error);
        if (status)
            return rc_cmd_usage(invocation, &error);
    }
    if (rc_nodes_each(add_lab, &list, &error))
        status = rc_cmd_fail(&error, "finding the labs");
    else if (options->lab && list.n == 0 &&
             rc_nodes_load(options->lab, &(struct rc_testbed){0}, &error))
        status = rc_cmd_fail(&error, "showing the lab '%s'", options->lab);
    else if (list.n == 0 && !options->json)
        status = puts("no labs; make one with: runcast lab up") < 0;
    else
        status = rc_cmd_lab_show(list.labs, list.n, options->json);
    free(list.labs);
    return status;
}

const struct rc_command rc_command_lab_status = {
    .name = "status",
    .summary = "Show labs and the processes in them",
    .details = "The number of processes does not include those of the lab itself. In JSON, "
               "cpu_time_s is the CPU time that a node has been given. While anything runs on the "
               "core, it grows by the node's share, even if the node is idle.",
    .examples = "  runcast lab status # all labs\n"
                "  runcast lab status --lab big --json # one, for programs\n",
    .options = status_options,
    .options_size = sizeof(struct status_options),
    .answers = {rc_answer_labs},
    .run = run_status,
};

/* ---- down ---- */

struct down_options {
    const char *lab;
    bool all;
};

static const struct rc_option down_options[] = {
    RC_OPTION_LAB(struct down_options, " (default: " RC_NODES_DEFAULT_NAME ")"),
    {RC_OPTION_OF(struct down_options, FLAG, all), .name = "all", .help = "all labs"},
    RC_OPTIONS_END,
};

static int take_down(void *data, const char *name)
{
    struct rc_error error = {0};
    int *status = data;
    bool found;

    if (rc_nodes_down(name, &found, &error))
        *status = rc_cmd_fail(&error, "removing the lab '%s'", name);
    else if (!found)
        rc_cmd_note("no lab '%s': nothing to remove", name);
    return 0;
}

static int run_down(struct rc_invocation *invocation)
{
    const struct down_options *options = invocation->options;
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    if (options->all + (options->lab != NULL) + (invocation->n_arguments > 0) > 1)
        return rc_cmd_usage_text(invocation, "use only one of LAB, --lab NAME and --all");
    if (rc_nodes_possible(&error))
        return rc_cmd_fail(&error, "removing labs");
    for (int i = 0; i < invocation->n_arguments; i++)
        take_down(&status, invocation->arguments[i]);
    if (invocation->n_arguments > 0)
        return status;
    if (!options->all)
        take_down(&status, options->lab ? options->lab : RC_NODES_DEFAULT_NAME);
    else if (rc_nodes_each(take_down, &status, &error))
        status = rc_cmd_fail(&error, "removing labs");
    return status;
}

const struct rc_command rc_command_lab_down = {
    .name = "down",
    .summary = "Kill all processes in a lab, and remove it",
    .arguments = "[LAB...]",
    .most_arguments = -1,
    .details = "Also removes what a crash or a reboot left of a lab. Touches nothing else.",
    .examples = "  runcast lab down # the lab that 'runcast lab up' made\n"
                "  runcast lab down --all # every lab on this machine\n",
    .options = down_options,
    .options_size = sizeof(struct down_options),
    .run = run_down,
};

/* ---- the verb ---- */

static const struct rc_command *const children[] = {
    &rc_command_lab_up,     &rc_command_lab_exec, &rc_command_lab_mpirun, &rc_command_lab_set,
    &rc_command_lab_status, &rc_command_lab_down, &rc_command_lab_sim,    NULL,
};

const struct rc_command rc_command_lab = {
    .name = "lab",
    .summary = "Make virtual nodes on this machine, or simulate clusters",
    .children = children,
};
