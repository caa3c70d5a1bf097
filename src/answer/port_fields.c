// SPDX-License-Identifier: GPL-3.0-or-later
/* port_fields.c - the fields of a model for another platform. */
#include "answer/port_fields.h"

#define RATIOS struct rc_regression_port
#define FROM(kind, member) RC_FIELD(RATIOS, kind, member[RC_REGRESSION_REFERENCE])
#define TO(kind, member) RC_FIELD(RATIOS, kind, member[RC_REGRESSION_TARGET])

static const struct rc_field computation_fields[] = {{FROM(SIZE, one_runs), .key = "from_runs"},
                                                     {TO(SIZE, one_runs), .key = "to_runs"},
                                                     {FROM(NUMBER, n), .key = "from_size"},
                                                     {TO(NUMBER, n), .key = "to_size"},
                                                     {RC_FIELD(RATIOS, BOOL, dedicated),
                                                      .key = "dedicated"},
                                                     RC_FIELDS_END};

static const struct rc_field communication_fields[] = {
    {RC_FIELD(RATIOS, NUMBER, p), .key = "procs"},
    {FROM(SIZE, two_runs), .key = "from_runs"},
    {TO(SIZE, two_runs), .key = "to_runs"},
    {FROM(NUMBER, error), .key = "from_error_fraction"},
    {TO(NUMBER, error), .key = "to_error_fraction"},
    {RC_FIELD(RATIOS, NUMBER, low), .key = "equal_low"},
    {RC_FIELD(RATIOS, NUMBER, high), .key = "equal_high"},
    {RC_FIELD(RATIOS, BOOL, shows), .key = "visible"},
    RC_FIELDS_END};

#define PORT struct rc_answer_port
const struct rc_field rc_answer_port[] = {
    {RC_FIELD(PORT, TEXT, app), .key = "app"},
    {RC_FIELD(PORT, TEXT, from), .key = "from_platform"},
    {RC_FIELD(PORT, TEXT, to), .key = "to_platform"},
    {RC_FIELD(PORT, TEXT, criterion), .key = "criterion"},
    {RC_FIELD(PORT, NUMBER, ratios.r_cpu), .key = "rcpu"},
    {RC_FIELD(PORT, NUMBER, ratios.r_bw), .key = "rbw"},
    {RC_FIELD(PORT, OBJECT, ratios), .key = "computation", .fields = computation_fields},
    {RC_FIELD(PORT, OBJECT, ratios), .key = "communication", .fields = communication_fields},
    {RC_FIELD(PORT, TEXT, formula), .key = "formula"},
    {RC_FIELD(PORT, SIZE, members), .key = "member_count"},
    {RC_FIELD(PORT, UINT64, runs), .key = "run_count"},
    {RC_FIELD(PORT, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
