// SPDX-License-Identifier: GPL-3.0-or-later
/* enum_words.c - the words of model files that stand for values of an enum. */
#include "model/structural/model.h"

const char *const rc_structural_item_kind_names[] = {
    [RC_ITEM_INPUT] = "an input",
    [RC_ITEM_DEFINE] = "a definition",
    [RC_ITEM_COMPONENT] = "a component",
    [RC_ITEM_TOTAL] = "a total",
};

const char *const rc_structural_task_kind_names[] = {
    [RC_TASK_OTHER] = "",
    [RC_TASK_COMPUTATION] = "computation",
    [RC_TASK_COMMUNICATION] = "communication",
    [RC_TASK_IO] = "io",
};

const char *const rc_structural_platform_field_names[RC_FIELDS_OF_PLATFORM] = {
    [RC_FIELD_OF_SPEED] = "speed",     [RC_FIELD_OF_CORES] = "cores",
    [RC_FIELD_OF_MEMORY] = "memory",   [RC_FIELD_OF_PROCESSES] = "processes",
    [RC_FIELD_OF_COST] = "cost",       [RC_FIELD_OF_BANDWIDTH] = "bandwidth",
    [RC_FIELD_OF_LATENCY] = "latency",
};

const char *const rc_structural_relation_names[] = {
    [RC_LESS] = "<",      [RC_AT_MOST] = "<=", [RC_GREATER] = ">",
    [RC_AT_LEAST] = ">=", [RC_EQUAL] = "=",
};

const char *const rc_structural_measure_kind_names[RC_MEASURES] = {
    [RC_MEASURE_NOTHING] = "",
    [RC_MEASURE_OPERATION] = "operation",
    [RC_MEASURE_BANDWIDTH] = "bandwidth",
    [RC_MEASURE_MESSAGE] = "message",
    [RC_MEASURE_STARTUP] = "startup",
    [RC_MEASURE_PACKING] = "packing",
    [RC_MEASURE_RUN] = "run",
    [RC_MEASURE_TOGETHER] = "together",
};

const char *const rc_structural_operation_names[RC_OPERATIONS] = {
    [RC_REAL_ADD] = "real-add",
    [RC_REAL_MULTIPLY] = "real-multiply",
    [RC_REAL_DIVIDE] = "real-divide",
    [RC_INTEGER_ADD] = "integer-add",
    [RC_INTEGER_MULTIPLY] = "integer-multiply",
};
