// SPDX-License-Identifier: GPL-3.0-or-later
/* mesh.h - meshes and their blocks, one for each process, with the work and messages of a block.
 *
 * Plain data; nothing here is owned by anybody. */
#ifndef RC_MODEL_SCALING_MESH_H
#define RC_MODEL_SCALING_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum { RC_MESH_ROWS, RC_MESH_COLS, RC_MESH_LAYERS, RC_MESH_DIRECTIONS };

/* A mesh, or the block of one process.  A flat one has one layer. */
struct rc_mesh {
    int64_t extent[RC_MESH_DIRECTIONS]; /* rows, columns, layers; each from 1 to RC_MESH_MAX */
};
#define RC_MESH_MAX ((int64_t)1 << 40)
#define RC_MESH_PROCS_MAX ((int64_t)1 << 24)

/* rows x cols [x layers; 0 is 1]; -1 with an error where an extent is out of range. */
int rc_scaling_mesh_init(struct rc_mesh *mesh, int64_t rows, int64_t cols, int64_t layers,
                         struct rc_error *error);
/* Reads "N" (a square or, where it is cut in three directions, a cube), "ROWSxCOLS" or
 * "ROWSxCOLSxLAYERS", of `length` bytes. */
int rc_scaling_mesh_parse(const char *text, size_t length, int directions, struct rc_mesh *mesh,
                          struct rc_error *error);
bool rc_scaling_mesh_equal(const struct rc_mesh *a, const struct rc_mesh *b);
/* The mesh with so many rows. */
struct rc_mesh rc_scaling_mesh_with_rows(const struct rc_mesh *mesh, int64_t rows);
double rc_scaling_mesh_cells(const struct rc_mesh *mesh);

enum { RC_MESH_TEXT = 80 };
/* "4096 x 65536", or with layers "64 x 64 x 64". */
const char *rc_scaling_mesh_text(const struct rc_mesh *mesh, char text[RC_MESH_TEXT]);

/* How many parts each direction has where `procs` processes share a mesh that is cut in the first
 * `directions` (1: rows alone, 2: rows and columns, 3: layers too).  As MPI_Dims_create() does it:
 * the numbers are as near one another as they can be, the largest first.  -1 where `procs` or
 * `directions` is out of range. */
int rc_scaling_mesh_cut(int64_t procs, int directions, int64_t parts[RC_MESH_DIRECTIONS],
                        struct rc_error *error);

/* The largest block of the cut: its process is the slowest.  An error where some process
 * would have no cell. */
int rc_scaling_mesh_block(const struct rc_mesh *mesh, int64_t procs, int directions,
                          struct rc_mesh *block, struct rc_error *error);
/* The mesh of which `procs` processes have just this block each. */
int rc_scaling_mesh_of_blocks(const struct rc_mesh *block, int64_t procs, int directions,
                              struct rc_mesh *mesh, struct rc_error *error);

/* Cells on the faces of an inner block to its neighbours: the length of its messages.
 * With a cut by rows that is 2 x columns [x layers], whatever the rows. */
double rc_scaling_mesh_surface(const struct rc_mesh *block, int directions);

#endif
