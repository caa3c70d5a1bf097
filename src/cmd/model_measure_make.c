// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measure_make.c - the runs of 'runcast model measure': of the yardstick, and of the program.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/process.h"
#include "cmd/jobs.h"
#include "cmd/model_measure.h"
#include "cmd/template.h"

/* A job whose command is filled in. */
struct filling {
    const struct rc_cmd_measuring *measuring;
    const struct rc_measuring_job *job;
};

/* ---- places ---- */

static int put_number(double number, struct rc_buffer *out)
{
    char text[RC_NUMBER_SIZE];

    rc_number_format(number, text);
    return rc_buffer_add_text(out, text) ? -1 : 1;
}

static int put_hosts(const struct rc_measuring_job *job, struct rc_buffer *out)
{
    int status = 0;

    for (size_t i = 0; i < job->n_hosts && status == 0; i++)
        status = rc_buffer_printf(out, "%s%s", i ? "," : "", job->hosts[i]);
    return status ? -1 : 1;
}

/* What the yardstick is to do. */
static int put_options(const struct filling *filling, struct rc_buffer *out)
{
    const struct rc_measuring_job *job = filling->job;
    const char *comma = "";
    int status = rc_buffer_add_text(out, "--what ");

    if (job->operations) {
        status |= rc_buffer_add_text(out, "operations");
        comma = ",";
    }
    if (job->bandwidth) {
        status |= rc_buffer_printf(out, "%sbandwidth", comma);
        comma = ",";
    }
    if (job->startup)
        status |= rc_buffer_printf(out, "%sstartup", comma);
    if (!isnan(job->bytes))
        status |= rc_buffer_printf(out, " --bytes %.0f", job->bytes);
    status |= rc_buffer_printf(out, " --repeats %lld", (long long)filling->measuring->repeats);
    return status ? -1 : 1;
}

/* Its path, which may have blanks, and its options. */
static int put_program(const struct filling *filling, struct rc_buffer *out)
{
    int status = 0;

    for (const char *at = filling->measuring->yardstick; *at && status == 0; at++)
        status = rc_buffer_printf(out, "%s%c", strchr(" \t\n'\"\\", *at) ? "\\" : "", *at);
    return status || rc_buffer_add_text(out, " ") ? -1 : put_options(filling, out);
}

static int put_bench(const void *data, const char *name, struct rc_buffer *out)
{
    const struct filling *filling = data;

    if (strcmp(name, "p") == 0)
        return put_number(filling->job->processes, out);
    if (strcmp(name, "hosts") == 0)
        return put_hosts(filling->job, out);
    if (strcmp(name, "options") == 0)
        return put_options(filling, out);
    return strcmp(name, "program") == 0 ? put_program(filling, out) : 0;
}

static int put_run(const void *data, const char *name, struct rc_buffer *out)
{
    const struct filling *filling = data;
    const struct rc_measuring_job *job = filling->job;
    double number;

    if (strcmp(name, "p") == 0)
        return put_number(job->processes, out);
    if (strcmp(name, "hosts") == 0)
        return put_hosts(job, out);
    if (strcmp(name, "size") == 0)
        return put_number(job->size, out);
    if (strcmp(name, "arguments") == 0)
        return rc_buffer_add_text(out, job->arguments ? job->arguments : "") ? -1 : 1;
    if (!filling->measuring->plan->alone ||
        rc_measuring_input(filling->measuring->plan, name, &number, NULL))
        return 0; /* which check_inputs() has told */
    return put_number(number, out);
}

static struct rc_cmd_template template_of(const struct filling *filling)
{
    static const char *const of_bench[] = {"program", "options", NULL};
    static const char *const of_run[] = {"arguments", NULL};
    bool run = filling->job->run;

    return (struct rc_cmd_template){.option = run ? "--command" : "--bench",
                                    .text = run ? filling->measuring->command
                                                : filling->measuring->bench,
                                    .put = run ? put_run : put_bench, .data = filling,
                                    .several = run ? of_run : of_bench};
}

/* ---- checking ---- */

static bool is_one_of(const char *name, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* An input without parameters, whose number can stand in a command. */
static const struct rc_item *find_input(const struct rc_cmd_measuring *measuring, const char *name)
{
    const struct rc_item *item = rc_binding_find_item(measuring->plan->binding, name);

    return item && item->kind == RC_ITEM_INPUT && item->n_parameters == 0 ? item : NULL;
}

static int unknown_place(const char *option, const char *name, const char *known,
                         struct rc_error *error)
{
    rc_error_set(error, "%s: {%s} is not known", option, name);
    return rc_error_hint(error, "there are %s", known);
}

/* That it has words can only be seen when they are filled in. */
static int check_words(const struct rc_cmd_measuring *measuring, bool run, struct rc_error *error)
{
    const struct rc_measuring_job any = {.run = run, .processes = 1, .bytes = NAN};
    const struct filling filling = {measuring, &any};
    struct rc_cmd_template template = template_of(&filling);
    char **words = rc_cmd_template_words(&template, error);

    rc_cmd_words_free(words);
    return words ? 0 : -1;
}

static int check_command(const struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    static const char *const names[] = {"p", "hosts", "size", "arguments", NULL};
    char name[RC_CMD_PLACE_SIZE];
    bool sized = false;

    for (const char *at = strchr(measuring->command, '{'); at; at = strchr(at + 1, '{')) {
        const struct rc_item *item;

        if (!rc_cmd_template_name(at, name))
            continue;
        item = find_input(measuring, name);
        if (!item && !is_one_of(name, names))
            return unknown_place("--command", name,
                                 "{p} {hosts} {size} {arguments}, and the model's inputs without "
                                 "parameters", error);
        sized |= strcmp(name, "size") == 0 || (item && item->source == RC_FROM_SIZE);
    }
    if (!sized) {
        rc_error_set(error, "--command: there is no {size} in it, so that the problem size would "
                            "be another one");
        return rc_error_hint(error, "such as: mpirun -np {p} --host {hosts} ./app --size {size}");
    }
    return check_words(measuring, true, error);
}

/* Whether it is 'runcast lab sim' that starts the program, which has workloads of its own. */
static bool is_simulated(const char *command)
{
    const char *lab = strstr(command, " lab ");

    return lab && strncmp(lab + 4 + strspn(lab + 4, " "), "sim ", 4) == 0;
}

/* Where 'make apps' puts it for the MPI that the command is most probably of. */
static int find_yardstick(struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    static const char *const places[] = {"/apps/openmpi/yardstick", "/apps/mpich/yardstick",
                                         "/../lib/runcast/apps/openmpi/yardstick",
                                         "/../lib/runcast/apps/mpich/yardstick"};
    char here[RC_CMD_YARDSTICK_PATH - 64] = "", path[RC_CMD_YARDSTICK_PATH], *slash;
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    const char *apps = getenv("RUNCAST_APPS");

    if (is_simulated(measuring->bench)) {
        snprintf(measuring->yardstick, sizeof measuring->yardstick, "yardstick");
        return 0;
    }
    if (apps && *apps &&
        snprintf(path, sizeof path, "%s/yardstick", apps) < (int)sizeof path &&
        rc_process_find(path, measuring->yardstick, sizeof measuring->yardstick) == 0)
        return 0;
    here[length > 0 ? length : 0] = '\0';
    if ((slash = strrchr(here, '/')))
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%s", here, places[i]);
        if (rc_process_find(path, measuring->yardstick, sizeof measuring->yardstick) == 0)
            return 0;
    }
    if (rc_process_find("yardstick", measuring->yardstick, sizeof measuring->yardstick) == 0)
        return 0;
    rc_error_set(error, "the program 'yardstick' is not here, which {program} of --bench stands "
                        "for");
    return rc_error_hint(error, "'make apps' in runcast's sources builds it; RUNCAST_APPS=DIR "
                                "tells where it is, or write its path and {options} for {program}");
}

static int check_bench(struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    static const char *const names[] = {"p", "hosts", "program", "options", NULL};
    char name[RC_CMD_PLACE_SIZE];

    for (const char *at = strchr(measuring->bench, '{'); at; at = strchr(at + 1, '{'))
        if (rc_cmd_template_name(at, name) && !is_one_of(name, names))
            return unknown_place("--bench", name, "{p} {hosts} {program} {options}", error);
    if (rc_cmd_template_has(measuring->bench, "program"))
        return find_yardstick(measuring, error) || check_words(measuring, false, error) ? -1 : 0;
    if (!rc_cmd_template_has(measuring->bench, "options")) {
        rc_error_set(error, "--bench: there is neither {program} nor {options} in it, so that the "
                            "yardstick would not know what to measure");
        return rc_error_hint(error, "such as: mpirun -np {p} --host {hosts} ./yardstick {options}");
    }
    return check_words(measuring, false, error);
}

int rc_cmd_measuring_check(struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    const struct rc_measuring *plan = measuring->plan;
    bool run = false, bench = false;

    for (size_t i = 0; i < plan->n_jobs; i++) {
        run |= plan->jobs[i].run;
        bench |= !plan->jobs[i].run;
    }
    if (run && !measuring->command) {
        rc_error_set(error, "--command COMMAND is missing: runs of the program are to be made");
        return rc_error_hint(error, "such as: --command 'mpirun -np {p} --host {hosts} ./app "
                                    "--size {size}'");
    }
    return (run && check_command(measuring, error)) || (bench && check_bench(measuring, error))
               ? -1
               : 0;
}

char *rc_cmd_measuring_line(const struct rc_cmd_measuring *measuring, size_t job,
                            struct rc_error *error)
{
    const struct filling filling = {measuring, &measuring->plan->jobs[job]};
    struct rc_cmd_template template = template_of(&filling);

    return rc_cmd_template_line(&template, error);
}

/* ---- making ---- */

/* The command of a job, run once; what it wrote is in `done`, to be freed in either case. */
static int run_once(const struct rc_cmd_measuring *measuring, size_t job, struct rc_cmd_job *done,
                    double *seconds, struct rc_error *error)
{
    const struct filling filling = {measuring, &measuring->plan->jobs[job]};
    struct rc_cmd_template template = template_of(&filling);
    struct rc_clock *clock = rc_clock_system();
    double begun;
    int status;

    rc_cmd_jobs_init(done, 1);
    done->words = rc_cmd_template_words(&template, error);
    if (!done->words)
        return -1;
    begun = clock->monotonic(clock);
    status = rc_cmd_jobs_run(done, 1, &measuring->monitor, error);
    *seconds = clock->monotonic(clock) - begun;
    if (status == 0 && measuring->made)
        measuring->made(measuring->data);
    return status;
}

static void free_done(struct rc_cmd_job *done)
{
    rc_cmd_words_free(done->words);
    rc_cmd_jobs_free(done, 1);
}

/* Simulated clusters pass on what a program writes as their own remarks. */
static json_t *find_report(const struct rc_cmd_job *done)
{
    json_t *report = done->out.length
                         ? rc_cmd_told_object(done->out.data, done->out.length, "yardstick")
                         : NULL;

    if (!report && done->err.length)
        report = rc_cmd_told_object(done->err.data, done->err.length, "yardstick");
    return report;
}

static int make_bench(struct rc_cmd_measuring *measuring, size_t job,
                      struct rc_benchmarks *measured, struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    struct rc_cmd_job done;
    json_t *report = NULL;
    double seconds;
    int status = run_once(measuring, job, &done, &seconds, error);

    if (status == 0 && !(report = find_report(&done))) {
        rc_error_set(error, "the yardstick did not write its report, a JSON object");
        status = rc_cmd_job_last_words(&done, error);
    }
    if (status == 0)
        status = rc_measuring_take_report(measuring->plan, job, report,
                                          floor(clock->wall(clock)), measured, error);
    if (status == 0 && rc_measuring_same_host(report) && !measuring->same_host) {
        measuring->same_host = true;
        rc_cmd_note("both processes of the yardstick say that they are on the same host; is it "
                    "started on %s and %s?", measuring->plan->jobs[job].hosts[0],
                    measuring->plan->jobs[job].hosts[1]);
    }
    json_decref(report);
    free_done(&done);
    return status;
}

static int make_run(const struct rc_cmd_measuring *measuring, size_t job, double *seconds,
                    struct rc_error *error)
{
    struct rc_cmd_job done;
    double memory;
    int status = run_once(measuring, job, &done, seconds, error);

    if (status == 0 && !measuring->timed) {
        status = rc_cmd_told(done.out.data ? done.out.data : "", done.out.length, seconds, &memory,
                             error);
        if (status)
            rc_error_hint(error, "it is to write a JSON object with a member \"seconds\" to its "
                                 "standard output; --timed takes the time of the command instead");
    }
    free_done(&done);
    return status;
}

/* Inputs that stand in the command must have a value. */
static int check_inputs(const struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    char name[RC_CMD_PLACE_SIZE];
    double number;

    for (const char *at = strchr(measuring->command, '{'); at; at = strchr(at + 1, '{'))
        if (rc_cmd_template_name(at, name) && find_input(measuring, name) &&
            rc_measuring_input(measuring->plan, name, &number, error))
            return -1;
    return 0;
}

static int make_runs(const struct rc_cmd_measuring *measuring, size_t job, const char *section,
                     struct rc_benchmarks *measured, struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    size_t n = (size_t)measuring->repeats;
    double *seconds = calloc(n, sizeof *seconds);
    int status = seconds ? rc_measuring_prepare(measuring->plan, job, measured, section, error)
                         : rc_error_no_memory(error);

    if (status == 0)
        status = check_inputs(measuring, error);
    for (size_t i = 0; i < n && status == 0; i++)
        status = make_run(measuring, job, &seconds[i], error);
    if (status == 0)
        status = rc_measuring_take_run(measuring->plan, job, seconds, n, floor(clock->wall(clock)),
                                       measured, error);
    free(seconds);
    return status;
}

int rc_cmd_measuring_make(struct rc_cmd_measuring *measuring, size_t job, const char *section,
                          struct rc_benchmarks *measured, struct rc_error *error)
{
    return measuring->plan->jobs[job].run ? make_runs(measuring, job, section, measured, error)
                                          : make_bench(measuring, job, measured, error);
}
