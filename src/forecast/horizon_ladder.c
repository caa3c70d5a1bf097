// SPDX-License-Identifier: GPL-3.0-or-later
/* horizon_ladder.c - when forecasts are kept, and where a horizon lies on the ladder. */
#include "forecast/horizon_ladder.h"

#include <math.h>

/* Multiples of the golden section, modulo 1, fill the unit interval more evenly than those of any
 * other number (Weyl; the three-distance theorem). */
bool rc_forecast_due(size_t horizon, uint64_t n)
{
    double turns = (double)(n % (1u << 24)) * 0.6180339887498949;

    return (turns - floor(turns)) * rc_forecast_stride(horizon) < 1;
}

int rc_forecast_queue_take(struct rc_forecast_queue *queue, size_t horizon, uint64_t n)
{
    size_t slot = queue->first;

    if (queue->n == 0 || queue->made[slot] + horizon != n)
        return -1;
    queue->first = (slot + 1) % RC_FORECAST_PENDING;
    queue->n--;
    return (int)slot;
}

int rc_forecast_queue_add(struct rc_forecast_queue *queue, uint64_t n)
{
    size_t slot = (queue->first + queue->n) % RC_FORECAST_PENDING;

    if (queue->n == RC_FORECAST_PENDING)
        return -1;
    queue->made[slot] = n;
    queue->n++;
    return (int)slot;
}

struct rc_forecast_place rc_forecast_place(double horizon)
{
    struct rc_forecast_place place = {0, 0, 0};

    while (place.rung + 1 < RC_FORECAST_LADDER &&
           (double)rc_forecast_horizon(place.rung + 1) <= horizon)
        place.rung++;
    place.next = place.rung;
    if ((double)rc_forecast_horizon(place.rung) < horizon && place.rung + 1 < RC_FORECAST_LADDER) {
        place.next = place.rung + 1;
        place.part = log2(horizon / (double)rc_forecast_horizon(place.rung));
    }
    return place;
}

double rc_forecast_between(struct rc_forecast_place place, double horizon, double low, double high)
{
    double a = (double)rc_forecast_horizon(place.rung), b = (double)rc_forecast_horizon(place.next);

    if (place.next == place.rung)
        return low;
    return (low * a * (b - horizon) + high * b * (horizon - a)) / (horizon * (b - a));
}
