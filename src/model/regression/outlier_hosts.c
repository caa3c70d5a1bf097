// SPDX-License-Identifier: GPL-3.0-or-later
/* outlier_hosts.c - hosts whose runs take plainly longer, or less long, than those of others. */
#include "model/regression/outlier_hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "platform/hostlist.h"
#include "model/regression/phase_error_correlation.h"

enum { HOSTS_MOST = 4096, LEAST_RUNS = 8 };
static const double plain = 0.18; /* log 1.2 */
static const double beyond_chance = 4;
static const double error_most = 3; /* no single run counts more */

/* Of errors. */
struct sums {
    double n, sum, squares;
};

struct seen {
    char *host;
    struct sums with;
};

struct looking {
    struct seen *seen; /* by name, after they were put in order */
    size_t n, room;
    struct sums all;
};

void rc_regression_apart_free(struct rc_regression_apart *apart)
{
    free(apart->host);
    *apart = (struct rc_regression_apart){0};
}

static void add(struct sums *to, const struct sums *sums, double sign)
{
    to->n += sign * sums->n;
    to->sum += sign * sums->sum;
    to->squares += sign * sums->squares;
}

/* The square of the standard error of the mean. */
static double variance_of_mean(const struct sums *sums)
{
    double mean = sums->sum / sums->n;

    return fmax(sums->squares / sums->n - mean * mean, 0) / (sums->n - 1);
}

/* The errors of the runs of each place. */
static struct sums *sum_places(const struct rc_regression_table *table,
                               const struct rc_regression_model *model, struct sums *all)
{
    struct sums *places = calloc(table->n_places + 1, sizeof *places);

    for (size_t i = 0; places && i < table->n_runs; i++) {
        double error = rc_regression_error_of(model, &table->runs[i]);

        if (isnan(error) || table->runs[i].place == 0)
            continue;
        error = fmin(fmax(error, -error_most), error_most);
        add(&places[table->runs[i].place], &(struct sums){1, error, error * error}, 1);
    }
    for (size_t i = 1; places && i <= table->n_places; i++)
        add(all, &places[i], 1);
    return places;
}

static int meet_hosts(struct looking *looking, const char *text, const struct sums *sums,
                      struct rc_error *error)
{
    struct rc_hostlist list = {0};
    int status = 0;

    if (rc_platform_hostlist_expand(text, strlen(text), HOSTS_MOST, &list, NULL))
        return 0; /* whatever that is, it names no hosts */
    for (size_t i = 0; i < list.count && status == 0; i++) {
        status = rc_array_room(&looking->seen, looking->n + 1, &looking->room,
                               sizeof *looking->seen, error);
        if (status)
            break;
        looking->seen[looking->n++] = (struct seen){list.names[i], *sums};
        list.names[i] = NULL; /* it goes with `seen` */
    }
    rc_platform_hostlist_free(&list);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct seen *)a)->host, ((const struct seen *)b)->host);
}

/* Each host once. */
static void put_together(struct looking *looking)
{
    size_t kept = 0;

    if (looking->n == 0)
        return;
    qsort(looking->seen, looking->n, sizeof *looking->seen, by_name);
    for (size_t i = 1; i < looking->n; i++)
        if (strcmp(looking->seen[kept].host, looking->seen[i].host) == 0) {
            add(&looking->seen[kept].with, &looking->seen[i].with, 1);
            free(looking->seen[i].host);
        } else {
            looking->seen[++kept] = looking->seen[i];
        }
    looking->n = kept + 1;
}

static int choose(const struct looking *looking, struct rc_regression_apart *apart,
                  struct rc_error *error)
{
    const struct seen *found = NULL;
    double most = beyond_chance;

    for (size_t i = 0; i < looking->n; i++) {
        const struct sums *with = &looking->seen[i].with;
        struct sums without = looking->all;
        double away, by_chance;

        add(&without, with, -1);
        if (with->n < LEAST_RUNS || without.n < LEAST_RUNS)
            continue;
        away = with->sum / with->n - without.sum / without.n;
        by_chance = sqrt(variance_of_mean(with) + variance_of_mean(&without)) + 1e-9;
        if (fabs(away) > plain && fabs(away) / by_chance > most) {
            most = fabs(away) / by_chance;
            apart->ratio = exp(away);
            found = &looking->seen[i];
        }
    }
    apart->host = found ? strdup(found->host) : NULL;
    return found && !apart->host ? rc_error_no_memory(error) : 0;
}

int rc_regression_apart_find(const struct rc_regression_table *table,
                             const struct rc_regression_model *model,
                             struct rc_regression_apart *apart, struct rc_error *error)
{
    struct looking looking = {0};
    struct sums *places = sum_places(table, model, &looking.all);
    int status = places ? 0 : rc_error_no_memory(error);

    *apart = (struct rc_regression_apart){0};
    for (size_t i = 0; i < table->n_places && status == 0; i++)
        status = meet_hosts(&looking, table->places[i], &places[i + 1], error);
    if (status == 0) {
        put_together(&looking);
        status = choose(&looking, apart, error);
    }
    for (size_t i = 0; i < looking.n; i++)
        free(looking.seen[i].host);
    free(looking.seen);
    free(places);
    return status;
}
