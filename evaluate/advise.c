// SPDX-License-Identifier: GPL-3.0-or-later
/* advise.c - compares the choices and time limits of 'runcast advise' with those of an oracle.
 *
 * usage: evaluate-advise time-limit CASES SECONDS RISK [SEED]
 *        evaluate-advise choose CASES SECONDS [SEED]
 *
 * Each case has its own loads (the kind `random`: levels that last for 1 to 10 minutes) and a day of
 * samples, one every 10 s.  SECONDS is the run time on an idle host.  Models are fitted to 60 runs of
 * the program, of other sizes and loads.  An oracle knows the program and the distribution of loads,
 * but not what will be drawn.
 *
 * time-limit, on 1, 2, 4 and 8 hosts: how often the run takes longer than the time limit, and the mean
 * ratio of the time limit to the run time: by samples alone, by these and the track record of the cases
 * before, and by the oracle.
 *
 * choose: the regret of choices: how much longer runs take than on the best hosts in hindsight.  The
 * choice is of 4 of 8 hosts, or of any number of them.  For comparison, the oracle, the first hosts, and
 * those with the highest availability now.
 *
 * Writes CSV: of time limits, how many were exceeded and the mean ratio; of choices, the mean regret, and
 * the standard error of its difference from the oracle's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/place/search.h"
#include "predict/time_limit.h"
#include "advise_world.h"
#include "base/error.h"
#include "base/number.h"
#include "base/sort.h"
#include "predict/run_time_distribution.h"

enum { SAMPLES = 1000, ORACLE_SAMPLES = 300, QUANTILES = 101 };

/* ---- time limits ---- */

enum way { ALONE, LEARNT, ORACLE, WAYS };
static const char *const ways[] = {"samples", "samples and past accuracy", "oracle"};

struct tally {
    size_t exceeded[WAYS];
    double ratio[WAYS];
};

static double oracle_time_limit(const struct moment *moment, double risk, struct rc_error *error)
{
    static double samples[SAMPLES];
    struct rc_time_limit time_limit;

    if (moment_oracle_samples(moment, samples, SAMPLES, error))
        return NAN;
    rc_sort_doubles(samples, SAMPLES);
    return rc_predict_time_limit_find(samples, SAMPLES, risk, NULL, 0, &time_limit, error)
               ? (double)NAN
               : time_limit.seconds;
}

/* As the database stores them. */
static struct rc_time_limit_past past_of(const double *samples, double came)
{
    double quantiles[QUANTILES];

    for (size_t i = 0; i < QUANTILES; i++) {
        size_t place = i * SAMPLES / (QUANTILES - 1);

        quantiles[i] = samples[place < SAMPLES ? place : SAMPLES - 1];
    }
    return rc_predict_time_limit_past_of(quantiles, QUANTILES, came);
}

static int time_limit_case(struct moment *moment, double risk, struct rc_time_limit_past *past,
                           size_t n_past, struct tally *tally, struct rc_error *error)
{
    static const size_t hosts[WORLD_HOSTS] = {0, 1, 2, 3, 4, 5, 6, 7};
    static double samples[SAMPLES];
    struct rc_candidate candidate = {.procs = (int64_t)moment->n_hosts,
                                     .hosts = hosts,
                                     .n_hosts = moment->n_hosts};
    const struct rc_candidate *one = &candidate;
    struct rc_time_limit time_limit;
    double came, asked[WAYS];

    candidate.seconds = moment->timing->guess(moment->timing->data, candidate.procs, 0.5);
    if (moment->timing->sample(moment->timing->data, &one, 1, SAMPLES, samples, error))
        return -1;
    rc_sort_doubles(samples, SAMPLES);
    if (rc_predict_time_limit_find(samples, SAMPLES, risk, past, n_past, &time_limit, error))
        return -1;
    asked[ALONE] = time_limit.own;
    asked[LEARNT] = time_limit.seconds;
    asked[ORACLE] = oracle_time_limit(moment, risk, error);
    if (isnan(asked[ORACLE]))
        return -1;
    came = moment_true_time(moment);
    for (int way = 0; way < WAYS; way++) {
        tally->exceeded[way] += came > asked[way];
        tally->ratio[way] += asked[way] / came;
    }
    past[n_past] = past_of(samples, came);
    return 0;
}

static int time_limits(struct world *world, size_t cases, double risk, struct rc_error *error)
{
    struct rc_time_limit_past *past = calloc(cases + 1, sizeof *past);
    int status = past ? 0 : rc_error_no_memory(error);

    printf("hosts,by,cases,exceeded,ratio\n");
    for (size_t hosts = 1; hosts <= WORLD_HOSTS && status == 0; hosts *= 2) {
        struct tally tally = {0};

        for (size_t i = 0; i < cases && status == 0; i++) {
            struct moment moment;

            status = moment_begin(&moment, world, hosts, 1000000 * hosts + i, error);
            if (status == 0)
                status = time_limit_case(&moment, risk, past, i, &tally, error);
            moment_end(&moment);
        }
        for (int way = 0; way < WAYS && status == 0; way++)
            printf("%zu,%s,%zu,%zu,%.9g\n", hosts, ways[way], cases, tally.exceeded[way],
                   tally.ratio[way] / (double)cases);
        fflush(stdout);
    }
    free(past);
    return status;
}

/* ---- choices ---- */

enum chooser { ADVISED, BY_ORACLE, NOW, FIRST, CHOOSERS };
static const char *const choosers[] = {"advise", "oracle", "highest availability now",
                                       "first hosts"};
enum task { FOUR, ANY, TASKS };
static const char *const tasks[] = {"4 of 8 hosts", "any number of hosts"};

static int advised_set(const struct moment *moment, enum task task, size_t *set,
                       struct rc_error *error)
{
    static const int64_t four = 4;
    const struct rc_search_cluster cluster = {.cost = NAN};
    struct rc_candidate_host hosts[WORLD_HOSTS];
    double usual[WORLD_HOSTS];
    struct rc_search_question question = {.hosts = hosts,
                                          .usual = usual,
                                          .n_hosts = WORLD_HOSTS,
                                          .clusters = &cluster,
                                          .n_clusters = 1,
                                          .procs = task == FOUR ? &four : NULL,
                                          .n_procs = task == FOUR,
                                          .aim = {RC_OBJECTIVE_TIME, NAN, 0.95, NAN, NULL},
                                          .shortlist = RC_SEARCH_SHORTLIST,
                                          .samples = RC_SEARCH_SAMPLES};
    struct rc_search search;

    for (size_t i = 0; i < WORLD_HOSTS; i++) {
        struct rc_host_forecast_host facts;

        rc_predict_host_forecast_many_host(moment->forecast, i, &facts);
        hosts[i] =
            (struct rc_candidate_host){.place = i, .slots = 1, .cores = 1, .score = facts.lately};
        usual[i] = facts.mean;
    }
    if (rc_place_search_make(&question, moment->timing, &search, error))
        return -1;
    *set = 0;
    for (size_t i = 0; i < search.list[0].candidate.n_hosts; i++)
        *set |= (size_t)1 << search.list[0].candidate.hosts[i];
    rc_place_search_free(&search);
    return 0;
}

static int may_be(enum task task, size_t set)
{
    return task == ANY || __builtin_popcountl(set) == 4;
}

/* The set of which a number is least. */
static size_t least_of(enum task task, const double *numbers)
{
    size_t best = 0;

    for (size_t set = 1; set < WORLD_SETS; set++)
        if (may_be(task, set) && (best == 0 || numbers[set] < numbers[best]))
            best = set;
    return best;
}

/* The set that is best if all stays as it is. */
static size_t best_now(const struct moment *moment, enum task task)
{
    double numbers[WORLD_SETS];

    for (size_t set = 1; set < WORLD_SETS; set++) {
        double p = (double)__builtin_popcountl(set), worst = 1;

        for (size_t i = 0; i < WORLD_HOSTS; i++)
            if (set & (size_t)1 << i)
                worst = fmin(worst, moment_now(moment, i));
        numbers[set] = moment->world->work / (p * worst) + moment->world->each * p;
    }
    return least_of(task, numbers);
}

static int choose_case(struct moment *moment, double regret[TASKS][CHOOSERS], double squares[TASKS],
                       struct rc_error *error)
{
    double times[WORLD_SETS], sums[WORLD_SETS] = {0};

    moment_true_times(moment, times);
    if (moment_oracle_times(moment, ORACLE_SAMPLES, sums, error))
        return -1;
    for (int task = 0; task < TASKS; task++) {
        double best = times[least_of((enum task)task, times)], ours, theirs;
        size_t set;

        if (advised_set(moment, (enum task)task, &set, error))
            return -1;
        ours = times[set] / best - 1;
        theirs = times[least_of((enum task)task, sums)] / best - 1;
        regret[task][ADVISED] += ours;
        regret[task][BY_ORACLE] += theirs;
        regret[task][NOW] += times[best_now(moment, (enum task)task)] / best - 1;
        regret[task][FIRST] += times[task == FOUR ? 0xf : 0xff] / best - 1;
        squares[task] += (ours - theirs) * (ours - theirs);
    }
    return 0;
}

static int choose(struct world *world, size_t cases, struct rc_error *error)
{
    double regret[TASKS][CHOOSERS] = {{0}}, squares[TASKS] = {0}, n = (double)cases;
    int status = 0;

    for (size_t i = 0; i < cases && status == 0; i++) {
        struct moment moment;

        status = moment_begin(&moment, world, WORLD_HOSTS, i, error);
        if (status == 0)
            status = choose_case(&moment, regret, squares, error);
        moment_end(&moment);
    }
    printf("choice,by,cases,longer,error\n");
    for (int task = 0; task < TASKS && status == 0; task++)
        for (int chooser = 0; chooser < CHOOSERS; chooser++) {
            printf("%s,%s,%zu,%.9g,", tasks[task], choosers[chooser], cases,
                   regret[task][chooser] / n);
            if (chooser == ADVISED)
                printf("%.9g", sqrt(squares[task]) / n);
            printf("\n");
        }
    return status;
}

/* ---- arguments ---- */

struct asked {
    int64_t cases, seed;
    double seconds, risk;
    bool walls;
};

static int read_number(const char *name, const char *text, double below, double *value)
{
    if (rc_number_parse(text, strlen(text), value) == 0 && *value > 0 && *value < below)
        return 0;
    fprintf(stderr, "evaluate-advise: %s: '%s' is not a number above 0 and below %g\n", name, text,
            below);
    return -1;
}

static int read_count(const char *name, const char *text, int64_t *value)
{
    if (rc_number_parse_integer(text, strlen(text), value) == 0 && *value > 0 &&
        *value <= INT32_MAX)
        return 0;
    fprintf(stderr, "evaluate-advise: %s: '%s' is not a whole number above 0\n", name, text);
    return -1;
}

/* -1, with a message, if something is wrong. */
static int read_arguments(int argc, char **argv, struct asked *asked)
{
    bool walls = argc > 1 && strcmp(argv[1], "time-limit") == 0;
    bool choices = argc > 1 && strcmp(argv[1], "choose") == 0;
    int seed_at = walls ? 5 : 4;

    *asked = (struct asked){.seed = 1, .walls = walls};
    if ((!walls && !choices) || argc < seed_at || argc > seed_at + 1) {
        fprintf(stderr, "usage: evaluate-advise time-limit CASES SECONDS RISK [SEED]\n"
                        "       evaluate-advise choose CASES SECONDS [SEED]\n");
        return -1;
    }
    if (read_count("CASES", argv[2], &asked->cases) ||
        read_number("SECONDS", argv[3], 1e9, &asked->seconds) ||
        (walls && read_number("RISK", argv[4], 1, &asked->risk)) ||
        (argc > seed_at && read_count("SEED", argv[seed_at], &asked->seed)))
        return -1;
    return 0;
}

int main(int argc, char **argv)
{
    struct rc_error error = {.text = ""};
    struct world world = {0};
    struct asked asked;
    int status;

    if (read_arguments(argc, argv, &asked))
        return 2;
    status =
        world_begin(&world, asked.seconds, asked.seconds / 200, 0.02, (uint64_t)asked.seed, &error);
    if (status == 0)
        status = asked.walls ? time_limits(&world, (size_t)asked.cases, asked.risk, &error)
                             : choose(&world, (size_t)asked.cases, &error);
    if (status)
        fprintf(stderr, "evaluate-advise: %s\n", error.text);
    world_end(&world);
    return status ? 1 : 0;
}
