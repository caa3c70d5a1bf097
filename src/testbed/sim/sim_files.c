// SPDX-License-Identifier: GPL-3.0-or-later
/* sim_files.c - a platform and its load as SimGrid 3.32 reads them.
 *
 * Every host has a link of its own into its cluster's switch, which is without contention; half of
 * the one-way latency is on each host's link.  A link between clusters adds what is missing of the
 * platform's latency between them.  Two processes of one host do not use its link, but memory, by
 * the link that SimGrid itself adds in a zone whose routes are searched for; in one of its kind
 * "Cluster" they would go out and in again.
 *
 * Profiles have a line for each step, the first at time 0; they never repeat, and the last value
 * stays.  SimGrid passes over an availability of 0, so that there a thousand-millionth stands for
 * it. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/number.h"
#include "testbed/sim/sim.h"

enum { FILE_MAX = 1 << 28, PATH_SIZE = 4096 };
#define NOTHING 1e-9

struct writing {
    const struct rc_sim_layout *layout;
    const struct rc_sim_world *world;
    double start;
    const char *directory, *prefix;
    bool plain; /* the names of all hosts are good for SimGrid's files */
    struct rc_error *error;
};

static int write_file(const struct writing *writing, const char *name,
                      const struct rc_buffer *content)
{
    char path[PATH_SIZE];
    size_t done = 0;
    int file, number = 0;

    if (snprintf(path, sizeof path, "%s/%s", writing->directory, name) >= (int)sizeof path)
        return rc_error_set(writing->error, "the path of the directory is too long");
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return rc_error_errno(writing->error, errno, "cannot write %s", path);
    while (done < content->length && number == 0) {
        ssize_t wrote = write(file, content->data + done, content->length - done);

        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno != EINTR)
            number = errno;
    }
    if (close(file) && number == 0)
        number = errno;
    return number ? rc_error_errno(writing->error, number, "cannot write %s", path) : 0;
}

/* ---- names ---- */

static void put_host(const struct writing *writing, struct rc_buffer *out, size_t host)
{
    if (writing->plain)
        rc_buffer_add_text(out, writing->layout->hosts[host].name);
    else
        rc_buffer_printf(out, "h%zu", host);
}

static void put_number(struct rc_buffer *out, double value)
{
    char text[RC_NUMBER_SIZE];

    rc_buffer_add(out, text, rc_number_format(value, text));
}

/* ---- profiles ---- */

/* The steps of the run: the first that counts is the one that holds at its start. */
static size_t first_step(const struct writing *writing, const struct rc_sim_resource *resource)
{
    size_t first = 0;

    while (first + 1 < resource->steps.n && resource->steps.items[first + 1].t <= writing->start)
        first++;
    return first;
}

/* Whether it is not always fully available. */
static bool is_loaded(const struct writing *writing, const struct rc_sim_resource *resource)
{
    size_t first = first_step(writing, resource);

    return first + 1 < resource->steps.n || resource->steps.items[first].value != 1;
}

static int write_profile(const struct writing *writing, size_t index)
{
    const struct rc_sim_resource *resource = &writing->world->resources[index];
    struct rc_buffer out = RC_BUFFER_INIT(FILE_MAX);
    size_t first = first_step(writing, resource);
    char name[RC_SIM_NAME_MAX];
    int status = 0;

    for (size_t i = first; i < resource->steps.n; i++) {
        const struct rc_sample *step = &resource->steps.items[i];

        put_number(&out, i == first ? 0 : step->t - writing->start);
        rc_buffer_add_text(&out, " ");
        put_number(&out, fmax(step->value, NOTHING) * resource->full);
        status = rc_buffer_add_text(&out, "\n");
    }
    snprintf(name, sizeof name, "%s.%zu", writing->prefix, index);
    status = status ? rc_error_no_memory(writing->error) : write_file(writing, name, &out);
    rc_buffer_free(&out);
    return status;
}

/* The attribute that names a resource's profile, if it has one. */
static void put_profile(const struct writing *writing, struct rc_buffer *out, size_t index)
{
    const struct rc_sim_resource *resource = &writing->world->resources[index];

    if (is_loaded(writing, resource))
        rc_buffer_printf(out, " %s_file=\"%s.%zu\"",
                         resource->what == RC_LOAD_CPU ? "speed" : "bandwidth", writing->prefix,
                         index);
}

/* ---- the platform ---- */

static void put_link(const struct writing *writing, struct rc_buffer *out, const char *id,
                     size_t number, double bandwidth, double latency, size_t resource)
{
    rc_buffer_printf(out, "    <link id=\"%s~%zu\" sharing_policy=\"SPLITDUPLEX\" bandwidth=\"", id,
                     number);
    put_number(out, bandwidth);
    rc_buffer_add_text(out, "Bps\" latency=\"");
    put_number(out, latency);
    rc_buffer_add_text(out, "s\"");
    put_profile(writing, out, resource);
    rc_buffer_add_text(out, "/>\n");
}

/* The way between a host and its switch. */
static void put_way(const struct writing *writing, struct rc_buffer *out, size_t index, bool up)
{
    size_t cluster = writing->layout->hosts[index].cluster;

    rc_buffer_add_text(out, "    <route src=\"");
    if (up)
        put_host(writing, out, index);
    else
        rc_buffer_printf(out, "switch~%zu", cluster);
    rc_buffer_add_text(out, "\" dst=\"");
    if (up)
        rc_buffer_printf(out, "switch~%zu", cluster);
    else
        put_host(writing, out, index);
    rc_buffer_printf(out,
                     "\" symmetrical=\"NO\"><link_ctn id=\"link~%zu\" direction=\"%s\"/></route>\n",
                     index, up ? "UP" : "DOWN");
}

static void put_cluster_host(const struct writing *writing, struct rc_buffer *out, size_t index)
{
    const struct rc_sim_host *host = &writing->layout->hosts[index];

    rc_buffer_add_text(out, "    <host id=\"");
    put_host(writing, out, index);
    rc_buffer_printf(out, "\" core=\"%d\" speed=\"", host->cores);
    put_number(out, host->speed);
    rc_buffer_add_text(out, "f\"");
    put_profile(writing, out, index);
    rc_buffer_add_text(out, "/>\n");
    put_link(writing, out, "link", index, host->bandwidth, host->latency / 2,
             writing->layout->n_hosts + index);
}

static bool has_hosts(const struct rc_sim_layout *layout, size_t cluster, double *latency)
{
    for (size_t i = 0; i < layout->n_hosts; i++)
        if (layout->hosts[i].cluster == cluster) {
            if (latency)
                *latency = layout->hosts[i].latency;
            return true;
        }
    return false;
}

static void put_clusters(const struct writing *writing, struct rc_buffer *out)
{
    const struct rc_sim_layout *layout = writing->layout;

    for (size_t c = 0; c < layout->platform->n_clusters; c++) {
        if (!has_hosts(layout, c, NULL))
            continue;
        rc_buffer_printf(out,
                         "  <zone id=\"cluster~%zu\" routing=\"DijkstraCache\">\n"
                         "    <router id=\"switch~%zu\"/>\n",
                         c, c);
        for (size_t i = 0; i < layout->n_hosts; i++)
            if (layout->hosts[i].cluster == c)
                put_cluster_host(writing, out, i);
        for (size_t i = 0; i < layout->n_hosts; i++)
            if (layout->hosts[i].cluster == c) {
                put_way(writing, out, i, true);
                put_way(writing, out, i, false);
            }
        rc_buffer_add_text(out, "  </zone>\n");
    }
}

static void put_between(const struct writing *writing, struct rc_buffer *out)
{
    const struct rc_sim_layout *layout = writing->layout;
    double latency[2] = {0, 0};

    for (size_t i = 0; i < layout->n_links; i++) {
        const struct rc_sim_link *link = &layout->links[i];

        has_hosts(layout, link->cluster[0], &latency[0]);
        has_hosts(layout, link->cluster[1], &latency[1]);
        put_link(writing, out, "between", i, link->bandwidth,
                 fmax(link->latency - (latency[0] + latency[1]) / 2, 0), 2 * layout->n_hosts + i);
    }
    for (size_t i = 0; i < layout->n_links; i++)
        for (size_t way = 0; way < 2; way++) {
            size_t from = layout->links[i].cluster[way], to = layout->links[i].cluster[!way];

            rc_buffer_printf(out,
                             "  <zoneRoute src=\"cluster~%zu\" dst=\"cluster~%zu\" "
                             "gw_src=\"switch~%zu\" gw_dst=\"switch~%zu\" symmetrical=\"NO\">"
                             "<link_ctn id=\"between~%zu\" direction=\"%s\"/></zoneRoute>\n",
                             from, to, from, to, i, way ? "DOWN" : "UP");
        }
}

static int write_platform(const struct writing *writing)
{
    struct rc_buffer out = RC_BUFFER_INIT(FILE_MAX);
    int status;

    rc_buffer_add_text(&out, "<?xml version='1.0'?>\n"
                             "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                             "<platform version=\"4.1\">\n<zone id=\"world\" routing=\"Full\">\n");
    put_clusters(writing, &out);
    put_between(writing, &out);
    status = rc_buffer_add_text(&out, "</zone>\n</platform>\n");
    status =
        status ? rc_error_no_memory(writing->error) : write_file(writing, "platform.xml", &out);
    rc_buffer_free(&out);
    return status;
}

static int write_hosts(const struct writing *writing)
{
    struct rc_buffer out = RC_BUFFER_INIT(FILE_MAX);
    int status = 0;

    for (size_t i = 0; i < writing->layout->n_hosts; i++)
        for (int j = 0; j < writing->layout->hosts[i].processes; j++) {
            put_host(writing, &out, i);
            status |= rc_buffer_add_text(&out, "\n");
        }
    status = status ? rc_error_no_memory(writing->error) : write_file(writing, "hosts", &out);
    rc_buffer_free(&out);
    return status;
}

int rc_sim_files_write(const struct rc_sim_layout *layout, const struct rc_sim_world *world,
                       double start, const char *directory, const char *prefix,
                       struct rc_error *error)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    struct writing writing = {layout, world, start, directory, prefix, true, error};

    for (size_t i = 0; i < layout->n_hosts; i++)
        writing.plain &= !layout->hosts[i].name[strspn(layout->hosts[i].name, plain)];
    for (size_t i = 0; i < world->n_resources; i++)
        if (is_loaded(&writing, &world->resources[i]) && write_profile(&writing, i))
            return -1;
    return write_platform(&writing) || write_hosts(&writing) ? -1 : 0;
}
