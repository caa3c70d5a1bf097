// SPDX-License-Identifier: GPL-3.0-or-later
/* make_calibration.c - puts a calibration into a store, for tests of commands.
 *
 * usage: make-calibration STORE PLATFORM FILE.json */
#include <stdio.h>

#include "base/buffer.h"
#include "model/slowdown/calibration.h"

int main(int argc, char **argv)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_CALIBRATION_TEXT_MAX);
    struct rc_calibration calibration = {0};
    struct rc_error error = {0};
    struct rc_db *store;
    int status;

    if (argc != 4) {
        fprintf(stderr, "usage: make-calibration STORE PLATFORM FILE.json\n");
        return 2;
    }
    store = rc_db_open(argv[1], RC_DB_CREATE, NULL, &error);
    status = !store || rc_buffer_read_file(&text, argv[3], &error) ||
             rc_slowdown_calibration_read(text.data ? text.data : "", text.length, &calibration,
                                          &error) ||
             rc_slowdown_calibration_save(store, argv[2], &calibration, &error);
    if (status)
        fprintf(stderr, "make-calibration: %s\n", error.text);
    rc_slowdown_calibration_free(&calibration);
    rc_buffer_free(&text);
    rc_db_close(store);
    return status;
}
