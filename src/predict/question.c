// SPDX-License-Identifier: GPL-3.0-or-later
/* question.c - a question about a run. */
#include "predict/question.h"

#include <math.h>
#include <string.h>

#include "predict/method.h"

void rc_predict_question_init(struct rc_question *question, const char *app)
{
    *question = (struct rc_question){.app = app,
                                     .size = NAN,
                                     .bytes_read = NAN,
                                     .bytes_written = NAN,
                                     .start = NAN,
                                     .given = {NAN, NAN, NAN, NAN},
                                     .seed = 1};
}

bool rc_predict_question_is_given(const struct rc_question *question)
{
    const struct rc_given_load *given = &question->given;

    return !isnan(given->cpu_minavg) || !isnan(given->cpu_avgmin) || !isnan(given->bw_minavg) ||
           !isnan(given->bw_avgmin);
}

double rc_predict_question_param(const struct rc_question *question, const char *name)
{
    const struct {
        const char *name;
        int64_t value;
    } own[] = {{"ranks_per_node", question->ranks_per_node},
               {"threads_per_rank", question->threads_per_rank},
               {"gpus_per_rank", question->gpus_per_rank}};

    for (size_t i = 0; i < question->n_params; i++)
        if (strcmp(question->params[i].name, name) == 0)
            return question->params[i].value;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].value > 0 && strcmp(own[i].name, name) == 0)
            return (double)own[i].value;
    return NAN;
}

void rc_predict_options_init(struct rc_predict_options *options)
{
    *options = (struct rc_predict_options){.methods = RC_METHODS_ALL,
                                           .samples = RC_PREDICT_DRAWS,
                                           .criterion = RC_REGRESSION_DEFAULT,
                                           .omit = NAN};
}
