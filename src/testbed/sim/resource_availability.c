// SPDX-License-Identifier: GPL-3.0-or-later
/* resource_availability.c - what is available of each host and link of a simulated run, and what
 * sensors on all of them, which look at the same moments, would have seen. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "testbed/sim/sim.h"

static struct rc_sim_resource *add(struct rc_sim_world *world, enum rc_load_what what,
                                   const char *name, double full)
{
    struct rc_sim_resource *resource = &world->resources[world->n_resources++];

    *resource = (struct rc_sim_resource){.what = what, .name = name, .full = full};
    return resource;
}

int rc_sim_world(const struct rc_sim_layout *layout, const struct rc_load *load,
                 struct rc_sim_world *world, struct rc_error *error)
{
    struct rc_range span;

    *world = (struct rc_sim_world){.n_hosts = layout->n_hosts, .span = {-INFINITY, INFINITY}};
    world->resources = calloc(2 * layout->n_hosts + layout->n_links, sizeof *world->resources);
    if (!world->resources)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < layout->n_hosts; i++)
        add(world, RC_LOAD_CPU, layout->hosts[i].name, 1);
    for (size_t i = 0; i < layout->n_hosts; i++)
        add(world, RC_LOAD_LINK, layout->hosts[i].name, layout->hosts[i].bandwidth);
    for (size_t i = 0; i < layout->n_links; i++)
        add(world, RC_LOAD_LINK, layout->links[i].name, layout->links[i].bandwidth)->link =
            &layout->links[i];
    for (size_t i = 0; i < world->n_resources; i++) {
        rc_load_span(load, world->resources[i].what, world->resources[i].name, &span);
        world->span.low = fmax(world->span.low, span.low);
        world->span.high = fmin(world->span.high, span.high);
    }
    return 0;
}

void rc_sim_world_free(struct rc_sim_world *world)
{
    for (size_t i = 0; i < world->n_resources; i++) {
        rc_load_steps_free(&world->resources[i].steps);
        free(world->resources[i].samples);
    }
    free(world->resources);
    *world = (struct rc_sim_world){.resources = NULL};
}

int rc_sim_world_steps(struct rc_sim_world *world, const struct rc_load *load, uint64_t seed,
                       double from, double to, struct rc_error *error)
{
    for (size_t i = 0; i < world->n_resources; i++) {
        struct rc_sim_resource *resource = &world->resources[i];

        rc_load_steps_free(&resource->steps);
        if (rc_load_steps(load, resource->what, seed, resource->name, from, to, &resource->steps,
                          error))
            return -1;
    }
    return 0;
}

static int sample(struct rc_sim_resource *resource, double every, double first, size_t n,
                  struct rc_error *error)
{
    const struct rc_load_steps *steps = &resource->steps;
    size_t step = 0;

    free(resource->samples);
    resource->n_samples = 0;
    resource->samples = malloc((n ? n : 1) * sizeof *resource->samples);
    if (!resource->samples)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        double t = (first + (double)i) * every;

        while (step + 1 < steps->n && steps->items[step + 1].t <= t)
            step++;
        resource->samples[i] = (struct rc_sample){t, steps->items[step].value * resource->full};
    }
    resource->n_samples = n;
    return 0;
}

int rc_sim_world_sample(struct rc_sim_world *world, double every, double from, double to,
                        struct rc_error *error)
{
    double first = ceil(from / every), last = floor(to / every), n = last - first + 1;

    if (!(n <= RC_SIM_SAMPLES_MAX))
        return rc_error_set_code(error, "sim.too-many-samples",
                                 "too many samples: %.3g of each host", n);
    for (size_t i = 0; i < world->n_resources; i++)
        if (sample(&world->resources[i], every, first, n > 0 ? (size_t)n : 0, error))
            return -1;
    return 0;
}

int rc_sim_world_statistics(const struct rc_sim_world *world, double from, double to,
                            struct rc_series_load *cpu, struct rc_series_load *bandwidth,
                            struct rc_error *error)
{
    struct rc_series_track *tracks = malloc(world->n_resources * sizeof *tracks);
    size_t n = world->n_hosts;
    int status;

    if (!tracks)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < world->n_resources; i++)
        tracks[i] =
            (struct rc_series_track){world->resources[i].samples, world->resources[i].n_samples};
    status = rc_series_load_statistics(tracks, n, from, to, cpu, error);
    if (status == 0)
        status = rc_series_load_statistics(tracks + n, world->n_resources - n, from, to, bandwidth,
                                           error);
    free(tracks);
    return status;
}
