// SPDX-License-Identifier: GPL-3.0-or-later
/* observe.c - 'runcast slowdown observe': competitors, observed rather than declared. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cmd/slowdown/slowdown.h"

enum { OPTION_SIZE = 256 };

struct observe_options {
    double seconds, interval, byte_cost;
    const char *except, *only, *scope;
    bool json;
};

static const struct observe_options observe_defaults = {.seconds = RC_OBSERVE_SECONDS,
                                                        .interval = RC_OBSERVE_INTERVAL,
                                                        .byte_cost = NAN};

static const char *const scopes[] = {"auto", "machine", "group", NULL}; /* enum rc_observe_scope */

static const struct rc_option observe_options[] = {
    {RC_OPTION_OF(struct observe_options, QUANTITY, seconds), .name = "seconds", .letter = 's',
     .argument = "TIME", .dimension = RC_SECONDS, .help = "how long (default: 10s)"},
    {RC_OPTION_OF(struct observe_options, QUANTITY, interval), .name = "interval",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "time between two looks, 1ms to 1s; longer where that would take over 5 % of a core "
             "(default: 10ms)"},
    {RC_OPTION_OF(struct observe_options, TEXT, except), .name = "except",
     .argument = "NAME|PID,...",
     .help = "leave out these processes, such as the program in question"},
    {RC_OPTION_OF(struct observe_options, TEXT, only), .name = "only", .argument = "NAME|PID,...",
     .help = "look at no other processes"},
    {RC_OPTION_OF(struct observe_options, CHOICE, scope), .name = "scope", .argument = "WHICH",
     .choices = scopes,
     .help = "machine: all processes; group: those of this process's control group; auto: the "
             "group on a node of a lab, otherwise the machine (default: auto)"},
    {RC_OPTION_OF(struct observe_options, QUANTITY, byte_cost), .name = "byte-cost",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "CPU time that sending or receiving a byte takes, such as 0.5ns (default: what the "
             "process spends in the kernel, up to 1ns and 5us for each segment)"},
    RC_OPTION_JSON(struct observe_options),
    RC_OPTIONS_END,
};

static void show_text(const struct rc_observation *observation)
{
    char seconds[RC_UNIT_SIZE], interval[RC_UNIT_SIZE], text[OPTION_SIZE];

    rc_unit_format(observation->seconds, RC_SECONDS, seconds);
    rc_unit_format(observation->interval, RC_SECONDS, interval);
    printf("%s observed for %s%s, every %s\n\n",
           observation->group ? "the processes of this control group" : "all processes", seconds,
           observation->interrupted ? " (interrupted)" : "", interval);
    if (observation->n == 0) {
        puts("no process does anything worth telling");
    } else {
        rc_field_table(stdout, rc_answer_observed, observation->items, observation->n,
                       sizeof *observation->items, rc_cmd_width(), NULL);
        printf("\nas options for 'runcast slowdown local':\n ");
        for (size_t i = 0; i < observation->n; i++)
            if (rc_observe_observed_format(&observation->items[i], text, sizeof text))
                printf(" --competitor %s", text);
        printf(" --cores %d\n", observation->cores);
    }
    if (observation->small)
        printf("\nleft out: %zu %s below %.0f %% of the time\n", observation->small,
               observation->small == 1 ? "process" : "processes", 100 * RC_OBSERVE_SMALL);
    if (observation->yielding)
        printf("left out: %zu that only %s what others leave\n", observation->yielding,
               observation->yielding == 1 ? "takes" : "take");
    if (observation->ended)
        printf("left out: %zu that ended meanwhile; what they used counts with 'others'\n",
               observation->ended);
}

/* ---- for both ---- */

static void note_short(const struct rc_observation *observation)
{
    double least = fmax(RC_OBSERVE_SECONDS_LEAST, RC_OBSERVE_LOOKS_LEAST * observation->interval);
    char seconds[RC_UNIT_SIZE], enough[RC_UNIT_SIZE];

    rc_unit_format(observation->seconds, RC_SECONDS, seconds);
    rc_unit_format(least, RC_SECONDS, enough);
    rc_cmd_note(
        "%zu look%s in %s: too short to trust these shares; it takes %d looks and %s at the least",
        observation->looks, observation->looks == 1 ? "" : "s", seconds, RC_OBSERVE_LOOKS_LEAST,
        enough);
}

static void note_on(const struct rc_observation *observation)
{
    if (observation->only_missing[0])
        rc_cmd_note("no process has a name or number of --only: %s", observation->only_missing);
    if (observation->except_missing[0])
        rc_cmd_note("no process has a name or number of --except: %s", observation->except_missing);
    if (observation->meant > 0 && rc_observe_observation_short(observation))
        note_short(observation);
    if (observation->deaf)
        rc_cmd_note(
            "what goes through connections is not to be seen, so that nobody communicates: %.120s",
            observation->deafness);
    if (observation->hidden)
        rc_cmd_note(
            "%zu of these %s other users': whether they communicate can only be seen by root",
            observation->hidden, observation->hidden == 1 ? "is" : "are");
    if (observation->blind)
        rc_cmd_note("some processes are in network namespaces that cannot be looked into: whether "
                    "they communicate is not to be seen");
}

/* ---- the verb ---- */

/* Whether there is a name or number in a list. */
static bool names_somebody(const char *list)
{
    return !list || list[strspn(list, ",")] != '\0';
}

static int check_options(const struct rc_invocation *invocation)
{
    const struct observe_options *options = invocation->options;

    if (!names_somebody(options->only) || !names_somebody(options->except))
        return rc_cmd_usage_text(invocation, "--%s: it names nobody",
                                 names_somebody(options->only) ? "except" : "only");
    if (!(options->seconds > 0 && isfinite(options->seconds)))
        return rc_cmd_usage_text(invocation, "--seconds must be greater than 0");
    if (!(options->interval >= RC_OBSERVE_INTERVAL_LEAST && options->interval <= 1))
        return rc_cmd_usage_text(invocation, "--interval is from 1ms to 1s");
    if (!isnan(options->byte_cost) && !(options->byte_cost >= 0 && options->byte_cost < 1))
        return rc_cmd_usage_text(invocation, "--byte-cost is from 0 to 1s");
    return RC_EXIT_OK;
}

static int run_observe(struct rc_invocation *invocation)
{
    const struct observe_options *options = invocation->options;
    struct rc_observe_options wanted = {.seconds = options->seconds,
                                        .interval = options->interval,
                                        .except = options->except,
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
    rc_cmd_take_interrupt(); /* Ctrl-C is a way to say that it is enough */
    if (!options->json)
        show_text(&observation);
    fflush(stdout);
    note_on(&observation);
    if (options->json)
        rc_cmd_slowdown_print(rc_field_json(rc_answer_observation, &observation), NULL, 0);
    rc_observe_observation_free(&observation);
    return RC_EXIT_OK;
}

const struct rc_command rc_command_slowdown_observe = {
    .name = "observe",
    .summary = "Watch the processes on this host, and say what each does as a competitor",
    .details = "Looks at all processes about a hundred times a second, and tells for what part of "
               "its time each one computes and communicates when it has the machine to itself; the "
               "weight of its turns on a core, by its nice value and control group; and how long a "
               "cycle of computing and communicating takes. Communicating is what goes through TCP "
               "connections, those within this host included. Ctrl-C answers with what was seen so "
               "far, and status 0; a note tells where that was too short to be trusted. Without "
               "root, only your own processes' connections are to be seen.",
    .examples = "  runcast slowdown observe\n"
                "  runcast slowdown observe --seconds 60 --except my-program\n"
                "  runcast slowdown observe --json > seen.json # for --observed of others\n",
    .options = observe_options,
    .options_size = sizeof(struct observe_options),
    .defaults = &observe_defaults,
    .run = run_observe,
};
