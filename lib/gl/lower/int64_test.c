/* SPDX-License-Identifier: Apache-2.0 */
/* int64_test.c - INT64 of all 64 bits crosses the border, is moved, compared and computed with as on the CPU. */
#include "lib/gl/lower/int64.h"

#include "lib/delegate/delegate.h"
#include "lib/gl/testing/test_session.h"
#include "lib/tensor/rng.h"

#define N       21
#define OUTPUTS 9

static int32_t tensor(struct builder *b, const char *name, enum tensor_type type)
{
    return build_tensor(b, name, type, SHAPE(N, 3));
}

static int32_t make(struct builder *b, const char *name, enum builtin op, enum tensor_type type, int32_t x, int32_t z)
{
    const int32_t y = tensor(b, name, type);

    if (z < 0)
        build_op(b, op, 1, NULL, INDICES(x), INDICES(y));
    else
        build_op(b, op, 1, NULL, INDICES(x, z), INDICES(y));
    return y;
}

/* Each output by a way of its own; `wide` are the words that stay on the device, `narrow` what is within 32 bits. */
static void build(struct builder *b)
{
    int32_t x, z, sum, product, most, less, same, moved, cut, narrow, reals;

    builder_init(b, "words");
    x = tensor(b, "x", TYPE_INT64);
    z = tensor(b, "z", TYPE_INT64);
    sum = make(b, "sum", BUILTIN_ADD, TYPE_INT64, x, z);
    product = make(b, "product", BUILTIN_MUL, TYPE_INT64, sum, z);
    most = make(b, "most", BUILTIN_MAXIMUM, TYPE_INT64, product, x);
    less = make(b, "less", BUILTIN_LESS, TYPE_BOOL, product, x);
    same = make(b, "same", BUILTIN_EQUAL, TYPE_BOOL, most, x);
    cut = make(b, "cut", BUILTIN_CAST, TYPE_INT32, product, -1);
    narrow = make(b, "narrow", BUILTIN_CAST, TYPE_INT64, cut, -1);
    reals = make(b, "reals", BUILTIN_CAST, TYPE_FLOAT32, product, -1);
    moved = build_tensor(b, "moved", TYPE_INT64, SHAPE(3, N));
    build_op(b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(sum, build_const(b, "order", TYPE_INT32, SHAPE(2), (int32_t[]){1, 0})),
             INDICES(moved));
    build_inputs(b, INDICES(x, z));
    build_outputs(b, INDICES(sum, product, most, less, same, cut, narrow, reals, moved));
}

/* Numbers of all lengths, some equal, some that differ in one word alone. */
static void fill(struct session *s)
{
    struct rng r = rng_seed(7, 1);
    int64_t *x = session_input(s, 0)->data, *z = session_input(s, 1)->data;

    for (uint32_t k = 0; k < N * 3; k++) {
        const uint64_t any = (uint64_t)rng_below(&r, 1u << 31) << 33 ^ (uint64_t)rng_below(&r, 1u << 31) << 2;

        x[k] = (int64_t)any >> (k % 64);
        z[k] = k % 7 == 0   ? 0
               : k % 7 == 1 ? 1
               : k % 7 == 2 ? x[k] ^ INT64_C(1) << 40
                            : (int64_t)(any * 0x9e3779b97f4a7c15u) >> (k % 61);
    }
    x[0] = INT64_MIN;
    x[1] = INT64_MAX;
    x[2] = INT64_C(1) << 32;
    x[3] = -1;
}

static void all_bits_are_kept(enum gpu_quant quant)
{
    struct test_pair p;
    struct builder b;

    build(&b);
    p = test_pair_start(&b, (struct gpu_options){.device = -1, .quant = quant}, 9);
    assert_int_equal(session_n_outputs(p.gpu), OUTPUTS);
    test_pair_run(&p, fill);
    test_pair_same(&p);
    test_pair_stop(&p);
}

static void all_bits_are_kept_beside_reals(void **state)
{
    (void)state;
    all_bits_are_kept(GPU_QUANT_SIMULATE);
}

static void all_bits_are_kept_beside_integers(void **state)
{
    (void)state;
    all_bits_are_kept(GPU_QUANT_EXACT);
}

/* What is gathered from is not clamped as what says where. */
static void indices_are_gathered_by_themselves(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1});
    const struct opt_gather opt = {0};
    struct session *s;
    struct builder b;
    struct loaded l;
    struct err err;
    int32_t x, y;

    (void)state;
    builder_init(&b, "twice");
    x = build_tensor(&b, "x", TYPE_INT64, SHAPE(3)), y = build_tensor(&b, "y", TYPE_INT64, SHAPE(3));
    build_op(&b, BUILTIN_GATHER, 1, &opt, INDICES(x, x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load(&b);
    s = test_start(&l, d);
    memcpy(session_input(s, 0)->data, (int64_t[]){2, 0, 1}, 3 * sizeof(int64_t));
    TEST_OK(session_run(s, &err), err);
    assert_memory_equal(session_output(s, 0)->data, ((int64_t[]){1, 2, 0}), 3 * sizeof(int64_t));
    session_free(s);
    unload(&l);
    delegate_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bits_are_kept_beside_reals),
        cmocka_unit_test(all_bits_are_kept_beside_integers),
        cmocka_unit_test(indices_are_gathered_by_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
