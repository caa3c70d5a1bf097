/* fuzz_sim.c - any bytes as a load file, as a sweep file, and as what a simulated program wrote. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/text.h"
#include "testbed/sim/sim.h"
#include "testbed/sim/sweep.h"

/* Not assert(), which a release build leaves out. */
static void check_error(const struct rc_error *error)
{
    must(error->text[0] != '\0');
    must(memchr(error->text, '\0', sizeof error->text) != NULL);
    must(rc_text_is_printable(error->text, strlen(error->text)));
    must(rc_text_is_printable(error->hint, strlen(error->hint)));
}

/* Whatever was read can be drawn, and what is drawn is in its range. */
static void try_load(const char *text, size_t size)
{
    struct rc_error error = {0};
    struct rc_load *load = rc_load_parse(text, size, "fuzz", 0, &error);
    struct rc_load_steps steps;
    struct rc_range span;

    if (!load) {
        check_error(&error);
        return;
    }
    for (int what = RC_LOAD_CPU; what <= RC_LOAD_LINK; what++) {
        rc_load_span(load, (enum rc_load_what)what, "a1", &span);
        if (!(span.low <= 5 && span.high >= 50))
            continue;
        must(rc_load_steps(load, (enum rc_load_what)what, 1, "a1", 5, 50, &steps, &error) == 0);
        must(steps.n >= 1 && steps.items[0].t <= 5);
        for (size_t i = 0; i < steps.n; i++)
            must(steps.items[i].value >= 0 && steps.items[i].value <= 1);
        rc_load_steps_free(&steps);
    }
    rc_load_destroy(load);
}

static void try_sweep(const char *text, size_t size)
{
    struct rc_error error = {0};
    struct rc_sweep *sweep = rc_sim_sweep_parse(text, size, "fuzz", 0, &error);
    struct rc_sweep_point *points;
    size_t n;

    if (!sweep) {
        check_error(&error);
        return;
    }
    if (rc_sim_sweep_points(sweep, &points, &n, &error) == 0) {
        for (size_t i = 0; i < n; i++)
            must(isnan(points[i].start) || points[i].start >= 0);
        free(points);
    }
    rc_sim_sweep_destroy(sweep);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rc_error error = {0};
    struct rc_sim_output output;

    try_load((const char *)data, size);
    try_sweep((const char *)data, size);
    if (rc_sim_output_read((const char *)data, size, NULL, &output, &error))
        check_error(&error);
    return 0;
}
