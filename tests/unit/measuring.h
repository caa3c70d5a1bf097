/* measuring.h - models whose inputs are measured, for the tests of plans and of what is kept. */
#ifndef RC_TESTS_UNIT_MEASURING_H
#define RC_TESTS_UNIT_MEASURING_H

#include "structure.h"

#include "model/structural/measuring.h"

#define HEAD "model m\nhosts a1, a2, a3\ninput N from size\ninput P from processes\n"
#define ADD "input add[h] \"one addition\"\n  measure operation real-add\n"
#define BW "input bw[x, y]\n  measure bandwidth 1000 * 8B\n"
#define START "input start[x]\n  measure startup\n"
#define POINT                                                                                      \
    "input points = 3\ninput point[h]\n  measure run\n  at 2000 /\n     P\n  per N * points\n"     \
    "  less 10 * start[h] + P\n  arguments \"--quick 1\"\n"
#define TOTAL "total t = N\n"

static const struct rc_benchmark_how here = {
    .size = NAN, .bytes = NAN, .processes = NAN, .repeats = NAN, .source = "here"};

/* What was measured for an input; NAN where nothing was. */
static double mean_of(const struct rc_model *model, const struct rc_benchmarks *measured,
                      const char *name, const char *row, const char *column)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (strcmp(model->items[i].name, name) == 0) {
            const struct rc_benchmark_value *value =
                rc_structural_benchmarks_find(measured, &model->items[i], row, column);

            return value ? value->mean : NAN;
        }
    return NAN;
}

#endif
