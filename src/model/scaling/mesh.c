// SPDX-License-Identifier: GPL-3.0-or-later
/* mesh.c - meshes and their cuts. */
#include "model/scaling/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"

static const char *const direction_names[RC_MESH_DIRECTIONS] = {"rows", "columns", "layers"};

int rc_scaling_mesh_init(struct rc_mesh *mesh, int64_t rows, int64_t cols, int64_t layers,
                         struct rc_error *error)
{
    const int64_t extent[RC_MESH_DIRECTIONS] = {rows, cols, layers == 0 ? 1 : layers};

    for (int i = 0; i < RC_MESH_DIRECTIONS; i++) {
        if (extent[i] < 1 || extent[i] > RC_MESH_MAX)
            return rc_error_set(error, "a mesh has 1 to %lld %s, not %lld", (long long)RC_MESH_MAX,
                                direction_names[i], (long long)extent[i]);
        mesh->extent[i] = extent[i];
    }
    return 0;
}

int rc_scaling_mesh_parse(const char *text, size_t length, int directions, struct rc_mesh *mesh,
                          struct rc_error *error)
{
    int64_t extent[RC_MESH_DIRECTIONS] = {0};
    const char *at = text, *end = text + length;
    double number;
    size_t n = 0, part;

    for (; n < RC_MESH_DIRECTIONS && at <= end; at += part + 1) {
        const char *cross = memchr(at, 'x', (size_t)(end - at));

        part = (size_t)((cross ? cross : end) - at);
        if (rc_unit_parse(at, part, RC_COUNT, &number, NULL) || number != floor(number) ||
            !(number >= 1 && number <= (double)RC_MESH_MAX))
            break;
        extent[n++] = (int64_t)number;
    }
    if (at != end + 1) {
        rc_error_set(error, "invalid mesh '%.*s'", (int)(length < 60 ? length : 60), text);
        return rc_error_hint(error, "write N (a square), ROWSxCOLS or ROWSxCOLSxLAYERS, such as "
                                    "65536 or 16384x65536");
    }
    if (n == 1)
        extent[1] = extent[0], extent[2] = directions == 3 ? extent[0] : 1;
    return rc_scaling_mesh_init(mesh, extent[0], extent[1], extent[2], error);
}

bool rc_scaling_mesh_equal(const struct rc_mesh *a, const struct rc_mesh *b)
{
    for (int i = 0; i < RC_MESH_DIRECTIONS; i++)
        if (a->extent[i] != b->extent[i])
            return false;
    return true;
}

struct rc_mesh rc_scaling_mesh_with_rows(const struct rc_mesh *mesh, int64_t rows)
{
    struct rc_mesh other = *mesh;

    other.extent[RC_MESH_ROWS] = rows;
    return other;
}

double rc_scaling_mesh_cells(const struct rc_mesh *mesh)
{
    return (double)mesh->extent[RC_MESH_ROWS] * (double)mesh->extent[RC_MESH_COLS] *
           (double)mesh->extent[RC_MESH_LAYERS];
}

const char *rc_scaling_mesh_text(const struct rc_mesh *mesh, char text[RC_MESH_TEXT])
{
    const int64_t *extent = mesh->extent;

    int length = snprintf(text, RC_MESH_TEXT, "%lld x %lld", (long long)extent[RC_MESH_ROWS],
                          (long long)extent[RC_MESH_COLS]);

    if (extent[RC_MESH_LAYERS] > 1)
        snprintf(text + length, RC_MESH_TEXT - (size_t)length, " x %lld",
                 (long long)extent[RC_MESH_LAYERS]);
    return text;
}

/* The largest divisor of `n` whose square is no larger. */
static int64_t near_root(int64_t n)
{
    int64_t best = 1;

    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            best = d;
    return best;
}

/* Of all three numbers whose product is `n`: the ones with the smallest largest; among these, with
 * the largest smallest. */
static void cut_in_three(int64_t n, int64_t parts[RC_MESH_DIRECTIONS])
{
    parts[0] = n;
    parts[1] = parts[2] = 1;
    for (int64_t least = 1; least * least * least <= n; least++) {
        int64_t rest = n / least, middle;

        if (n % least != 0)
            continue;
        middle = near_root(rest);
        if (middle < least || rest / middle > parts[0])
            continue;
        parts[0] = rest / middle;
        parts[1] = middle;
        parts[2] = least;
    }
}

int rc_scaling_mesh_cut(int64_t procs, int directions, int64_t parts[RC_MESH_DIRECTIONS],
                        struct rc_error *error)
{
    if (procs < 1 || procs > RC_MESH_PROCS_MAX)
        return rc_error_set(error, "a mesh is cut for 1 to %lld processes, not %lld",
                            (long long)RC_MESH_PROCS_MAX, (long long)procs);
    if (directions < 1 || directions > RC_MESH_DIRECTIONS)
        return rc_error_set(error, "a mesh is cut in 1, 2 or 3 dimensions, not %d", directions);
    parts[0] = procs;
    parts[1] = parts[2] = 1;
    if (directions == 2) {
        parts[1] = near_root(procs);
        parts[0] = procs / parts[1];
    } else if (directions == 3) {
        cut_in_three(procs, parts);
    }
    return 0;
}

int rc_scaling_mesh_block(const struct rc_mesh *mesh, int64_t procs, int directions,
                          struct rc_mesh *block, struct rc_error *error)
{
    int64_t parts[RC_MESH_DIRECTIONS];

    if (rc_scaling_mesh_cut(procs, directions, parts, error))
        return -1;
    for (int i = 0; i < RC_MESH_DIRECTIONS; i++) {
        if (parts[i] > mesh->extent[i])
            return rc_error_set(error, "%lld %s cannot be cut into %lld parts for %lld processes",
                                (long long)mesh->extent[i], direction_names[i], (long long)parts[i],
                                (long long)procs);
        block->extent[i] = (mesh->extent[i] + parts[i] - 1) / parts[i];
    }
    return 0;
}

int rc_scaling_mesh_of_blocks(const struct rc_mesh *block, int64_t procs, int directions,
                              struct rc_mesh *mesh, struct rc_error *error)
{
    int64_t parts[RC_MESH_DIRECTIONS];

    if (rc_scaling_mesh_cut(procs, directions, parts, error))
        return -1;
    /* both factors are at most 2^40 and 2^24 */
    for (int i = 0; i < RC_MESH_DIRECTIONS; i++) {
        if (block->extent[i] > RC_MESH_MAX / parts[i])
            return rc_error_set(error, "a mesh of %lld x %lld %s is too large", (long long)parts[i],
                                (long long)block->extent[i], direction_names[i]);
        mesh->extent[i] = block->extent[i] * parts[i];
    }
    return 0;
}

double rc_scaling_mesh_surface(const struct rc_mesh *block, int directions)
{
    double cells = rc_scaling_mesh_cells(block), surface = 0;

    for (int i = 0; i < directions && i < RC_MESH_DIRECTIONS; i++)
        surface += 2 * cells / (double)block->extent[i];
    return surface;
}
