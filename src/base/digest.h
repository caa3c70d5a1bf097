// SPDX-License-Identifier: BSD-2-Clause
/* digest.h - SHA-256 (FIPS 180-4), to know a file again by its content. */
#ifndef RC_BASE_DIGEST_H
#define RC_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { RC_DIGEST_TEXT_SIZE = 65 }; /* 64 hexadecimal digits and a NUL */

struct rc_digest {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
};

/* Plain data: begin, add any number of times, end once. A copy continues independently. */
void rc_digest_begin(struct rc_digest *digest);
void rc_digest_add(struct rc_digest *digest, const void *data, size_t length);
void rc_digest_end(struct rc_digest *digest, char text[RC_DIGEST_TEXT_SIZE]);

#endif
