/* test_chance.c - what the recorder does by chance. */
#include "unit.h"

#include "mpi/preload/chance.h"

enum { CALLS = 100000, PERIODS = 300 };

static struct rc_preload_progress after(uint32_t calls, uint32_t polls)
{
    return (struct rc_preload_progress){.calls = calls, .polls = polls};
}

static void test_one_has_its_share(void **state)
{
    static const uint64_t wholes[] = {1, 2, 3, 20, 1000, 1000000000};

    (void)state;
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        for (int decision = 0; decision < RC_PRELOAD_DECISIONS; decision++) {
            uint64_t part = 1 + wholes[i] / 50;
            double share = (double)part / (double)wholes[i], found = 0;
            double deviation = sqrt(share * CALLS * (1 - share));

            for (uint32_t call = 0; call < CALLS; call++)
                found += rc_preload_chance(after(call, 0), (enum rc_preload_decision)decision, part,
                                           wholes[i]);
            assert_near(found, share * CALLS, 5 * deviation + 1e-6);
        }
}

/* A program comes by a place once in so many calls: it is met there as often as elsewhere. */
static void test_no_period_is_missed(void **state)
{
    (void)state;
    for (uint32_t period = 1; period <= PERIODS; period++) {
        double found = 0, rounds = 4000;

        for (uint32_t i = 0; i < (uint32_t)rounds; i++)
            found += rc_preload_chance(after(7 + i * period, 0), RC_PRELOAD_READ_BOTH, 1, 10);
        assert_near(found, rounds / 10, 5 * sqrt(rounds * 0.09));
    }
}

static void test_decisions_and_polls_are_apart(void **state)
{
    double both = 0, polled = 0;

    (void)state;
    for (uint32_t call = 0; call < CALLS; call++) {
        bool one = rc_preload_chance(after(call, 0), RC_PRELOAD_READ_BOTH, 1, 2);

        both += one && rc_preload_chance(after(call, 0), RC_PRELOAD_LOOK_FILES, 1, 2);
        polled += one && rc_preload_chance(after(call, 1 + call % 9), RC_PRELOAD_READ_BOTH, 1, 2);
    }
    assert_near(both / CALLS, 0.25, 0.01);
    assert_near(polled / CALLS, 0.25, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_has_its_share),
        cmocka_unit_test(test_no_period_is_missed),
        cmocka_unit_test(test_decisions_and_polls_are_apart),
    };

    return RUN_TESTS(tests);
}
