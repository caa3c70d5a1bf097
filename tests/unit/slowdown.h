/* slowdown.h - what the tests of slowdown factors share. */
#ifndef RC_TEST_SLOWDOWN_H
#define RC_TEST_SLOWDOWN_H

#include "unit.h"

#include "model/slowdown/local_slowdown.h"

#define MWORDS 4e6 /* bytes/s, with words of 4 bytes */

static struct rc_competitor competitor(double compute, double communicate)
{
    struct rc_competitor made = RC_COMPETITOR_INIT;

    made.compute = (struct rc_share){compute, compute};
    made.communicate = (struct rc_share){communicate, communicate};
    return made;
}

static double local_slowdown(const struct rc_local_host *host, enum rc_local_model model)
{
    struct rc_error error = {0};
    struct rc_local local;
    double slowdown;

    if (rc_slowdown_local_compute(host, model, &local, &error))
        fail_msg("%s", error.text);
    slowdown = local.slowdown;
    rc_slowdown_local_free(&local);
    return slowdown;
}

#endif
