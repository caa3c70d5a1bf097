// SPDX-License-Identifier: GPL-3.0-or-later
/* formula.h - the members of a model as formulas that people read.
 *
 * A formula has only factors that the runs support.  What was the same in all runs is part of the
 * coefficient: functions of P where all runs had one number of processes, for example.  If no run
 * has a CPU availability, there is no `cpu`.  Predictions use the members as they are. */
#ifndef RC_MODEL_REGRESSION_FORMULA_H
#define RC_MODEL_REGRESSION_FORMULA_H

#include "model/regression/model.h"

/* "3.1e-9 n^3 / (cpu P) + ...", into a string to be freed; NULL if memory runs out. */
char *rc_regression_formula(const struct rc_regression_model *model,
                            const struct rc_regression_member *member);

/* A formula that one or more members have: they cannot be distinguished in the runs. */
struct rc_regression_formula {
    const struct rc_regression_member *member; /* the best of them */
    double weight;                             /* of all of them */
};

/* Fills in the formulas of a model, each once; `formulas` has room for one of each member.  Returns
 * how many.  By default, sorted by falling weight; by the paper, as its members are. */
size_t rc_regression_formulas(const struct rc_regression_model *model,
                              struct rc_regression_formula *formulas);

#endif
