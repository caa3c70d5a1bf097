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
    json_t *object = rc_book_json(book), *again;
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    struct rc_book back;

    if (text) {
        must(rc_book_read(text, strlen(text), &back, NULL) == 0);
        again = rc_book_json(&back);
        must(again && json_equal(object, again));
        json_decref(again);
        rc_book_free(&back);
    }
    free(text);
    json_decref(object);
}

/* No model may lead out of bounds, or to an answer that is no number. */
static void check_model(const struct rc_scale_model *model)
{
    const struct rc_mesh mesh = {{4096, 4096, 64}};
    struct rc_scale_finding findings[RC_SCALE_FINDINGS_MAX];
    struct rc_scale_estimate estimate;
    struct rc_scale_draws *draws = rc_scale_draws_create(model, 1, NULL);
    size_t n;

    if (draws && rc_scale_estimate(model, draws, &mesh, 64, &estimate, NULL) == 0) {
        must(isfinite(estimate.point.seconds) && estimate.point.seconds >= 0);
        must(isfinite(rc_value_mean(estimate.seconds)));
        rc_scale_estimate_free(&estimate);
    }
    if (rc_scale_straight(model, findings, &n, NULL) == 0)
        must(n <= RC_SCALE_FINDINGS_MAX);
    rc_scale_draws_free(draws);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    struct rc_error error;
    struct rc_book book;

    if (!text)
        return 0;
    if (rc_book_read(text, size, &book, &error) == 0) {
        check_text(&book);
        for (size_t i = 0; i < book.n_models && i < 4; i++)
            check_model(&book.models[i]);
        rc_book_free(&book);
    }
    free(text);
    return 0;
}
