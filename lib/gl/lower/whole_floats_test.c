/* SPDX-License-Identifier: Apache-2.0 */
/* whole_floats_test.c - what makes steps or rests of floats reads them as they were given, in every precision. */
#include "lib/graph/whole_floats.h"

#include <math.h>

#include "lib/gl/testing/test_session.h"

enum { REST = 1, MOVED = 2 };

/* y = the steps of x, or its rest by 0.05; x is moved first where `how` says so. */
static void build(struct builder *b, int how)
{
    static const int32_t order[] = {0, 2, 1, 3};
    const int32_t h = how & MOVED ? W : H, w = how & MOVED ? H : W;
    const float by = 0.05f;
    int32_t x, t, q, y;

    builder_init(b, "steps");
    x = t = test_image(b, "x");
    if (how & MOVED) {
        t = build_tensor(b, "moved", TYPE_FLOAT32, SHAPE(1, h, w, C));
        build_op(b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(x, build_const(b, "order", TYPE_INT32, SHAPE(4), order)), INDICES(t));
    }
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, h, w, C));
    if (how & REST)
        build_op(b, BUILTIN_FLOOR_MOD, 1, NULL, INDICES(t, build_const(b, "by", TYPE_FLOAT32, SHAPE(1), &by)), INDICES(y));
    else {
        q = build_tensor(b, "q", TYPE_INT8, SHAPE(1, h, w, C));
        build_quant(b, q, 0x1p-8f, 0);
        build_op(b, BUILTIN_QUANTIZE, 1, NULL, INDICES(t), INDICES(q));
        build_op(b, BUILTIN_DEQUANTIZE, 1, NULL, INDICES(q), INDICES(y));
    }
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* QUANTIZE and DEQUANTIZE, or the one that leaves a rest, behind what moves. */
static uint32_t nodes_of(int how)
{
    return (how & REST ? 1 : 2) + (how & MOVED ? 1 : 0);
}

static void fill(struct session *s)
{
    test_fill(s, 0.5);
}

static void hold(int how, enum gpu_precision precision)
{
    struct test_pair p;
    struct builder b;

    build(&b, how);
    p = test_pair_start(&b, (struct gpu_options){.device = -1, .precision = precision}, nodes_of(how));
    test_pair_run(&p, fill);
    for (size_t i = 0; i < H * W * C; i++) {
        const float v = ((const float *)session_output(p.gpu, 0)->data)[i];
        const float want = ((const float *)session_output(p.cpu, 0)->data)[i];

        if (!(fabsf(v - want) < 0x1p-11f))
            fail_msg("%d, %s: element %zu is %g, not %g", how, p.d->precision.in_force, i, (double)v, (double)want);
    }
    test_pair_stop(&p);
}

/* What is rounded to 11 bits first is a step off, or a whole divisor. */
static void steps_and_rests_are_of_float32(void **state)
{
    (void)state;
    for (int p = GPU_PRECISION_FP32; p <= GPU_PRECISION_FP16; p++)
        for (int how = 0; how <= (REST | MOVED); how++)
            hold(how, (enum gpu_precision)p);
}

/* What such nodes read is marked from its maker on, and nothing else is. */
static void makers_are_marked(void **state)
{
    (void)state;
    for (int how = 0; how <= (REST | MOVED); how++) {
        struct session *s;
        struct builder b;
        struct loaded l;

        build(&b, how);
        l = load(&b);
        s = test_start(&l, NULL);
        for (uint32_t i = 0; i < session_graph(s)->n_tensors; i++) {
            const struct tensor *t = &session_graph(s)->tensors[i];

            assert_int_equal(t->stays_float32, !strcmp(t->name, "x") || !strcmp(t->name, "moved") || !strcmp(t->name, "by"));
        }
        session_free(s);
        unload(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_rests_are_of_float32),
        cmocka_unit_test(makers_are_marked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
