/* fuzz_scaling.c - any text as the scaling models of a store, which are then asked. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/scaling/models.h"
#include "model/scaling/linearity.h"

/* What was read once is written and read again as the same. */
static void check_text(const struct rc_scaling_models *models)
{
    json_t *object = rc_scaling_models_json(models), *again;
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    struct rc_scaling_models back;

    if (text) {
        must(rc_scaling_models_read(text, strlen(text), &back, NULL) == 0);
        again = rc_scaling_models_json(&back);
        must(again && json_equal(object, again));
        json_decref(again);
        rc_scaling_models_free(&back);
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
    struct rc_scaling_mc *mc = rc_scaling_mc_create(model, 1, NULL);
    size_t n;

    if (mc && rc_scaling_estimate(model, mc, &mesh, 64, &estimate, NULL) == 0) {
        must(isfinite(estimate.point.seconds) && estimate.point.seconds >= 0);
        must(isfinite(rc_value_mean(estimate.seconds)));
        rc_scaling_estimate_free(&estimate);
    }
    if (rc_scaling_linearity_check(model, findings, &n, NULL) == 0)
        must(n <= RC_SCALING_FINDINGS_MAX);
    rc_scaling_mc_free(mc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    struct rc_error error;
    struct rc_scaling_models models;

    if (!text)
        return 0;
    if (rc_scaling_models_read(text, size, &models, &error) == 0) {
        check_text(&models);
        for (size_t i = 0; i < models.n && i < 4; i++)
            check_model(&models.items[i]);
        rc_scaling_models_free(&models);
    }
    free(text);
    return 0;
}
