// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown_allocate.c - 'runcast slowdown allocate': on which machine each of several tasks in
 * sequence is to run. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "base/unit.h"
#include "cmd/slowdown/slowdown.h"
#include "model/slowdown/allocation_file.h"

struct allocate_options {
    struct rc_option_list slowdowns;
    bool json;
};

static const struct rc_option allocate_options[] = {
    {.name = "slowdown",
     .letter = 's',
     .kind = RC_OPTION_LIST,
     .argument = "WHAT=X",
     .help = "how much longer it takes, 1 or more: M1=3 on a machine, 'M1>M2=3' to send from one "
             "to another, 'M1<>M2=3' both ways (may be repeated)",
     .offset = offsetof(struct allocate_options, slowdowns)},
    RC_OPTION_JSON(struct allocate_options),
    RC_OPTIONS_END,
};

static void add_time(struct rc_table *table, double seconds)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    rc_table_text(table, text);
}

static int show(const struct rc_allocation_file *file, const struct rc_allocation *allocation,
                const struct rc_mapping *mapping)
{
    static const struct rc_column heads[] = {{.title = "task"},
                                             {.title = "machine"},
                                             {.title = "time", .right = true},
                                             {.title = "sending", .right = true}};
    struct rc_table *table;
    struct rc_error error = {0};
    char whole[RC_UNIT_SIZE];

    rc_unit_format(mapping->seconds, RC_SECONDS, whole);
    printf("all tasks take %s\n", whole);
    table = rc_table_create(stdout, heads, 4, rc_cmd_width());
    for (size_t i = 0; table && i < file->n_tasks; i++) {
        struct rc_allocation_step step =
            rc_slowdown_allocation_step(allocation, mapping->machines, i);

        rc_table_text(table, file->tasks[i]);
        rc_table_text(table, file->machines[mapping->machines[i]]);
        add_time(table, step.execution);
        add_time(table, step.transfer);
    }
    if (!table || rc_table_finish(table)) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "showing the mapping");
    }
    if (mapping->tie)
        printf("a tie: another mapping takes as long; this is the first by the machines' order\n");
    return RC_EXIT_OK;
}

static int write_json(const struct rc_allocation_file *file, const struct rc_allocation *allocation,
                      const struct rc_mapping *mapping)
{
    json_t *object = json_object(), *list = json_array();

    for (size_t i = 0; i < file->n_tasks; i++) {
        struct rc_allocation_step step =
            rc_slowdown_allocation_step(allocation, mapping->machines, i);
        json_t *task = json_object();

        rc_json_set(task, "name", rc_json_text(file->tasks[i]));
        rc_json_set(task, "machine", rc_json_text(file->machines[mapping->machines[i]]));
        rc_json_set(task, "seconds", rc_json_number(step.execution));
        rc_json_set(task, "transfer", rc_json_number(step.transfer));
        json_array_append_new(list, task);
    }
    rc_json_set(object, "seconds", rc_json_number(mapping->seconds));
    rc_json_set(object, "tie", json_boolean(mapping->tie));
    rc_json_set(object, "tasks", list);
    rc_json_write(stdout, object, true);
    json_decref(object);
    return RC_EXIT_OK;
}

static int solve(const struct allocate_options *options, const struct rc_allocation_file *file)
{
    struct rc_allocation allocation = rc_slowdown_allocation_file_view(file);
    struct rc_error error = {0};
    struct rc_mapping mapping;
    int status;

    if (rc_slowdown_allocation_solve(&allocation, &mapping, &error))
        return rc_cmd_fail(&error, "looking for the best mapping");
    if (isfinite(mapping.seconds)) {
        status = (options->json ? write_json : show)(file, &allocation, &mapping);
    } else {
        rc_error_set(&error, "there is no way to run all tasks");
        rc_error_hint(&error, "each task needs a machine that it can run on and be sent to: "
                              "look for 'none' in the file");
        status = rc_cmd_fail(&error, "looking for the best mapping");
    }
    rc_slowdown_mapping_free(&mapping);
    return status;
}

/* The number of an item that says of the same as one before it, or that of all. */
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
    struct rc_error error = {0}, named = {0};
    size_t twice = find_twice(&options->slowdowns);
    int status = RC_EXIT_OK;

    if (twice < options->slowdowns.n)
        return rc_cmd_usage_text(invocation, "--slowdown %.100s: that is said twice",
                                 options->slowdowns.items[twice]);
    if (rc_slowdown_allocation_file_parse(NULL, 0, invocation->arguments[0], &file, &error))
        return rc_cmd_fail(&error, "reading the tasks");
    for (size_t i = 0; i < options->slowdowns.n && status == RC_EXIT_OK; i++)
        if (rc_slowdown_allocation_file_slow(&file, options->slowdowns.items[i], &error)) {
            rc_error_set(&named, "--slowdown: %s", error.text);
            rc_error_hint_of(&named, &error);
            status = rc_cmd_usage(invocation, &named);
        }
    if (status == RC_EXIT_OK)
        status = solve(options, &file);
    rc_slowdown_allocation_file_free(&file);
    return status;
}

const struct rc_command rc_command_slowdown_allocate = {
    .name = "allocate",
    .summary = "On which machine each of several tasks in sequence is to run",
    .arguments = "FILE",
    .details =
        "FILE (YAML) has the machines, the tasks in their order with their times on each idle "
        "machine, and the times to send what one task hands to the next. The mapping that takes "
        "the least time is shown, with machines and links slowed down as given.",
    .examples = "  runcast slowdown allocate tasks.yaml\n"
                "  runcast slowdown allocate tasks.yaml --slowdown M1=3 --slowdown 'M1<>M2=3'\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = allocate_options,
    .options_size = sizeof(struct allocate_options),
    .run = run_allocate,
};
