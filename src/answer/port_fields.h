// SPDX-License-Identifier: GPL-3.0-or-later
/* port_fields.h - a model for another platform. */
#ifndef RC_ANSWER_PORT_FIELDS_H
#define RC_ANSWER_PORT_FIELDS_H

#include "model/regression/platform_porting.h"
#include "report/field.h"

/* A model for another platform. */
struct rc_answer_port {
    const char *app, *from, *to, *criterion;
    struct rc_regression_port ratios;
    char *formula; /* of the best member */
    size_t members;
    uint64_t runs;
    json_t *notes;
};
extern const struct rc_field rc_answer_port[];

#endif
