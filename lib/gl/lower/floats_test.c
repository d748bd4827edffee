/* SPDX-License-Identifier: Apache-2.0 */
/* floats_test.c - 16-bit floats cross the border, and what stays on the device is rounded as what the CPU stores. */
#include "lib/gl/lower/floats.h"

#include "lib/delegate/delegate.h"
#include "lib/gl/testing/test_session.h"
#include "lib/tensor/rng.h"

#define N 37

/* sum = x + z and wide = FLOAT32 of it, whole = wide == x + z of FLOAT32; back = x's type of wide, moved = TRANSPOSE(x). Only a sum
 * that was rounded before it was read again has the CPU's bits in `wide` and `whole`. */
static void build(struct builder *b, enum tensor_type type)
{
    int32_t x, z, moved, wide, x32, z32, sum, whole, back;

    builder_init(b, "floats");
    x = build_tensor(b, "x", type, SHAPE(N, 3));
    z = build_tensor(b, "z", type, SHAPE(N, 3));
    moved = build_tensor(b, "moved", type, SHAPE(3, N));
    x32 = build_tensor(b, "x32", TYPE_FLOAT32, SHAPE(N, 3));
    z32 = build_tensor(b, "z32", TYPE_FLOAT32, SHAPE(N, 3));
    sum = build_tensor(b, "sum", TYPE_FLOAT32, SHAPE(N, 3));
    back = build_tensor(b, "back", type, SHAPE(N, 3));
    wide = build_tensor(b, "wide", TYPE_FLOAT32, SHAPE(N, 3));
    whole = build_tensor(b, "whole", TYPE_BOOL, SHAPE(N, 3));
    build_op(b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(x, build_const(b, "order", TYPE_INT32, SHAPE(2), (int32_t[]){1, 0})),
             INDICES(moved));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(x), INDICES(x32));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(z), INDICES(z32));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x32, z32), INDICES(sum));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(sum), INDICES(back));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(back), INDICES(wide));
    build_op(b, BUILTIN_EQUAL, 1, NULL, INDICES(wide, sum), INDICES(whole));
    build_inputs(b, INDICES(x, z));
    build_outputs(b, INDICES(moved, back, wide, whole));
}

/* From subnormals to what overflows; no NaN, whose bits may differ. */
static void fill(struct session *s)
{
    struct rng r = rng_seed(1, 1);

    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < N * 3; k++) {
            uint16_t *v = (uint16_t *)session_input(s, i)->data + k;

            do
                *v = (uint16_t)rng_below(&r, 65536);
            while (session_input(s, i)->type == TYPE_FLOAT16 ? (*v & 0x7c00) == 0x7c00 : (*v & 0x7f80) == 0x7f80 || !(*v & 0x7f80));
        }
}

static void hold(enum tensor_type type)
{
    struct delegate *d = test_open_best();
    struct session *gpu, *cpu;
    struct builder b;
    struct loaded l;
    struct err err;

    build(&b, type);
    l = load(&b);
    gpu = test_start(&l, d);
    cpu = test_start(&l, NULL);
    assert_int_equal(session_partitioning(gpu)->n_delegated, 7);
    fill(gpu);
    fill(cpu);
    TEST_OK(session_run(gpu, &err), err);
    TEST_OK(session_run(cpu, &err), err);
    for (uint32_t k = 0; k < 4; k++)
        assert_memory_equal(session_output(gpu, k)->data, session_output(cpu, k)->data, session_output(cpu, k)->bytes);
    session_free(gpu);
    session_free(cpu);
    unload(&l);
    delegate_close(d);
}

static void halves_are_rounded_as_the_cpu_stores_them(void **state)
{
    (void)state;
    hold(TYPE_FLOAT16);
}

static void bfloats_are_rounded_as_the_cpu_stores_them(void **state)
{
    (void)state;
    hold(TYPE_BFLOAT16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_rounded_as_the_cpu_stores_them),
        cmocka_unit_test(bfloats_are_rounded_as_the_cpu_stores_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
