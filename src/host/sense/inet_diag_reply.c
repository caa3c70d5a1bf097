// SPDX-License-Identifier: GPL-3.0-or-later
/* inet_diag_reply.c - reading the kernel's replies about connections. */
#include <errno.h>
#include <string.h>

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>

#include "base/number.h"
#include "host/sense/tcp_connections.h"

_Static_assert(sizeof(struct inet_diag_sockid) == RC_SOCKET_ID, "the kernel's own size");

/* ---- replies ---- */

/* Lengths in messages are without the padding to 4 bytes that follows. */
static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

/* The counts in tcp_info; a kernel may report fewer fields than this one knows, or more. */
static int read_info(const unsigned char *data, size_t size, struct rc_socket_answer *answer)
{
    struct tcp_info info = {0};

    if (size < offsetof(struct tcp_info, tcpi_segs_in) + sizeof info.tcpi_segs_in)
        return -1;
    memcpy(&info, data, size < sizeof info ? size : sizeof info);
    answer->sent = info.tcpi_bytes_acked;
    answer->received = info.tcpi_bytes_received;
    answer->segments = info.tcpi_segs_out + info.tcpi_segs_in;
    return 0;
}

/* Of a connection, with counts or without: 1; -1: it is malformed.  A reply without counts counts
 * as one, since the caller waits for a reply about that connection. */
static int read_counts(const unsigned char *data, size_t size, struct rc_socket_answer *answer)
{
    struct inet_diag_msg about;
    struct rtattr attribute;

    if (size < sizeof about)
        return -1;
    memcpy(&about, data, sizeof about);
    answer->method = about.idiag_family;
    answer->inode = about.idiag_inode;
    answer->queued = about.idiag_wqueue;
    memcpy(answer->id, &about.id, RC_SOCKET_ID);
    for (size_t at = padded(sizeof about); at < size && size - at >= sizeof attribute;) {
        memcpy(&attribute, data + at, sizeof attribute);
        if (attribute.rta_len < sizeof attribute || attribute.rta_len > size - at)
            return -1;
        if (attribute.rta_type == INET_DIAG_INFO) {
            if (read_info(data + at + sizeof attribute, attribute.rta_len - sizeof attribute,
                          answer) == 0)
                answer->kind = RC_SOCKET_COUNTS;
            break;
        }
        at += padded(attribute.rta_len);
    }
    return 1;
}

static int read_message(const struct nlmsghdr *header, const unsigned char *data, size_t size,
                        struct rc_socket_answer *answer)
{
    struct nlmsgerr fault;

    if (header->nlmsg_type == NLMSG_DONE) {
        answer->kind = RC_SOCKET_END;
        return 1;
    }
    if (header->nlmsg_type == NLMSG_ERROR) {
        if (size < sizeof fault)
            return -1;
        memcpy(&fault, data, sizeof fault);
        answer->kind = RC_SOCKET_REFUSED;
        answer->fault = fault.error < 0 && fault.error > -4096 ? -fault.error : EPROTO;
        return 1;
    }
    if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return 0;
    answer->kind = RC_SOCKET_BARE;
    return read_counts(data, size, answer);
}

int rc_sense_socket_answer_read(const void *data, size_t size, size_t *at,
                                struct rc_socket_answer *answer)
{
    const unsigned char *bytes = data;
    struct nlmsghdr header;
    int status = 0;

    while (status == 0 && *at < size) {
        if (size - *at < sizeof header)
            return -1;
        memcpy(&header, bytes + *at, sizeof header);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > size - *at)
            return -1;
        *answer = (struct rc_socket_answer){.sequence = header.nlmsg_seq};
        status = read_message(&header, bytes + *at + sizeof header,
                              header.nlmsg_len - sizeof header, answer);
        *at += padded(header.nlmsg_len);
        if (*at > size)
            *at = size;
    }
    return status;
}

uint32_t rc_sense_socket_link_inode(const char *text)
{
    static const char begin[] = "socket:[";
    size_t length = strlen(text);
    int64_t inode;

    if (strncmp(text, begin, strlen(begin)) != 0 || text[length - 1] != ']' ||
        rc_number_parse_integer(text + strlen(begin), length - strlen(begin) - 1, &inode) ||
        inode < 1 || inode > UINT32_MAX)
        return 0;
    return (uint32_t)inode;
}
