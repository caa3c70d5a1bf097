// SPDX-License-Identifier: GPL-3.0-or-later
/* tuning_factor.c - the Tuning Factor, after Figure 5.3 and Eq. (5.3). */
#include "advise/split/tuning_factor.h"

#include <math.h>
#include <stdbool.h>

/* Hosts that are alike are none above their mean, whatever rounding makes of it. */
static const double alike = 1e-9;
/* Of a core that a process gets at least. */
static const double availability_least = 0.001;

void rc_split_tuning_rules_init(struct rc_tuning_rules *rules)
{
    *rules = (struct rc_tuning_rules){.high_power = NAN,
                                      .high_variability = 0.07,
                                      .least = 0,
                                      .middle = 1,
                                      .most = 2,
                                      .window = 300};
}

static double mean_power(const struct rc_tuning_host *hosts, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += hosts[i].power;
    return sum / (double)n * (1 + alike);
}

double rc_split_tuning_factor(const struct rc_tuning_rules *rules,
                              const struct rc_tuning_host *hosts, size_t n, double *values)
{
    double high = isnan(rules->high_power) ? mean_power(hosts, n) : rules->high_power;
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        bool powerful = hosts[i].power > high, varies = hosts[i].sd > rules->high_variability;
        double value = powerful && varies   ? rules->most
                       : powerful || varies ? rules->middle
                                            : rules->least;

        if (values)
            values[i] = value;
        sum += value;
    }
    return sum / (double)n;
}

double rc_split_tuning_time(double mean, double sd, double factor)
{
    return mean + factor * sd;
}

double rc_split_tuning_unit(double unit, const struct rc_tuning_host *host, double factor)
{
    double available = fmax(host->mean, availability_least), mean = unit / available;

    return fmax(rc_split_tuning_time(mean, mean * host->sd / available, factor), unit);
}

void rc_split_tuning_window(const struct rc_sample *samples, size_t n, double at, double window,
                            double *mean, double *sd)
{
    double from = fmin(at - window, samples[n - 1].t), until = fmax(at, samples[n - 1].t);
    double sum = 0, squares = 0, last = samples[n - 1].value, time = 0;

    for (size_t i = n; i-- > 0 && until > from; until = samples[i].t) {
        double held = until - fmax(samples[i].t, from), value = samples[i].value - last;

        if (held <= 0)
            continue;
        time += held;
        sum += value * held;
        squares += value * value * held;
    }
    *mean = time > 0 ? last + sum / time : last;
    *sd = time > 0 ? sqrt(fmax(squares / time - sum / time * (sum / time), 0)) : 0;
}
