// SPDX-License-Identifier: GPL-3.0-or-later
/* methods.c - 'runcast advise' and the predictor. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "cmd/advise/advise.h"
#include "cmd/predict/predict.h"

int rc_cmd_advise_open(struct rc_cmd_advise *asked, struct rc_db *db, struct rc_error *error)
{
    struct rc_question *template = &asked->template;
    struct rc_predict_options options;

    rc_predict_question_init(template, asked->options->app);
    template->platform = asked->platform->name;
    template->platform_file = asked->platform;
    template->size = asked->options->size;
    template->params = asked->params;
    template->n_params = asked->n_params;
    template->start = asked->at;
    template->seed = (uint64_t)asked->options->seed;
    rc_predict_options_init(&options);
    options.samples = (size_t)asked->options->draws;
    if (asked->options->probe) /* skeletons have the times */
        options.methods = 1U << RC_METHOD_REGRESSION;
    asked->predictor = rc_predict_open(db, template, &options, error);
    asked->asking = (struct rc_place_asking){asked->predictor, template, asked->names};
    return asked->predictor ? 0 : -1;
}

int rc_cmd_advise_predict(struct rc_cmd_advise *asked, struct rc_error *error)
{
    if (asked->by_model)
        return rc_place_timing_predictor_ask(asked->timing, &asked->search.list[0].candidate,
                                             &asked->answer, error);
    return rc_place_predict_list(&asked->asking, &asked->question, &asked->search, &asked->answer,
                                 error);
}

/* ---- programs without runs ---- */

enum { FEW = 24 }; /* numbers of processes that are looked at where nobody says any */

/* By equal factors, as asking takes long. */
static int choose_few(struct rc_cmd_advise *asked, struct rc_error *error)
{
    int64_t room = rc_place_search_room(&asked->question), last = 0;

    asked->procs = calloc(FEW + 1, sizeof *asked->procs);
    if (!asked->procs)
        return rc_error_no_memory(error);
    for (int i = 0; i < FEW && room > 0; i++) {
        int64_t p = room <= FEW ? i + 1 : (int64_t)round(pow((double)room, (double)i / (FEW - 1)));

        if (p > last && p <= room)
            asked->procs[asked->n_procs++] = last = p;
    }
    asked->question.procs = asked->procs;
    asked->question.n_procs = asked->n_procs;
    return 0;
}

int rc_cmd_advise_ask_models(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_timing_predictor_setup setup = {&asked->asking, &asked->question,
                                                    asked->ranking};

    asked->question.as_ranked = asked->question.apart = true;
    asked->timing = rc_place_timing_predictor_create(&setup, error);
    return asked->timing && (asked->question.procs || choose_few(asked, error) == 0) ? 0 : -1;
}

/* ---- storing ---- */

int rc_cmd_advise_store(struct rc_cmd_advise *asked, struct rc_db *db, struct rc_error *error)
{
    const struct rc_candidate *choice = &asked->search.list[0].candidate;
    const char **names = calloc(choice->n_hosts + 1, sizeof *names);
    struct rc_question question;
    int status;

    if (!names)
        return rc_error_no_memory(error);
    question = rc_place_question(&asked->asking, choice, names);
    status = rc_predict_store_models(asked->predictor, db, error);
    if (status == 0)
        status = rc_predict_store(asked->predictor, db, &question, &asked->answer, true, error);
    asked->id = asked->answer.id;
    free(names);
    return status;
}

/* ---- showing ---- */

/* Why a method is not asked here; NULL: it is. */
static const char *const not_asked[RC_METHODS] = {
    [RC_METHOD_SKELETON] = "a skeleton (--probe runs one)",
};

void rc_cmd_advise_methods_line(const struct rc_cmd_advise *asked)
{
    size_t shown = 0;

    if (asked->options->probe)
        return;
    rc_cmd_predict_methods_line(&asked->answer, "from       ");
    for (int m = 0; m < RC_METHODS; m++)
        if (not_asked[m])
            printf("%s%s", shown++ ? ", " : "not asked  ", not_asked[m]);
    printf("\n");
}

json_t *rc_cmd_advise_not_asked_json(const struct rc_cmd_advise *asked)
{
    json_t *list = json_array();

    for (int m = 0; m < RC_METHODS && !asked->options->probe; m++)
        if (not_asked[m])
            json_array_append_new(list, rc_json_text(rc_predict_method_name((enum rc_method)m)));
    return list;
}

json_t *rc_cmd_advise_methods_json(const struct rc_cmd_advise *asked)
{
    json_t *list = json_array();

    for (int m = 0; m < RC_METHODS; m++) {
        const struct rc_method_report *report = &asked->answer.methods[m];
        json_t *object;

        if (!report->answered)
            continue;
        object = json_object();
        rc_json_set(object, "family", rc_json_text(rc_predict_method_name((enum rc_method)m)));
        rc_json_set(object, "predicted", rc_json_number(report->answer.summary.predicted));
        rc_json_set(object, "lo90", rc_json_number(report->answer.summary.lo90));
        rc_json_set(object, "hi90", rc_json_number(report->answer.summary.hi90));
        rc_json_set(object, "weight", rc_json_number(report->weight));
        json_array_append_new(list, object);
    }
    return list;
}
