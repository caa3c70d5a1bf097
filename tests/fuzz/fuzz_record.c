/* fuzz_record.c - any text as the command line of a launcher, a host file, or the file of a
 * record. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "run/launch_layout.h"
#include "run/record.h"
#include "run/host_slots.h"

enum { WORDS_MAX = 200 };

static const char *variable(void *data, const char *name)
{
    /* The last line of the input stands for every variable but those that name files. */
    return strstr(name, "FILE") || strstr(name, "hostfile") ? NULL : data;
}

/* Words are lines; host files are not opened, as names of files that are there would be. */
static void check_command(char *text)
{
    char *words[WORDS_MAX + 1], *save, *last = NULL;
    struct rc_launch_world world = {.host = "here", .variable = variable};
    struct rc_launch launch = {.hosts_wanted = true};
    struct rc_error error;
    size_t n = 0;

    for (char *word = strtok_r(text, "\n", &save); word && n < WORDS_MAX;
         word = strtok_r(NULL, "\n", &save))
        if (!strchr(word, '/'))
            words[n++] = last = word;
    words[n] = NULL;
    world.data = last;
    if (rc_run_launch_read(&launch, words, &world, &error) == 0) {
        must(launch.processes >= 1 && launch.hosts.count >= 1);
        must(launch.hosts.count <= RC_SLOTS_HOSTS_MAX);
        for (size_t i = 0; i < launch.hosts.count; i++)
            must(rc_platform_hostlist_is_name(launch.hosts.names[i]));
    }
    rc_run_launch_free(&launch);
}

static void check_host_file(const char *text, size_t size)
{
    struct rc_slots slots = {0};
    struct rc_error error;

    if (rc_run_slots_parse_file(&slots, text, size, "fuzz", &error) == 0)
        must(slots.n >= 1 && slots.hosts[0].named >= 1);
    rc_run_slots_free(&slots);
}

static void check_record(const char *text, size_t size)
{
    struct rc_record record;
    struct rc_error error;

    if (rc_run_record_parse(&record, text, size, "fuzz", &error) == 0)
        must(record.run.app[0] && record.run.p >= 1 && record.run.n > 0);
    rc_run_record_free(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    if (!text)
        return 0;
    check_host_file(text, size);
    check_record(text, size);
    check_command(text);
    free(text);
    return 0;
}
