// SPDX-License-Identifier: GPL-3.0-or-later
/* outlier_hosts.h - whether runs on some host take clearly longer, or less long, than a model of
 * the other runs with the known speeds predicts. */
#ifndef RC_MODEL_REGRESSION_OUTLIER_HOSTS_H
#define RC_MODEL_REGRESSION_OUTLIER_HOSTS_H

#include "model/regression/model.h"

/* Start from {0}; free with rc_regression_apart_free(). */
struct rc_regression_apart {
    char *host;   /* the one that stands out most; NULL: none does */
    double ratio; /* of what runs on it take, by the model, to what others take */
};
void rc_regression_apart_free(struct rc_regression_apart *apart);

/* Compares the errors of the model for runs of the table that a host had a part in with those for
 * the others.  A host stands out where there are eight of either, and the means differ by a fifth
 * and by four times what chance would make of them. */
int rc_regression_apart_find(const struct rc_regression_table *table,
                             const struct rc_regression_model *model,
                             struct rc_regression_apart *apart, struct rc_error *error);

#endif
