// SPDX-License-Identifier: GPL-3.0-or-later
/* fuzz_slowdown.c - what people write of competitors and bursts, and the files of slowdown factors.
 * The first byte says which. */
#include "fuzz.h"

#include "slowdown/burst.h"
#include "slowdown/competitor.h"

static void check_competitor(const char *text)
{
    struct rc_competitor competitor;
    size_t count;

    if (rc_competitor_parse(text, &competitor, &count, NULL) == 0)
        must(rc_competitor_check(&competitor, NULL) == 0 && count > 0);
}

static void check_burst(const char *text)
{
    struct rc_burst burst;

    if (rc_burst_parse(text, 4, &burst, NULL) == 0)
        must(burst.messages >= 1 && burst.bytes > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = size > 0 ? text_of(data + 1, size - 1) : NULL;

    if (!text)
        return 0;
    if (data[0] == 'c')
        check_competitor(text);
    else if (data[0] == 'b')
        check_burst(text);
    free(text);
    return 0;
}
