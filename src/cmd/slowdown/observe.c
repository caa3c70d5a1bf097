// SPDX-License-Identifier: GPL-3.0-or-later
/* observe.c - 'runcast slowdown observe': competitors among the processes of this host. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cmd/slowdown/slowdown.h"

enum { OPTION_SIZE = 256 };

struct observe_options {
    double duration, interval, byte_cost;
    const char *exclude, *only, *scope;
    bool json;
};

static const struct observe_options observe_defaults = {.duration = RC_OBSERVE_SECONDS,
                                                        .interval = RC_OBSERVE_INTERVAL,
                                                        .byte_cost = NAN};

static const char *const scopes[] = {"auto", "machine", "group", NULL}; /* enum rc_observe_scope */

static const struct rc_option observe_options[] = {
    {RC_OPTION_OF(struct observe_options, QUANTITY, duration), .name = "duration",
     .argument = "TIME", .dimension = RC_SECONDS, .help = "duration (default: 10s)"},
    {RC_OPTION_OF(struct observe_options, QUANTITY, interval), .name = "interval",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "time between two samples, from 1ms to 1s; longer if sampling takes over 5 % of a "
             "core (default: 10ms)"},
    {RC_OPTION_OF(struct observe_options, TEXT, exclude), .name = "exclude", .argument = "NAMES",
     .help = "processes to ignore, by name (or PID), separated by commas"},
    {RC_OPTION_OF(struct observe_options, TEXT, only), .name = "only", .argument = "NAMES",
     .help = "processes to observe, by name or PID, separated by commas"},
    {RC_OPTION_OF(struct observe_options, CHOICE, scope), .name = "scope", .argument = "WHICH",
     .choices = scopes,
     .help = "processes to observe: machine, group or auto; group is this process's control "
             "group, and auto is group on a node of a lab, else machine (default: auto)"},
    {RC_OPTION_OF(struct observe_options, QUANTITY, byte_cost), .name = "byte-cost",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "CPU time of sending or receiving one byte, such as 0.5ns (default: time in the "
             "kernel, at most 1ns per byte and 5us per segment)"},
    RC_OPTION_JSON(struct observe_options),
    RC_OPTIONS_END,
};

static void show_text(const struct rc_observation *observation)
{
    char seconds[RC_UNIT_SIZE], interval[RC_UNIT_SIZE], text[OPTION_SIZE];

    rc_unit_format(observation->seconds, RC_SECONDS, seconds);
    rc_unit_format(observation->interval, RC_SECONDS, interval);
    printf("observed %s for %s%s, every %s\n\n",
           observation->group ? "the processes of this control group" : "all processes", seconds,
           observation->interrupted ? " (interrupted)" : "", interval);
    if (observation->n == 0) {
        puts("no active processes");
    } else {
        rc_field_table(stdout, rc_answer_observed, observation->items, observation->n,
                       sizeof *observation->items, rc_cmd_width(), NULL);
        printf("\noptions for 'runcast slowdown local':\n ");
        for (size_t i = 0; i < observation->n; i++)
            if (rc_observe_observed_format(&observation->items[i], text, sizeof text))
                printf(" --competitor %s", text);
        printf(" --cores %d\n", observation->cores);
    }
    if (observation->small)
        printf("\nignored: %zu %s active for less than %.0f %% of the time\n", observation->small,
               observation->small == 1 ? "process" : "processes", 100 * RC_OBSERVE_SMALL);
    if (observation->yielding)
        printf("ignored: %zu with policy SCHED_IDLE\n", observation->yielding);
    if (observation->ended)
        printf("ignored: %zu that ended meanwhile ('others' includes their CPU time)\n",
               observation->ended);
}

/* ---- notes ---- */

static void note_short(const struct rc_observation *observation)
{
    double least = fmax(RC_OBSERVE_SECONDS_LEAST, RC_OBSERVE_SAMPLES_LEAST * observation->interval);
    char seconds[RC_UNIT_SIZE], enough[RC_UNIT_SIZE];

    rc_unit_format(observation->seconds, RC_SECONDS, seconds);
    rc_unit_format(least, RC_SECONDS, enough);
    rc_cmd_note(
        "%zu sample%s in %s: too few for reliable shares; at least %d samples and %s are needed",
        observation->samples, observation->samples == 1 ? "" : "s", seconds,
        RC_OBSERVE_SAMPLES_LEAST, enough);
}

static void note_on(const struct rc_observation *observation)
{
    if (observation->only_missing[0])
        rc_cmd_note("--only: no process matches %s", observation->only_missing);
    if (observation->exclude_missing[0])
        rc_cmd_note("--exclude: no process matches %s", observation->exclude_missing);
    if (observation->meant > 0 && rc_observe_observation_short(observation))
        note_short(observation);
    if (observation->deaf)
        rc_cmd_note("communication is not visible, since connections cannot be read: %.120s",
                    observation->deafness);
    if (observation->hidden)
        rc_cmd_note(
            "communication of %zu process%s of other users is unknown; run as root to see it",
            observation->hidden, observation->hidden == 1 ? "" : "es");
    if (observation->blind)
        rc_cmd_note("communication of some processes is unknown: their network namespaces cannot "
                    "be read");
}

/* ---- the verb ---- */

static void print_json(const struct rc_observation *observation)
{
    const struct rc_answer_observation answer = {*observation, rc_cmd_notes_json()};

    rc_cmd_print_json(rc_field_json(rc_answer_observation, &answer));
    json_decref(answer.notes);
}

/* Whether a list (or NULL) has a name or number. */
static bool has_names(const char *list)
{
    return !list || list[strspn(list, ",")] != '\0';
}

static int check_options(const struct rc_invocation *invocation)
{
    const struct observe_options *options = invocation->options;

    if (!has_names(options->only) || !has_names(options->exclude))
        return rc_cmd_usage_text(invocation, "--%s: empty list",
                                 has_names(options->only) ? "exclude" : "only");
    if (!(options->duration > 0 && isfinite(options->duration)))
        return rc_cmd_usage_text(invocation, "--duration: must be greater than 0");
    if (!(options->interval >= RC_OBSERVE_INTERVAL_LEAST && options->interval <= 1))
        return rc_cmd_usage_text(invocation, "--interval: must be from 1ms to 1s");
    if (!isnan(options->byte_cost) && !(options->byte_cost >= 0 && options->byte_cost < 1))
        return rc_cmd_usage_text(invocation, "--byte-cost: must be from 0 to 1s");
    return RC_EXIT_OK;
}

static int run_observe(struct rc_invocation *invocation)
{
    const struct observe_options *options = invocation->options;
    struct rc_observe_options wanted = {.seconds = options->duration,
                                        .interval = options->interval,
                                        .exclude = options->exclude,
                                        .only = options->only,
                                        .byte_seconds = options->byte_cost};
    struct rc_observation observation = {0};
    struct rc_error error = {0};
    struct rc_cmd_work work;
    int status = check_options(invocation);

    if (status)
        return status;
    while (options->scope && options->scope != scopes[wanted.scope])
        wanted.scope++;
    rc_cmd_work_begin(&work, "observing");
    if (rc_observe(&wanted, &work.monitor, &observation, &error))
        status = rc_cmd_fail(&error, "%s", invocation->path);
    rc_cmd_work_end(&work);
    if (status)
        return status;
    rc_cmd_take_interrupt(); /* Ctrl-C is a normal end */
    if (!options->json)
        show_text(&observation);
    fflush(stdout);
    note_on(&observation);
    if (options->json)
        print_json(&observation);
    rc_observe_observation_free(&observation);
    return RC_EXIT_OK;
}

const struct rc_command rc_command_slowdown_observe = {
    .name = "observe",
    .summary = "Observe the competing processes on this host",
    .details = "Samples all processes about 100 times a second. It reports the shares of time that "
               "each process would compute and communicate on an idle host, its weight (nice value "
               "and control group), and the length of its cycles. Communication is traffic of TCP "
               "connections. Ctrl-C ends it early, with a result and status 0. Without root, "
               "communication of other users' processes is unknown.",
    .examples = "  runcast slowdown observe\n"
                "  runcast slowdown observe --duration 60s --exclude my-program\n"
                "  runcast slowdown observe --json > observed.json # for --observed\n",
    .options = observe_options,
    .options_size = sizeof(struct observe_options),
    .defaults = &observe_defaults,
    .answers = {rc_answer_observation},
    .run = run_observe,
};
