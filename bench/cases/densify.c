/* SPDX-License-Identifier: Apache-2.0 */
/* densify.c - cases of DENSIFY. */
#include "bench/models/builder.h"
#include "bench/cases/inputs.h"

/* [4, 6] with 2 x 2 blocks: 2 rows of 3 blocks, of which (0, 0), (0, 2) and (1, 1) are there. */
static int32_t sparse_blocks(struct builder *b, enum tensor_type type, const void *values)
{
    static const int32_t order[] = {0, 1, 2, 3}, blocks[] = {0, 1}, segments[] = {0, 2, 3}, indices[] = {0, 2, 1};
    static const struct sparse_dim dims[] = {
        {.dense_size = 2},
        {.csr = true, .segments = segments, .indices = indices, .n_segments = 3, .n_indices = 3, .segments_bytes = 4,
         .indices_bytes = 4},
        {.dense_size = 2}, {.dense_size = 2},
    };
    static const struct sparsity sparsity = {.traversal_order = order, .block_map = blocks, .n_traversal_order = 4,
                                             .n_block_map = 2, .n_dims = 4, .dims = dims};
    int32_t t = build_const(b, "w", type, SHAPE(4, 6), values);

    if (t >= 0)
        build_at(b, t)->sparsity = &sparsity;
    return t;
}
static const float blocks_f32[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const int8_t blocks_i8[24] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12};

/* x + DENSIFY(w) */
static void build_float(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4, 6)), w = sparse_blocks(b, TYPE_FLOAT32, blocks_f32);
    int32_t d = build_tensor(b, "d", TYPE_FLOAT32, SHAPE(4, 6)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4, 6));

    build_op(b, BUILTIN_DENSIFY, 1, NULL, INDICES(w), INDICES(d));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, d), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Rows of DENSIFY(w) */
static void build_int8(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_INT32, SHAPE(3)), w = sparse_blocks(b, TYPE_INT8, blocks_i8);
    int32_t d = build_tensor(b, "d", TYPE_INT8, SHAPE(4, 6)), y = build_tensor(b, "y", TYPE_INT8, SHAPE(3, 6));

    build_op(b, BUILTIN_DENSIFY, 1, NULL, INDICES(w), INDICES(d));
    build_op(b, BUILTIN_GATHER, 1, NULL, INDICES(d, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* x + w, sparse as it is */
static void build_undensified(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4, 6)), w = sparse_blocks(b, TYPE_FLOAT32, blocks_f32);
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4, 6));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, w), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

const struct op_case densify_cases[] = {
    { "float32 blocks", .build = build_float, .in = { F32(4, 6) } },
    { "int8 blocks", .build = build_int8, .in = { RUN_I32S(3, 0, 2) } },
    { "not densified", .build = build_undensified, .in = { F32(4, 6) }, .fails = "input 1 is a sparse constant" },
    { 0 }
};
