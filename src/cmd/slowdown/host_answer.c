// SPDX-License-Identifier: GPL-3.0-or-later
/* host_answer.c - the slowdown of one host by both models, and its output. */
#include <math.h>

#include "base/json.h"
#include "base/unit.h"
#include "cmd/core/value_report.h"
#include "cmd/slowdown/slowdown.h"

int rc_cmd_slowdown_both(struct rc_cmd_slowdown *slowdown, struct rc_local_answers *both)
{
    struct rc_error error = {0}, why = {0};

    if (rc_slowdown_local_answers(&slowdown->host, slowdown->model, slowdown->model_given, both,
                                  &why, &error))
        return rc_cmd_fail(&error, "computing the slowdown");
    if (isnan(both->models[RC_LOCAL_QUEUE].slowdown) && both->method == RC_LOCAL_BY_PAPER)
        rc_cmd_note("no answer of the queueing model: %s", why.text);
    rc_cmd_note_delay(slowdown->host.delay, both->answer.notes);
    return RC_EXIT_OK;
}

size_t rc_cmd_slowdown_equations(const struct rc_cmd_slowdown *slowdown,
                                 const struct rc_local_answers *both,
                                 struct rc_answer_equation equations[RC_LOCAL_MODELS])
{
    size_t n = 0;

    for (int model = 0; model < RC_LOCAL_MODELS; model++)
        if (!isnan(both->models[model].slowdown))
            rc_answer_equation_local(&slowdown->host, &both->models[model],
                                     (enum rc_local_model)model, &equations[n++]);
    return n;
}

int rc_cmd_slowdown_explain(const struct rc_cmd_slowdown *slowdown,
                            const struct rc_local_answers *both, struct rc_error *error)
{
    const struct rc_local_host *host = &slowdown->host;
    struct rc_answer_equation equations[RC_LOCAL_MODELS];
    struct rc_answer_term terms[RC_LOCAL_TERMS_SHOWN + 1];
    size_t n = rc_cmd_slowdown_equations(slowdown, both, equations);
    char rate[RC_UNIT_SIZE];

    for (size_t i = 0; i < n; i++)
        printf("%s: %s\n", equations[i].name, equations[i].text);
    if (!isnan(host->bandwidth)) {
        rc_unit_format(host->bandwidth, RC_RATE, rate);
        printf("available bandwidth: %s\n", rate);
    }
    if (host->n_competitors == 0)
        return 0;
    n = both->answer.computing.n + 1;
    if (n > RC_LOCAL_TERMS_SHOWN + 1) {
        printf("--json has the probabilities of up to %zu active competitors\n",
               host->n_competitors);
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        terms[i] = rc_answer_term_of(host, &both->answer, i);
    if (rc_field_table(stdout, rc_answer_term, terms, n, sizeof *terms, rc_cmd_width(), error))
        return -1;
    printf(
        "i: number of competitors; P(compute), P(communicate): probability that exactly i do so at "
        "once\n");
    return 0;
}

struct rc_answer_local rc_cmd_slowdown_answer(const struct rc_cmd_slowdown *slowdown,
                                              const struct rc_local_answers *both, bool whole)
{
    static const char *const cores_from[] = {"assumed", "given", "calibrated", "observed"};

    return (struct rc_answer_local){.model = whole ? rc_slowdown_local_methods[both->method] : NULL,
                                    .paper = both->models[RC_LOCAL_PAPER].slowdown,
                                    .queue = both->models[RC_LOCAL_QUEUE].slowdown,
                                    .cores_from = cores_from[slowdown->cores_from],
                                    .host = slowdown->host,
                                    .local = both->answer};
}

json_t *rc_cmd_slowdown_json(const struct rc_value *value, double level, double mean)
{
    struct rc_value_rules rules;
    json_t *object;

    rc_value_rules_init(&rules);
    object = rc_cmd_report_json(value, &rules, level);
    if (!isnan(mean))
        rc_json_set(object, "mean", rc_json_number(mean));
    return object;
}

struct rc_answer_slowdown_end rc_cmd_slowdown_end(const struct rc_answer_equation *equations,
                                                  size_t n)
{
    return (struct rc_answer_slowdown_end){
        .equations = equations
                         ? rc_field_json_list(rc_answer_equation, equations, n, sizeof *equations)
                         : NULL,
        .notes = rc_cmd_notes_json()};
}

void rc_cmd_slowdown_end_free(struct rc_answer_slowdown_end *end)
{
    json_decref(end->equations);
    json_decref(end->notes);
}
