// SPDX-License-Identifier: GPL-3.0-or-later
/* run_param.h - parameters of a run by name. */
#ifndef RC_DB_RUN_PARAM_H
#define RC_DB_RUN_PARAM_H

#include "runcast.h"

/* The value of the parameter; NAN: the run does not have it. */
double rc_db_run_param(const struct rc_run *run, const char *name);

#endif
