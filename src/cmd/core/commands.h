// SPDX-License-Identifier: GPL-3.0-or-later
/* commands.h - the verbs, one file each. */
#ifndef RC_CMD_CORE_COMMANDS_H
#define RC_CMD_CORE_COMMANDS_H

#include "cmd/core/command.h"

extern const struct rc_command rc_command_import;
extern const struct rc_command rc_command_record;
extern const struct rc_command rc_command_runs;
extern const struct rc_command rc_command_series;
extern const struct rc_command rc_command_db;
extern const struct rc_command rc_command_calc;
extern const struct rc_command rc_command_fit;
extern const struct rc_command rc_command_predict;
extern const struct rc_command rc_command_accuracy;
extern const struct rc_command rc_command_forecast;
extern const struct rc_command rc_command_model;
extern const struct rc_command rc_command_platform;
extern const struct rc_command rc_command_port;
extern const struct rc_command rc_command_lab;
extern const struct rc_command rc_command_load;
extern const struct rc_command rc_command_doctor;
extern const struct rc_command rc_command_monitor;
extern const struct rc_command rc_command_trace;
extern const struct rc_command rc_command_skeleton;
extern const struct rc_command rc_command_slowdown;
extern const struct rc_command rc_command_scale;
extern const struct rc_command rc_command_split;
extern const struct rc_command rc_command_advise;

#endif
