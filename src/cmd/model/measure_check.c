// SPDX-License-Identifier: GPL-3.0-or-later
/* measure_check.c - checks the commands of 'runcast model measure'. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/measure.h"

/* ---- places ---- */

const char *rc_cmd_measuring_next_place(const char *at, char name[RC_TEMPLATE_NAME_SIZE])
{
    for (at = at ? strchr(at, '{') : NULL; at && !rc_run_template_name(at, name);)
        at = strchr(at + 1, '{');
    return at ? at + 1 : NULL;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

const struct rc_item *rc_cmd_measuring_find_input(const struct rc_cmd_measuring *measuring,
                                                  const char *name)
{
    const struct rc_item *item = rc_structural_binding_find_item(measuring->plan->binding, name);

    return item && item->kind == RC_ITEM_INPUT && item->n_parameters == 0 ? item : NULL;
}

static int unknown_place(const char *option, const char *name, const char *known,
                         struct rc_error *error)
{
    rc_error_set(error, "%s: unknown place {%s}", option, name);
    return rc_error_hint(error, "use %s", known);
}

/* Empty commands are found only once the places are filled in. */
static int check_words(const struct rc_cmd_measuring *measuring, bool run, struct rc_error *error)
{
    const struct rc_measuring_job any = {.run = run, .processes = 1, .bytes = NAN};
    const struct rc_measuring_command command = {.plan = measuring->plan,
                                                 .job = &any,
                                                 .microbenchmark = measuring->program,
                                                 .repeats = measuring->repeats};
    struct rc_template template = rc_cmd_measuring_template(measuring, &command);
    char **words = rc_run_template_words(&template, error);

    rc_run_words_free(words);
    return words ? 0 : -1;
}

/* Without these places, all hosts, or all numbers of processes, would get one value. */
static int check_place(const struct rc_cmd_measuring *measuring, const char *option, bool has_hosts,
                       bool has_p, bool needs_p, struct rc_error *error)
{
    size_t n;

    rc_structural_binding_hosts(measuring->plan->binding, &n);
    if (!has_hosts && n > 1) {
        rc_error_set(error,
                     "%s: missing {hosts}; without it, all %zu hosts would get the values of one",
                     option, n);
        return rc_error_hint(error, "use a command such as mpirun -np {p} --host {hosts} ..., or "
                                    "choose one host with --hosts");
    }
    if (!has_p && needs_p && !measuring->only_shown) {
        rc_error_set(error, "%s: missing {p}, the number of processes", option);
        return rc_error_hint(error, "use a command such as mpirun -np {p} --host {hosts} ...");
    }
    return 0;
}

/* Whether a run of the program, or of the microbenchmark, has several processes. */
static bool has_several(const struct rc_measuring *plan, bool run)
{
    for (size_t i = 0; i < plan->n_jobs; i++)
        if (plan->jobs[i].run == run && plan->jobs[i].processes > 1)
            return true;
    return false;
}

static int check_command(const struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    static const char *const names[] = {"p", "hosts", "size", "arguments", NULL};
    char name[RC_TEMPLATE_NAME_SIZE];
    bool sized = false, counted = false;

    for (const char *at = measuring->command; (at = rc_cmd_measuring_next_place(at, name));) {
        const struct rc_item *item = rc_cmd_measuring_find_input(measuring, name);

        if (!item && !is_one_of(name, names))
            return unknown_place("--command", name,
                                 "{p}, {hosts}, {size}, {arguments} or an input of the model "
                                 "without parameters",
                                 error);
        sized |= strcmp(name, "size") == 0 || (item && item->source == RC_FROM_SIZE);
        counted |= strcmp(name, "p") == 0 || (item && item->source == RC_FROM_PROCESSES);
    }
    if (!sized) {
        rc_error_set(error, "--command: missing {size}, the problem size");
        return rc_error_hint(
            error, "use a command such as mpirun -np {p} --host {hosts} ./app --size {size}");
    }
    return check_words(measuring, true, error) ||
                   check_place(measuring, "--command",
                               rc_run_template_has(measuring->command, "hosts"), counted,
                               has_several(measuring->plan, true), error)
               ? -1
               : 0;
}

/* Whether 'runcast lab sim' starts the program: it has its own builds of the workloads. */
static bool is_simulated(const char *command)
{
    const char *lab = strstr(command, " lab ");

    return lab && strncmp(lab + 4 + strspn(lab + 4, " "), "sim ", 4) == 0;
}

/* The path of the microbenchmark; simulations find it by name. */
static int find_microbenchmark(struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    if (!is_simulated(measuring->microbenchmark))
        return rc_structural_measuring_find_microbenchmark(measuring->program,
                                                           sizeof measuring->program, error);
    snprintf(measuring->program, sizeof measuring->program, "microbenchmark");
    return 0;
}

static int check_microbenchmark(struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    static const char *const names[] = {"p", "hosts", "program", "options", NULL};
    const char *command = measuring->microbenchmark;
    char name[RC_TEMPLATE_NAME_SIZE];

    for (const char *at = command; (at = rc_cmd_measuring_next_place(at, name));)
        if (!is_one_of(name, names))
            return unknown_place("--microbenchmark", name, "{p}, {hosts}, {program} or {options}",
                                 error);
    if (!rc_run_template_has(command, "program") && !rc_run_template_has(command, "options")) {
        rc_error_set(error, "--microbenchmark: missing {program} or {options}");
        return rc_error_hint(error, "use a command such as mpirun -np {p} --host {hosts} "
                                    "./microbenchmark {options}");
    }
    if (check_place(measuring, "--microbenchmark", rc_run_template_has(command, "hosts"),
                    rc_run_template_has(command, "p"), has_several(measuring->plan, false),
                    error) ||
        (rc_run_template_has(command, "program") && find_microbenchmark(measuring, error)))
        return -1;
    return check_words(measuring, false, error);
}

int rc_cmd_measuring_check(struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    const struct rc_measuring *plan = measuring->plan;
    bool run = false, microbenchmark = false;

    for (size_t i = 0; i < plan->n_jobs; i++) {
        run |= plan->jobs[i].run;
        microbenchmark |= !plan->jobs[i].run;
    }
    if (run && !measuring->command) {
        rc_error_set(error,
                     "missing --command COMMAND: inputs are measured by runs of the program");
        return rc_error_hint(error, "use, for example, --command 'mpirun -np {p} --host {hosts} "
                                    "./app --size {size}'");
    }
    return (run && check_command(measuring, error)) ||
                   (microbenchmark && check_microbenchmark(measuring, error))
               ? -1
               : 0;
}

size_t rc_cmd_measuring_places(const struct rc_model *model, const char *command,
                               const char **names, size_t room)
{
    char name[RC_TEMPLATE_NAME_SIZE];
    size_t n = 0;

    for (const char *at = command; (at = rc_cmd_measuring_next_place(at, name));)
        for (size_t i = 0; i < model->n_items && n < room; i++)
            if (model->items[i].kind == RC_ITEM_INPUT && strcmp(model->items[i].name, name) == 0) {
                names[n++] = model->items[i].name;
                break;
            }
    return n;
}
