/* fuzz_calibration.c - any text as a calibration of a store or a file, or as an order to measure. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/slowdown/calibrate/bench_protocol.h"
#include "model/slowdown/calibration.h"

/* What was read once is written and read again as the same. */
static void check_calibration(const struct rc_calibration *calibration)
{
    json_t *object = rc_slowdown_calibration_json(calibration), *again;
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    struct rc_calibration back;

    if (text) {
        must(rc_slowdown_calibration_read(text, strlen(text), &back, NULL) == 0);
        again = rc_slowdown_calibration_json(&back);
        must(again && json_equal(object, again));
        json_decref(again);
        rc_slowdown_calibration_free(&back);
    }
    for (size_t i = 0; i < calibration->delay.n; i++)
        must(rc_slowdown_delay_at(&calibration->delay, i + 1, 1e6, NULL) >= 0);
    free(text);
    json_decref(object);
}

static void check_order(const struct rc_bench_order *order)
{
    json_t *object = rc_slowdown_bench_order_json(order);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    struct rc_bench_order back;

    if (text && strlen(text) <= RC_BENCH_LINE_MAX) {
        must(rc_slowdown_bench_order_read(text, strlen(text), &back, NULL) == 0);
        rc_slowdown_bench_order_free(&back);
    }
    free(text);
    json_decref(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rc_calibration calibration;
    struct rc_bench_order order;
    struct rc_error error;
    char *text = text_of(data, size);

    if (!text)
        return 0;
    if (rc_slowdown_calibration_read(text, size, &calibration, &error) == 0) {
        check_calibration(&calibration);
        rc_slowdown_calibration_free(&calibration);
    }
    if (rc_slowdown_bench_order_read(text, size, &order, &error) == 0) {
        check_order(&order);
        rc_slowdown_bench_order_free(&order);
    }
    free(text);
    return 0;
}
