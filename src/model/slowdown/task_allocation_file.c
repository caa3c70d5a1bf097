// SPDX-License-Identifier: GPL-3.0-or-later
/* task_allocation_file.c - machines, tasks and times from a file. */
#include "model/slowdown/task_allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/text.h"
#include "base/unit.h"
#include "platform/yaml.h"

enum { PLACE_SIZE = 96 };
#define LARGEST 1e12

struct reading {
    const struct rc_yaml *yaml;
    struct rc_allocation_file *file;
};

/* ---- the shape of the file ---- */

/* The texts of the file; NULL: missing. */
struct raw_task {
    char *name;
    char **seconds, **transfer;
    uint32_t seconds_count, transfer_count;
};

struct raw_tasks {
    char **machines, **slowdown;
    struct raw_task *tasks;
    uint32_t machines_count, slowdown_count, tasks_count;
};

static const struct cyaml_schema_field task_fields[] = {
    RC_YAML_TEXT("name", RC_YAML_REQUIRED, struct raw_task, name),
    RC_YAML_TEXTS("seconds", RC_YAML_REQUIRED, struct raw_task, seconds,
                  RC_ALLOCATION_MACHINES_MAX),
    RC_YAML_TEXTS("transfer", RC_YAML_OPTIONAL, struct raw_task, transfer, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value task_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_task, task_fields),
};

static const struct cyaml_schema_field fields[] = {
    RC_YAML_TEXTS("machines", RC_YAML_REQUIRED, struct raw_tasks, machines,
                  RC_ALLOCATION_MACHINES_MAX),
    RC_YAML_LIST("tasks", RC_YAML_REQUIRED, struct raw_tasks, tasks, &task_entry, 1,
                 RC_ALLOCATION_TASKS_MAX),
    RC_YAML_TEXTS("slowdown", RC_YAML_OPTIONAL, struct raw_tasks, slowdown, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_tasks, fields),
};

static const struct rc_yaml_expected expected[] = {
    {"machines", "a list of names such as [M1, M2]"},
    {"tasks", "a list of tasks in order, each with '- ' before it"},
    {"name", "the name of a task"},
    {"seconds", "a list of times, one for each machine, such as [12, 18]; or none"},
    {"transfer", "a list of times to the next task, such as [M1>M2=7, any=8]"},
    {"slowdown", "a list of slowdowns of at least 1, such as [M1=3, M1>M2=3]"},
    {NULL, NULL},
};

/* ---- texts such as "M1>M2=7" ---- */

/* The text before the '='. */
struct target {
    bool any;        /* "any": all others */
    size_t from, to; /* equal for a machine */
    bool both_ways;
};

static int find_machine(const struct rc_allocation_file *file, const char *text, size_t length,
                        size_t *machine, struct rc_error *error)
{
    char name[64];
    const char *near;

    for (size_t i = 0; i < file->n_machines; i++)
        if (strlen(file->machines[i]) == length && strncmp(file->machines[i], text, length) == 0) {
            *machine = i;
            return 0;
        }
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), text);
    rc_text_mend_cut(name, sizeof name);
    rc_error_set(error, "no machine '%s'", name);
    near = rc_nearest_word(name, (const char *const *)file->machines, file->n_machines,
                           sizeof *file->machines);
    return near ? rc_error_hint(error, "did you mean '%.100s'?", near) : -1;
}

static int read_target(const struct rc_allocation_file *file, const char *text, size_t length,
                       struct target *target, struct rc_error *error)
{
    const char *arrow = memchr(text, '>', length);
    size_t first = arrow ? (size_t)(arrow - text) : length;

    *target = (struct target){.any = length == 3 && strncmp(text, "any", 3) == 0};
    if (target->any)
        return 0;
    if (arrow && first > 0 && text[first - 1] == '<') {
        target->both_ways = true;
        first--;
    }
    if (find_machine(file, text, first, &target->from, error))
        return -1;
    target->to = target->from;
    if (!arrow)
        return 0;
    if (find_machine(file, arrow + 1, length - (size_t)(arrow + 1 - text), &target->to, error))
        return -1;
    if (target->to == target->from)
        return rc_error_set(error, "'%.*s': both machines are the same", (int)length, text);
    return 0;
}

/* The text after the '=', and the length of the part before it. */
static const char *split(const char *text, size_t *length, struct rc_error *error)
{
    const char *equals = strchr(text, '=');

    if (!equals) {
        rc_error_set(error, "missing '=' in '%.100s'", text);
        rc_error_hint(error,
                      "write M1=3 for a machine, or M1>M2=3 for messages from one to another");
        return NULL;
    }
    *length = (size_t)(equals - text);
    return equals + 1;
}

/* A time, or "none" if impossible. */
static int read_time(const char *text, double *seconds, struct rc_error *error)
{
    if (strcmp(text, "none") == 0) {
        *seconds = INFINITY;
        return 0;
    }
    if (rc_unit_parse(text, strlen(text), RC_SECONDS, seconds, error))
        return -1;
    return *seconds >= 0 && *seconds <= LARGEST
               ? 0
               : rc_error_set(error, "'%.100s' is not a time from 0 to %g s", text, LARGEST);
}

static bool is_set(const double *matrix, size_t n, const struct target *target)
{
    return !isnan(matrix[target->from * n + target->to]) ||
           (target->both_ways && !isnan(matrix[target->to * n + target->from]));
}

static void set(double *matrix, size_t n, const struct target *target, double value)
{
    matrix[target->from * n + target->to] = value;
    if (target->both_ways)
        matrix[target->to * n + target->from] = value;
}

int rc_slowdown_allocation_file_slow(struct rc_allocation_file *file, const char *text,
                                     struct rc_error *error)
{
    struct target target;
    size_t length;
    const char *number = split(text, &length, error);
    double slowdown;

    if (!number || read_target(file, text, length, &target, error) ||
        rc_unit_parse(number, strlen(number), RC_COUNT, &slowdown, error))
        return -1;
    if (target.any)
        return rc_error_set(error,
                            "'%.100s': slowdowns are for a machine, or for messages between two",
                            text);
    if (!(slowdown >= 1 && slowdown <= LARGEST))
        return rc_error_set(error, "'%.100s': slowdown must be from 1 to %g", text, LARGEST);
    if (target.from == target.to)
        file->slowdown[target.from] = slowdown;
    else
        set(file->link, file->n_machines, &target, slowdown);
    return 0;
}

/* ---- the file ---- */

static int read_machines(const struct reading *reading, const struct raw_tasks *raw)
{
    struct rc_allocation_file *file = reading->file;
    char path[PLACE_SIZE];

    file->machines = calloc(raw->machines_count, sizeof *file->machines);
    if (!file->machines)
        return rc_error_no_memory(reading->yaml->error);
    for (size_t i = 0; i < raw->machines_count; i++) {
        const char *name = raw->machines[i];

        snprintf(path, sizeof path, "machines[%zu]", i);
        if (strpbrk(name, "<>=") || strcmp(name, "any") == 0)
            return rc_platform_yaml_fail(
                reading->yaml, path, "",
                "invalid name of a machine '%.100s': '<', '>', '=' and the "
                "word any are reserved",
                name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(file->machines[j], name) == 0)
                return rc_platform_yaml_fail(reading->yaml, path, "", "duplicate machine '%.100s'",
                                             name);
        if (rc_platform_yaml_copy(reading->yaml, name, &file->machines[i]))
            return -1;
        file->n_machines = i + 1;
    }
    return 0;
}

static int make_room(const struct reading *reading, const struct raw_tasks *raw)
{
    struct rc_allocation_file *file = reading->file;
    size_t m = file->n_machines, tasks = raw->tasks_count;

    if ((double)tasks * (double)m * (double)m > RC_ALLOCATION_TIMES_MAX)
        return rc_platform_yaml_fail(reading->yaml, "tasks", "",
                                     "too many: %zu tasks on %zu machines", tasks, m);
    file->tasks = calloc(tasks, sizeof *file->tasks);
    file->execution = calloc(tasks * m, sizeof *file->execution);
    file->transfer = calloc(tasks * m * m, sizeof *file->transfer);
    file->slowdown = calloc(m, sizeof *file->slowdown);
    file->link = calloc(m * m, sizeof *file->link);
    if (!file->tasks || !file->execution || !file->transfer || !file->slowdown || !file->link)
        return rc_error_no_memory(reading->yaml->error);
    for (size_t i = 0; i < m * m; i++)
        file->link[i] = 1;
    for (size_t i = 0; i < m; i++)
        file->slowdown[i] = 1;
    return 0;
}

static int read_execution(const struct reading *reading, size_t number, const struct raw_task *raw)
{
    struct rc_allocation_file *file = reading->file;
    struct rc_error inner = {0};
    char path[PLACE_SIZE];

    snprintf(path, sizeof path, "tasks[%zu].seconds", number);
    if (raw->seconds_count != file->n_machines)
        return rc_platform_yaml_fail(reading->yaml, path, "", "%u times for %zu machines",
                                     (unsigned)raw->seconds_count, file->n_machines);
    for (size_t i = 0; i < file->n_machines; i++) {
        snprintf(path, sizeof path, "tasks[%zu].seconds[%zu]", number, i);
        if (read_time(raw->seconds[i], &file->execution[number * file->n_machines + i], &inner))
            return rc_platform_yaml_fail_with(reading->yaml, path, "", &inner);
    }
    return 0;
}

/* NAN marks missing times. */
static int read_one_transfer(const struct reading *reading, const char *text, double *matrix,
                             double *otherwise, struct rc_error *error)
{
    struct target target;
    size_t length;
    const char *time = split(text, &length, error);
    double seconds;

    if (!time || read_target(reading->file, text, length, &target, error) ||
        read_time(time, &seconds, error))
        return -1;
    if (target.any ? !isnan(*otherwise)
                   : target.from != target.to && is_set(matrix, reading->file->n_machines, &target))
        return rc_error_set(error, "duplicate '%.100s'", text);
    if (target.any) {
        *otherwise = seconds;
        return 0;
    }
    if (target.from == target.to)
        return rc_error_set(error, "'%.100s': missing second machine, as in M1>M2", text);
    set(matrix, reading->file->n_machines, &target, seconds);
    return 0;
}

static int read_transfer(const struct reading *reading, size_t number, bool last,
                         const struct raw_task *raw)
{
    struct rc_allocation_file *file = reading->file;
    size_t m = file->n_machines;
    double *matrix = file->transfer + number * m * m, otherwise = NAN;
    struct rc_error inner = {0};
    char path[PLACE_SIZE];

    if (raw->transfer_count == 0)
        return 0; /* nothing to send: zeros */
    for (size_t i = 0; i < m * m; i++)
        matrix[i] = i % (m + 1) ? (double)NAN : 0;
    for (size_t i = 0; i < raw->transfer_count; i++) {
        snprintf(path, sizeof path, "tasks[%zu].transfer[%zu]", number, i);
        if (read_one_transfer(reading, raw->transfer[i], matrix, &otherwise, &inner))
            return rc_platform_yaml_fail_with(reading->yaml, path, "", &inner);
    }
    snprintf(path, sizeof path, "tasks[%zu].transfer", number);
    for (size_t i = 0; i < m * m; i++) {
        if (isnan(matrix[i]))
            matrix[i] = otherwise;
        if (isnan(matrix[i]))
            return rc_platform_yaml_fail(reading->yaml, path, "",
                                         "missing time from %.60s to %.60s (or none if impossible)",
                                         file->machines[i / m], file->machines[i % m]);
    }
    return last ? rc_platform_yaml_fail(reading->yaml, path, "", "the last task has no next one")
                : 0;
}

static int read_tasks(const struct reading *reading, const struct raw_tasks *raw)
{
    struct rc_allocation_file *file = reading->file;

    for (size_t i = 0; i < raw->tasks_count; i++) {
        if (rc_platform_yaml_copy(reading->yaml, raw->tasks[i].name, &file->tasks[i]))
            return -1;
        file->n_tasks = i + 1;
        if (read_execution(reading, i, &raw->tasks[i]) ||
            read_transfer(reading, i, i + 1 == raw->tasks_count, &raw->tasks[i]))
            return -1;
    }
    return 0;
}

static int read_slowdowns(const struct reading *reading, const struct raw_tasks *raw)
{
    struct rc_error inner = {0};
    char path[PLACE_SIZE];

    for (size_t i = 0; i < raw->slowdown_count; i++) {
        snprintf(path, sizeof path, "slowdown[%zu]", i);
        if (rc_slowdown_allocation_file_slow(reading->file, raw->slowdown[i], &inner))
            return rc_platform_yaml_fail_with(reading->yaml, path, "", &inner);
    }
    return 0;
}

int rc_slowdown_allocation_file_parse(const char *text, size_t length, const char *name,
                                      struct rc_allocation_file *file, struct rc_error *error)
{
    struct rc_yaml yaml;
    const struct reading reading = {&yaml, file};
    int status = rc_platform_yaml_open(&yaml, text, length, name, &schema, expected, error);

    *file = (struct rc_allocation_file){0};
    if (status == 0)
        status = read_machines(&reading, yaml.content) || make_room(&reading, yaml.content) ||
                         read_tasks(&reading, yaml.content) ||
                         read_slowdowns(&reading, yaml.content)
                     ? -1
                     : 0;
    rc_platform_yaml_close(&yaml);
    if (status)
        rc_slowdown_allocation_file_free(file);
    return status;
}

void rc_slowdown_allocation_file_free(struct rc_allocation_file *file)
{
    for (size_t i = 0; i < file->n_machines; i++)
        free(file->machines[i]);
    for (size_t i = 0; i < file->n_tasks; i++)
        free(file->tasks[i]);
    free(file->machines);
    free(file->tasks);
    free(file->execution);
    free(file->transfer);
    free(file->slowdown);
    free(file->link);
    *file = (struct rc_allocation_file){0};
}

struct rc_allocation rc_slowdown_allocation_file_view(const struct rc_allocation_file *file)
{
    return (struct rc_allocation){
        .n_tasks = file->n_tasks,
        .n_machines = file->n_machines,
        .execution = file->execution,
        .transfer = file->transfer,
        .slowdown = file->slowdown,
        .link = file->link,
    };
}

int rc_slowdown_allocation_file_solve(const struct rc_allocation_file *file,
                                      struct rc_mapping *mapping, struct rc_error *error)
{
    struct rc_allocation allocation = rc_slowdown_allocation_file_view(file);

    if (rc_slowdown_allocation_solve(&allocation, mapping, error))
        return -1;
    if (isfinite(mapping->seconds))
        return 0;
    rc_slowdown_mapping_free(mapping);
    rc_error_set(error, "no possible mapping of all tasks");
    return rc_error_hint(error,
                         "each task needs a machine that can run it and that the task before "
                         "can send to; look for 'none' in the file");
}
