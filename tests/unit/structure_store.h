/* structure_store.h - for tests of structural models: a store of their own, and random numbers. */
#ifndef RC_TESTS_STRUCTURE_STORE_H
#define RC_TESTS_STRUCTURE_STORE_H

#include "structure.h"

static char directory[] = "/tmp/runcast-structure-XXXXXX";
static struct rc_store *store;
static struct rc_random *random_numbers;

static int make_store(void **state)
{
    struct rc_error error = {.text = ""};
    char path[100];

    (void)state;
    strcpy(strrchr(directory, '-'), "-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/store.db", directory);
    store = rc_store_open(path, RC_STORE_CREATE, NULL, &error);
    random_numbers = rc_random_create(1, 0);
    return store && random_numbers ? 0 : -1;
}

static int remove_store(void **state)
{
    char command[100];

    (void)state;
    rc_random_destroy(random_numbers);
    rc_store_close(store);
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

#endif
