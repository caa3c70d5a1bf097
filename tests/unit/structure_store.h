/* structure_store.h - for tests of structural models: a store of their own with series, and random
 * numbers. */
#ifndef RC_TESTS_STRUCTURE_STORE_H
#define RC_TESTS_STRUCTURE_STORE_H

#include "own_store.h"
#include "structure.h"

#include "db/series.h"

static struct rc_random *random_numbers;

static int make_store(void **state)
{
    random_numbers = rc_random_create(1, 0);
    return random_numbers ? open_own_store(state) : -1;
}

static int remove_store(void **state)
{
    rc_random_destroy(random_numbers);
    return remove_own_store(state);
}

#define NOW 1000000.0
enum { DRAWS = 3000 };

/* `n` samples, `step` seconds apart, up to NOW. */
static inline void add_series(const char *host, const char *peer, const char *metric,
                              double (*value)(double t), size_t n, double step)
{
    const struct rc_series_key key = {host, peer, metric};
    struct rc_sample *samples = calloc(n, sizeof *samples);
    struct rc_error error = {.text = ""};

    for (size_t i = 0; i < n; i++) {
        samples[i].t = NOW - step * (double)(n - 1 - i);
        samples[i].value = value(samples[i].t);
    }
    if (rc_db_series_add(store, &key, samples, n, 0, NULL, &error))
        fail_msg("%s", error.text);
    free(samples);
}

static inline struct rc_value_rules drawing(void)
{
    struct rc_value_rules rules;

    rc_value_rules_init(&rules);
    rules.draws = DRAWS;
    rules.random = random_numbers;
    return rules;
}

#endif
