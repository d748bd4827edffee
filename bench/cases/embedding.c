/* SPDX-License-Identifier: Apache-2.0 */
/* embedding.c - cases of EMBEDDING_LOOKUP. */
#include "bench/models/builder.h"
#include "bench/cases/inputs.h"

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
    build_ends(b, INDICES(ids), INDICES(y));
}

const struct op_case embedding_lookup_cases[] = {
    /* TFLite copies nothing from an empty table, whatever the ids are. */
    { "float32", .skip_golden = "1.0 empty", .in = { RUN_I32S(3, 0, 3), F32(5, 7) }, .out = { {TYPE_FLOAT32} } },
    { "rank 3", .in = { RUN_I32S(1, 2), F32(3, 2, 5) }, .out = { {TYPE_FLOAT32} } },
    { "no ids", .in = { {TYPE_INT32, CASE_DIMS(0), .fill = FILL_GIVEN, .data = (int32_t[]){0}}, F32(3, 2) }, .out = { {TYPE_FLOAT32} } },
    { "int8", .in = { RUN_I32S(3, 0, 3), CONST_QUANT(INT8, 0.3f, 5, 5, 7) }, .out = { {TYPE_INT8, .scale = 0.3f, .zero_point = 5} } },
    { "int8 to float32", .version = 3, .in = { RUN_I32S(3, 0, 3), CONST_QUANT(INT8, 0.3f, 0, 5, 7) }, .out = { {TYPE_FLOAT32} } },
    { "uint8 to float32", .version = 2, .in = { RUN_I32S(3, 0, 3), CONST_QUANT(UINT8, 0.3f, 0, 5, 7) }, .out = { {TYPE_FLOAT32} } },
    { "int8 to float32, a scale for each row", .version = 3,
      .in = { RUN_I32S(2, 0, 1), {TYPE_INT8, CASE_DIMS(3, 5), .constant = true, SCALES(0.1f, 0.2f, 0.37f)} }, .out = { {TYPE_FLOAT32} } },
    { "int4 to float32", .version = 4, .in = { RUN_I32S(3, 0, 3), CONST_QUANT(INT4, 0.3f, 0, 5, 6) }, .out = { {TYPE_FLOAT32} } },
    { "int4 to float32, a scale for each row", .version = 4,
      .in = { RUN_I32S(2, 0, 1), {TYPE_INT4, CASE_DIMS(3, 4), .constant = true, SCALES(0.1f, 0.2f, 0.37f)} }, .out = { {TYPE_FLOAT32} } },
    { "int2 to float32", .version = 5, .in = { RUN_I32S(3, 0, 3), CONST_QUANT(INT2, 0.3f, 0, 5, 8) }, .out = { {TYPE_FLOAT32} } },
    { "int8 to float16", .version = 3, .in = { RUN_I32S(3, 0, 3), CONST_QUANT(INT8, 0.3f, 0, 5, 7) }, .out = { {TYPE_FLOAT16} } },
    { "constant table of rank 5", .in = { RUN_I32S(1, 2, 0, 2), CONST_F32(3, 2, 1, 3, 5) }, .out = { {TYPE_FLOAT32} } },
    { "constant ids", .in = { I32S(1, 2, 0, 2), F32(3, 8) }, .out = { {TYPE_FLOAT32} } },
    { "int4 blocks to float32", .build = build_blockwise, .in = { RUN_I32S(2, 0) } },
    { "beyond", .in = { RUN_I32S(3, 5), F32(5, 7) }, .out = { {TYPE_FLOAT32} }, .fails = "id 1 is 5, the table has 5 rows" },
    { "negative", .in = { RUN_I32S(-1), F32(5, 7) }, .out = { {TYPE_FLOAT32} }, .fails = "id 0 is -1" },
    { "zero point", .in = { RUN_I32S(1), CONST_QUANT(INT8, 0.3f, 1, 5, 7) }, .out = { {TYPE_FLOAT32} }, .fails = "zero point 1" },
    { "table of rank 1", .in = { RUN_I32S(1), F32(5) }, .out = { {TYPE_FLOAT32} }, .fails = "table of rank 1" },
    { 0 }
};
