// SPDX-License-Identifier: GPL-3.0-or-later
/* options.c - the options of 'runcast watch'. */
#include "cmd/watch/watch.h"

const struct rc_cmd_watch_options rc_cmd_watch_defaults = {.every = RC_WATCH_EVERY,
                                                           .link_every = RC_WATCH_LINK_EVERY,
                                                           .link_bytes = RC_WATCH_LINK_BYTES,
                                                           .burst = RC_WATCH_BURST};

const struct rc_option rc_cmd_watch_options[] = {
    {RC_OPTION_OF(struct rc_cmd_watch_options, TEXT, hosts), .name = "hosts", .argument = "LIST",
     .help = "the hosts to watch, such as a[1-4],b7"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, FILE, platform), .name = "platform",
     .argument = "FILE",
     .help = "watch all hosts of this platform file; with --hosts, those of them"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, TEXT, launcher), .name = "launcher",
     .argument = "COMMAND",
     .help = "what starts a program on a host, as 'COMMAND HOST PROGRAM...' (default: ssh)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, TEXT, program), .name = "program",
     .argument = "FILE", .help = "runcast, as it is called on the hosts (default: runcast)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, QUANTITY, every), .name = "every",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "from sample to sample, 0.1s or more (default: 10s)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, TEXT, probe_every), .name = "probe-every",
     .argument = "TIME",
     .help = "from one probe of a host's core to the next, 10s or more, or 'never' (default: as "
             "sensors do)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, TEXT, links), .name = "links", .argument = "LINKS",
     .help = "also probe links: ring, all, or a list such as a1:a2,a2:a3 (default: none)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, QUANTITY, link_every), .name = "link-every",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "from probe to probe of one link (default: 60s)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, QUANTITY, link_bytes), .name = "link-bytes",
     .argument = "SIZE", .dimension = RC_BYTES,
     .help = "the most that probes send over one link in any hour, those of other watchers and of "
             "recorders with the same store included (default: 64MiB)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, QUANTITY, burst), .name = "burst",
     .argument = "SIZE", .dimension = RC_BYTES,
     .help = "bytes of a message of a probe, best as large as the program's own (default: 64KiB)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, TEXT, how_long), .name = "for", .argument = "TIME",
     .help = "how long, or 'forever' (default: until Ctrl-C)"},
    {RC_OPTION_OF(struct rc_cmd_watch_options, FLAG, quiet), .name = "quiet", .letter = 'q',
     .help = "show nothing while watching, and no summary unless --json"},
    RC_OPTION_JSON(struct rc_cmd_watch_options),
    RC_OPTION_DB(struct rc_cmd_watch_options),
    RC_OPTIONS_END,
};
