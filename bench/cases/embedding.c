/* SPDX-License-Identifier: Apache-2.0 */
/* embedding.c - cases of EMBEDDING_LOOKUP, EMBEDDING_LOOKUP_SPARSE, HASHTABLE_LOOKUP, DENSIFY. */
#include "../models/builder.h"
#include "../opcheck.h"

#define GIVEN(...)                                                                                                    \
    {TYPE_INT32, .rank = 1, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 4}, .fill = FILL_GIVEN,                        \
     .data = (const int32_t[]){__VA_ARGS__}}
#define SCALES(...) .scales = (const float[]){__VA_ARGS__}, .channel_dim = 0

/* A table of [3, 64] in blocks of 32, each with a scale. */
static void build_blockwise(struct builder *b)
{
    static const uint16_t scales[] = {0x3800, 0x3c00, 0x2e66, 0xb266, 0x4248, 0x0400};
    uint8_t packed[96];
    int32_t ids = build_tensor(b, "ids", TYPE_INT32, SHAPE(2)), table, s;
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2, 64));

    for (size_t i = 0; i < sizeof packed; i++)
        packed[i] = (uint8_t)(i * 37 + 11);
    table = build_const(b, "table", TYPE_INT4, SHAPE(3, 64), packed);
    s = build_const(b, "scales", TYPE_FLOAT16, SHAPE(3, 2), scales);
    if (table >= 0)
        build_at(b, table)->quant = (struct quant){.block_size = 32, .block_scales = s, .block_zero_points = -1};
    build_op(b, BUILTIN_EMBEDDING_LOOKUP, 4, NULL, INDICES(ids, table), INDICES(y));
    build_inputs(b, INDICES(ids));
    build_outputs(b, INDICES(y));
}

const struct op_case embedding_lookup_cases[] = {
    /* TFLite copies nothing from an empty table, whatever the ids are. */
    { "float32", .apart = "1.0 empty", .in = { GIVEN(3, 0, 3), F32(5, 7) }, .out = { {TYPE_FLOAT32} } },
    { "rank 3", .in = { GIVEN(1, 2), F32(3, 2, 5) }, .out = { {TYPE_FLOAT32} } },
    { "no ids", .in = { {TYPE_INT32, CASE_DIMS(0), .fill = FILL_GIVEN, .data = (int32_t[]){0}}, F32(3, 2) }, .out = { {TYPE_FLOAT32} } },
    { "int8", .in = { GIVEN(3, 0, 3), CONST_QUANT(INT8, 0.3f, 5, 5, 7) }, .out = { {TYPE_INT8, .scale = 0.3f, .zero_point = 5} } },
    { "int8 to float32", .version = 3, .in = { GIVEN(3, 0, 3), CONST_QUANT(INT8, 0.3f, 0, 5, 7) }, .out = { {TYPE_FLOAT32} } },
    { "uint8 to float32", .version = 2, .in = { GIVEN(3, 0, 3), CONST_QUANT(UINT8, 0.3f, 0, 5, 7) }, .out = { {TYPE_FLOAT32} } },
    { "int8 to float32, a scale for each row", .version = 3,
      .in = { GIVEN(2, 0, 1), {TYPE_INT8, CASE_DIMS(3, 5), .constant = true, SCALES(0.1f, 0.2f, 0.37f)} }, .out = { {TYPE_FLOAT32} } },
    { "int4 to float32", .version = 4, .in = { GIVEN(3, 0, 3), CONST_QUANT(INT4, 0.3f, 0, 5, 6) }, .out = { {TYPE_FLOAT32} } },
    { "int4 to float32, a scale for each row", .version = 4,
      .in = { GIVEN(2, 0, 1), {TYPE_INT4, CASE_DIMS(3, 4), .constant = true, SCALES(0.1f, 0.2f, 0.37f)} }, .out = { {TYPE_FLOAT32} } },
    { "int2 to float32", .version = 5, .in = { GIVEN(3, 0, 3), CONST_QUANT(INT2, 0.3f, 0, 5, 8) }, .out = { {TYPE_FLOAT32} } },
    { "int8 to float16", .version = 3, .in = { GIVEN(3, 0, 3), CONST_QUANT(INT8, 0.3f, 0, 5, 7) }, .out = { {TYPE_FLOAT16} } },
    { "int4 blocks to float32", .build = build_blockwise, .in = { GIVEN(2, 0) } },
    { "beyond", .in = { GIVEN(3, 5), F32(5, 7) }, .out = { {TYPE_FLOAT32} }, .fails = "id 1 is 5, the table has 5 rows" },
    { "negative", .in = { GIVEN(-1), F32(5, 7) }, .out = { {TYPE_FLOAT32} }, .fails = "id 0 is -1" },
    { "zero point", .in = { GIVEN(1), CONST_QUANT(INT8, 0.3f, 1, 5, 7) }, .out = { {TYPE_FLOAT32} }, .fails = "zero point 1" },
    { "table of rank 1", .in = { GIVEN(1), F32(5) }, .out = { {TYPE_FLOAT32} }, .fails = "table of rank 1" },
    { 0 }
};

#define INDEX2(...)                                                                                                   \
    {TYPE_INT32, .rank = 2, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 8, 2}, .fill = FILL_GIVEN,                     \
     .data = (const int32_t[]){__VA_ARGS__}}
#define INDEX3(...)                                                                                                   \
    {TYPE_INT32, .rank = 2, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 12, 3}, .fill = FILL_GIVEN,                    \
     .data = (const int32_t[]){__VA_ARGS__}}
#define COMBINE(how) .opt = &(struct opt_embedding_lookup_sparse){ how }, .out = { {TYPE_FLOAT32} }
#define LOOKUPS GIVEN(1, 3, 0), INDEX2(0, 0, 2, 0, 2, 1), GIVEN(3, 2), F32_IN(0.5, 2, 3), F32(4, 3, 2)

const struct op_case embedding_lookup_sparse_cases[] = {
    { "sum", COMBINE(COMBINER_SUM), .in = { LOOKUPS } },
    { "mean", COMBINE(COMBINER_MEAN), .in = { LOOKUPS } },
    { "sqrtn", COMBINE(COMBINER_SQRTN), .in = { LOOKUPS } },
    { "indices of three", COMBINE(COMBINER_MEAN),
      .in = { GIVEN(1, 3, 0), INDEX3(0, 0, 0, 2, 0, 0, 2, 0, 1), GIVEN(3, 1, 2), F32_IN(0.5, 2, 3), F32(4, 2) } },
    { "id beyond", COMBINE(COMBINER_SUM), .in = { GIVEN(4), INDEX2(0, 0), GIVEN(3, 2), F32(1), F32(4, 2) }, .fails = "id 0 is 4" },
    { "index beyond", COMBINE(COMBINER_SUM), .in = { GIVEN(1), INDEX2(3, 0), GIVEN(3, 2), F32(1), F32(4, 2) },
      .fails = "index 0 is 3 in dimension 0" },
    { "weights missing", COMBINE(COMBINER_SUM), .in = { GIVEN(1, 1), INDEX2(0, 0, 1, 0), GIVEN(3, 2), F32(1), F32(4, 2) },
      .fails = "1 weights" },
    { 0 }
};

#define HITS(type_) .out = { {TYPE_##type_}, {TYPE_UINT8} }

const struct op_case hashtable_lookup_cases[] = {
    { "rows", .in = { GIVEN(1234, -292, -11, 0), GIVEN(-11, 0, 1234), F32(3, 2) }, HITS(FLOAT32) },
    { "numbers", .in = { GIVEN(1234, -292, -11, 0), GIVEN(-11, 0, 1234), F32(3) }, HITS(FLOAT32) },
    { "int32", .in = { GIVEN(7, 8), GIVEN(1, 7), TENSOR(INT32, 2, 3) }, HITS(INT32) },
    { "strings", .in = { GIVEN(1234, -292, -11, 0), GIVEN(-11, 0, 1234),
                         {TYPE_STRING, CASE_DIMS(3), .fill = FILL_GIVEN, .data = (const char *const[]){"one", "two", "three"}} },
      HITS(STRING) },
    { "int4", .in = { GIVEN(7, 8, 1), GIVEN(1, 7), TENSOR(INT4, 2, 6) }, HITS(INT4) },
    { "int4, rows of 20 bits", .in = { GIVEN(7, 8, 1), GIVEN(1, 7), TENSOR(INT4, 2, 5) }, HITS(INT4), .no_golden = true,
      .fails = "do not fill whole bytes" },
    { "keys missing", .in = { GIVEN(7, 8), GIVEN(1, 7), F32(3, 3) }, HITS(FLOAT32), .fails = "counts differ" },
    { 0 }
};

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
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* Rows of DENSIFY(w) */
static void build_int8(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_INT32, SHAPE(3)), w = sparse_blocks(b, TYPE_INT8, blocks_i8);
    int32_t d = build_tensor(b, "d", TYPE_INT8, SHAPE(4, 6)), y = build_tensor(b, "y", TYPE_INT8, SHAPE(3, 6));

    build_op(b, BUILTIN_DENSIFY, 1, NULL, INDICES(w), INDICES(d));
    build_op(b, BUILTIN_GATHER, 1, NULL, INDICES(d, x), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* x + w, sparse as it is */
static void build_undensified(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4, 6)), w = sparse_blocks(b, TYPE_FLOAT32, blocks_f32);
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4, 6));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, w), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

const struct op_case densify_cases[] = {
    { "float32 blocks", .build = build_float, .in = { F32(4, 6) } },
    { "int8 blocks", .build = build_int8, .in = { GIVEN(3, 0, 2) } },
    { "not densified", .build = build_undensified, .in = { F32(4, 6) }, .fails = "input 1 is a sparse constant" },
    { 0 }
};
