/* white_rose.h - the platform and meshes of the paper's tables, for the tests of scaling. */
#ifndef RC_TESTS_WHITE_ROSE_H
#define RC_TESTS_WHITE_ROSE_H

#include "scaling.h"

#include "model/scaling/choices.h"
#include "model/scaling/plan.h"

static const struct rc_mesh n65536 = {{65536, 65536, 1}}, n32768 = {{32768, 32768, 1}};

/* As examples/white-rose.yaml, which states one process on a host of A nowhere. */
static const char white_rose[] = "name: white-rose\n"
                                 "currency: units\n"
                                 "clusters:\n"
                                 "  - name: A\n"
                                 "    hosts: a[001-128]\n"
                                 "    cores: 2\n"
                                 "    memory: 2GiB\n"
                                 "    speed: 2.4Gf\n"
                                 "    networks:\n"
                                 "      - {name: ethernet, bandwidth: 100Mbit, latency: 70us}\n"
                                 "      - {name: myrinet, bandwidth: 2Gbit, latency: 7us}\n"
                                 "    cost: 1\n"
                                 "    overrides:\n"
                                 "      - hosts: a[076-128]\n"
                                 "        speed: 2.2Gf\n"
                                 "  - name: B\n"
                                 "    hosts: b[01-87]\n"
                                 "    cores: 4\n"
                                 "    memory: 8GiB\n"
                                 "    speed: 2.0Gf\n"
                                 "    networks:\n"
                                 "      - {name: ethernet, bandwidth: 100Mbit, latency: 70us}\n"
                                 "      - {name: myrinet, bandwidth: 2Gbit, latency: 7us}\n"
                                 "    cost: 2\n"
                                 "links:\n"
                                 "  - {between: [A, B], bandwidth: 100Mbit, latency: 1ms}\n";

static int load(void **state)
{
    struct rc_error error;

    *state = rc_platform_parse(white_rose, strlen(white_rose), "white-rose", &error);
    return *state ? 0 : -1;
}

static int unload(void **state)
{
    rc_platform_destroy(*state);
    return 0;
}

static bool has_note(const struct rc_scaling_notes *notes, const char *text)
{
    for (size_t i = 0; i < notes->n; i++)
        if (strstr(notes->text[i], text))
            return true;
    return false;
}

#endif
