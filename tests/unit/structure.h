/* structure.h - what the tests of structural models share: a model as text, what it is asked for,
 * and what comes out. */
#ifndef RC_TESTS_STRUCTURE_H
#define RC_TESTS_STRUCTURE_H

#include "unit.h"

#include "model/structural/binding.h"

/* What a model is asked for; lists end with NULL. */
struct asked {
    const char *hosts[12], *set[8], *use[4], *on;
    double size, processes; /* 0: not said */
    double now, until;      /* until: 0: not said */
    double omit;            /* 0: as the model says; below 0: nothing is left out */
    const struct rc_platform *platform;
    struct rc_db *store;
};
#define ASK(...) (&(const struct asked){__VA_ARGS__})
#define NOTHING (&(const struct asked){.size = 0})

static inline size_t count_texts(const char *const *texts)
{
    size_t n = 0;

    while (texts[n])
        n++;
    return n;
}

static inline struct rc_model *parse_model(const char *text)
{
    struct rc_error error = {.text = ""};
    struct rc_model *model = rc_structural_model_parse(text, strlen(text), "test.rcm", &error);

    if (!model)
        fail_msg("%s\n%s:%u:%u: %s", text, error.file, error.line, error.column, error.text);
    return model;
}

static inline struct rc_model_setting setting_of(const struct rc_model *model,
                                                 const struct asked *asked)
{
    struct rc_model_setting setting;

    rc_structural_model_setting_init(&setting);
    setting.section = asked->on ? rc_structural_model_find_section(model, asked->on) : -1;
    setting.hosts = asked->hosts;
    setting.n_hosts = count_texts(asked->hosts);
    setting.size = asked->size > 0 ? asked->size : NAN;
    setting.processes = asked->processes > 0 ? asked->processes : NAN;
    setting.platform = asked->platform;
    setting.db = asked->store;
    setting.now = asked->now;
    setting.until = asked->until > 0 ? asked->until : NAN;
    setting.assignments = asked->set;
    setting.n_assignments = count_texts(asked->set);
    setting.uses = asked->use;
    setting.n_uses = count_texts(asked->use);
    setting.omit = asked->omit < 0 ? 0 : asked->omit > 0 ? asked->omit : NAN;
    return setting;
}

static inline struct rc_binding *try_bind(const struct rc_model *model, const struct asked *asked,
                                          struct rc_error *error)
{
    struct rc_model_setting setting = setting_of(model, asked);

    return rc_structural_binding_create(model, &setting, error);
}

static inline struct rc_binding *bind_model(const struct rc_model *model, const struct asked *asked)
{
    struct rc_error error = {.text = ""};
    struct rc_binding *binding = try_bind(model, asked, &error);

    if (!binding)
        fail_msg("%s:%u:%u: %s (%s)", error.file, error.line, error.column, error.text, error.hint);
    return binding;
}

/* What the model comes to, in the kinds that are written; NULL where it cannot be told. */
static inline struct rc_value *try_total(const char *text, const struct asked *asked,
                                         struct rc_error *error)
{
    struct rc_model *model = parse_model(text);
    struct rc_binding *binding = try_bind(model, asked, error);
    struct rc_evaluation *evaluation = NULL;
    struct rc_value *value = NULL;
    struct rc_value_rules rules;

    rc_value_rules_init(&rules);
    if (binding)
        evaluation = rc_structural_binding_evaluation(binding, -1, &rules, error);
    if (evaluation)
        value = rc_structural_binding_total(binding, evaluation, error);
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
    return value;
}

/* Its mean, and its standard deviation if `sd` is not NULL; NAN, with a word, where it fails. */
static inline double total_of(const char *text, const struct asked *asked, double *sd)
{
    struct rc_error error = {.text = ""};
    struct rc_value *value = try_total(text, asked, &error);
    double mean = value ? rc_value_mean(value) : NAN;

    if (!value)
        print_message("%s\n%s:%u:%u: %s (%s)\n", text, error.file, error.line, error.column,
                      error.text, error.hint);
    if (value && sd)
        *sd = rc_value_sd(value);
    rc_value_drop(value);
    return mean;
}

/* The task of that name; NULL where there is none. */
static inline const struct rc_task *find_task(const struct rc_binding *binding, const char *name)
{
    size_t n;
    const struct rc_task *tasks = rc_structural_binding_tasks(binding, &n);

    for (size_t i = 0; i < n; i++)
        if (strcmp(tasks[i].name, name) == 0)
            return &tasks[i];
    return NULL;
}

#define assert_total(text, asked, wanted)                                                          \
    assert_near(total_of(text, asked, NULL), wanted, 1e-12 * fabs((double)(wanted)))

/* Whether an error has these words in its hint, or in its code and facts: "structural.set x=VALUE". */
static inline bool advises(const struct rc_error *error, const char *words)
{
    char text[sizeof error->hint + sizeof error->facts + 64];

    snprintf(text, sizeof text, "%s%s %s", error->hint, error->code ? error->code : "",
             error->facts);
    return strstr(text, words) != NULL;
}

/* It must fail, with these words in the error and (unless NULL) in what it advises. */
static inline void assert_fails(const char *text, const struct asked *asked, const char *says,
                                const char *hint)
{
    struct rc_error error = {.text = ""};
    struct rc_value *value = try_total(text, asked, &error);

    if (value)
        fail_msg("%s\nit comes to %g", text, rc_value_mean(value));
    if (!strstr(error.text, says) || (hint && !advises(&error, hint)))
        fail_msg("%s\n%s (%s), not: %s (%s)", text, error.text, error.hint, says, hint ? hint : "");
}

#endif
