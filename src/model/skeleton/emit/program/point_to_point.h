// SPDX-License-Identifier: BSD-2-Clause
/* ---- calls ----
 *
 * Each is named after the MPI call that it makes.  c is the number of a communicator, `slot` that
 * of the request which it fills or empties, and bytes are those of one rank's part. */

//+ Send Ssend Isend Issend
static void @(int c, int to, int tag, int64_t bytes$slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_@(given, e.count, e.type, to, tag, communicators[c]$request);
    leave(K_@, bytes);
    count_message(c, to, bytes);
}

//? Bsend Ibsend
/* Sends that wait for nobody, and that nobody waits for, are under way until they are done.  What
 * is sent does not change, so that they need no buffers. */
static MPI_Request *ahead;
static int n_ahead, ahead_room;

/* Forgets those that are done, and makes room where most are not. */
static void look_after_ahead(void)
{
    int left = 0, done;

    for (int i = 0; i < n_ahead; i++) {
        MPI_Test(&ahead[i], &done, MPI_STATUS_IGNORE);
        if (!done)
            ahead[left++] = ahead[i];
    }
    n_ahead = left;
    if (n_ahead < ahead_room / 2)
        return;
    ahead_room = ahead_room ? 2 * ahead_room : 64;
    ahead = realloc(ahead, (size_t)ahead_room * sizeof *ahead);
    if (!ahead)
        fail("out of memory");
}

static void send_ahead(int c, int to, int tag, int64_t bytes)
{
    struct extent e = extent(bytes);

    if (n_ahead == ahead_room)
        look_after_ahead();
    MPI_Isend(given, e.count, e.type, to, tag, communicators[c], &ahead[n_ahead++]);
}

static void end_ahead(void)
{
    while (n_ahead > 0)
        MPI_Wait(&ahead[--n_ahead], MPI_STATUS_IGNORE);
}

//+ Bsend Ibsend
static void @(int c, int to, int tag, int64_t bytes)
{
    enter();
    send_ahead(c, to, tag, bytes);
    leave(K_@, bytes);
    count_message(c, to, bytes);
}

//? Recv
static void Recv(int c, int from, int tag, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Recv(got, e.count, e.type, from, tag, communicators[c], MPI_STATUS_IGNORE);
    leave(K_Recv, 0);
}

//? Irecv
static void Irecv(int c, int from, int tag, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Irecv(slot_memory[slot], e.count, e.type, from, tag, communicators[c], &requests[slot]);
    leave(K_Irecv, 0);
}

//? Probe
static void Probe(int c, int from, int tag)
{
    MPI_Status status;

    enter();
    MPI_Probe(from, tag, communicators[c], &status);
    leave(K_Probe, 0);
}

//? Iprobe Test Testany Testall Testsome
/* After a test or a probe: who asks does so until it is done.  Those that find nothing, one after
 * the other, are one call in recordings, and so they are here. */
static void leave_test(int kind, int done, int *vain)
{
    if (!done && (*vain)++)
        return;
    leave(kind, 0);
    if (!done)
        enter();
}

//? Iprobe
static void Iprobe(int c, int from, int tag)
{
    MPI_Status status;
    int found = 0, vain = 0;

    for (enter(); !found; leave_test(K_Iprobe, found, &vain))
        MPI_Iprobe(from, tag, communicators[c], &found, &status);
}

//? Sendrecv
static void Sendrecv(int c, int to, int tag, int64_t bytes, int from, int its_tag,
                     int64_t its_bytes)
{
    struct extent e = extent(bytes), f = extent(its_bytes);

    enter();
    MPI_Sendrecv(given, e.count, e.type, to, tag, got, f.count, f.type, from, its_tag,
                 communicators[c], MPI_STATUS_IGNORE);
    leave(K_Sendrecv, bytes);
    count_message(c, to, bytes);
}

//? Sendrecv_replace
static void Sendrecv_replace(int c, int to, int tag, int64_t bytes, int from, int its_tag)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Sendrecv_replace(got, e.count, e.type, to, tag, from, its_tag, communicators[c],
                         MPI_STATUS_IGNORE);
    leave(K_Sendrecv_replace, bytes);
    count_message(c, to, bytes);
}

//? Start Startall
/* Persistent requests: each is made when it is first started, and anew where the same slot is later
 * used for another one. */
struct persistent {
    int kind, c, peer, tag;
    int64_t bytes;
};
static struct persistent persistent[SLOTS];
static MPI_Request persistent_requests[SLOTS];

/* Whether it has to be made. */
static int is_new(int slot, int kind, int c, int peer, int tag, int64_t bytes)
{
    struct persistent *known = &persistent[slot], it = {kind, c, peer, tag, bytes};

    if (known->kind == kind && known->c == c && known->peer == peer && known->tag == tag &&
        known->bytes == bytes)
        return 0;
    if (known->kind)
        MPI_Request_free(&persistent_requests[slot]);
    *known = it;
    return 1;
}

static void free_persistent(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (persistent[i].kind)
            MPI_Request_free(&persistent_requests[i]);
}

//? persistent_send
static void make_send(int c, int to, int tag, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    if (is_new(slot, 1, c, to, tag, bytes))
        MPI_Send_init(given, e.count, e.type, to, tag, communicators[c],
                      &persistent_requests[slot]);
    count_message(c, to, bytes);
}

//? persistent_ssend
static void make_ssend(int c, int to, int tag, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    if (is_new(slot, 2, c, to, tag, bytes))
        MPI_Ssend_init(given, e.count, e.type, to, tag, communicators[c],
                       &persistent_requests[slot]);
    count_message(c, to, bytes);
}

//? persistent_recv
static void make_recv(int c, int from, int tag, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    if (is_new(slot, 3, c, from, tag, bytes))
        MPI_Recv_init(slot_memory[slot], e.count, e.type, from, tag, communicators[c],
                      &persistent_requests[slot]);
}

//? Start
static void start(int slot, int64_t bytes)
{
    enter();
    MPI_Start(&persistent_requests[slot]);
    leave(K_Start, bytes);
    requests[slot] = persistent_requests[slot];
}

//? Start_send
static void Start_send(int c, int to, int tag, int64_t bytes, int slot)
{
    make_send(c, to, tag, bytes, slot);
    start(slot, bytes);
}

//? Start_ssend
static void Start_ssend(int c, int to, int tag, int64_t bytes, int slot)
{
    make_ssend(c, to, tag, bytes, slot);
    start(slot, bytes);
}

//? Start_recv
static void Start_recv(int c, int from, int tag, int64_t bytes, int slot)
{
    make_recv(c, from, tag, bytes, slot);
    start(slot, 0);
}

//? Startall
/* Requests that are started together: all but the last are held until that. */
static MPI_Request together[SLOTS];
static int together_slots[SLOTS];
static int n_together;

static void startall(int slot, int64_t bytes, int held)
{
    static int64_t all_bytes;

    together[n_together] = persistent_requests[slot];
    together_slots[n_together++] = slot;
    all_bytes += bytes;
    if (held)
        return;
    enter();
    MPI_Startall(n_together, together);
    leave(K_Startall, all_bytes);
    for (int i = 0; i < n_together; i++)
        requests[together_slots[i]] = persistent_requests[together_slots[i]] = together[i];
    n_together = 0;
    all_bytes = 0;
}

//? Startall_send
static void Startall_send(int c, int to, int tag, int64_t bytes, int slot, int held)
{
    make_send(c, to, tag, bytes, slot);
    startall(slot, bytes, held);
}

//? Startall_ssend
static void Startall_ssend(int c, int to, int tag, int64_t bytes, int slot, int held)
{
    make_ssend(c, to, tag, bytes, slot);
    startall(slot, bytes, held);
}

//? Startall_recv
static void Startall_recv(int c, int from, int tag, int64_t bytes, int slot, int held)
{
    make_recv(c, from, tag, bytes, slot);
    startall(slot, 0, held);
}

//? Wait
static void Wait(int slot)
{
    enter();
    MPI_Wait(&requests[slot], MPI_STATUS_IGNORE);
    leave(K_Wait, 0);
    requests[slot] = MPI_REQUEST_NULL; /* a persistent one is kept elsewhere */
}

//? Waitany
static void Waitany(int slot)
{
    int which;

    enter();
    MPI_Waitany(1, &requests[slot], &which, MPI_STATUS_IGNORE);
    leave(K_Waitany, 0);
    requests[slot] = MPI_REQUEST_NULL;
}

//? Test
static void Test(int slot)
{
    int done = 0, vain = 0;

    for (enter(); !done; leave_test(K_Test, done, &vain))
        MPI_Test(&requests[slot], &done, MPI_STATUS_IGNORE);
    requests[slot] = MPI_REQUEST_NULL;
}

//? Testany
static void Testany(int slot)
{
    int which, done = 0, vain = 0;

    for (enter(); !done; leave_test(K_Testany, done, &vain))
        MPI_Testany(1, &requests[slot], &which, &done, MPI_STATUS_IGNORE);
    requests[slot] = MPI_REQUEST_NULL;
}

//? awaited_lists
/* The requests of the n slots at that place of `numbers`. */
static MPI_Request awaited[MOST_AWAITED];
static MPI_Status statuses[MOST_AWAITED];

static void take_requests(int list, int n)
{
    for (int i = 0; i < n; i++) {
        awaited[i] = requests[numbers[list + i]];
        requests[numbers[list + i]] = MPI_REQUEST_NULL;
    }
}

//? Waitall
static void Waitall(int list, int n)
{
    take_requests(list, n);
    enter();
    MPI_Waitall(n, awaited, statuses);
    leave(K_Waitall, 0);
}

//? Testall
static void Testall(int list, int n)
{
    int done = 0, vain = 0;

    take_requests(list, n);
    for (enter(); !done; leave_test(K_Testall, done, &vain))
        MPI_Testall(n, awaited, &done, statuses);
}

//? Waitsome Testsome
/* Forgets those that are done: persistent ones are not null then.  Returns how many are left. */
static int leave_out(int n, int n_done, const int *done)
{
    int left = 0;

    for (int i = 0; i < n_done; i++)
        awaited[done[i]] = MPI_REQUEST_NULL;
    for (int i = 0; i < n; i++)
        if (awaited[i] != MPI_REQUEST_NULL)
            awaited[left++] = awaited[i];
    return left;
}

//? Waitsome
static void Waitsome(int list, int n)
{
    static int done[MOST_AWAITED];
    int n_done;

    for (take_requests(list, n); n > 0; n = leave_out(n, n_done, done)) {
        enter();
        MPI_Waitsome(n, awaited, &n_done, done, statuses);
        leave(K_Waitsome, 0);
    }
}

//? Testsome
static void Testsome(int list, int n)
{
    static int done[MOST_AWAITED];
    int n_done, vain;

    for (take_requests(list, n); n > 0; n = leave_out(n, n_done, done)) {
        n_done = vain = 0;
        for (enter(); n_done == 0; leave_test(K_Testsome, n_done != 0, &vain))
            MPI_Testsome(n, awaited, &n_done, done, statuses);
    }
}

//? Comm_dup
static void Comm_dup(int c)
{
    MPI_Comm other;

    enter();
    MPI_Comm_dup(communicators[c], &other);
    MPI_Comm_free(&other);
    leave(K_Comm_dup, 0);
}

//? file_calls
#ifndef SMPI_H
/* The next part of this rank's region of the file. */
static MPI_Offset next_place(int file, int64_t bytes)
{
    MPI_Offset place;

    if (file_cursor[file] + bytes > file_regions[file * RANKS + rank])
        file_cursor[file] = 0;
    place = file_start[file] + file_cursor[file];
    file_cursor[file] += bytes;
    return place;
}
#endif

//? File_read_at
static void File_read_at(int file, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
#ifndef SMPI_H
    MPI_File_read_at(files[file], next_place(file, bytes), got, e.count, e.type, MPI_STATUS_IGNORE);
#else
    (void)e, (void)file_communicator[file]; /* files are not simulated */
#endif
    leave(K_File_read_at, bytes);
}

//? File_write_at
static void File_write_at(int file, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
#ifndef SMPI_H
    if (MPI_File_write_at(files[file], next_place(file, bytes), given, e.count, e.type,
                          MPI_STATUS_IGNORE))
        fail("cannot write to file %d", file);
#else
    (void)e, (void)file_communicator[file];
#endif
    leave(K_File_write_at, bytes);
}

//? File_read_at_all
static void File_read_at_all(int file, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
#ifndef SMPI_H
    MPI_File_read_at_all(files[file], next_place(file, bytes), got, e.count, e.type,
                         MPI_STATUS_IGNORE);
#else
    (void)e;
    MPI_Barrier(communicators[file_communicator[file]]);
#endif
    leave(K_File_read_at_all, bytes);
}

//? File_write_at_all
static void File_write_at_all(int file, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
#ifndef SMPI_H
    if (MPI_File_write_at_all(files[file], next_place(file, bytes), given, e.count, e.type,
                              MPI_STATUS_IGNORE))
        fail("cannot write to file %d", file);
#else
    (void)e;
    MPI_Barrier(communicators[file_communicator[file]]);
#endif
    leave(K_File_write_at_all, bytes);
}

//.
