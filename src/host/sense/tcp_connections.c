// SPDX-License-Identifier: GPL-3.0-or-later
/* tcp_connections.c - how many bytes go through each TCP connection.
 *
 * Invariants:
 * 1. `items` are in the order of `inode`, each once; none has inode 0.
 * 2. Each question but that for all has one answer, so that as many are awaited as asked.  A
 *    connection that was closed and lingers (TIME_WAIT) is still found, and answered without
 *    counts. */
#include "host/sense/tcp_connections.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>

#include "base/array.h"
#include "base/error.h"

enum {
    BUFFER = 1 << 16,
    BATCH = 32,          /* questions at once: all their answers must fit the kernel's buffer */
    STILL_LOOKS = 200,   /* without a byte until a connection is asked for with all others only */
    FILES_MAX = 1 << 16, /* of one process, at most */
    SOUGHT_MAX = 4,      /* times that an owner is looked for: it may not have been listed yet */
    ESTABLISHED = 1,
    CLOSE_WAIT = 8,
    FIN_WAIT1 = 4,
    FIN_WAIT2 = 5 /* as the kernel numbers them */
};

struct question {
    struct nlmsghdr header;
    struct inet_diag_req_v2 what;
};

/* ---- asking ---- */

static struct question question(uint32_t sequence, int method, bool all)
{
    struct question it = {.header = {.nlmsg_len = sizeof it,
                                     .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                                     .nlmsg_flags =
                                         (uint16_t)(NLM_F_REQUEST | (all ? NLM_F_DUMP : 0)),
                                     .nlmsg_seq = sequence},
                          .what = {.sdiag_family = (uint8_t)method,
                                   .sdiag_protocol = IPPROTO_TCP,
                                   .idiag_ext = 1 << (INET_DIAG_INFO - 1),
                                   .idiag_states = 1u << ESTABLISHED | 1u << CLOSE_WAIT |
                                                   1u << FIN_WAIT1 | 1u << FIN_WAIT2}};

    return it;
}

static int send_all(int fd, const void *data, size_t size, struct rc_error *error)
{
    while (send(fd, data, size, 0) < 0)
        if (errno != EINTR)
            return rc_error_errno(error, errno, "cannot ask the kernel for connections");
    return 0;
}

/* What was received of the answers to one question, or to several. */
struct answers {
    size_t size, at;
};

/* The next answer: 1; 0: some were lost, and no more are to be waited for. */
static int next_answer(struct rc_sockets *sockets, int fd, struct answers *answers,
                       struct rc_socket_answer *answer, struct rc_error *error)
{
    ssize_t size;
    int status;

    while ((status = rc_sense_socket_answer_read(sockets->buffer, answers->size, &answers->at,
                                                 answer)) == 0) {
        while ((size = recv(fd, sockets->buffer, BUFFER, 0)) < 0 && errno == EINTR)
            ;
        if (size < 0 && errno != ENOBUFS && errno != EAGAIN)
            return rc_error_errno(error, errno, "the kernel does not list connections");
        if (size <= 0)
            return 0;
        *answers = (struct answers){(size_t)size, 0};
    }
    return status > 0 ? 1 : rc_error_set(error, "unexpected list of connections from the kernel");
}

/* ---- keeping ---- */

/* The connection with that inode, or NULL. */
static struct rc_socket *find_socket(const struct rc_sockets *sockets, uint32_t inode)
{
    size_t low = 0, high = sockets->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sockets->items[middle].inode < inode)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sockets->n && sockets->items[low].inode == inode ? &sockets->items[low] : NULL;
}

static void set(struct rc_socket *socket, int space, const struct rc_socket_answer *answer)
{
    *socket = (struct rc_socket){.space = space,
                                 .method = answer->method,
                                 .inode = answer->inode,
                                 .sent = answer->sent,
                                 .received = answer->received,
                                 .segments = answer->segments,
                                 .under_way = answer->queued > 0,
                                 .there = true};
    memcpy(socket->id, answer->id, RC_SOCKET_ID);
}

static void count(struct rc_socket *socket, const struct rc_socket_answer *answer)
{
    double moved = 0;

    if (answer->sent > socket->sent)
        moved += (double)(answer->sent - socket->sent);
    if (answer->received > socket->received)
        moved += (double)(answer->received - socket->received);
    if (moved > 0)
        socket->pieces += (double)(uint32_t)(answer->segments - socket->segments);
    socket->moved += moved;
    socket->under_way = answer->queued > 0;
    socket->still = moved > 0 || socket->under_way ? 0 : socket->still + 1;
    socket->sent = answer->sent;
    socket->received = answer->received;
    socket->segments = answer->segments;
    socket->there = true;
}

/* New ones go to the end, and are put in order when all are there. */
static int take(struct rc_sockets *sockets, size_t n_old, int space,
                const struct rc_socket_answer *answer, struct rc_error *error)
{
    struct rc_sockets old = {.items = sockets->items, .n = n_old};
    struct rc_socket *socket = find_socket(&old, answer->inode);

    if (answer->inode == 0)
        return 0;
    if (socket && socket->space == space && socket->method == answer->method &&
        memcmp(socket->id, answer->id, RC_SOCKET_ID) == 0) {
        count(socket, answer);
        return 0;
    }
    if (socket) { /* the number was given to another */
        set(socket, space, answer);
        return 0;
    }
    if (sockets->n == RC_SOCKETS_MAX)
        return 0;
    if (rc_array_room(&sockets->items, sockets->n + 1, &sockets->room, sizeof *sockets->items,
                      error))
        return -1;
    set(&sockets->items[sockets->n++], space, answer);
    return 0;
}

static int by_inode(const void *a, const void *b)
{
    const struct rc_socket *x = a, *y = b;

    return (x->inode > y->inode) - (x->inode < y->inode);
}

/* Those that are gone go; the others are in order. */
static void tidy(struct rc_sockets *sockets)
{
    size_t n = 0;

    for (size_t i = 0; i < sockets->n; i++)
        if (sockets->items[i].there || sockets->items[i].moved > 0)
            sockets->items[n++] = sockets->items[i];
    sockets->n = n;
    if (n > 0)
        qsort(sockets->items, n, sizeof *sockets->items, by_inode);
    for (size_t i = n = 0; i < sockets->n; i++)
        if (n == 0 || sockets->items[n - 1].inode != sockets->items[i].inode) {
            assert(sockets->items[i].inode > (n > 0 ? sockets->items[n - 1].inode : 0));
            sockets->items[n++] = sockets->items[i];
        }
    sockets->n = n;
}

/* ---- looking ---- */

/* Takes all answers to one question for all; 0 also where some were lost. */
static int take_all(struct rc_sockets *sockets, size_t n_old, int space, struct rc_error *error)
{
    struct answers answers = {0, 0};
    struct rc_socket_answer answer;
    int status;

    while ((status = next_answer(sockets, sockets->spaces[space].fd, &answers, &answer, error)) >
           0) {
        if (answer.sequence != sockets->sequence)
            continue;
        if (answer.kind == RC_SOCKET_REFUSED && answer.fault == ENOENT)
            return 0; /* this kernel has no such connections, as IPv6 may not be there */
        if (answer.kind == RC_SOCKET_REFUSED)
            return rc_error_errno(error, answer.fault, "the kernel does not list connections");
        if (answer.kind == RC_SOCKET_END)
            return 0;
        if (answer.kind == RC_SOCKET_COUNTS && take(sockets, n_old, space, &answer, error))
            return -1;
    }
    return status;
}

int rc_sense_sockets_look(struct rc_sockets *sockets, struct rc_error *error)
{
    static const int methods[] = {AF_INET, AF_INET6};
    size_t n_old = sockets->n;

    for (size_t i = 0; i < sockets->n; i++)
        sockets->items[i].there = false;
    for (size_t space = 0; space < sockets->n_spaces; space++)
        for (size_t f = 0; f < 2; f++) {
            struct question ask = question(++sockets->sequence, methods[f], true);

            if (send_all(sockets->spaces[space].fd, &ask, sizeof ask, error) ||
                take_all(sockets, n_old, (int)space, error))
                return -1;
        }
    tidy(sockets);
    return 0;
}

/* Answers come in the order of the questions, and one each; `first` is the number of the first. */
static int take_some(struct rc_sockets *sockets, struct rc_socket **asked, size_t n, uint32_t first,
                     struct rc_error *error)
{
    int fd = sockets->spaces[asked[0]->space].fd, status;
    struct answers answers = {0, 0};
    struct rc_socket_answer answer;

    for (size_t got = 0; got < n;) {
        size_t which;

        status = next_answer(sockets, fd, &answers, &answer, error);
        if (status <= 0)
            return status;
        which = answer.sequence - first;
        if (which >= n)
            continue; /* left over from a question whose answers were not waited for */
        got++;
        if (answer.kind == RC_SOCKET_COUNTS && answer.inode == asked[which]->inode) {
            count(asked[which], &answer);
        } else { /* gone, as the next look at all will show */
            asked[which]->still = STILL_LOOKS;
            asked[which]->under_way = false;
        }
    }
    return 0;
}

static int ask_some(struct rc_sockets *sockets, struct rc_socket **asked, size_t n,
                    struct rc_error *error)
{
    struct question questions[BATCH];
    uint32_t first = sockets->sequence + 1;

    if (n == 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        questions[i] = question(++sockets->sequence, asked[i]->method, false);
        memcpy(&questions[i].what.id, asked[i]->id, RC_SOCKET_ID);
    }
    if (send_all(sockets->spaces[asked[0]->space].fd, questions, n * sizeof *questions, error))
        return -1;
    return take_some(sockets, asked, n, first, error);
}

int rc_sense_sockets_look_again(struct rc_sockets *sockets, struct rc_error *error)
{
    struct rc_socket *asked[BATCH];

    for (size_t space = 0; space < sockets->n_spaces; space++) {
        size_t n = 0;

        for (size_t i = 0; i < sockets->n; i++) {
            struct rc_socket *it = &sockets->items[i];

            if (it->space != (int)space || it->still >= STILL_LOOKS)
                continue;
            asked[n++] = it;
            if (n == BATCH) {
                if (ask_some(sockets, asked, n, error))
                    return -1;
                n = 0;
            }
        }
        if (ask_some(sockets, asked, n, error))
            return -1;
    }
    return 0;
}

void rc_sense_sockets_forget_moved(struct rc_sockets *sockets)
{
    for (size_t i = 0; i < sockets->n; i++)
        sockets->items[i].moved = sockets->items[i].pieces = 0;
}

/* ---- owners ---- */

bool rc_sense_sockets_unowned(const struct rc_sockets *sockets)
{
    for (size_t i = 0; i < sockets->n; i++)
        if (sockets->items[i].moved > 0 && !sockets->items[i].owner &&
            sockets->items[i].sought < SOUGHT_MAX)
            return true;
    return false;
}

static void find_owned(struct rc_sockets *sockets, pid_t pid)
{
    char path[64], text[64];
    struct dirent *entry;
    DIR *directory;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    directory = opendir(path);
    if (!directory)
        return; /* another user's, or gone */
    for (size_t n = 0; n < FILES_MAX && (entry = readdir(directory)); n++) {
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, text, sizeof text - 1);
        struct rc_socket *socket;
        uint32_t inode;

        if (length <= 0)
            continue;
        text[length] = '\0';
        inode = rc_sense_socket_link_inode(text);
        socket = inode ? find_socket(sockets, inode) : NULL;
        if (socket)
            socket->owner = (int)pid;
    }
    closedir(directory);
}

void rc_sense_sockets_find_owners(struct rc_sockets *sockets, const pid_t *pids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        find_owned(sockets, pids[i]);
    for (size_t i = 0; i < sockets->n; i++)
        sockets->items[i].sought += sockets->items[i].moved > 0;
}

/* ---- namespaces ---- */

static int open_space(struct rc_sockets *sockets, uint64_t inode, struct rc_error *error)
{
    const struct timeval patience = {.tv_sec = 1};
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

    if (fd < 0)
        return rc_error_errno(error, errno, "cannot ask the kernel for connections");
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockets->spaces[sockets->n_spaces].fd = fd;
    sockets->spaces[sockets->n_spaces++].inode = inode;
    return 0;
}

int rc_sense_sockets_begin(struct rc_sockets *sockets, struct rc_error *error)
{
    struct stat about = {0};

    *sockets = (struct rc_sockets){0};
    sockets->buffer = malloc(BUFFER);
    if (!sockets->buffer)
        return rc_error_no_memory(error);
    if (stat("/proc/self/ns/net", &about) == 0 || errno == ENOENT)
        if (open_space(sockets, about.st_ino, error) == 0 &&
            rc_sense_sockets_look(sockets, error) == 0)
            return 0;
    rc_sense_sockets_end(sockets);
    return -1;
}

void rc_sense_sockets_end(struct rc_sockets *sockets)
{
    for (size_t i = 0; i < sockets->n_spaces; i++)
        close(sockets->spaces[i].fd);
    free(sockets->items);
    free(sockets->buffer);
    *sockets = (struct rc_sockets){0};
}

/* A socket stays in the namespace in which it was made: this process is only a guest there. */
static int open_elsewhere(struct rc_sockets *sockets, const char *path, uint64_t inode)
{
    int home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    int there = home < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC), status = -1;

    if (there >= 0 && setns(there, CLONE_NEWNET) == 0) {
        status = open_space(sockets, inode, NULL);
        if (setns(home, CLONE_NEWNET))
            status = -1;
    }
    if (there >= 0)
        close(there);
    if (home >= 0)
        close(home);
    return status;
}

bool rc_sense_sockets_enter(struct rc_sockets *sockets, pid_t pid)
{
    struct stat about;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
    if (stat(path, &about))
        return false; /* another user's, whose connections cannot be read anyway */
    for (size_t i = 0; i < sockets->n_spaces; i++)
        if (sockets->spaces[i].inode == about.st_ino)
            return true;
    if (sockets->n_spaces < RC_SOCKETS_SPACES_MAX &&
        open_elsewhere(sockets, path, about.st_ino) == 0)
        return true;
    sockets->blind = true;
    return false;
}
