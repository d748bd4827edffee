/* SPDX-License-Identifier: Apache-2.0 */
/* product_shared.c - see product_shared.h */
#include "kernels_gl/matmul/product_shared.h"

/* What every OpenGL ES 3.1 device has: 128 invocations; and half of the shared memory, so that two workgroups have room in it. */
#define TX           16 /* invocations along rows, four each, */
#define TY           8  /* and along slices of columns, two each */
#define CHUNK        4  /* vectors along the sum: TX * CHUNK matrices of each operand, one for each invocation */
#define BLOCK_ROWS   (4 * TX)
#define BLOCK_SLICES (2 * TY)
#define BYTES        (2 * 4 * 16 * TX * CHUNK)
_Static_assert(2 * CHUNK == TY, "half of the invocations stage each operand");

/* Vectors along the sum: below, stores and the first chunk, whose reads nothing hides, are most of the work. */
#define LEAST_DEPTH (4 * CHUNK)

static int64_t blocks(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}

bool product_fits_shared(const struct product *m, const struct gl_limits *lim)
{
    return m->rows >= TX && m->slices >= TY && blocks(m->rows, BLOCK_ROWS) <= lim->group_count[0] &&
           blocks(m->slices, BLOCK_SLICES) <= lim->group_count[1] && (int64_t)m->images * m->batches <= lim->group_count[2] &&
           lim->group_size[0] >= TX && lim->group_size[1] >= TY && lim->group_invocations >= TX * TY && lim->shared_bytes >= BYTES;
}

/* Reads of a block are (64 rows + 64 columns) * depth, those of tiles of four rows by two slices (4 + 8) * depth for each of 128:
 * twelve times as much. Whatever caches make of that, it is no loss where more than three quarters of the blocks are filled, as by
 * images of 14x14 and 7x7: of a multiply-add Mesa's compiler for an Adreno 630 makes 1.3 instructions, of one of a tile 2.4 to 2.8.
 */
bool product_pays_shared(const struct product *m, const struct gl_limits *lim)
{
    const int64_t rows = blocks(m->rows, BLOCK_ROWS) * BLOCK_ROWS, slices = blocks(m->slices, BLOCK_SLICES) * BLOCK_SLICES;

    return !lim->policy.software && !lim->policy.cached_shared && m->depth >= LEAST_DEPTH &&
           3 * rows * slices < 4 * m->rows * m->slices;
}

void product_emit_shared(struct gl_shader *p, const struct product *m)
{
    GL_DEFINES(p, "TX TY CHUNK", TX, TY, CHUNK);
    gl_shared(p, BYTES);
    gl_group(p, TX, TY);
    gl_grid_of(p, m->batches, (int32_t)blocks(m->slices, BLOCK_SLICES) * TY, (int32_t)blocks(m->rows, BLOCK_ROWS) * TX, m->images);
}

/* Eight sums, four rows, and what of a block of weights is at work at a time. */
uint32_t product_registers(const struct ir_op *op)
{
    (void)op;
    return 4 * (8 + 4 + 2);
}

uint64_t product_shared_passes(const struct product *m)
{
    return GL_PASSES((uint64_t)blocks(m->depth, CHUNK), CHUNK);
}
