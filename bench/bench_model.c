// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_model.c - what a structural model costs to evaluate, and how that grows with its hosts, its
 * samples and its operations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/malloc_tuning.h"
#include "base/random.h"
#include "model/structural/binding.h"

enum { REPEATS = 7 };

/* A red-black relaxation on strips, on hosts and links that others use, with `extra` more
 * operations for each host. */
static const char *const model_text =
    "model relaxation\n"
    "input N = 4096\n"
    "input P from processes\n"
    "input iterations = 100\n"
    "input point[h] = normal(1.2us, 0.05us)\n"
    "input cpu[h] = normal(0.8, 0.06)\n"
    "input BW[x, y] = normal(11MB, 0.6MB)\n"
    "component Compute[h] by benchmark = N * N / P * point[h] / cpu[h]%s\n"
    "component Exchange[h] by messages = sum(j in neighbours[h]: 2 * N * 8B / BW[h, j])\n"
    "total slowest = iterations * max(h in hosts: Compute[h] + Exchange[h])\n";

static double now(void)
{
    struct rc_clock *clock = rc_clock_system();

    return clock->monotonic(clock);
}

static void give_up(const struct rc_error *error)
{
    fprintf(stderr, "bench-model: %s\n", error->text);
    exit(1);
}

static struct rc_model *make_model(size_t extra)
{
    struct rc_error error = {.text = ""};
    struct rc_model *model;
    char *more = calloc(extra * 12 + 1, 1), *text = malloc(strlen(model_text) + extra * 12 + 1);

    if (!more || !text)
        exit(1);
    for (size_t i = 0; i < extra; i++)
        strcat(more, i % 2 ? " + cpu[h]" : " - point[h]");
    sprintf(text, model_text, more);
    model = rc_structural_model_parse(text, strlen(text), "bench", &error);
    free(more);
    free(text);
    if (!model)
        give_up(&error);
    return model;
}

/* Seconds to bind the model to `hosts` hosts and to evaluate it once. */
static double once(const struct rc_model *model, const char *const *hosts, size_t n_hosts,
                   size_t draws)
{
    struct rc_error error = {.text = ""};
    struct rc_model_setting setting;
    struct rc_value_rules rules;
    struct rc_binding *binding;
    struct rc_evaluation *evaluation;
    struct rc_value *value;
    double start;

    rc_structural_model_setting_init(&setting);
    setting.hosts = hosts;
    setting.n_hosts = n_hosts;
    rc_value_rules_init(&rules);
    rules.draws = draws;
    rules.random = rc_random_create(1, 0);
    start = now();
    binding = rc_structural_binding_create(model, &setting, &error);
    evaluation =
        binding ? rc_structural_binding_evaluation(binding, RC_SAMPLE, &rules, &error) : NULL;
    value = evaluation ? rc_structural_binding_total(binding, evaluation, &error) : NULL;
    start = now() - start;
    if (!value)
        give_up(&error);
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    rc_random_destroy(rules.random);
    return start;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The median of some repeats. */
static double measure(size_t n_hosts, size_t draws, size_t extra)
{
    struct rc_model *model = make_model(extra);
    char(*names)[16] = calloc(n_hosts, sizeof *names);
    const char **hosts = calloc(n_hosts, sizeof *hosts);
    double times[REPEATS];

    if (!names || !hosts)
        exit(1);
    for (size_t i = 0; i < n_hosts; i++) {
        snprintf(names[i], sizeof names[i], "a%zu", i + 1);
        hosts[i] = names[i];
    }
    for (size_t i = 0; i < REPEATS; i++)
        times[i] = once(model, hosts, n_hosts, draws);
    qsort(times, REPEATS, sizeof *times, compare);
    free(names);
    free(hosts);
    rc_structural_model_destroy(model);
    return times[REPEATS / 2];
}

int main(void)
{
    double base;

    rc_malloc_keep(); /* as the program does */
    base = measure(64, 10000, 0);
    printf("A structural model of 64 hosts at 10000 samples: %.1f ms (median of %d)\n", 1e3 * base,
           REPEATS);
    printf("\n  hosts      ms   for one host, as compared with 64\n");
    for (size_t hosts = 16; hosts <= 1024; hosts *= 4) {
        double seconds = measure(hosts, 10000, 0);

        printf("%7zu %7.1f   %.2f\n", hosts, 1e3 * seconds, seconds / (double)hosts / (base / 64));
    }
    printf("\nsamples      ms   for one sample, as compared with 10000\n");
    for (size_t draws = 2500; draws <= 160000; draws *= 4) {
        double seconds = measure(64, draws, 0);

        printf("%7zu %7.1f   %.2f\n", draws, 1e3 * seconds,
               seconds / (double)draws / (base / 10000));
    }
    printf("\nmore operations for each host      ms   for one of them, in us\n");
    for (size_t extra = 8; extra <= 512; extra *= 4) {
        double seconds = measure(64, 10000, extra);

        printf("%29zu %7.1f   %.2f\n", extra, 1e3 * seconds,
               1e6 * (seconds - base) / (double)extra / 64);
    }
    return 0;
}
