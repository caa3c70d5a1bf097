// SPDX-License-Identifier: GPL-3.0-or-later
/* compare.h - shared by the parts of 'runcast scale compare'. */
#ifndef RC_CMD_SCALE_COMPARE_H
#define RC_CMD_SCALE_COMPARE_H

#include "cmd/scale/scale.h"

/* "A:64 ethernet", or "A:64 + B:32/4 ethernet" with 4 on a host, or "A:64 myrinet + B:32/4
 * ethernet"; without processes where `plain`. */
void rc_cmd_choice_name(const struct rc_platform *platform, const struct rc_choice *choice,
                        bool plain, char text[RC_ANSWER_CHOICE_NAME]);

/* The choices, and the question they answer. */
struct rc_cmd_compared {
    const char *app;
    const struct rc_platform *platform;
    const struct rc_mesh *meshes;
    size_t n_meshes;
    const struct rc_choices *choices;
    bool probabilities; /* there is a deadline or a budget */
};
/* Shows the best ones, or all; returns an exit status. */
int rc_cmd_compared_show(const struct rc_cmd_compared *compared, bool all);
void rc_cmd_compared_json(const struct rc_cmd_compared *compared);

/* Draws time against cost (or core-hours, if a cost is unknown). */
int rc_cmd_scale_plot(const char *path, const struct rc_cmd_compared *compared,
                      struct rc_error *error);

#endif
