// SPDX-License-Identifier: GPL-3.0-or-later
/* linearity.h - tests the lines of a model.  A third block size shows whether times are linear in
 * work, a third number of processes whether alpha grows as log2 np. */
#ifndef RC_MODEL_SCALING_LINEARITY_H
#define RC_MODEL_SCALING_LINEARITY_H

#include "model/scaling/growth_curves.h"
#include "model/scaling/model.h"

enum rc_scaling_line_kind {
    RC_LINE_COMPUTING, /* sequential time against work */
    RC_LINE_OVERHEAD,  /* Tcomm against work, for one number of processes */
    RC_LINE_GROWTH     /* alpha against log2 np */
};

struct rc_scaling_finding {
    enum rc_scaling_line_kind kind;
    int64_t procs;    /* RC_LINE_OVERHEAD; otherwise 0 */
    double deviation; /* of the point in between that is farthest from the line through the outer
                         ones, as a part of the run's time: > 0 where it is above */
    double noise;     /* the sd of that by the noise of the runs */
    bool nonlinear;   /* more than noise and more than 0.5 % */
    enum rc_scaling_form
        best;        /* the form with the least squares, of those with two parameters, where
                                it is nonlinear; RC_FORM_POWER where none of these comes within noise */
    double exponent; /* of RC_FORM_POWER */
    char text[RC_SCALING_NOTE_SIZE]; /* for people, whether nonlinear or not */
};

enum { RC_SCALING_FINDINGS_MAX = RC_SCALING_PROCS_MAX + 2 };

/* The findings; lines with only two points are left out. */
int rc_scaling_linearity_check(const struct rc_scaling_model *model,
                               struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX],
                               size_t *n_findings, struct rc_error *error);

/* Adds what is nonlinear to the notes and warnings of a model.  rc_scaling_fit() does not: those
 * who fit show all findings; reading models does (models.h). */
int rc_scaling_linearity_warnings(struct rc_scaling_model *model, struct rc_error *error);

#endif
