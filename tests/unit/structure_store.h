/* structure_store.h - for tests of structural models: a store of their own, and random numbers. */
#ifndef RC_TESTS_STRUCTURE_STORE_H
#define RC_TESTS_STRUCTURE_STORE_H

#include "own_store.h"
#include "structure.h"

static struct rc_random *random_numbers;

static int make_store(void **state)
{
    random_numbers = rc_random_create(1, 0);
    return random_numbers ? open_own_store(state) : -1;
}

static int remove_store(void **state)
{
    rc_random_destroy(random_numbers);
    return remove_own_store(state);
}

#endif
