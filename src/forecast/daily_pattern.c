// SPDX-License-Identifier: GPL-3.0-or-later
/* daily_pattern.c - what is usual at this time of the day.
 *
 * A day is cut into bins of 5 minutes or, where samples are rarer, of one sample.  Each bin keeps a
 * mean over the days it was seen on, in which recent days count more; the mean over a stretch of
 * the day to come is the difference of two areas.  To that comes how much recent values differ from
 * what is usual, smoothed by the parameter (0: nothing comes to it).  Until a whole day was seen,
 * the mean of all values is what is usual. */
#include <math.h>

#include "forecast/forecaster.h"

#define NEWEST 0.25 /* the share of the newest day in a bin that was seen on many days */

static void begin(struct rc_forecast_daily *daily, double step)
{
    double samples = step > 0 ? RC_FORECAST_DAY / step : 0;

    daily->n_bins = samples >= RC_FORECAST_BINS ? RC_FORECAST_BINS
                    : samples >= 4              ? (size_t)samples
                                                : 1;
}

/* The time of the day, in bins from midnight.  What is a bin's beginning but for rounding is one.
 */
static double time_of_day(const struct rc_forecast_daily *daily, double clock)
{
    double part = clock / RC_FORECAST_DAY, time = (part - floor(part)) * (double)daily->n_bins;

    if (fabs(time - round(time)) < 1e-4)
        time = round(time);
    return time < (double)daily->n_bins ? time : 0;
}

bool rc_forecast_daily_known(const struct rc_forecast_daily *daily)
{
    return daily->n_bins > 1 && daily->known == daily->n_bins;
}

/* Takes the bin that has just ended into the profile. */
static void close_bin(struct rc_forecast_daily *daily)
{
    size_t bin = daily->bin;
    double gain = fmax(1.0 / (daily->visits[bin] + 1.0), NEWEST);

    if (daily->visits[bin]++ == 0)
        daily->known++;
    daily->profile[bin] += gain * (daily->sum / daily->count - daily->profile[bin]);
    if (!rc_forecast_daily_known(daily))
        return;
    for (size_t i = 0; i < daily->n_bins; i++)
        daily->area[i + 1] = daily->area[i] + daily->profile[i];
}

/* The area of the profile from midnight to a time of the day in bins, which may be days on. */
static double area_up_to(const struct rc_forecast_daily *daily, double time)
{
    double n = (double)daily->n_bins, days = floor(time / n), rest = time - days * n;
    size_t bin = (size_t)rest < daily->n_bins ? (size_t)rest : daily->n_bins - 1;

    return days * daily->area[daily->n_bins] + daily->area[bin] +
           (rest - (double)bin) * daily->profile[bin];
}

double rc_forecast_daily_usual(const struct rc_forecast_daily *daily,
                               const struct rc_forecast_history *past, double from, double to)
{
    double bins = (double)daily->n_bins / RC_FORECAST_DAY * past->step;
    double now = time_of_day(daily, past->clock);

    if (bins > 0.99) /* a bin is a sample: its own, rather than parts of two */
        now = floor(now);
    if (!rc_forecast_daily_known(daily))
        return past->mean;
    return (area_up_to(daily, now + to * bins) - area_up_to(daily, now + from * bins)) /
           ((to - from) * bins);
}

void rc_forecast_daily_update(const struct rc_forecaster *self, void *state,
                              const struct rc_forecast_history *past)
{
    struct rc_forecast_daily *daily = state;
    double value = rc_forecast_back(past, 0);
    size_t bin;

    if (daily->n_bins == 0)
        begin(daily, past->step);
    if (daily->n_bins > 1) {
        bin = (size_t)time_of_day(daily, past->clock) % daily->n_bins;
        if (daily->count > 0 && bin != daily->bin) {
            close_bin(daily);
            daily->sum = daily->count = 0;
        }
        daily->bin = bin;
        daily->sum += value;
        daily->count++;
    }
    daily->deviation +=
        self->parameter * (value - rc_forecast_daily_usual(daily, past, 0, 1) - daily->deviation);
}

double rc_forecast_daily_mean(const struct rc_forecaster *self, const void *state,
                              const struct rc_forecast_history *past, size_t horizon)
{
    const struct rc_forecast_daily *daily = state;

    (void)self;
    return rc_forecast_daily_usual(daily, past, 1, (double)horizon + 1) + daily->deviation;
}
