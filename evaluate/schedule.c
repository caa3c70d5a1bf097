// SPDX-License-Identifier: GPL-3.0-or-later
/* schedule.c - runs of a program, divided by every policy of 'runcast split', under random or
 * replayed loads.
 *
 * usage: evaluate-schedule NAME=VALUE...
 *
 *     hosts=A,B,...      speeds=S,S,...    in operations a second
 *     loads=FILE,...     of each host (src/testbed/load/platform_load.h); seed=N
 *     units=N            operations=N      for a unit in an iteration
 *     beside=N           operations of each host in an iteration, whatever its units
 *     messages=SECONDS   in an iteration   iterations=K
 *     neighbours=0|1     waits for these only
 *     coupling=tight|loose  passed to the policies
 *     first=T every=T runs=N               when they start, in seconds of the load's time
 *     sample=T past=T draws=N              samples for the policies, and load scenarios
 *     split=U,U,...      no policies, but this division
 *
 * Writes a line for each run and policy: start,policy,seconds,units of each host.
 *
 * usage: evaluate-schedule metrics=N < RUNS
 *
 * Reads runs of N policies that were made in turn, each a line "policy seconds" with the policy from
 * 0 on, and writes the number of windows and, for each policy, a line "windows better mixed worse":
 * Window and Compare of the dissertation (src/advise/split/policy_comparison.h). */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/split/policy_comparison.h"
#include "schedule_trial.h"

struct settings {
    struct rc_trial_case its;
    double first, every, runs, iterations, units, seed, neighbours, draws;
    double split[RC_FOLLOW_HOSTS];
    size_t n_split;
};

static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"operations", offsetof(struct settings, its.program.operations)},
    {"beside", offsetof(struct settings, its.program.beside)},
    {"messages", offsetof(struct settings, its.program.messages)},
    {"sample", offsetof(struct settings, its.sample)},
    {"past", offsetof(struct settings, its.past)},
    {"first", offsetof(struct settings, first)},
    {"every", offsetof(struct settings, every)},
    {"runs", offsetof(struct settings, runs)},
    {"iterations", offsetof(struct settings, iterations)},
    {"units", offsetof(struct settings, units)},
    {"seed", offsetof(struct settings, seed)},
    {"neighbours", offsetof(struct settings, neighbours)},
    {"draws", offsetof(struct settings, draws)},
};

static void fail(const char *what, const char *about)
{
    fprintf(stderr, "evaluate-schedule: %s '%s'\n", what, about);
    exit(2);
}

static void set_hosts(struct settings *settings, char *words)
{
    settings->its.n_hosts = 0;
    for (char *word = strtok(words, ","); word; word = strtok(NULL, ",")) {
        if (settings->its.n_hosts == RC_FOLLOW_HOSTS)
            fail("too many hosts before", word);
        settings->its.names[settings->its.n_hosts++] = word;
    }
}

static void set_loads(struct settings *settings, char *words)
{
    struct rc_error error;
    size_t n = 0;

    for (char *word = strtok(words, ","); word && n < RC_FOLLOW_HOSTS; word = strtok(NULL, ",")) {
        settings->its.loads[n] = rc_load_open(word, &error);
        if (!settings->its.loads[n++])
            fail(error.text, word);
    }
}

static size_t set_numbers(double *places, char *words)
{
    size_t n = 0;

    for (char *word = strtok(words, ","); word && n < RC_FOLLOW_HOSTS; word = strtok(NULL, ","))
        places[n++] = strtod(word, NULL);
    return n;
}

static void set(struct settings *settings, char *text)
{
    char *value = strchr(text, '=');

    if (!value)
        fail("no '=' in", text);
    *value++ = '\0';
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(text, numbers[i].name) == 0) {
            *(double *)(void *)((char *)settings + numbers[i].offset) = strtod(value, NULL);
            return;
        }
    if (strcmp(text, "hosts") == 0)
        set_hosts(settings, value);
    else if (strcmp(text, "loads") == 0)
        set_loads(settings, value);
    else if (strcmp(text, "speeds") == 0)
        set_numbers(settings->its.speeds, value);
    else if (strcmp(text, "split") == 0)
        settings->n_split = set_numbers(settings->split, value);
    else if (strcmp(text, "coupling") == 0)
        settings->its.coupling =
            strcmp(value, "loose") == 0 ? RC_COUPLING_LOOSE : RC_COUPLING_TIGHT;
    else
        fail("unknown setting", text);
}

static void show(double start, const char *policy, double seconds, const double *units, size_t n)
{
    printf("%.3f,%s,%.6f", start, policy, seconds);
    for (size_t h = 0; h < n; h++)
        printf(",%.8g", units[h]);
    printf("\n");
}

static const char *name_of(int policy)
{
    return policy == RC_TRIAL_HINDSIGHT ? "hindsight"
           : policy == RC_TRIAL_ORACLE  ? "oracle"
                                        : rc_split_policy_name((enum rc_policy)policy);
}

static void try_policies(const struct settings *settings, double start)
{
    struct rc_trial_result results[RC_TRIAL_POLICIES];
    struct rc_error error;

    if (rc_trial_make(&settings->its, start, results, &error))
        fail(error.text, "run");
    for (int policy = 0; policy < RC_TRIAL_POLICIES; policy++)
        if (results[policy].there)
            show(start, name_of(policy), results[policy].seconds, results[policy].units,
                 settings->its.n_hosts);
    fflush(stdout);
}

/* A division that is given. */
static void follow(const struct settings *settings, double start)
{
    struct rc_follow_host hosts[RC_FOLLOW_HOSTS] = {0};
    const struct rc_trial_case *its = &settings->its;
    struct rc_error error;

    for (size_t h = 0; h < its->n_hosts; h++) {
        hosts[h] = (struct rc_follow_host){.speed = its->speeds[h]};
        if (rc_load_steps(its->loads[h], RC_LOAD_CPU, its->seed, its->names[h], start, start + 3600,
                          &hosts[h].steps, &error))
            fail(error.text, its->names[h]);
    }
    show(start, "given", rc_follow(&its->program, hosts, its->n_hosts, start, settings->split),
         settings->split, its->n_hosts);
    for (size_t h = 0; h < its->n_hosts; h++)
        rc_load_steps_free(&hosts[h].steps);
}

enum { METRICS_POLICIES = 64, METRICS_RUNS = 1 << 20 };

static int show_metrics(size_t n_policies)
{
    struct rc_metrics_run *runs = calloc(METRICS_RUNS, sizeof *runs);
    struct rc_metrics_policy policies[METRICS_POLICIES];
    size_t n = 0;

    if (n_policies < 1 || n_policies > METRICS_POLICIES || !runs)
        fail("that many policies cannot be compared", "metrics");
    while (n < METRICS_RUNS && scanf("%zu %lf", &runs[n].policy, &runs[n].seconds) == 2)
        if (runs[n++].policy >= n_policies)
            fail("unknown policy", "metrics");
    if (!feof(stdin))
        fail("a line is not 'policy seconds', or there are too many", "metrics");
    printf("%zu\n", rc_split_metrics_sum(runs, n, policies, n_policies));
    for (size_t i = 0; i < n_policies; i++)
        printf("%zu %zu %zu %zu\n", policies[i].windows, policies[i].verdicts[RC_METRICS_BETTER],
               policies[i].verdicts[RC_METRICS_MIXED], policies[i].verdicts[RC_METRICS_WORSE]);
    free(runs);
    return 0;
}

int main(int argc, char **argv)
{
    static struct settings settings = {
        .its = {.sample = 5, .past = 86400}, .runs = 1, .draws = 400, .seed = 1};
    struct rc_trial_case *its = &settings.its;

    if (argc == 2 && strncmp(argv[1], "metrics=", 8) == 0)
        return show_metrics(strtoul(argv[1] + 8, NULL, 10));
    for (int i = 1; i < argc; i++)
        set(&settings, argv[i]);
    its->program.iterations = (size_t)settings.iterations;
    its->program.neighbours = settings.neighbours > 0;
    its->units = (int64_t)settings.units;
    its->seed = (uint64_t)settings.seed;
    its->draws = (size_t)settings.draws;
    if (its->n_hosts == 0 || !its->loads[its->n_hosts - 1] ||
        !(its->speeds[its->n_hosts - 1] > 0) || its->units < 1 || its->program.iterations < 1)
        fail("something is missing: see the top of", "evaluate/schedule.c");
    for (int i = 0; i < (int)settings.runs; i++) {
        double start = settings.first + i * settings.every;

        if (settings.n_split > 0)
            follow(&settings, start);
        else
            try_policies(&settings, start);
    }
    for (size_t h = 0; h < its->n_hosts; h++)
        rc_load_destroy(its->loads[h]);
    return 0;
}
