// SPDX-License-Identifier: BSD-2-Clause
/* field_schema.h - the JSON Schema of an answer that is described by a table of fields. */
#ifndef RC_REPORT_FIELD_SCHEMA_H
#define RC_REPORT_FIELD_SCHEMA_H

#include <jansson.h>

#include "report/field.h"

/* The schema of the object that rc_field_json() makes of a record: its keys, their types, which
 * keys are always there; others are allowed.  The caller owns it; NULL if memory ran out. */
json_t *rc_field_schema(const struct rc_field *fields);

#endif
