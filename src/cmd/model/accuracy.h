// SPDX-License-Identifier: GPL-3.0-or-later
/* model_accuracy.h - what the files of 'runcast model accuracy' share. */
#ifndef RC_CMD_MODEL_ACCURACY_H
#define RC_CMD_MODEL_ACCURACY_H

#include "cmd/model/model.h"

struct rc_cmd_compare_options {
    struct rc_report_options report;
    struct rc_cmd_model_choice choice;
    const char *app, *plot;
    double within, since;
    struct rc_range size, procs;
    bool hindsight, learn, json;
};

/* What --learn did. */
struct rc_cmd_learnt {
    double level;
    size_t n;   /* predictions that were corrected, */
    double sum; /* ... and the logarithms of the factors */
};
/* Their mean, by what predictions were multiplied; NAN where none was. */
double rc_cmd_learnt_factor(const struct rc_cmd_learnt *learnt);

/* All of it as JSON; in model_accuracy_json.c. */
void rc_cmd_model_accuracy_json(const struct rc_cmd_compare_options *options,
                                const struct rc_model *model, const char *app,
                                const struct rc_accuracy *accuracy,
                                const struct rc_cmd_learnt *learnt);

#endif
