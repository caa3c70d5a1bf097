// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction_notes.h - the notes that 'runcast predict', 'advise' and 'split' share.
 *
 * All of it goes through rc_cmd_note(), and so to standard error and into the JSON. */
#ifndef RC_CMD_CORE_PREDICTION_NOTES_H
#define RC_CMD_CORE_PREDICTION_NOTES_H

#include <stddef.h>

#include "cmd/core/command.h"
#include "forecast/freshness.h"
#include "platform/platform.h"
#include "predict/predictor.h"
#include "predict/regression_source.h"
#include "model/regression/model.h"

/* That samples have ceased to come, and old ones are taken for the load now.  `hosts` are those
 * that rc_forecast_freshness_find() was asked of. */
void rc_cmd_note_freshness(const struct rc_freshness *freshness, const char *const *hosts);

/* That the database has no samples of `n` of the hosts, such as `host` (NULL: unknown), and these are assumed to be
 * idle. */
void rc_cmd_note_unwatched(const char *host, size_t n, size_t n_hosts);

/* That the platform file has speeds of some hosts only, which hosts lack one, and the result ("all hosts
 * are assumed equally fast"). */
void rc_cmd_note_speeds(const struct rc_platform *platform, const char *file, const char *result);

/* That runs are compared with the slowest host, since none has these hosts. */
void rc_cmd_note_slowest(const char *app);

/* Which parameters the model of the app's runs does not have, so that they have no effect. */
void rc_cmd_note_params(const char *app, const struct rc_regression_model *model,
                        const struct rc_param *params, size_t n);

/* Which of the methods that have a model of the app, `models`, were asked and have no answer. */
void rc_cmd_note_silent_methods(const struct rc_predict_answer *answer, unsigned models);

/* Fills in texts and hints for people of the methods that cannot answer. */
void rc_cmd_fill_in_hints(struct rc_predict_answer *answer);

/* That methods which count for much predict times that are far apart, and which times. */
void rc_cmd_note_apart(const struct rc_predict_answer *answer);

/* Of a host whose runs take plainly longer, or less long, than the model has it. */
void rc_cmd_note_hosts_apart(const struct rc_predict_hosts *hosts);

/* That runs on other platforms are learned from, where they are. */
void rc_cmd_note_elsewhere(const struct rc_predict_source *source);

#endif
