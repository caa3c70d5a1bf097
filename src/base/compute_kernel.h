// SPDX-License-Identifier: BSD-2-Clause
/* ---- the kernel: what stands for computing ----
 *
 * A unit is one link of a chain of integer operations, each of which needs the result of the one
 * before: no compiler can shorten it and no processor do two at once, so that its time follows the
 * speed of the processor and nothing else.  It touches no memory. */
static uint64_t kernel_chain = 88172645463325252u;

static void kernel_spin(uint64_t units)
{
    uint64_t x = kernel_chain;

    for (; units > 0; units--)
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    kernel_chain = x; /* is never 0: both operations can be undone */
}
//? memory

/* Reads so many lines of memory, of 64 bytes each, within its first `bytes` (at least one line),
 * from the last position on: of eight, six are sequential and two far apart. */
static void kernel_sweep(uint64_t *memory, uint64_t bytes, uint64_t lines)
{
    static uint64_t last_stream, last_stride;
    const uint64_t line = 64 / sizeof *memory, far = 65 * line, end = bytes / 64 * line;
    uint64_t stream = last_stream % end, stride = last_stride % end;

    for (; lines >= 8; lines -= 8) {
        for (int i = 0; i < 6; i++) {
            memory[stream] += lines;
            stream += line;
            if (stream >= end)
                stream = 0;
        }
        for (int i = 0; i < 2; i++) {
            memory[stride] += lines;
            stride += far;
            if (stride >= end)
                stride %= end;
        }
    }
    last_stream = stream;
    last_stride = stride;
}
//.
