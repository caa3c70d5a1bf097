/* fuzz_load.c - any text as what the far end of a load, or the user of one, may say. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "host/sense/cores.h"
#include "testbed/load/launch_receiver.h"
#include "testbed/load/protocol.h"

static void check_order(const uint8_t *data)
{
    unsigned char back[RC_LOAD_REQUEST_SIZE];
    enum rc_load_request request;
    uint64_t length;

    if (rc_load_request_read(data, &request, &length))
        return;
    rc_load_request_write(back, request, length);
    must(memcmp(back, data, sizeof back) == 0);
    if (request <= RC_LOAD_PULL)
        must(length >= RC_LOAD_REQUEST_SIZE && length <= RC_LOAD_MESSAGE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rc_sense_cores cores;
    char *text = text_of(data, size), digest[65];
    const char *words;
    struct rc_peer peer = {.port = 0};
    struct rc_error error;
    int streams;

    if (!text)
        return 0;
    if (size >= RC_LOAD_REQUEST_SIZE)
        check_order(data);
    if (rc_socket_greeting_read(text, digest, &words) == 0 &&
        rc_load_streams_read(&streams, words) == 0)
        must(strlen(digest) == 64 && streams >= 1 && streams <= RC_LOAD_STREAMS_MAX);
    if (rc_load_announcement_read(text, &peer) == 0)
        must(peer.port >= 1 && peer.port <= 65535 && rc_socket_is_key(peer.key));
    peer.port = 0;
    if (rc_socket_parse_peer(text, &peer, &error) == 0)
        must(peer.host[0] && peer.host[0] != '-' && peer.port >= 0 && peer.port <= 65535);
    if (rc_sense_cores_parse(text, &cores, &error) == 0)
        must(cores.n >= 1 && cores.n <= RC_SENSE_CORES_MAX);
    free(text);
    return 0;
}
