/* fuzz_sockets.c - any bytes as what the kernel may answer about connections and threads. */
#include <stdint.h>
#include <stdlib.h>

#include "fuzz.h"
#include "host/sense/proc_files.h"
#include "host/sense/tcp_connections.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rc_socket_answer answer;
    size_t at = 0, before = 0;
    enum rc_proc_call call;
    char *text = text_of(data, size);

    while (rc_sense_socket_answer_read(data, size, &at, &answer) > 0) {
        must(at > before && at <= size);
        must(answer.kind != RC_SOCKET_REFUSED || answer.fault > 0);
        before = at;
    }
    if (text) {
        rc_sense_socket_link_inode(text);
        if (rc_sense_proc_call_read(text, &call) == 0)
            must(call == RC_PROC_RUNS || call == RC_PROC_SLEEPS || call == RC_PROC_WAITS);
    }
    free(text);
    return 0;
}
