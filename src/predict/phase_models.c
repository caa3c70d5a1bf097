// SPDX-License-Identifier: GPL-3.0-or-later
/* phase_models.c - the time of a run from the models of its phases and processes. */
#include "predict/phase_models.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- what is asked ---- */

void rc_predict_parts_free(struct rc_predict_parts *asked)
{
    free(asked->parts);
    *asked = (struct rc_predict_parts){0};
}

int rc_predict_parts_ask(const struct rc_regression_parts *parts,
                         const struct rc_question *question, struct rc_predict_parts *asked,
                         struct rc_error *error)
{
    *asked = (struct rc_predict_parts){.parts = calloc(parts->n_parts, sizeof *asked->parts),
                                       .together = parts->together};
    if (!asked->parts)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < parts->n_parts; i++) {
        const struct rc_regression_part *part = &parts->parts[i];
        struct rc_predict_part *one = &asked->parts[asked->n];
        struct rc_predict_load known;

        if (part->process >= question->procs)
            continue;
        one->part = part;
        one->beside = asked->n > 0 && strcmp(one[-1].part->phase, part->phase) == 0;
        rc_predict_ask_model(part->model, question, &one->question, &known);
        if (asked->n++ == 0)
            asked->load = known;
        rc_predict_load_complete(part->model, &asked->load); /* one that knows a bandwidth does */
        if (rc_regression_question_check(part->model, &one->question, error))
            return -1;
    }
    if (asked->n > 0)
        return 0;
    return rc_error_set(error, "no models of single processes for runs on %" PRId64,
                        question->procs);
}

/* ---- Eq. (4), for times that are known ---- */

/* The sum over phases of the largest of `took`; marks the slowest of each. */
static double sum_up(struct rc_predict_parts *asked)
{
    double sum = 0;

    for (size_t i = 0; i < asked->n;) {
        size_t slowest = i;

        do {
            asked->parts[i].slowest = false;
            if (asked->parts[i].took > asked->parts[slowest].took)
                slowest = i;
        } while (++i < asked->n && asked->parts[i].beside);
        asked->parts[slowest].slowest = true;
        sum += asked->parts[slowest].took;
    }
    return sum;
}

/* The paper's models may predict negative times, which count as 0. */
static double at_least_nothing(double seconds)
{
    return seconds > 0 ? fmin(seconds, 1e300) : 0;
}

static double one_number(struct rc_predict_parts *asked, const struct rc_predict_load *load)
{
    for (size_t i = 0; i < asked->n; i++)
        asked->parts[i].took = at_least_nothing(rc_regression_seconds_at(
            asked->parts[i].part->model, &asked->parts[i].question, load->cpu, load->bw));
    return rc_predict_as_time(sum_up(asked));
}

/* Draws the work of a part, with an error of which a share is `common` (standard normal). */
static void draw_part(const struct rc_predict_parts *asked, const struct rc_predict_part *part,
                      double common, struct rc_random *random, struct rc_regression_work *work,
                      double *factor)
{
    double out =
        sqrt(asked->together) * common + sqrt(1 - asked->together) * rc_random_normal(random, 0, 1);

    rc_regression_draw_at(part->part->model, &part->question, out, random, work, factor);
}

/* ---- shares ---- */

static void forget_shares(struct rc_predict_parts *asked)
{
    for (size_t i = 0; i < asked->n; i++)
        asked->parts[i].seconds = asked->parts[i].share = 0;
}

/* Takes the draw at hand into the averages, as the `count`th, of a run of `total` seconds. */
static void take_shares(struct rc_predict_parts *asked, double total, size_t count)
{
    for (size_t i = 0; i < asked->n; i++) {
        struct rc_predict_part *part = &asked->parts[i];
        double share = part->slowest ? part->took / total : 0;

        part->seconds += (part->took - part->seconds) / (double)count;
        part->share += (share - part->share) / (double)count;
    }
}

/* ---- under a load that is known ---- */

void rc_predict_parts_at_load(struct rc_predict_parts *asked, struct rc_random *random,
                              double *draws, size_t n_draws, struct rc_predict_summary *summary)
{
    const struct rc_predict_load *load = &asked->load;
    const struct rc_regression_model *first = asked->parts[0].part->model;

    forget_shares(asked);
    for (size_t i = 0; i < n_draws; i++) {
        double common = rc_random_normal(random, 0, 1);

        for (size_t k = 0; k < asked->n; k++) {
            struct rc_predict_part *part = &asked->parts[k];
            struct rc_regression_work work;
            double factor;

            draw_part(asked, part, common, random, &work, &factor);
            part->took =
                at_least_nothing(factor * rc_regression_work_seconds(&work, load->cpu[work.stat],
                                                                     load->bw[work.stat]));
        }
        draws[i] = rc_predict_as_time(sum_up(asked));
        take_shares(asked, draws[i], i + 1);
    }
    rc_predict_summarise(draws, n_draws, summary);
    summary->cpu = load->cpu[first->members[0].stat];
    summary->bw = load->bw[first->members[0].stat];
    if (first->criterion == RC_REGRESSION_PAPER)
        summary->predicted = one_number(asked, load);
}

/* ---- under the forecast load ---- */

struct drawing {
    struct rc_predict_parts *asked;
    struct rc_host_forecast *forecast;
    struct rc_random *random;
    double common; /* to the errors of the draw at hand */
};

/* Follows one phase, from part `i` on, which begins where the run has got to; the part behind its
 * last. */
static size_t follow_phase(struct drawing *drawing, size_t i, struct rc_predict_future *scenario,
                           struct rc_predict_end *run)
{
    struct rc_predict_parts *asked = drawing->asked;
    struct rc_predict_end last = {0};

    scenario->begin = run->seconds;
    do {
        struct rc_predict_part *part = &asked->parts[i];
        struct rc_predict_end end;
        struct rc_regression_work work;
        double factor;

        draw_part(asked, part, drawing->common, drawing->random, &work, &factor);
        rc_predict_follow(&work, factor, scenario, &end);
        part->took = end.seconds;
        if (end.seconds > last.seconds)
            last = end;
    } while (++i < asked->n && asked->parts[i].beside);
    run->cpu += last.cpu * last.seconds;
    run->bw += last.bw * last.seconds;
    run->seconds += last.seconds;
    return i;
}

static size_t draw_times(void *data, double *draws, size_t n_draws,
                         struct rc_predict_summary *summary)
{
    struct drawing *drawing = data;
    struct rc_predict_parts *asked = drawing->asked;
    size_t ended = 0;

    summary->cpu = summary->bw = 0;
    forget_shares(asked);
    for (size_t i = 0; i < n_draws; i++) {
        struct rc_predict_future scenario;
        struct rc_predict_end run = {0};

        rc_predict_host_forecast_draw(drawing->forecast, drawing->random, asked->load.cpu[0],
                                      asked->load.bw[0], &scenario);
        drawing->common = rc_random_normal(drawing->random, 0, 1);
        for (size_t k = 0; k < asked->n && isfinite(run.seconds);)
            k = follow_phase(drawing, k, &scenario, &run);
        if (!isfinite(run.seconds))
            continue;
        draws[ended++] = rc_predict_as_time(run.seconds);
        summary->cpu += (run.cpu / draws[ended - 1] - summary->cpu) / (double)ended;
        summary->bw += (run.bw / draws[ended - 1] - summary->bw) / (double)ended;
        sum_up(asked);
        take_shares(asked, draws[ended - 1], ended);
    }
    return ended;
}

int rc_predict_parts_ahead(struct rc_predict_parts *asked, struct rc_host_forecast *forecast,
                           struct rc_random *random, double *draws, size_t n_draws,
                           struct rc_predict_summary *summary, struct rc_error *error)
{
    struct drawing drawing = {asked, forecast, random, 0};
    struct rc_predict_load now;

    rc_predict_load_now(forecast, &asked->load, &now);
    return rc_predict_draw_ahead(forecast, one_number(asked, &now), draw_times, &drawing, draws,
                                 n_draws, summary, error);
}
