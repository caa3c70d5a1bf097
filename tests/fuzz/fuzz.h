// SPDX-License-Identifier: GPL-3.0-or-later
/* fuzz.h - what the fuzz targets share. */
#ifndef RC_TESTS_FUZZ_H
#define RC_TESTS_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What does not hold is found by the fuzzer as a crash. */
static inline void must(int holds)
{
    if (!holds)
        abort();
}

/* The input as a text, to be freed; NULL where memory runs out. */
static inline char *text_of(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (text) {
        memcpy(text, data, size);
        text[size] = '\0';
    }
    return text;
}

#endif
