/* fuzz_units.c - any text as a number, a quantity, a range, a point in time. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/number.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "base/unit.h"

static void check_number(const char *text, size_t length)
{
    char written[RC_NUMBER_SIZE];
    double value, back;
    int64_t whole;

    if (rc_number_parse(text, length, &value) == 0) {
        must(isfinite(value));
        must(rc_number_parse(written, rc_number_format(value, written), &back) == 0);
        must(back == value);
        rc_number_format_short(value, 6, written);
    }
    if (rc_number_parse_integer(text, length, &whole) == 0)
        must(rc_number_parse(text, length, &value) == 0 && value == (double)whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), written[RC_UNIT_SIZE];
    struct rc_error error;
    struct rc_range range;
    double value;

    if (!text)
        return 0;
    check_number(text, size);
    for (int dimension = 0; dimension < RC_DIMENSIONS; dimension++) {
        error.text[0] = '\0';
        if (rc_unit_parse(text, size, (enum rc_dimension)dimension, &value, &error) == 0) {
            must(isfinite(value));
            rc_unit_format(value, (enum rc_dimension)dimension, written);
        } else {
            must(error.text[0]);
        }
        if (rc_unit_parse_range(text, (enum rc_dimension)dimension, &range, &error) == 0)
            must(range.low <= range.high);
    }
    if (rc_timestamp_parse(text, size, &value, &error) == 0) {
        must(isfinite(value));
        rc_timestamp_format(value, written);
    }
    rc_timestamp_parse_since(text, 1e9, &value, &error);
    rc_text_width(text, size);
    must(rc_text_prefix(text, size, 3) <= size);
    rc_text_is_printable(text, size);
    free(text);
    return 0;
}
