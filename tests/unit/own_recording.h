/* own_recording.h - a directory for the recording of one test, which goes with it. */
#ifndef RC_TESTS_OWN_RECORDING_H
#define RC_TESTS_OWN_RECORDING_H

#include "unit.h"

#include "recording.h"

enum { US = 1000, MS = 1000000 }; /* nanoseconds */

static char directory[64];

static int begin(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/runcast-test-recording-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int end(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) == 0 ? 0 : -1;
}

#endif
