/* unit.h - what every unit test includes. */
#ifndef RC_TESTS_UNIT_H
#define RC_TESTS_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define RUN_TESTS(tests) cmocka_run_group_tests(tests, NULL, NULL)

/* Doubles that must be equal to the last bit. */
#define assert_same(a, b)                                                                          \
    do {                                                                                           \
        double a_ = (a), b_ = (b);                                                                 \
        if (!(a_ == b_ || (isnan(a_) && isnan(b_))))                                               \
            fail_msg("%s is %.17g, not %.17g", #a, a_, b_);                                        \
    } while (0)

/* Doubles that are nearly equal. */
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        double a_ = (a), b_ = (b);                                                                 \
        if (!(fabs(a_ - b_) <= (tolerance)))                                                       \
            fail_msg("%s is %.17g, not %.17g", #a, a_, b_);                                        \
    } while (0)

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
