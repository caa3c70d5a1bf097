// SPDX-License-Identifier: GPL-3.0-or-later
/* run_param.c - parameters of a run by name. */
#include "db/run_param.h"

#include <math.h>
#include <string.h>

double rc_db_run_param(const struct rc_run *run, const char *name)
{
    for (size_t i = 0; i < run->n_params; i++)
        if (strcmp(run->params[i].name, name) == 0)
            return run->params[i].value;
    return NAN;
}
