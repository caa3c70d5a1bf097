// SPDX-License-Identifier: GPL-3.0-or-later
/* formula.c - the members of a model as formulas that people read. */
#include "model/regression/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

enum { FORMULA_MAX = 1 << 14 };
/* Coefficients that differ by less, relatively, are printed alike. */
static const double same = 1e-4;

/* ---- what the runs support ---- */

/* A term with its coefficient, as it is shown. */
struct shown {
    struct rc_regression_term term;
    double coefficient;
};

static bool is_alike(double a, double b)
{
    return fabs(a - b) <= same * fmax(fabs(a), fabs(b));
}

/* The simplest function of P that had the same values in all runs, but for a factor.  Functions
 * that agree at two numbers of processes differ at a third, so runs at three support any. */
static void simplify_procs(const struct rc_regression_model *model, struct shown *shown)
{
    struct rc_regression_term *term = &shown->term;
    double low = term->parallel ? fmax(model->p.low, 2) : model->p.low, high = model->p.high;

    if (!(high - low <= 1))
        return;
    for (unsigned char simpler = 0; simpler < term->procs; simpler++) {
        double at_low = rc_regression_procs(simpler, low) / rc_regression_procs(term->procs, low);
        double at_high =
            rc_regression_procs(simpler, high) / rc_regression_procs(term->procs, high);

        if (!is_alike(at_low, at_high))
            continue;
        shown->coefficient *= at_low;
        term->procs = simpler;
    }
}

static struct shown shown_of(const struct rc_regression_model *model,
                             const struct rc_regression_term *term, double coefficient)
{
    struct shown shown = {*term, coefficient};

    if (model->ported) /* from runs that support other factors than those of this platform */
        return shown;
    if (model->n.low == model->n.high) {
        shown.coefficient *= rc_regression_size(term->size, model->n.low);
        shown.term.size = 0;
    }
    for (size_t i = 0; i < model->n_params; i++)
        if (term->factors[i] && model->given[i].low == model->given[i].high) {
            shown.coefficient *= rc_regression_factor(term->factors[i], model->given[i].low);
            shown.term.factors[i] = 0;
        }
    simplify_procs(model, &shown);
    shown.term.cpu = term->cpu && isfinite(model->cpu.low);
    shown.term.parallel = term->parallel && model->p.low <= 1;
    return shown;
}

/* The terms of a member as they are shown; returns how many. */
static unsigned show(const struct rc_regression_model *model,
                     const struct rc_regression_member *member,
                     struct shown terms[RC_REGRESSION_TERMS_MAX])
{
    unsigned n = 0;

    for (unsigned i = 0; i < member->n_terms; i++) {
        struct shown next = shown_of(model, &member->terms[i], member->coefficients[i]);
        unsigned at = 0;

        if (member->coefficients[i] == 0)
            continue;
        while (at < n && memcmp(&terms[at].term, &next.term, sizeof next.term) != 0)
            at++;
        if (at == n)
            terms[n++] = next;
        else
            terms[at].coefficient += next.coefficient;
    }
    return n;
}

/* ---- members that are alike ---- */

static bool has_load(const struct shown *terms, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (terms[i].term.cpu || terms[i].term.width)
            return true;
    return false;
}

/* Whether two members are one formula, in whichever order their terms are. */
static bool are_one(const struct rc_regression_model *model, const struct rc_regression_member *a,
                    const struct rc_regression_member *b)
{
    struct shown ours[RC_REGRESSION_TERMS_MAX], theirs[RC_REGRESSION_TERMS_MAX];
    unsigned n = show(model, a, ours);

    if (n != show(model, b, theirs) || (a->stat != b->stat && has_load(ours, n)))
        return false;
    for (unsigned i = 0; i < n; i++) {
        unsigned at = 0;

        while (at < n && memcmp(&theirs[at].term, &ours[i].term, sizeof ours[i].term) != 0)
            at++;
        if (at == n || !is_alike(ours[i].coefficient, theirs[at].coefficient))
            return false;
    }
    return true;
}

static int by_weight(const void *left, const void *right)
{
    const struct rc_regression_formula *a = left, *b = right;

    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (a->member > b->member) - (a->member < b->member);
}

size_t rc_regression_formulas(const struct rc_regression_model *model,
                              struct rc_regression_formula *formulas)
{
    size_t n = 0;

    for (size_t i = 0; i < model->n_members; i++) {
        const struct rc_regression_member *member = &model->members[i];
        size_t at = 0;

        while (at < n && !are_one(model, formulas[at].member, member))
            at++;
        if (at == n)
            formulas[n++] = (struct rc_regression_formula){member, 0};
        formulas[at].weight += member->weight;
    }
    if (model->criterion != RC_REGRESSION_PAPER)
        qsort(formulas, n, sizeof *formulas, by_weight);
    return n;
}

/* ---- as text ---- */

/* Whether the function of P is 0 on one process, as communication is. */
static bool is_zero_alone(unsigned procs)
{
    const char *above = rc_regression_procs_above(procs);

    return strstr(above, "log P") || strstr(above, "P - 1");
}

static int say_factors(struct rc_buffer *text, const struct rc_regression_model *model,
                       const struct rc_regression_term *term)
{
    int status = 0;

    if (term->size)
        status |= rc_buffer_printf(text, " %s", rc_regression_size_name(term->size));
    for (size_t i = 0; i < model->n_params; i++)
        if (term->factors[i]) {
            status |= rc_buffer_add_text(text, " ");
            for (const char *c = rc_regression_factor_name(term->factors[i]); *c; c++)
                status |= *c == '%' ? rc_buffer_add_text(text, model->params[i])
                                    : rc_buffer_add(text, c, 1);
        }
    if (*rc_regression_procs_above(term->procs))
        status |= rc_buffer_printf(text, " %s", rc_regression_procs_above(term->procs));
    if (term->bytes)
        status |= rc_buffer_add_text(text, " bytes");
    if (term->parallel && !term->width && !is_zero_alone(term->procs))
        status |= rc_buffer_add_text(text, " [P > 1]");
    return status;
}

static int say_divisors(struct rc_buffer *text, const struct rc_regression_term *term)
{
    const char *divisors[] = {term->cpu ? "cpu" : "", rc_regression_procs_below(term->procs),
                              rc_regression_width_name(term->width)};
    unsigned n = 0, said = 0;
    int status = 0;

    for (unsigned i = 0; i < 3; i++)
        n += *divisors[i] != '\0';
    if (n)
        status |= rc_buffer_add_text(text, n > 1 ? " / (" : " / ");
    for (unsigned i = 0; i < 3; i++)
        if (*divisors[i])
            status |= rc_buffer_printf(text, "%s%s", said++ ? " " : "", divisors[i]);
    if (n > 1)
        status |= rc_buffer_add_text(text, ")");
    return status;
}

char *rc_regression_formula(const struct rc_regression_model *model,
                            const struct rc_regression_member *member)
{
    struct rc_buffer text = RC_BUFFER_INIT(FORMULA_MAX);
    struct shown terms[RC_REGRESSION_TERMS_MAX];
    unsigned n = show(model, member, terms);
    int status = n ? 0 : rc_buffer_add_text(&text, "0");

    for (unsigned i = 0; i < n; i++) {
        double coefficient = terms[i].coefficient;

        if (i)
            status |= rc_buffer_add_text(&text, coefficient < 0 ? " - " : " + ");
        status |= rc_buffer_printf(&text, "%.4g", i ? fabs(coefficient) : coefficient);
        status |= say_factors(&text, model, &terms[i].term);
        status |= say_divisors(&text, &terms[i].term);
    }
    if (status == 0)
        return text.data;
    rc_buffer_free(&text);
    return NULL;
}
