// SPDX-License-Identifier: GPL-3.0-or-later
/* fuzz_slowdown.c - what people write of competitors, bursts, rates and delays, and the files of
 * slowdown factors: nodes, tasks, what was observed.  The first byte says which. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/text.h"
#include "model/slowdown/task_allocation.h"
#include "model/slowdown/message_slowdown.h"
#include "model/slowdown/nodes.h"
#include "model/slowdown/competitors_file.h"
#include "model/slowdown/communication_delay.h"

static void check_error(const struct rc_error *error)
{
    must(error->text[0] != '\0');
    must(memchr(error->text, '\0', sizeof error->text) != NULL);
    must(memchr(error->hint, '\0', sizeof error->hint) != NULL);
}

static void try_nodes(const char *text, size_t size)
{
    struct rc_error error = {0};
    struct rc_aggregate aggregate;
    struct rc_aggregate_node *terms;
    struct rc_slowdown_nodes nodes;
    size_t competitors = 0;

    if (rc_slowdown_nodes_parse(text, size, "fuzz", &nodes, &error)) {
        check_error(&error);
        return;
    }
    must(nodes.n >= 1 && nodes.n <= RC_NODES_MAX);
    for (size_t i = 0; i < nodes.n_groups; i++)
        competitors += nodes.groups[i].count * nodes.groups[i].n_nodes;
    terms = calloc(nodes.n, sizeof *terms);
    /* thousands of competitors are right, but take too long for a fuzzer */
    if (terms && competitors <= 1000 && rc_slowdown_nodes_settle(&nodes, NULL, &error) == 0) {
        for (int split = RC_SPLIT_LOAD; split <= RC_SPLIT_CONSTRAINT; split++)
            if (rc_slowdown_nodes_compute(&nodes, (enum rc_split)split, false, RC_LOCAL_PAPER,
                                          terms, &aggregate, NULL, &error) == 0)
                must(aggregate.slowdown > 0);
    }
    free(terms);
    rc_slowdown_nodes_free(&nodes);
}

static void try_tasks(const char *text, size_t size)
{
    struct rc_error error = {0};
    struct rc_allocation_file file;
    struct rc_allocation allocation;
    struct rc_mapping mapping;

    if (rc_slowdown_allocation_file_parse(text, size, "fuzz", &file, &error)) {
        check_error(&error);
        return;
    }
    allocation = rc_slowdown_allocation_file_view(&file);
    must(rc_slowdown_allocation_solve(&allocation, &mapping, &error) == 0);
    must(mapping.seconds >= 0);
    rc_slowdown_mapping_free(&mapping);
    rc_slowdown_allocation_file_free(&file);
}

static void try_observed(const char *text, size_t size)
{
    struct rc_error error = {0};
    struct rc_competitors all = {0};

    if (rc_slowdown_observed_parse(text, size, "fuzz", &all, &error))
        check_error(&error);
    for (size_t i = 0; i < all.n; i++)
        must(rc_observe_competitor_check(&all.items[i], &error) == 0);
    free(all.items);
}

static void try_competitor(const char *text)
{
    struct rc_error error = {0};
    struct rc_competitor competitor;
    size_t count;

    if (rc_observe_competitor_parse(text, &competitor, &count, &error))
        check_error(&error);
    else
        must(rc_observe_competitor_check(&competitor, NULL) == 0 && count >= 1 &&
             count <= RC_COMPETITORS_MAX && memchr(competitor.name, '\0', sizeof competitor.name));
}

static void try_burst(const char *text)
{
    struct rc_burst burst;

    if (rc_slowdown_burst_parse(text, 4, &burst, NULL) == 0)
        must(burst.messages >= 1 && burst.bytes > 0);
}

static void try_rate(const char *text)
{
    struct rc_delay delay;
    double rate;

    if (rc_slowdown_word_rate_parse(text, 4, &rate, NULL) == 0)
        must(rate > 0 && isfinite(rate));
    if (rc_slowdown_delay_parse(text, 4, &delay, NULL) == 1 && delay.n == 0)
        must(delay.constant >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = size > 0 ? text_of(data + 1, size - 1) : NULL;

    if (!text)
        return 0;
    if (data[0] == 'c')
        try_competitor(text);
    else if (data[0] == 'b')
        try_burst(text);
    else if (data[0] == 'r')
        try_rate(text);
    else if (data[0] == 'n')
        try_nodes(text, size - 1);
    else if (data[0] == 't')
        try_tasks(text, size - 1);
    else if (data[0] == 'o')
        try_observed(text, size - 1);
    free(text);
    return 0;
}
