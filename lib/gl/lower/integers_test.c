/* SPDX-License-Identifier: Apache-2.0 */
/* integers_test.c - integers among reals: nodes of both kinds by turns have the CPU's bits and copy nothing; plain integers wrap.
 */
#include "lib/gl/lower/integers.h"

#include "lib/delegate/delegate.h"
#include "lib/gl/testing/test_session.h"
#include "lib/tensor/rng.h"

#define N 24

static int32_t image(struct builder *b, const char *name, enum tensor_type type, float scale, int64_t zero)
{
    const int32_t t = build_tensor(b, name, type, SHAPE(N, 5));

    if (scale > 0)
        build_quant(b, t, scale, zero);
    return t;
}

/* less = x < MAXIMUM(x, z), whose comparison alone is one of integers; sum = ABS(EXP16(f)) of 16 bits, in the middle of which
 * stands a table. */
static void build_turns(struct builder *b)
{
    int32_t x, z, most, less, f, e, sum;

    builder_init(b, "turns");
    x = image(b, "x", TYPE_INT8, 0.05f, 3);
    z = image(b, "z", TYPE_INT8, 0.05f, 3);
    most = image(b, "most", TYPE_INT8, 0.05f, 3);
    less = image(b, "less", TYPE_BOOL, 0, 0);
    f = image(b, "f", TYPE_INT16, 0x1p-14f, 0);
    e = image(b, "e", TYPE_INT16, 0x1p-12f, 0);
    sum = image(b, "sum", TYPE_INT16, 0x1p-12f, 0);
    build_op(b, BUILTIN_MAXIMUM, 2, NULL, INDICES(x, z), INDICES(most));
    build_op(b, BUILTIN_LESS, 2, NULL, INDICES(x, most), INDICES(less));
    build_op(b, BUILTIN_EXP, 2, NULL, INDICES(f), INDICES(e));
    build_op(b, BUILTIN_ABS, 5, NULL, INDICES(e), INDICES(sum));
    build_inputs(b, INDICES(x, z, f));
    build_outputs(b, INDICES(less, sum));
}

/* sum = x + z and cut = CAST(i) of integers that wrap. */
static void build_plain(struct builder *b)
{
    int32_t x, z, sum, i, cut;

    builder_init(b, "plain");
    x = image(b, "x", TYPE_INT16, 0, 0);
    z = image(b, "z", TYPE_INT16, 0, 0);
    sum = image(b, "sum", TYPE_INT16, 0, 0);
    i = image(b, "i", TYPE_INT16, 0, 0);
    cut = image(b, "cut", TYPE_INT8, 0, 0);
    build_op(b, BUILTIN_ADD, 2, NULL, INDICES(x, z), INDICES(sum));
    build_op(b, BUILTIN_ABS, 5, NULL, INDICES(sum), INDICES(i));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(i), INDICES(cut));
    build_inputs(b, INDICES(x, z));
    build_outputs(b, INDICES(sum, cut));
}

static void fill(struct session *s)
{
    struct rng r = rng_seed(1, 1);

    for (uint32_t i = 0; i < session_n_inputs(s); i++)
        for (size_t k = 0; k < session_input(s, i)->bytes; k++)
            ((uint8_t *)session_input(s, i)->data)[k] = (uint8_t)rng_below(&r, 256);
}

static void hold(void (*build)(struct builder *b), enum gpu_quant quant, uint32_t n_nodes)
{
    struct test_pair p;
    struct builder b;

    build(&b);
    p = test_pair_start(&b, (struct gpu_options){.device = -1, .quant = quant}, n_nodes);
    test_pair_run(&p, fill);
    test_pair_same(&p);
    test_pair_stop(&p);
}

static void nodes_of_both_kinds_meet(void **state)
{
    (void)state;
    hold(build_turns, GPU_QUANT_SIMULATE, 4);
}

static void plain_integers_wrap(void **state)
{
    (void)state;
    hold(build_plain, GPU_QUANT_SIMULATE, 3);
    hold(build_plain, GPU_QUANT_NONE, 3);
}

/* Where the sum gets its tensor's shape only afterwards, and lies in a texture, which would clamp it. */
static void sums_wrap_before_they_are_stored(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = GPU_OBJECTS_TEXTURE});
    struct session *s;
    struct builder b;
    struct loaded l;
    struct err err;
    int32_t x, y;

    (void)state;
    builder_init(&b, "scatter");
    x = build_tensor(&b, "x", TYPE_UINT8, SHAPE(3)), y = build_tensor(&b, "y", TYPE_UINT8, SHAPE(4));
    build_op(&b, BUILTIN_SCATTER_ND, 1, NULL,
             INDICES(build_const(&b, "places", TYPE_INT32, SHAPE(3, 1), (int32_t[]){2, 2, 2}), x,
                     build_const(&b, "shape", TYPE_INT32, SHAPE(1), (int32_t[]){4})),
             INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load(&b);
    s = test_start(&l, d);
    assert_int_equal(session_partitioning(s)->n_delegated, 1);
    memset(session_input(s, 0)->data, 200, 3);
    TEST_OK(session_run(s, &err), err);
    assert_int_equal(((const uint8_t *)session_output(s, 0)->data)[2], 3 * 200 % 256);
    session_free(s);
    unload(&l);
    delegate_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_both_kinds_meet),
        cmocka_unit_test(plain_integers_wrap),
        cmocka_unit_test(sums_wrap_before_they_are_stored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
