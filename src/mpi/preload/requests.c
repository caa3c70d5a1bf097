// SPDX-License-Identifier: BSD-2-Clause
/* requests.c - numbers for requests, and for windows, files and matched messages. */
#include "mpi/preload/recorder_internal.h"

enum { REQUESTS_MAX = 1 << 17, OTHERS_MAX = 1 << 14 };
enum { COMMUNICATOR };          /* value of a request's entry */
enum { WHERE, PEER, TAG, ANY }; /* values of a message's entry */

int rc_preload_wild_requests;

static struct rc_preload_table requests, windows, files, messages;

int rc_preload_tables_init(void)
{
    return rc_preload_communicators_init() == 0 &&
                   rc_preload_table_init(&requests, REQUESTS_MAX) == 0 &&
                   rc_preload_table_init(&windows, OTHERS_MAX) == 0 &&
                   rc_preload_table_init(&files, OTHERS_MAX) == 0 &&
                   rc_preload_table_init(&messages, OTHERS_MAX) == 0
               ? 0
               : -1;
}

/* ---- requests ---- */

int32_t rc_preload_request_add(MPI_Request request, const void *place, unsigned flags)
{
    int32_t number;

    if (request == MPI_REQUEST_NULL)
        return RC_TRACE_NONE;
    rc_preload_lock();
    number = rc_preload_table_add(&requests, RC_PRELOAD_KEY(request), place);
    if (number >= 0) {
        if (!(flags & RC_PRELOAD_PERSISTENT))
            flags |= RC_PRELOAD_ACTIVE;
        requests.entries[number].flags = flags;
        if (flags & RC_PRELOAD_WILD)
            __atomic_add_fetch(&rc_preload_wild_requests, 1, __ATOMIC_RELAXED);
    }
    rc_preload_unlock();
    if (number < 0)
        rc_preload_trouble("too many requests");
    return number;
}

int32_t rc_preload_request(MPI_Request request, const void *place)
{
    int32_t number;

    if (request == MPI_REQUEST_NULL)
        return RC_TRACE_NONE;
    rc_preload_lock();
    number = rc_preload_table_find(&requests, RC_PRELOAD_KEY(request), place);
    rc_preload_unlock();
    return number;
}

int32_t rc_preload_request_found(MPI_Request request, const void *place)
{
    int32_t number;

    rc_preload_lock();
    number = rc_preload_table_find(&requests, RC_PRELOAD_KEY(request), place);
    if (number >= 0 && requests.entries[number].flags & RC_PRELOAD_WILD)
        number = RC_TRACE_NONE;
    rc_preload_unlock();
    return number;
}

bool rc_preload_request_is_once(MPI_Request request, const void *place)
{
    int32_t number;
    bool once;

    rc_preload_lock();
    number = rc_preload_table_find(&requests, RC_PRELOAD_KEY(request), place);
    once = number >= 0 && !(requests.entries[number].flags & RC_PRELOAD_PERSISTENT);
    rc_preload_unlock();
    return once;
}

/* With the lock held. */
static void remove_request(int32_t number)
{
    if (requests.entries[number].flags & RC_PRELOAD_WILD)
        __atomic_sub_fetch(&rc_preload_wild_requests, 1, __ATOMIC_RELAXED);
    rc_preload_table_remove(&requests, number);
}

int32_t rc_preload_request_remove(MPI_Request request, const void *place)
{
    int32_t number;

    rc_preload_lock();
    number = rc_preload_table_find(&requests, RC_PRELOAD_KEY(request), place);
    if (number >= 0)
        remove_request(number);
    rc_preload_unlock();
    return number;
}

void rc_preload_request_start(int32_t number)
{
    rc_preload_lock();
    if (number >= 0)
        requests.entries[number].flags |= RC_PRELOAD_ACTIVE;
    rc_preload_unlock();
}

void rc_preload_request_makes(int32_t number, int32_t communicator, const void *place)
{
    rc_preload_lock();
    if (number >= 0) {
        requests.entries[number].flags |= RC_PRELOAD_MAKES_COMM;
        requests.entries[number].values[COMMUNICATOR] = communicator;
        requests.entries[number].data = place;
    }
    rc_preload_unlock();
}

static void name_communicator(const struct rc_preload_entry *entry)
{
    MPI_Comm comm;

    if (entry->flags & RC_PRELOAD_FORTRAN)
        comm = PMPI_Comm_f2c(*(const MPI_Fint *)entry->data);
    else
        comm = *(const MPI_Comm *)entry->data;
    rc_preload_communicator_name(entry->values[COMMUNICATOR], comm);
}

int32_t rc_preload_request_done(MPI_Request request, const void *place, unsigned *flags)
{
    struct rc_preload_entry entry = {0};
    int32_t number;

    *flags = 0;
    if (request == MPI_REQUEST_NULL)
        return RC_TRACE_NONE;
    rc_preload_lock();
    number = rc_preload_table_find(&requests, RC_PRELOAD_KEY(request), place);
    if (number >= 0) {
        entry = requests.entries[number];
        if (!(entry.flags & RC_PRELOAD_ACTIVE))
            number = RC_TRACE_NONE;
        else if (entry.flags & RC_PRELOAD_PERSISTENT)
            requests.entries[number].flags &= ~(unsigned)RC_PRELOAD_ACTIVE;
        else
            remove_request(number);
        *flags = entry.flags;
    }
    rc_preload_unlock();
    if (entry.flags & RC_PRELOAD_MAKES_COMM)
        name_communicator(&entry);
    return number;
}

/* ---- windows and files ---- */

static int32_t find(struct rc_preload_table *table, uint64_t handle)
{
    int32_t number;

    rc_preload_lock();
    number = rc_preload_table_find(table, handle, NULL);
    rc_preload_unlock();
    return number;
}

static int32_t add(struct rc_preload_table *table, uint64_t handle)
{
    int32_t number;

    rc_preload_lock();
    number = rc_preload_table_add(table, handle, NULL);
    rc_preload_unlock();
    return number;
}

static int32_t leaving(struct rc_preload_table *table, uint64_t handle)
{
    int32_t number;

    rc_preload_lock();
    number = rc_preload_table_find(table, handle, NULL);
    if (number >= 0)
        rc_preload_table_leave(table, number);
    rc_preload_unlock();
    return number;
}

static void left(struct rc_preload_table *table, int32_t number, bool gone)
{
    rc_preload_lock();
    if (number >= 0)
        (gone ? rc_preload_table_remove : rc_preload_table_stay)(table, number);
    rc_preload_unlock();
}

#define HANDLES(name, type, table)                                                                 \
    int32_t rc_preload_##name(type handle)                                                         \
    {                                                                                              \
        return find(&table, RC_PRELOAD_KEY(handle));                                               \
    }                                                                                              \
    int32_t rc_preload_##name##_add(type handle)                                                   \
    {                                                                                              \
        return add(&table, RC_PRELOAD_KEY(handle));                                                \
    }                                                                                              \
    int32_t rc_preload_##name##_leaving(type handle)                                               \
    {                                                                                              \
        return leaving(&table, RC_PRELOAD_KEY(handle));                                            \
    }                                                                                              \
    void rc_preload_##name##_left(int32_t number, bool gone)                                       \
    {                                                                                              \
        left(&table, number, gone);                                                                \
    }
HANDLES(window, MPI_Win, windows)
HANDLES(file, MPI_File, files)

/* ---- matched messages ---- */

void rc_preload_message_add(MPI_Message message, const struct rc_trace_call *call)
{
    int32_t number, *values;

    rc_preload_lock();
    number = rc_preload_table_add(&messages, RC_PRELOAD_KEY(message), NULL);
    if (number >= 0) {
        values = messages.entries[number].values;
        values[WHERE] = call->communicator;
        values[PEER] = call->message.peer;
        values[TAG] = call->message.tag;
        values[ANY] = (int32_t)(call->flags & (RC_TRACE_ANY_SOURCE | RC_TRACE_ANY_TAG));
    }
    rc_preload_unlock();
}

int32_t rc_preload_message_leaving(MPI_Message message)
{
    return leaving(&messages, RC_PRELOAD_KEY(message));
}

void rc_preload_message_left(int32_t number, bool gone)
{
    left(&messages, number, gone);
}

void rc_preload_message_describe(int32_t number, struct rc_trace_call *call)
{
    const int32_t *values;

    call->communicator = 2;
    rc_preload_lock();
    if (number >= 0) {
        values = messages.entries[number].values;
        call->communicator = values[WHERE];
        call->message.peer = values[PEER];
        call->message.tag = values[TAG];
        call->flags |= (unsigned)values[ANY];
    }
    rc_preload_unlock();
}
