/* own_store.h - a store for one test, in a directory that goes with it. */
#ifndef RC_TESTS_OWN_STORE_H
#define RC_TESTS_OWN_STORE_H

#include "unit.h"

#include "runcast.h"

static char directory[] = "/tmp/runcast-store-XXXXXX";
static struct rc_db *store;

static int open_own_store(void **state)
{
    struct rc_error error = {.text = ""};
    char path[100];

    (void)state;
    strcpy(strrchr(directory, '-'), "-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/store.db", directory);
    store = rc_db_open(path, RC_DB_CREATE, NULL, &error);
    return store ? 0 : -1;
}

static int remove_own_store(void **state)
{
    char command[100];

    (void)state;
    rc_db_close(store);
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

#endif
