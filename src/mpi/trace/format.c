// SPDX-License-Identifier: BSD-2-Clause
/* format.c - the checksum, the header and the block heads of a trace file. */
#include "mpi/trace/format.h"

#include "base/text.h"

uint64_t rc_trace_checksum(const void *data, size_t length)
{
    struct rc_bytes_in in = {.at = data};
    uint64_t sum = length * 0x9e3779b97f4a7c15u;

    in.end = in.at + length;
    while (in.at < in.end) {
        size_t left = (size_t)(in.end - in.at);

        sum = (sum ^ rc_trace_get_fixed(&in, left < 8 ? (unsigned)left : 8)) * 0xd1342543de82ef95u;
        sum ^= sum >> 32;
    }
    return sum;
}

void rc_trace_block_write(const struct rc_trace_block *block, uint8_t bytes[RC_TRACE_BLOCK_SIZE])
{
    struct rc_bytes_out out = {.data = bytes, .size = RC_TRACE_BLOCK_SIZE};

    rc_trace_put_bytes(&out, RC_TRACE_BLOCK_MAGIC, 4);
    rc_trace_put_fixed(&out, block->type, 4);
    rc_trace_put_fixed(&out, block->length, 4);
    rc_trace_put_fixed(&out, block->number, 4);
    rc_trace_put_fixed(&out, block->before, 8);
    rc_trace_put_fixed(&out, block->calls, 8);
    rc_trace_put_fixed(&out, block->time, 8);
    rc_trace_put_fixed(&out, block->checksum, 8);
    rc_trace_put_fixed(&out, rc_trace_checksum(bytes, out.length), 8);
}

int rc_trace_block_read(const uint8_t bytes[RC_TRACE_BLOCK_SIZE], struct rc_trace_block *block)
{
    struct rc_bytes_in in = {.at = bytes + 4, .end = bytes + RC_TRACE_BLOCK_SIZE};

    if (memcmp(bytes, RC_TRACE_BLOCK_MAGIC, 4) != 0)
        return -1;
    block->type = (uint32_t)rc_trace_get_fixed(&in, 4);
    block->length = (uint32_t)rc_trace_get_fixed(&in, 4);
    block->number = (uint32_t)rc_trace_get_fixed(&in, 4);
    block->before = rc_trace_get_fixed(&in, 8);
    block->calls = rc_trace_get_fixed(&in, 8);
    block->time = rc_trace_get_fixed(&in, 8);
    block->checksum = rc_trace_get_fixed(&in, 8);
    if (rc_trace_get_fixed(&in, 8) != rc_trace_checksum(bytes, RC_TRACE_BLOCK_SIZE - 8))
        return -1;
    return block->length <= RC_TRACE_PAYLOAD_MAX ? 0 : -1;
}

static void put_text(struct rc_bytes_out *out, const char *text)
{
    size_t length = strnlen(text, RC_TRACE_TEXT_SIZE - 1);

    rc_trace_put_small(out, length);
    rc_trace_put_bytes(out, text, length);
}

void rc_trace_header_write(const struct rc_trace_header *header, struct rc_bytes_out *out)
{
    uint8_t body[RC_TRACE_HEADER_MAX];
    struct rc_bytes_out in = {.data = body, .size = sizeof body};

    rc_trace_put_small(&in, header->rank);
    rc_trace_put_small(&in, header->ranks);
    rc_trace_put_small(&in, header->thread);
    rc_trace_put_small(&in, header->process);
    rc_trace_put_small(&in, header->began);
    rc_trace_put_small(&in, header->began_wall);
    rc_trace_put_small(&in, header->cpu_threshold);
    put_text(&in, header->clock);
    put_text(&in, header->host);
    put_text(&in, header->program);
    put_text(&in, header->mpi);
    rc_trace_put_bytes(out, RC_TRACE_MAGIC, RC_TRACE_MAGIC_SIZE);
    rc_trace_put_fixed(out, RC_TRACE_VERSION, 4);
    rc_trace_put_fixed(out, in.length + 8, 4);
    rc_trace_put_bytes(out, body, in.length);
    rc_trace_put_fixed(out, rc_trace_checksum(out->data, out->length), 8);
}

static void get_text(struct rc_bytes_in *in, char text[RC_TRACE_TEXT_SIZE])
{
    size_t length = rc_trace_get_up_to(in, RC_TRACE_TEXT_SIZE - 1);

    if (length > (size_t)(in->end - in->at)) {
        in->bad = true;
        length = 0;
    }
    memcpy(text, in->at, length);
    text[length] = '\0';
    in->at += length;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0')
            text[i] = '?';
    if (!rc_text_is_printable(text, length))
        for (size_t i = 0; i < length; i++)
            if (text[i] < 32 || text[i] > 126)
                text[i] = '?';
}

int rc_trace_header_read(const uint8_t *bytes, size_t length, struct rc_trace_header *header)
{
    struct rc_bytes_in in = {.at = bytes, .end = bytes + length};

    header->rank = (uint32_t)rc_trace_get_up_to(&in, UINT32_MAX);
    header->ranks = (uint32_t)rc_trace_get_up_to(&in, UINT32_MAX);
    header->thread = (uint32_t)rc_trace_get_up_to(&in, UINT32_MAX);
    header->process = (uint32_t)rc_trace_get_up_to(&in, UINT32_MAX);
    header->began = rc_trace_get_small(&in);
    header->began_wall = rc_trace_get_small(&in);
    header->cpu_threshold = rc_trace_get_small(&in);
    get_text(&in, header->clock);
    get_text(&in, header->host);
    get_text(&in, header->program);
    get_text(&in, header->mpi);
    return in.bad || header->rank >= header->ranks ? -1 : 0;
}
