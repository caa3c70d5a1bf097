// SPDX-License-Identifier: GPL-3.0-or-later
/* doctor_fields.h - what this machine offers. */
#ifndef RC_ANSWER_DOCTOR_FIELDS_H
#define RC_ANSWER_DOCTOR_FIELDS_H

#include "host/check/check.h"
#include "report/field.h"

/* Of struct rc_check_report. */
extern const struct rc_field rc_answer_doctor[];

#endif
