/* SPDX-License-Identifier: Apache-2.0 */
/* dry_test.c - what the dry run turns down, and that it says by which limit. */
#include <string.h>

#include "bench/models/builder.h"
#include "lib/gl/compile/dry.h"
#include "lib/graph/graph_infer.h"
#include "lib/testing/test.h"
#include "lib/testing/test_model.h"

static struct err err;
static struct reason why;
static enum gpu_quant quant;

/* Judges the only node of the model. */
static enum status judge(struct builder *b, const struct gl_limits *lim, bool half)
{
    struct gl_recipe how = {.limits = lim, .precision.half = half, .quant = quant};
    struct loaded l = load(b);
    struct graph *g;
    enum status st;

    err = (struct err){""};
    TEST_OK(graph_new(l.model, 0, &g, &err), err);
    TEST_OK(graph_infer(g, &err), err);
    assert_int_equal(g->n_nodes, 1);
    st = gl_judge(&how, g, &g->nodes[0], &why, &err);
    graph_free(g);
    unload(&l);
    return st;
}

static void build_space_to_batch(struct builder *b, int32_t batch)
{
    static const int32_t block[] = {2}, pads[] = {0, 0};
    int32_t x, y;

    builder_init(b, "space to batch");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(batch, 4, 8));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2 * batch, 2, 8));
    build_op(
        b, BUILTIN_SPACE_TO_BATCH_ND, 1, NULL,
        INDICES(x, build_const(b, "block", TYPE_INT32, SHAPE(1), block), build_const(b, "pads", TYPE_INT32, SHAPE(1, 2), pads)),
        INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* y = two numbers scattered over `size`, which are rows of one channel while they are. */
static void build_scatter(struct builder *b, int32_t size)
{
    int32_t at, x, y;

    builder_init(b, "scatter");
    at = build_tensor(b, "at", TYPE_INT32, SHAPE(2, 1));
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(size));
    build_op(b, BUILTIN_SCATTER_ND, 1, NULL, INDICES(at, x, build_const(b, "size", TYPE_INT32, SHAPE(1), &size)), INDICES(y));
    build_inputs(b, INDICES(at, x));
    build_outputs(b, INDICES(y));
}

/* [100000,4,8] is stored as [200000,2,1,8] while it is rearranged: more workgroups along batch and slice than a device must start,
 * which are spread. But what a buffer holds in vectors of four is too much as rows of one. */
static void made_up_values_count(void **state)
{
    struct builder b;

    (void)state;
    build_space_to_batch(&b, 100000);
    TEST_OK(judge(&b, &gl_limits_least, false), err);
    assert_int_equal(why.code, REASON_NONE);
    build_scatter(&b, 1 << 23);
    TEST_OK(judge(&b, &gl_limits_least, false), err);
    assert_int_equal(why.code, REASON_NONE);
    build_scatter(&b, (1 << 23) + 1);
    TEST_OK(judge(&b, &gl_limits_least, false), err);
    assert_int_equal(why.code, REASON_DEVICE_LIMIT);
    assert_string_equal(why.text, "an intermediate of [1,1,8388609,1] needs more than 134217728 bytes in one buffer");
}

static void build_pool(struct builder *b, int32_t filter)
{
    const struct opt_pool_2d opt = {
        .padding = PAD_SAME, .stride_width = 1, .stride_height = 1, .filter_width = 8, .filter_height = filter};
    int32_t x, y;

    builder_init(b, "pool");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 32768, 8, 1));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 32768, 8, 1));
    build_op(b, BUILTIN_AVERAGE_POOL_2D, 1, &opt, INDICES(x), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* A window of 2^30 rows is cut into so many parts that those of all rows of the output, 2^32, are no longer an extent. */
static void parts_are_counted_without_overflow(void **state)
{
    struct builder b;

    (void)state;
    build_pool(&b, 9);
    TEST_OK(judge(&b, &gl_limits_least, false), err);
    assert_int_equal(why.code, REASON_NONE);
    build_pool(&b, 1 << 30);
    TEST_OK(judge(&b, &gl_limits_least, false), err);
    assert_int_equal(why.code, REASON_DEVICE_LIMIT);
    assert_string_equal(why.text, "average_pool needs 327681 iterations of one invocation, the device has 65535");
}

static void build_conv(struct builder *b)
{
    static const float w[5 * 3 * 3 * 4], bias[5];
    int32_t x, y;

    builder_init(b, "conv");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 9, 7, 4));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 9, 7, 5));
    build_op(
        b, BUILTIN_CONV_2D, 1, &test_conv_same,
        INDICES(x, build_const(b, "w", TYPE_FLOAT32, SHAPE(5, 3, 3, 4), w), build_const(b, "bias", TYPE_FLOAT32, SHAPE(5), bias)),
        INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* With one limit after the other just below what a small convolution takes. */
static void every_limit_is_held(void **state)
{
    static const char *const says[] = {"binds 3 buffers, the device has 2", "needs more than 64 bytes in one buffer",
                                       "along a dimension, the device 0 of", "iterations of one invocation, the device has 1"};
    struct gl_limits lim[] = {gl_limits_least, gl_limits_least, gl_limits_least, gl_limits_least};
    struct builder b;

    (void)state;
    lim[0].storage_blocks = 2;
    lim[1].storage_block_bytes = 64;
    lim[2].group_count[0] = 0;
    lim[3].policy.iterations = 1; /* to stage the weights of a straight line takes 3, those of transformed tiles 2 */
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        for (int half = 0; half < 2; half++) {
            build_conv(&b);
            TEST_OK(judge(&b, &gl_limits_least, half), err);
            assert_int_equal(why.code, REASON_NONE);
            build_conv(&b);
            TEST_OK(judge(&b, &lim[i], half), err);
            assert_int_equal(why.code, REASON_DEVICE_LIMIT);
            if (!strstr(why.text, says[i]))
                fail_msg("\"%s\" does not say \"%s\"", why.text, says[i]);
        }
}

/* What computes a convolution of 3x3 of [1, h, width, c] to as many channels, 12 at most, where straight code is liked, and how
 * many variants were refused before. `forced` are asked for. */
static void conv_of_is(int32_t h, int32_t width, int32_t c, const char *forced, bool half, const char *variant)
{
    static const float w[12 * 3 * 3 * 1028];
    const int32_t n_out = c < 12 ? c : 12;
    struct gl_limits lim = gl_limits_least;
    struct gl_forced asked = {0};
    const struct gl_recipe how = {.limits = &lim, .precision = {.half = half, .arithmetic = half}, .forced = &asked};
    struct gl_tried tried = {0};
    struct gl_draft draft = {0};
    struct partition part = {.n_nodes = 1, .n_inputs = 1, .n_outputs = 1};
    struct builder b;
    struct loaded l;
    struct graph *g;
    const struct node *stuck;
    struct node *n;
    int32_t x, y;
    bool found = false;

    TEST_OK(gl_forced_read(forced, &asked, &err), err);
    lim.policy.straight_code = true;
    lim.policy.registers = 0;
    lim.group_invocations = lim.group_size[0] = 256;
    lim.group_count[0] = 32767;
    builder_init(&b, "conv");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, h, width, c));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, h, width, n_out));
    build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(x, build_const(&b, "w", TYPE_FLOAT32, SHAPE(n_out, 3, 3, c), w),
                     build_const(&b, "c", TYPE_FLOAT32, SHAPE(n_out), w)),
             INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load(&b);
    TEST_OK(graph_new(l.model, 0, &g, &err), err);
    TEST_OK(graph_infer(g, &err), err);
    n = &g->nodes[0];
    part.nodes = &n;
    part.inputs = n->in;
    part.outputs = n->out;
    TEST_OK(gl_generate(&how, g, &part, &tried, &draft, &stuck, &err), err);
    for (uint32_t i = 0; i < draft.n_dispatches; i++)
        if (strstr(draft.dispatches[i].label, "winograd") && !strstr(variant, "winograd"))
            fail_msg("%s in the place of %s", draft.dispatches[i].label, variant);
        else
            found |= strstr(draft.dispatches[i].label, variant) != NULL;
    if (!found || tried.n)
        fail_msg("%d rows of %d: %s is not what computes it, or %u variants were refused", h, width, variant, tried.n);
    arena_free(&draft.arena);
    arena_free(&tried.arena);
    graph_free(g);
    unload(&l);
}

static void conv_is(int32_t h, int32_t width, int32_t c, const char *variant)
{
    conv_of_is(h, width, c, NULL, false, variant);
}

/* 32,752 workgroups of 256 pixels, and 32,768 where the device has 32,767. */
static void straight_lines_are_within_the_grid(void **state)
{
    (void)state;
    conv_is(2047, 4096, 2, "straight");
    conv_is(2048, 4096, 2, "rows");
}

/* 27 steps of 3 slices, of 2,048 pixels and of half as many. */
static void long_sums_have_larger_tiles(void **state)
{
    (void)state;
    conv_is(32, 64, 12, "8x2");
    conv_is(16, 64, 12, "4x2");
}

static void tiles_are_transformed_in_float32_up_to_1024_channels(void **state)
{
    static const char *const forced[] = {"conv:winograd 2x2", "conv:winograd 4x4"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        conv_of_is(7, 9, 1024, forced[i], false, "winograd_output tiles");
        conv_of_is(7, 9, 1028, forced[i], false, "4x2");
        conv_of_is(7, 9, 8, forced[i], true, "4x2");
        conv_of_is(7, 9, 8, NULL, false, "4x2");
    }
}

/* ---- computations that are a subgraph of one operator ---- */

#define REPLACE (-1) /* of an empty subgraph */

static void judge_scatter(enum tensor_type type, int32_t vectors, int op)
{
    static const struct opt_stablehlo_scatter opt = {.update_window_dims = {1},
                                                     .num_update_window_dims = 1,
                                                     .inserted_window_dims = {0},
                                                     .num_inserted_window_dims = 1,
                                                     .scatter_dims_to_operand_dims = {0},
                                                     .num_scatter_dims_to_operand_dims = 1,
                                                     .index_vector_dim = 1,
                                                     .update_computation_subgraph_index = 1};
    struct gl_limits lim = gl_limits_least;
    struct builder b;
    int32_t x, at, u, y, r;

    lim.policy.iterations = 0;
    builder_init(&b, "scatter");
    x = build_tensor(&b, "x", type, SHAPE(4, 3));
    at = build_tensor(&b, "at", TYPE_INT32, SHAPE(vectors, 1));
    u = build_tensor(&b, "u", type, SHAPE(vectors, 3));
    y = build_tensor(&b, "y", type, SHAPE(4, 3));
    build_op(&b, BUILTIN_STABLEHLO_SCATTER, 1, &opt, INDICES(x, at, u), INDICES(y));
    build_inputs(&b, INDICES(x, at, u));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "computation");
    x = build_tensor(&b, "p", type, SCALAR);
    y = build_tensor(&b, "q", type, SCALAR);
    r = op < 0 ? y : build_tensor(&b, "r", type, SCALAR);
    if (op >= 0)
        build_op(&b, (enum builtin)op, 1, NULL, INDICES(x, y), INDICES(r));
    build_inputs(&b, INDICES(x, y));
    build_outputs(&b, INDICES(r));
    TEST_OK(judge(&b, &lim, false), err);
}

static void says(enum reason_code code, const char *text)
{
    assert_int_equal(why.code, code);
    assert_string_equal(why.text, text);
}

static void scatters_compute_what_words_can(void **state)
{
    (void)state;
    judge_scatter(TYPE_BOOL, 5, BUILTIN_STABLEHLO_MAXIMUM);
    assert_int_equal(why.code, REASON_NONE);
    judge_scatter(TYPE_UINT32, 5, BUILTIN_STABLEHLO_ADD);
    assert_int_equal(why.code, REASON_NONE);
    judge_scatter(TYPE_BOOL, 5, BUILTIN_STABLEHLO_AND);
    says(REASON_UNSUPPORTED_OPERATOR_VARIANT, "the computation is none that reduces BOOL");
    judge_scatter(TYPE_UINT32, 5, BUILTIN_STABLEHLO_MINIMUM);
    assert_int_equal(why.code, REASON_NONE);
    judge_scatter(TYPE_INT64, 5, BUILTIN_STABLEHLO_ADD);
    assert_int_equal(why.code, REASON_NONE);
    judge_scatter(TYPE_FLOAT64, 5, BUILTIN_STABLEHLO_ADD);
    says(REASON_UNSUPPORTED_OPERATOR_VARIANT, "the computation is none that reduces FLOAT64");
    judge_scatter(TYPE_COMPLEX64, 5, BUILTIN_STABLEHLO_ADD);
    says(REASON_UNSUPPORTED_OPERATOR_VARIANT, "the computation is none that reduces COMPLEX64");
    judge_scatter(TYPE_BFLOAT16, 5, BUILTIN_STABLEHLO_ADD);
    says(REASON_UNSUPPORTED_OPERATOR_VARIANT, "the computation is none that reduces BFLOAT16");
    judge_scatter(TYPE_INT64, 5, REPLACE);
    assert_int_equal(why.code, REASON_NONE);
    judge_scatter(TYPE_COMPLEX64, 5, REPLACE);
    says(REASON_UNSUPPORTED_OPERATOR_VARIANT, "the computation is none that reduces COMPLEX64");
    judge_scatter(TYPE_BFLOAT16, 5, REPLACE);
    says(REASON_UNSUPPORTED_OPERATOR_VARIANT, "the computation is none that reduces BFLOAT16");
}

static void judge_window(int32_t rows, int32_t columns)
{
    const int64_t window[] = {rows, columns}, one[] = {1, 1};
    const struct opt_reduce_window opt = {REDUCE_WINDOW_ADD};
    struct gl_limits lim = gl_limits_least;
    struct builder b;
    int32_t x, init, y;

    lim.policy.iterations = 0;
    builder_init(&b, "window");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(rows + 9, columns));
    init = build_tensor(&b, "init", TYPE_FLOAT32, SCALAR);
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(10, 1));
    build_op(&b, BUILTIN_REDUCE_WINDOW, 1, &opt,
             INDICES(x, init, build_const(&b, "window", TYPE_INT64, SHAPE(2), window),
                     build_const(&b, "strides", TYPE_INT64, SHAPE(2), one),
                     build_const(&b, "dilations", TYPE_INT64, SHAPE(2), one)),
             INDICES(y));
    build_inputs(&b, INDICES(x, init));
    build_outputs(&b, INDICES(y));
    TEST_OK(judge(&b, &lim, false), err);
}

/* On a device that sets no bound itself. */
static void reductions_end(void **state)
{
    (void)state;
    judge_window(2048, 1024);
    assert_int_equal(why.code, REASON_NONE);
    judge_window(2049, 1024);
    says(REASON_DEVICE_LIMIT, "2098176 elements of a window are more than 2097152, the most that are taken one after the other");
    judge_scatter(TYPE_FLOAT32, 65537, BUILTIN_STABLEHLO_ADD);
    assert_int_equal(why.code, REASON_NONE);
}

/* ---- a kernel that forgets to say how long its loop is ---- */

static void loop_emit(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, "void run(int b, int h, int w, int s) { for (;;) STORE(y, b, h, w, s, vec4(0.0)); }");
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant loop_variants[] = {{"", NULL, loop_emit}};
static const struct ir_kind kind_loop = {.name = "loop", GL_VARIANTS(loop_variants)};

static enum status loop_lower(struct ir *ir, const struct node *n, struct err *e)
{
    return ir_op_new(ir, &kind_loop, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), 0) ? ST_OK : ir_nomem(e);
}

/* That is no question of the device, so it does not pass for one. */
static void broken_kernels_are_errors(void **state)
{
    static const struct gl_kernel gl = {.max_version = 1, .lower = loop_lower};
    static const struct op op = {"LOOP", 0, 1, NULL, &gl};
    struct gl_recipe how = {.limits = &gl_limits_least};
    struct tensor t[2] = {{.name = "x", .type = TYPE_FLOAT32, .rank = 1, .dim = {3}},
                          {.name = "y", .index = 1, .type = TYPE_FLOAT32, .rank = 1, .dim = {3}}};
    struct tensor *in[] = {&t[0]}, *out[] = {&t[1]};
    struct node n = {.name = "LOOP", .op = &op, .version = 1, .in = in, .out = out, .n_in = 1, .n_out = 1};
    struct graph g = {.tensors = t, .nodes = &n, .n_tensors = 2, .n_nodes = 1};

    (void)state;
    assert_int_equal(gl_judge(&how, &g, &n, &why, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "node 0 LOOP"));
    assert_non_null(strstr(err.msg, "states no iterations"));
}

static const char *judged_in(enum gpu_quant mode, int32_t op, enum tensor_type type)
{
    struct builder b;
    int32_t x, y;

    builder_init(&b, "quantized");
    x = build_tensor(&b, "x", type, SHAPE(1, 4, 4, 8));
    y = build_tensor(&b, "y", type, SHAPE(1, 4, 4, 8));
    if (type == TYPE_INT8) {
        build_quant(&b, x, 0.5f, 0);
        build_quant(&b, y, 0.0078125f, 0);
    }
    build_op(&b, op, 2, NULL, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    quant = mode;
    TEST_OK(judge(&b, &gl_limits_least, false), err);
    quant = GPU_QUANT_NONE;
    return why.code == REASON_NONE ? "" : why.text;
}

/* Of nodes on quantized tensors alone, and only modes that take them. */
static void reasons_name_the_modes_that_take_a_node(void **state)
{
    (void)state;
    judged_in(GPU_QUANT_SIMULATE, BUILTIN_SQUARE, TYPE_INT8);
    assert_true(why.code != REASON_NONE && !strstr(why.text, "--gpu_quant"));
    assert_non_null(strstr(judged_in(GPU_QUANT_NONE, BUILTIN_TANH, TYPE_INT8), "; --gpu_quant=simulate or exact takes it"));
    assert_string_equal(judged_in(GPU_QUANT_EXACT, BUILTIN_TANH, TYPE_INT8), "");
    judged_in(GPU_QUANT_EXACT, BUILTIN_DENSIFY, TYPE_INT8);
    assert_true(why.code != REASON_NONE && !strstr(why.text, "--gpu_quant"));
    judged_in(GPU_QUANT_EXACT, BUILTIN_TANH, TYPE_FLOAT64);
    assert_true(why.code != REASON_NONE && !strstr(why.text, "--gpu_quant"));
}

#define TEST(f) cmocka_unit_test(f)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(made_up_values_count),
                                       TEST(parts_are_counted_without_overflow),
                                       TEST(every_limit_is_held),
                                       TEST(straight_lines_are_within_the_grid),
                                       TEST(long_sums_have_larger_tiles),
                                       TEST(tiles_are_transformed_in_float32_up_to_1024_channels),
                                       TEST(scatters_compute_what_words_can),
                                       TEST(reductions_end),
                                       TEST(broken_kernels_are_errors),
                                       TEST(reasons_name_the_modes_that_take_a_node)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
