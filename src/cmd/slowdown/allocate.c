// SPDX-License-Identifier: GPL-3.0-or-later
/* allocate.c - 'runcast slowdown allocate': machines for the tasks of a chain. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/unit.h"
#include "cmd/slowdown/slowdown.h"
#include "model/slowdown/task_allocation.h"

struct allocate_options {
    struct rc_option_list slowdowns;
    bool json;
};

static const struct rc_option allocate_options[] = {
    {RC_OPTION_OF(struct allocate_options, LIST, slowdowns), .name = "slowdown",
     .argument = "WHAT=X",
     .help = "slowdown of a machine or of messages between two, at least 1: M1=3, 'M1>M2=3', or "
             "'M1<>M2=3' for both directions (may be repeated)"},
    RC_OPTION_JSON(struct allocate_options),
    RC_OPTIONS_END,
};

static int show(const struct rc_answer_allocation *answer, struct rc_error *error)
{
    char whole[RC_UNIT_SIZE];

    rc_unit_format(answer->time, RC_SECONDS, whole);
    printf("total time: %s\n", whole);
    if (rc_field_table(stdout, rc_answer_task, answer->tasks, answer->n, sizeof *answer->tasks,
                       rc_cmd_width(), error))
        return -1;
    if (answer->tie)
        printf("tie: another mapping takes the same time; the first in the order of machines is "
               "shown\n");
    return 0;
}

static int solve(const struct allocate_options *options, const struct rc_allocation_file *file)
{
    struct rc_error error = {0};
    struct rc_mapping mapping;
    struct rc_answer_allocation answer;
    int status = 0;

    if (rc_slowdown_allocation_file_solve(file, &mapping, &error))
        return rc_cmd_fail(&error, "finding the best mapping");
    if (rc_answer_allocation_make(file, &mapping, &answer))
        status = rc_error_no_memory(&error);
    else if (options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_allocation, &answer));
    else
        status = show(&answer, &error);
    free(answer.tasks);
    rc_slowdown_mapping_free(&mapping);
    return status ? rc_cmd_fail(&error, "showing the mapping") : RC_EXIT_OK;
}

/* The position of an item for the same thing as an earlier one; list->n if there is none. */
static size_t find_twice(const struct rc_option_list *list)
{
    for (size_t i = 1; i < list->n; i++)
        for (size_t k = 0; k < i; k++) {
            size_t length = strcspn(list->items[i], "=");

            if (strncmp(list->items[i], list->items[k], length) == 0 &&
                strcspn(list->items[k], "=") == length)
                return i;
        }
    return list->n;
}

static int run_allocate(struct rc_invocation *invocation)
{
    const struct allocate_options *options = invocation->options;
    struct rc_allocation_file file;
    struct rc_error error = {0};
    size_t twice = find_twice(&options->slowdowns);
    int status = RC_EXIT_OK;

    if (twice < options->slowdowns.n)
        return rc_cmd_usage_text(invocation, "--slowdown %.100s: duplicate",
                                 options->slowdowns.items[twice]);
    if (rc_slowdown_allocation_file_parse(NULL, 0, invocation->arguments[0], &file, &error))
        return rc_cmd_fail(&error, "reading the tasks");
    for (size_t i = 0; i < options->slowdowns.n && status == RC_EXIT_OK; i++)
        if (rc_slowdown_allocation_file_slow(&file, options->slowdowns.items[i], &error))
            status = rc_cmd_slowdown_refuse(invocation, "slowdown", &error);
    if (status == RC_EXIT_OK)
        status = solve(options, &file);
    rc_slowdown_allocation_file_free(&file);
    return status;
}

const struct rc_command rc_command_slowdown_allocate = {
    .name = "allocate",
    .summary = "Assign the tasks of a chain to machines",
    .arguments = "FILE",
    .details = "Finds the machine for each task that minimizes the total time. FILE (YAML) has the "
               "machines, the tasks with their times on each idle machine, and the times of "
               "sending data from one task to the next. --slowdown adds contention.",
    .examples = "  runcast slowdown allocate tasks.yaml\n"
                "  runcast slowdown allocate tasks.yaml --slowdown M1=3 --slowdown 'M1<>M2=3'\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = allocate_options,
    .options_size = sizeof(struct allocate_options),
    .answers = {rc_answer_allocation},
    .run = run_allocate,
};
