// SPDX-License-Identifier: GPL-3.0-or-later
/* sockets_internal.h - what the two halves of sockets.h share. */
#ifndef RC_HOST_SENSE_SOCKETS_INTERNAL_H
#define RC_HOST_SENSE_SOCKETS_INTERNAL_H

#include "host/sense/sockets.h"

/* The connection with that inode, or NULL. */
struct rc_socket *rc_sense_sockets_find(const struct rc_sockets *sockets, uint32_t inode);

#endif
