// SPDX-License-Identifier: GPL-3.0-or-later
/* port_fields.c - the fields of a model for another platform. */
#include "answer/port_fields.h"

/* Of both platforms. */
#define NUMBERS struct sides
struct sides {
    double from, to;
};
static const struct rc_field sides_fields[] = {{RC_FIELD(NUMBERS, NUMBER, from), .key = "from"},
                                               {RC_FIELD(NUMBERS, NUMBER, to), .key = "to"},
                                               RC_FIELDS_END};

#define COUNTS struct counts
struct counts {
    size_t from, to;
};
static const struct rc_field counts_fields[] = {{RC_FIELD(COUNTS, SIZE, from), .key = "from"},
                                                {RC_FIELD(COUNTS, SIZE, to), .key = "to"},
                                                RC_FIELDS_END};
_Static_assert(RC_REGRESSION_REFERENCE == 0 && RC_REGRESSION_TARGET == 1, "from, to");

#define RATIOS struct rc_regression_port
static const struct rc_field computation_fields[] = {
    {RC_FIELD(RATIOS, OBJECT, one_runs), .key = "runs", .fields = counts_fields},
    {RC_FIELD(RATIOS, OBJECT, n), .key = "size", .fields = sides_fields},
    {RC_FIELD(RATIOS, BOOL, dedicated), .key = "dedicated"},
    RC_FIELDS_END};

static const struct rc_field communication_fields[] = {
    {RC_FIELD(RATIOS, NUMBER, p), .key = "procs"},
    {RC_FIELD(RATIOS, OBJECT, two_runs), .key = "runs", .fields = counts_fields},
    {RC_FIELD(RATIOS, OBJECT, error), .key = "error_fraction", .fields = sides_fields},
    {RC_FIELD(RATIOS, NUMBER, low), .key = "equal_low"},
    {RC_FIELD(RATIOS, NUMBER, high), .key = "equal_high"},
    {RC_FIELD(RATIOS, BOOL, shows), .key = "visible"},
    RC_FIELDS_END};

#define PORT struct rc_answer_port
const struct rc_field rc_answer_port[] = {
    {RC_FIELD(PORT, TEXT, app), .key = "app"},
    {RC_FIELD(PORT, TEXT, from), .key = "from"},
    {RC_FIELD(PORT, TEXT, to), .key = "to"},
    {RC_FIELD(PORT, TEXT, criterion), .key = "criterion"},
    {RC_FIELD(PORT, NUMBER, ratios.r_cpu), .key = "rcpu"},
    {RC_FIELD(PORT, NUMBER, ratios.r_bw), .key = "rbw"},
    {RC_FIELD(PORT, OBJECT, ratios), .key = "computation", .fields = computation_fields},
    {RC_FIELD(PORT, OBJECT, ratios), .key = "communication", .fields = communication_fields},
    {RC_FIELD(PORT, TEXT, formula), .key = "formula"},
    {RC_FIELD(PORT, SIZE, members), .key = "members"},
    {RC_FIELD(PORT, UINT64, runs), .key = "runs"},
    RC_FIELDS_END};
