// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown_options.c - whether options of 'runcast slowdown' make sense together, and remarks. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cmd/slowdown.h"

enum { CORES_MAX = 1 << 20 };

const char *const rc_cmd_slowdown_cores[] = {"assumed", "given", "calibrated"};

#define LEFT_OFF "%zu more notes are left off"

/* ---- remarks ---- */

void rc_cmd_remark(struct rc_cmd_remarks *remarks, const char *format, ...)
{
    va_list arguments;

    if (remarks->n == RC_CMD_REMARKS_MAX) {
        remarks->left_off++;
        return;
    }
    va_start(arguments, format);
    vsnprintf(remarks->text[remarks->n], sizeof *remarks->text, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(remarks->text[remarks->n], sizeof *remarks->text);
    rc_text_clean(remarks->text[remarks->n], strlen(remarks->text[remarks->n]));
    remarks->n++;
}

void rc_cmd_remarks_show(const struct rc_cmd_remarks *remarks)
{
    for (size_t i = 0; i < remarks->n; i++) {
        printf("note: ");
        rc_option_wrap(stdout, remarks->text[i], 6, rc_cmd_width() ? rc_cmd_width() : 10000);
    }
    if (remarks->left_off > 0)
        printf("note: " LEFT_OFF "\n", remarks->left_off);
}

json_t *rc_cmd_remarks_json(const struct rc_cmd_remarks *remarks)
{
    json_t *list = json_array();

    for (size_t i = 0; i < remarks->n; i++)
        json_array_append_new(list, rc_json_text(remarks->text[i]));
    if (remarks->left_off > 0)
        json_array_append_new(list, json_sprintf(LEFT_OFF, remarks->left_off));
    return list;
}

void rc_cmd_remark_delay(struct rc_cmd_remarks *remarks, const struct rc_delay *delay,
                         unsigned notes)
{
    if (notes & RC_DELAY_CLAMPED)
        rc_cmd_remark(remarks, "a delay curve goes below 0 at this bandwidth; 0 was taken");
    if (notes & RC_DELAY_MORE)
        rc_cmd_remark(remarks,
                      "delays are known for up to %zu communicating at once; for more the last "
                      "ones go on (extrapolated)",
                      delay->n);
    if (notes & RC_DELAY_OUTSIDE)
        rc_cmd_remark(remarks, "the bandwidth is outside of those at which delays were measured");
}

void rc_cmd_remark_leaving(struct rc_cmd_remarks *remarks, size_t leaving)
{
    if (leaving > 0)
        rc_cmd_remark(remarks, "%zu competitor%s and %s: taken to be there all the time ('runcast "
                               "slowdown predict' knows better)",
                      leaving, leaving == 1 ? " comes" : "s come", leaving == 1 ? "goes" : "go");
}

void rc_cmd_remark_coreless(struct rc_cmd_remarks *remarks, size_t nodes)
{
    if (nodes > 0)
        rc_cmd_remark(remarks, "of %zu node%s it is not known how many cores there are: one is "
                               "taken ('cores' in the file, or --platform)",
                      nodes, nodes == 1 ? "" : "s");
}

/* ---- options ---- */

double rc_cmd_word_bytes(double given)
{
    return isnan(given) ? RC_WORD_BYTES : given;
}

int rc_cmd_slowdown_check(const struct rc_invocation *invocation,
                          const struct rc_cmd_slowdown_options *options)
{
    if (!isnan(options->word_bytes) && !(options->word_bytes > 0 && options->word_bytes <= 1e6))
        return rc_cmd_usage_text(invocation, "--word-bytes: a word has more than 0 bytes, and a "
                                             "million at most");
    if (!isnan(options->memory) && !(options->memory >= 0 && options->memory <= 1))
        return rc_cmd_usage_text(invocation, "--memory: a share is between 0 and 1");
    if (options->cores > CORES_MAX || options->processes > CORES_MAX)
        return rc_cmd_usage_text(invocation, "--%s: at most %d",
                                 options->cores > CORES_MAX ? "cores" : "processes", CORES_MAX);
    if (options->shared_link && options->model && strcmp(options->model, "paper") == 0)
        return rc_cmd_usage_text(invocation, "--shared-link has no effect with --model paper: only "
                                             "the queue knows of it");
    if (options->platform && options->delay && !options->host)
        return rc_cmd_usage_text(invocation, "--platform has no effect beside --delay, unless "
                                             "--host says of which of its hosts cores are taken");
    return RC_EXIT_OK;
}

/* A host of which nothing is known, where nothing but that would be of use. */
static int refuse_host(const struct rc_invocation *invocation,
                       const struct rc_cmd_slowdown_options *options,
                       const struct rc_cmd_slowdown *slowdown)
{
    struct rc_error error = {0};

    rc_error_set(&error, "--host has no effect: there is no '%.60s' in a calibration of '%.60s', "
                         "and no competitor of which nothing is known ('?')",
                 options->host, slowdown->platform);
    if (slowdown->calibrated)
        rc_error_hint(&error, "--platform names another calibration");
    else
        rc_error_hint(&error, "'runcast slowdown calibrate' measures this machine; --platform "
                              "names another calibration");
    return rc_cmd_usage(invocation, &error);
}

int rc_cmd_slowdown_check_use(const struct rc_invocation *invocation,
                              const struct rc_cmd_slowdown_options *options,
                              const struct rc_cmd_slowdown *slowdown)
{
    bool words = options->words || slowdown->paper_delay || rc_word_rate_is(options->bandwidth),
         unknown = false;

    for (size_t i = 0; i < slowdown->competitors.n; i++)
        unknown = unknown || slowdown->competitors.items[i].unknown;
    if (options->host && !options->platform && !unknown && !slowdown->known)
        return refuse_host(invocation, options, slowdown);
    if (options->bandwidth && options->delay && !rc_delay_wants_bandwidth(&slowdown->delay))
        return rc_cmd_usage_text(invocation, "--bandwidth has no effect: --delay %.60s is the same "
                                             "at any", options->delay);
    if (!isnan(options->word_bytes) && !words)
        return rc_cmd_usage_text(invocation, "--word-bytes has no effect: nothing is given in "
                                             "words, such as 0.45Mw/s");
    return RC_EXIT_OK;
}

static void remark_memory(const struct rc_cmd_slowdown_options *options,
                          struct rc_cmd_slowdown *slowdown)
{
    const struct rc_local_host *host = &slowdown->host;
    bool used = false;

    for (size_t i = 0; i < host->n_competitors; i++)
        used = used || (host->competitors[i].memory > 0 && host->competitors[i].compute.high > 0);
    if (host->memory > 0 && !host->memory_curve)
        rc_cmd_remark(&slowdown->remarks, "what others cost a program that waits for memory is not "
                                          "known: it is left out (--platform and --host)");
    else if (host->memory > 0 && host->cores < 2)
        rc_cmd_remark(&slowdown->remarks, "on one core others wait while the program uses memory: "
                                          "--memory changes nothing");
    else if (host->memory > 0 && !used)
        rc_cmd_remark(&slowdown->remarks, "no competitor waits for memory (memory=SHARE): --memory "
                                          "changes nothing");
    else if (used && isnan(options->memory))
        rc_cmd_remark(&slowdown->remarks, "competitors wait for memory, but it is not said for "
                                          "which part of its computing the program does "
                                          "(--memory): that is left out");
}

void rc_cmd_slowdown_remark_use(const struct rc_cmd_slowdown_options *options,
                                struct rc_cmd_slowdown *slowdown)
{
    size_t communicating =
        rc_competitors_communicating(slowdown->competitors.items, slowdown->competitors.n);

    if (communicating == 0 && (options->delay || options->bandwidth))
        rc_cmd_remark(&slowdown->remarks, "no competitor communicates: --%s changes nothing",
                      options->delay ? "delay" : "bandwidth");
    if (communicating < 2 && options->shared_link)
        rc_cmd_remark(&slowdown->remarks, "fewer than two competitors communicate: --shared-link "
                                          "changes nothing");
    remark_memory(options, slowdown);
}

void rc_cmd_slowdown_remark_cores(struct rc_cmd_slowdown *slowdown)
{
    const struct rc_local_host *host = &slowdown->host;
    bool computing = false;

    for (size_t i = 0; i < host->n_competitors; i++)
        computing = computing || host->competitors[i].compute.high > 0;
    if (computing && slowdown->cores_from == RC_CMD_CORES_ASSUMED)
        rc_cmd_remark(&slowdown->remarks, "it is not known how many cores the host has: one is "
                                          "taken (--cores, or --platform and --host)");
    if (computing && slowdown->cores_from == RC_CMD_CORES_CALIBRATED)
        rc_cmd_remark(&slowdown->remarks, "the host is taken to have %d core%s, as '%.100s' had "
                                          "when it was calibrated (--cores)",
                      host->cores, host->cores == 1 ? "" : "s", slowdown->known->name);
}
