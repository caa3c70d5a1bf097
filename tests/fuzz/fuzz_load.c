/* fuzz_load.c - any text as what the far end of a load, or the user of one, may say. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "host/sense/cores.h"
#include "testbed/load/launch.h"
#include "testbed/load/wire.h"

static void check_order(const uint8_t *data)
{
    unsigned char back[RC_LOAD_ORDER_SIZE];
    enum rc_load_order order;
    uint64_t length;

    if (rc_load_order_read(data, &order, &length))
        return;
    rc_load_order_write(back, order, length);
    must(memcmp(back, data, sizeof back) == 0);
    if (order <= RC_LOAD_PULL)
        must(length >= RC_LOAD_ORDER_SIZE && length <= RC_LOAD_MESSAGE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rc_sense_cores cores;
    char *text = text_of(data, size), digest[65];
    struct rc_peer peer = {.port = 0};
    struct rc_error error;
    int streams;

    if (!text)
        return 0;
    if (size >= RC_LOAD_ORDER_SIZE)
        check_order(data);
    if (rc_load_answer_read(text, digest, &streams) == 0)
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
