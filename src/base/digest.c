// SPDX-License-Identifier: BSD-2-Clause
/* digest.c - SHA-256, after FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2. */
#include "base/digest.h"

#include <string.h>

/* The first 32 bits of the fractions of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static void take_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], s[8], t1, t2;

    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
        /* Rather than moving the eight words on by one place each round, the places move: in round i,
     * word k of the standard is at (k - i) mod 8. */
#define AT(k) s[((k)-i) & 7]
    for (int i = 0; i < 64; i++) {
        t1 = AT(7) + (rotate(AT(4), 6) ^ rotate(AT(4), 11) ^ rotate(AT(4), 25)) +
             ((AT(4) & AT(5)) ^ (~AT(4) & AT(6))) + K[i] + w[i];
        t2 = (rotate(AT(0), 2) ^ rotate(AT(0), 13) ^ rotate(AT(0), 22)) +
             ((AT(0) & AT(1)) ^ (AT(0) & AT(2)) ^ (AT(1) & AT(2)));
        AT(3) += t1;
        AT(7) = t1 + t2;
    }
#undef AT
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

void rc_digest_begin(struct rc_digest *digest)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(digest->state, start, sizeof start);
    digest->length = 0;
}

void rc_digest_add(struct rc_digest *digest, const void *data, size_t length)
{
    const unsigned char *at = data;
    size_t used = digest->length % 64, part;

    digest->length += length;
    while (length > 0) {
        if (used == 0 && length >= 64) {
            take_block(digest->state, at);
            part = 64;
        } else {
            part = length < 64 - used ? length : 64 - used;
            memcpy(digest->block + used, at, part);
            used += part;
            if (used == 64) {
                take_block(digest->state, digest->block);
                used = 0;
            }
        }
        at += part;
        length -= part;
    }
}

void rc_digest_end(struct rc_digest *digest, char text[RC_DIGEST_TEXT_SIZE])
{
    static const char hex[] = "0123456789abcdef";
    static const unsigned char padding[64] = {0x80};
    uint64_t bits = digest->length * 8;
    unsigned char tail[8];

    rc_digest_add(digest, padding, 1 + (119 - digest->length % 64) % 64);
    for (int i = 0; i < 8; i++)
        tail[i] = (unsigned char)(bits >> (56 - 8 * i));
    rc_digest_add(digest, tail, sizeof tail);
    for (int i = 0; i < 64; i++)
        text[i] = hex[digest->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[64] = '\0';
}
