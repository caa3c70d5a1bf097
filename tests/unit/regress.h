/* regress.h - a regression model made by hand, for tests. */
#ifndef RC_TESTS_REGRESS_H
#define RC_TESTS_REGRESS_H

#include "unit.h"

#include "model/regression/model.h"

static inline unsigned function_named(const char *name, const char *(*name_of)(unsigned),
                                      unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(name_of(i), name) == 0)
            return i;
    fail_msg("there is no function '%s'", name);
    return 0;
}

/* 2e-6 n^2 / (P cpu) + 30 n log2(P) / bw, on runs of n 100 to 4000, P 1 to 8; nothing of it
 * uncertain, unless `sigma` is above 0.  To be destroyed. */
static inline struct rc_regression_model *
hand_made_model(enum rc_regression_criterion criterion, enum rc_regression_stat stat, double sigma)
{
    struct rc_regression_model *model = calloc(1, sizeof *model);
    struct rc_regression_member *member = calloc(1, sizeof *member);

    assert_non_null(model);
    assert_non_null(member);
    member->terms[0] = (struct rc_regression_term){
        .size = (unsigned char)function_named("n^2", rc_regression_size_name, RC_REGRESSION_SIZES),
        .procs = (unsigned char)function_named("P", rc_regression_procs_below, RC_REGRESSION_PROCS),
        .cpu = true};
    member->terms[1] = (struct rc_regression_term){
        .size = (unsigned char)function_named("n", rc_regression_size_name, RC_REGRESSION_SIZES),
        .procs =
            (unsigned char)function_named("log P", rc_regression_procs_above, RC_REGRESSION_PROCS),
        .width =
            (unsigned char)function_named("bw", rc_regression_width_name, RC_REGRESSION_WIDTHS),
        .parallel = true};
    member->coefficients[0] = 2e-6;
    member->coefficients[1] = 30;
    member->n_terms = 2;
    member->stat = stat;
    member->weight = 1;
    *model = (struct rc_regression_model){.criterion = criterion,
                                          .members = member,
                                          .n_members = 1,
                                          .n = {100, 4000},
                                          .p = {1, 8},
                                          .cpu = {0.2, 1},
                                          .bw = {1e3, 1e5},
                                          .bw_mean = 1e4,
                                          .sigma = sigma,
                                          .n_runs = 60,
                                          .up_to = 60,
                                          .n_residuals = sigma > 0 ? 0 : 1};
    for (unsigned i = 0; i < RC_REGRESSION_CLASSES; i++)
        model->noise[i] = 1;
    return model;
}

/* n = 2000, P = 4: 2 / cpu + 120000 / bw seconds. */
static const struct rc_regression_question hand_made_question = {.n = 2000, .p = 4, .bytes = NAN};

#endif
