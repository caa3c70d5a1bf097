// SPDX-License-Identifier: GPL-3.0-or-later
/* method.c - what methods of prediction share. */
#include "predict/method.h"

#include "base/error.h"

enum rc_method_result rc_predict_method_failed(const struct rc_error *error)
{
    return error->system ? RC_METHOD_ERROR : RC_METHOD_UNAVAILABLE;
}

enum rc_method_result rc_predict_shared_runs(const struct rc_method_setup *setup,
                                             struct rc_error *error)
{
    struct rc_shared_runs *runs = setup->runs;
    const struct rc_predict_options *options = setup->options;

    if (!runs->tried) {
        if (rc_predict_speeds(setup->db, setup->platform_file, setup->platform, &runs->speeds,
                              error))
            return RC_METHOD_ERROR;
        runs->there = rc_predict_source_near(setup->db, setup->app, setup->platform, &runs->speeds,
                                             options->criterion, options->parts, &runs->source,
                                             &runs->missing) == 0;
        runs->tried = runs->there || (runs->source.lacking && !runs->missing.system);
    }
    if (runs->there)
        return RC_METHOD_ANSWERED;
    *error = runs->missing;
    return runs->tried ? RC_METHOD_UNAVAILABLE : RC_METHOD_ERROR;
}
