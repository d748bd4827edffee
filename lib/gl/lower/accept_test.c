/* SPDX-License-Identifier: Apache-2.0 */
/* accept_test.c - what the GPU takes, against limits drawn at random and nodes that lack one thing each. */
#include <stdlib.h>

#include "lib/gl/ir/kernel.h"
#include "lib/graph/kernel.h"
#include "lib/testing/test.h"

/* A value is stored as vec4 of four channels, of which there are at most 2^28. By long division, so that nothing overflows. */
static bool can_hold(const struct gl_limits *lim, struct ir_shape s)
{
    const int64_t extent[] = {s.w, s.h, (int64_t)s.b * ((s.c + 3) / 4)};
    uint64_t left = lim->storage_block_bytes < 1ull << 32 ? lim->storage_block_bytes / 16 : 1u << 28;

    for (int i = 0; i < 3; i++)
        left /= (uint64_t)extent[i];
    return left > 0;
}

static int32_t random_extent(uint64_t *seed)
{
    int32_t most = 1 << test_random(seed) % 31;

    return 1 + (int32_t)(test_random(seed) % (uint64_t)most);
}

static void values_fit_or_are_refused(void **state)
{
    uint64_t seed = 41;
    int held = 0;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct ir_shape s = {random_extent(&seed), random_extent(&seed), random_extent(&seed), random_extent(&seed)};
        struct gl_limits lim = gl_limits_least;
        struct reason why = {0};
        bool fits;

        lim.storage_block_bytes = 1ull << test_random(&seed) % 63;
        fits = gl_fits(&lim, IR_FLOAT, s, &why);
        held += fits;
        if (fits != can_hold(&lim, s))
            fail_msg("[%d,%d,%d,%d]: %d", s.b, s.h, s.w, s.c, fits);
        assert_int_equal(why.code, fits ? REASON_NONE : REASON_DEVICE_LIMIT);
        assert_int_equal(why.text[0] != 0, !fits);
    }
    assert_true(held > 500 && held < 19500);
}

/* ---- nodes ---- */

static bool own_answer; /* of the kernel's own accept */
static int own_asked;

static bool own_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)n;
    own_asked++;
    return own_answer ? true : reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the kernel says no");
}

struct fixture {
    struct graph graph;
    struct cpu_kernel cpu;
    struct gl_kernel gl;
    struct op op;
    struct tensor x, c, y, *in[2], *out[1];
    struct node n;
    struct gl_limits lim;
    enum gpu_quant quant;
};

/* y = op(x, the constant c): taken as it is. */
static int setup(void **state)
{
    static struct fixture f;
    static const float two[2];

    f = (struct fixture){.lim = gl_limits_least, .gl = {.max_version = 2, .accept = own_accept}};
    f.op = (struct op){"OP", 0, 9, &f.cpu, &f.gl};
    f.x = f.c = f.y = (struct tensor){.name = "t", .type = TYPE_FLOAT32, .rank = 2, .dim = {3, 2}, .bytes = 24};
    f.c.rank = 1;
    f.c.dim[0] = 2;
    f.c.data = (void *)two;
    f.c.is_const = f.c.is_known = true;
    f.in[0] = &f.x;
    f.in[1] = &f.c;
    f.out[0] = &f.y;
    f.n = (struct node){.name = "OP", .version = 2, .op = &f.op, .in = f.in, .out = f.out, .n_in = 2, .n_out = 1};
    own_answer = true;
    own_asked = 0;
    *state = &f;
    return 0;
}

static void expect(struct fixture *f, enum reason_code code, const char *text)
{
    struct reason why = {0};
    bool taken = gl_accept(&f->lim, f->quant, &f->graph, &f->n, &why);

    assert_int_equal(why.code, code);
    assert_int_equal(taken, code == REASON_NONE);
    if (text && !strstr(why.text, text))
        fail_msg("\"%s\" does not say \"%s\"", why.text, text);
}

static void good_nodes_are_taken(void **state)
{
    struct fixture *f = *state;

    expect(f, REASON_NONE, NULL);
    assert_int_equal(own_asked, 1);
    f->gl.accept = NULL;
    expect(f, REASON_NONE, NULL);
    f->in[1] = NULL; /* omitted: the kernel's own matter */
    expect(f, REASON_NONE, NULL);
}

static void kernels_have_the_last_word(void **state)
{
    struct fixture *f = *state;

    own_answer = false;
    expect(f, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the kernel says no");
    assert_int_equal(own_asked, 1);
}

static void operators_and_versions(void **state)
{
    struct fixture *f = *state;

    f->n.version = 3;
    expect(f, REASON_UNSUPPORTED_OPERATOR_VERSION, "version 3, at most 2");
    f->op.gl = NULL;
    expect(f, REASON_UNSUPPORTED_OPERATOR, NULL);
    f->n.op = NULL;
    expect(f, REASON_UNSUPPORTED_OPERATOR, NULL);
    assert_int_equal(own_asked, 0);
}

static void dynamic_shapes(void **state)
{
    struct fixture *f = *state;

    f->n.dynamic = true;
    expect(f, REASON_DYNAMIC_SHAPE, "output");
    f->n.dynamic = false;
    f->x.is_dynamic = true;
    expect(f, REASON_DYNAMIC_SHAPE, "input 0");
}

static void ranks_and_sizes(void **state)
{
    struct fixture *f = *state;

    f->x.rank = TENSOR_MAX_RANK;
    for (int32_t i = 2; i < TENSOR_MAX_RANK; i++)
        f->x.dim[i] = 2;
    expect(f, REASON_NONE, NULL);
    f->x.dim[1] = f->x.dim[2] = 1 << 20; /* one axis of what is stored, and more than 2^31 */
    expect(f, REASON_DEVICE_LIMIT, "[3,2147483647,2,2] needs more than 134217728 bytes in one buffer");
    f->x.dim[3] = 0;
    expect(f, REASON_UNSUPPORTED_OPERAND_SIZE, "empty");
    f->x.rank = 2;
    f->x.dim[1] = 2;
    f->y.dim[0] = 0;
    expect(f, REASON_UNSUPPORTED_OPERAND_SIZE, "empty");
    f->y.dim[0] = 1 << 20; /* of which more than 65,535 workgroups are started */
    expect(f, REASON_NONE, NULL);
    f->y.dim[0] = 1 << 17;
    f->y.dim[1] = 1 << 12;
    expect(f, REASON_DEVICE_LIMIT, "needs more than 134217728 bytes in one buffer");
    f->c.rank = 5; /* constants have any shape: kernels pack them */
    f->y.dim[0] = 3;
    expect(f, REASON_NONE, NULL);
}

static void types(void **state)
{
    struct fixture *f = *state;

    for (enum tensor_type t = TYPE_FLOAT32; t < TYPE_COUNT; t++) {
        bool real = t == TYPE_FLOAT32 || t == TYPE_FLOAT16 || t == TYPE_BFLOAT16;
        bool constant = real || t == TYPE_INT8 || t == TYPE_UINT8 || t == TYPE_INT32 || t == TYPE_INT16 || t == TYPE_INT64 ||
                        t == TYPE_INT4 || t == TYPE_INT2;

        f->x.type = t;
        expect(f, real ? REASON_NONE : REASON_UNSUPPORTED_INPUT_TYPE, NULL);
        f->x.type = TYPE_FLOAT32;
        f->y.type = t;
        expect(f, real ? REASON_NONE : REASON_UNSUPPORTED_OUTPUT_TYPE, NULL);
        f->y.type = TYPE_FLOAT32;
        f->c.type = t;
        expect(f, constant ? REASON_NONE : REASON_UNSUPPORTED_INPUT_TYPE, NULL);
        f->c.type = TYPE_FLOAT32;
    }
    f->gl.in_types = TAKES_INT;
    expect(f, REASON_UNSUPPORTED_INPUT_TYPE, "input 0 has type FLOAT32");
    f->x.type = TYPE_INT32;
    expect(f, REASON_UNSUPPORTED_INPUT_TYPE, "constant input 1 has type FLOAT32");
}

/* Only where it is asked for, of one scale, and for kernels to which it matters of equal ones. */
static void quantized_types(void **state)
{
    static const enum tensor_type of[] = {TYPE_INT8, TYPE_UINT8, TYPE_INT16};
    static const int64_t zero[] = {3, 300, (1 << 20) + 1};
    static const float scale[] = {0.5f, 0.25f, 0};
    struct fixture *f = *state;

    f->n.builtin = BUILTIN_SEGMENT_SUM; /* exact.def has no row for it, which would be used instead */
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        f->x.type = f->y.type = of[i];
        f->x.quant = f->y.quant = (struct quant){.scale = scale, .zero_point = zero, .n = 1};
        f->gl.quantized = 0;
        f->quant = GPU_QUANT_SIMULATE;
        expect(f, REASON_UNSUPPORTED_INPUT_TYPE, NULL);
        f->gl.quantized = TAKES_QUANTIZED;
        expect(f, REASON_NONE, NULL);
        f->quant = GPU_QUANT_NONE;
        expect(f, REASON_UNSUPPORTED_INPUT_TYPE, NULL);
        f->quant = GPU_QUANT_SIMULATE;
        f->y.quant.scale = scale + 1;
        expect(f, REASON_NONE, NULL);
        f->gl.same_steps = true;
        expect(f, REASON_UNSUPPORTED_QUANTIZATION, "different scales");
        f->gl.same_steps = false;
        f->y.quant.scale = scale + 2;
        expect(f, REASON_UNSUPPORTED_QUANTIZATION, "has scale 0");
        f->y.quant.scale = scale;
        f->x.quant.n = 2;
        expect(f, REASON_UNSUPPORTED_QUANTIZATION, "one scale");
        f->x.quant.n = 0;
        expect(f, REASON_UNSUPPORTED_QUANTIZATION, "one scale");
    }
    f->gl.quantized = TAKES_8BIT;
    f->x.quant.n = 1;
    expect(f, REASON_UNSUPPORTED_INPUT_TYPE, "INT16");
    f->x.type = f->y.type = TYPE_UINT8;
    f->x.quant.zero_point = zero + 1;
    expect(f, REASON_NONE, NULL);
    f->x.quant.zero_point = zero + 2;
    expect(f, REASON_UNSUPPORTED_QUANTIZATION, "zero point 1048577");
}

/* As such where there is an integer version, or nothing is computed; never as reals. */
static void integers_exactly(void **state)
{
    static const int64_t zero[] = {3};
    static const float scale[] = {0.5f, 0.25f};
    struct fixture *f = *state;

    f->quant = GPU_QUANT_EXACT;
    f->n.builtin = BUILTIN_RESHAPE;
    expect(f, REASON_NONE, NULL);
    f->x.type = f->y.type = TYPE_INT8;
    f->x.quant = f->y.quant = (struct quant){.scale = scale, .zero_point = zero, .n = 1};
    expect(f, REASON_NONE, NULL);
    f->y.quant.scale = scale + 1; /* what moves, moves integers */
    expect(f, REASON_NONE, NULL);
    f->n.builtin = BUILTIN_CAST; /* which does not know of steps */
    expect(f, REASON_NONE, NULL);
    f->n.builtin = BUILTIN_SEGMENT_SUM;
    f->gl.quantized = TAKES_QUANTIZED;
    expect(f, REASON_UNSUPPORTED_QUANTIZATION, "no exact integer shader");
    assert_int_equal(own_asked, 4);
}

/* Of reals what the kernel takes as such, else the integer version; beside reals of the same type none. */
static void integers_among_reals(void **state)
{
    static const int64_t zero[] = {3};
    static const float scale[] = {0.5f};
    struct fixture *f = *state;

    f->quant = GPU_QUANT_SIMULATE;
    f->n.builtin = BUILTIN_CAST;
    f->x.type = f->y.type = TYPE_INT8;
    f->x.quant = f->y.quant = (struct quant){.scale = scale, .zero_point = zero, .n = 1};
    expect(f, REASON_NONE, NULL);
    f->n.builtin = BUILTIN_SEGMENT_SUM;
    expect(f, REASON_UNSUPPORTED_INPUT_TYPE, "INT8");
    f->x.quant.n = f->y.quant.n = 0;
    expect(f, REASON_UNSUPPORTED_INPUT_TYPE, "INT8");
    f->gl.in_types = f->gl.out_types = TAKES_FLOAT | TAKES_INT;
    expect(f, REASON_NONE, NULL);
    f->y.quant.n = 1;
    expect(f, REASON_UNSUPPORTED_INPUT_TYPE, "INT8");
}

static void odd_constants(void **state)
{
    struct fixture *f = *state;
    struct sparsity sparse = {0};

    f->c.sparsity = &sparse;
    expect(f, REASON_UNSUPPORTED_OPERATOR_VARIANT, "sparse");
    f->c.sparsity = NULL;
    f->c.type = TYPE_INT8;
    f->c.quant.block_size = 32;
    expect(f, REASON_UNSUPPORTED_QUANTIZATION, "blocks");
}

static void variables(void **state)
{
    struct fixture *f = *state;

    f->x.is_variable = true;
    expect(f, REASON_UNSUPPORTED_OPERATOR_VARIANT, "variable");
    f->gl.updates_variables = true;
    expect(f, REASON_NONE, NULL);
}

extern const struct gl_kernel gl_div, gl_floor_div, gl_floor_mod;

/* Where a run of the CPU ends at them; of floats FLOOR_DIV alone. */
static void constant_divisors_are_not_zero(void **state)
{
    static const struct {
        const struct gl_kernel *kernel;
        int32_t builtin;
        bool floats;
    } rows[] = {{&gl_div, BUILTIN_DIV, false}, {&gl_floor_div, BUILTIN_FLOOR_DIV, true}, {&gl_floor_mod, BUILTIN_FLOOR_MOD, false}};
    static const int32_t whole[] = {3, 0};
    static const float real[] = {3, 0};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        f->op.gl = rows[i].kernel;
        f->n.builtin = rows[i].builtin;
        f->n.version = 1;
        f->x.type = f->c.type = f->y.type = TYPE_INT32;
        f->c.data = (void *)whole;
        expect(f, REASON_UNSUPPORTED_OPERAND_VALUE, "division by zero at element 1");
        f->x.type = f->c.type = f->y.type = TYPE_FLOAT32;
        f->c.data = (void *)real;
        expect(f, rows[i].floats ? REASON_UNSUPPORTED_OPERAND_VALUE : REASON_NONE, rows[i].floats ? "element 1" : NULL);
    }
}

/* ---- checks that kernels share ---- */

static void parameters_must_be_constant(void **state)
{
    struct fixture *f = *state;
    const int32_t sizes[] = {4, -5};
    int32_t out[2];
    uint32_t n = 0;
    struct reason why = {0};

    assert_true(gl_constant(&f->n, 1, "filter", &why) && gl_runtime(&f->n, 0, "image", &why));
    assert_false(gl_constant(&f->n, 0, "filter", &why));
    assert_string_equal(why.text, "the filter (input 0) is computed at run time");
    assert_false(gl_runtime(&f->n, 1, "image", &why));
    assert_string_equal(why.text, "the image (input 1) is constant");
    assert_false(gl_constant(&f->n, 2, "filter", &why) || gl_runtime(&f->n, 2, "image", &why));
    assert_int_equal(why.code, REASON_MISSING_REQUIRED_OPERAND);
    assert_false(gl_ints(&f->n, 1, "axes", out, 2, &n, &why)); /* floats */
    assert_int_equal(why.code, REASON_UNSUPPORTED_OPERAND_VALUE);
    f->c.type = TYPE_INT32;
    f->c.data = (void *)sizes;
    assert_true(gl_ints(&f->n, 1, "axes", out, 2, &n, &why));
    assert_true(n == 2 && out[0] == 4 && out[1] == -5);
    assert_false(gl_ints(&f->n, 1, "axes", out, 1, &n, &why));
    assert_false(gl_ints(&f->n, 0, "axes", out, 2, &n, &why));
    assert_string_equal(why.text, "the axes (input 0) is computed at run time");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, NULL)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_fit_or_are_refused),
        TEST(good_nodes_are_taken),
        TEST(kernels_have_the_last_word),
        TEST(operators_and_versions),
        TEST(dynamic_shapes),
        TEST(ranks_and_sizes),
        TEST(types),
        TEST(quantized_types),
        TEST(integers_exactly),
        TEST(integers_among_reals),
        TEST(odd_constants),
        TEST(variables),
        TEST(constant_divisors_are_not_zero),
        TEST(parameters_must_be_constant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
