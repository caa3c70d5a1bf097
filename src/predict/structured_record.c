// SPDX-License-Identifier: GPL-3.0-or-later
/* structured_record.c - a structural model's answer, corrected by how its earlier ones fared.
 *
 * What is learnt from is what the model itself said then, so that corrections do not feed on
 * corrections. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "predict/correct.h"
#include "predict/structured.h"
#include "store/prediction.h"

struct learning {
    const struct rc_structure *source;
    double start;
    struct rc_past_prediction *past;
    size_t n, capacity;
    struct rc_error *error;
};

/* Whether a prediction is one by this model, as it is now, and its run had ended by the start. */
static bool teaches(const struct learning *learning, const struct rc_prediction *prediction)
{
    return strcmp(prediction->family, RC_STRUCTURE_FAMILY) == 0 &&
           prediction->model_id == learning->source->id &&
           prediction->made >= learning->source->made && prediction->run_id &&
           prediction->run_start + prediction->run_seconds <= learning->start &&
           prediction->run_seconds > 0 && prediction->own_lo90 > 0;
}

static int meet(void *data, const struct rc_prediction *prediction)
{
    struct learning *learning = data;
    struct rc_past_prediction *more;

    if (!teaches(learning, prediction))
        return 0;
    if (learning->n == learning->capacity) {
        learning->capacity = learning->capacity ? 2 * learning->capacity : 64;
        more = realloc(learning->past, learning->capacity * sizeof *more);
        if (!more)
            return rc_error_no_memory(learning->error);
        learning->past = more;
    }
    learning->past[learning->n++] =
        (struct rc_past_prediction){prediction->own_predicted, prediction->own_lo90,
                                    prediction->own_hi90, prediction->run_seconds};
    return 0;
}

int rc_structured_correct(struct rc_structured *structured, struct rc_store *store,
                          const char *app, const char *platform, double start, double *draws,
                          size_t n_draws, struct rc_predict_summary *summary,
                          struct rc_error *error)
{
    struct learning learning = {.source = &structured->source, .start = start, .error = error};
    int status = rc_prediction_list(store, app, platform, true, meet, &learning, error);

    structured->own = *summary;
    if (status == 0)
        status = rc_recalibrate_learn(learning.past, learning.n, 0.9, &structured->learnt, error);
    free(learning.past);
    if (status == 0)
        rc_predict_correct(&structured->learnt, draws, n_draws, summary);
    return status;
}
