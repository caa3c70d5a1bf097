/* fuzz_scaling.c - any text as the scaling models of a store, which are then asked. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/scaling/book.h"
#include "model/scaling/straight.h"

/* What was read once is written and read again as the same. */
static void check_text(const struct rc_book *book)
{
    json_t *object = rc_scaling_book_json(book), *again;
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    struct rc_book back;

    if (text) {
        must(rc_scaling_book_read(text, strlen(text), &back, NULL) == 0);
        again = rc_scaling_book_json(&back);
        must(again && json_equal(object, again));
        json_decref(again);
        rc_scaling_book_free(&back);
    }
    free(text);
    json_decref(object);
}

/* No model may lead out of bounds, or to an answer that is no number. */
static void check_model(const struct rc_scaling_model *model)
{
    const struct rc_mesh mesh = {{4096, 4096, 64}};
    struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX];
    struct rc_scaling_estimate estimate;
    struct rc_scaling_draws *draws = rc_scaling_draws_create(model, 1, NULL);
    size_t n;

    if (draws && rc_scaling_estimate(model, draws, &mesh, 64, &estimate, NULL) == 0) {
        must(isfinite(estimate.point.seconds) && estimate.point.seconds >= 0);
        must(isfinite(rc_value_mean(estimate.seconds)));
        rc_scaling_estimate_free(&estimate);
    }
    if (rc_scaling_straight(model, findings, &n, NULL) == 0)
        must(n <= RC_SCALING_FINDINGS_MAX);
    rc_scaling_draws_free(draws);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    struct rc_error error;
    struct rc_book book;

    if (!text)
        return 0;
    if (rc_scaling_book_read(text, size, &book, &error) == 0) {
        check_text(&book);
        for (size_t i = 0; i < book.n_models && i < 4; i++)
            check_model(&book.models[i]);
        rc_scaling_book_free(&book);
    }
    free(text);
    return 0;
}
