/* SPDX-License-Identifier: Apache-2.0 */
/* resize_after_conv_test.c - which products are computed before the enlargement that they read, and that results stay what they
 * are. */
#include "lib/gl/testing/test_passes.h"
#include "lib/gl/testing/test_session.h"

#include <math.h>

static bool by_attr(const struct ir_op *o)
{
    return !*(const int *)o->attr;
}

static const struct ir_kind mean = {.name = "mean", IR_TRAITS(.is_mean = by_attr)},
                            product = {.name = "product", IR_TRAITS(.by_pixel = by_attr)};

/* x -> mean -> t -> product -> y of these shapes, all of 4 by 4 pixels but x. */
enum odd { NOTHING, MEAN_IS_NONE, PRODUCT_IS_NONE, HAS_FUNCTION, IS_READ, IS_OUTPUT, HALVES };
struct pair {
    int32_t size, in, out; /* x's rows and columns, its channels, those of y */
    enum odd odd;
    bool exchanged;
};

static const struct pair pairs[] = {
    {.size = 2, .in = 8, .out = 5, .exchanged = true},
    {.size = 2, .in = 8, .out = 8, .exchanged = true},
    {.size = 2, .in = 8, .out = 9},
    {.size = 4, .in = 8, .out = 8},
    {.size = 5, .in = 8, .out = 8},
    {.size = 2, .in = 8, .out = 8, .odd = MEAN_IS_NONE},
    {.size = 2, .in = 8, .out = 8, .odd = PRODUCT_IS_NONE},
    {.size = 2, .in = 8, .out = 8, .odd = HAS_FUNCTION},
    {.size = 2, .in = 8, .out = 8, .odd = IS_READ},
    {.size = 2, .in = 8, .out = 8, .odd = IS_OUTPUT},
    {.size = 2, .in = 8, .out = 8, .odd = HALVES}, /* the sum would be one before the function that makes it small */
};

static void what_pays_is_exchanged(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct pair *p = &pairs[i];
        struct ir_value *x = value(f, (struct ir_shape){2, p->size, p->size, p->in}),
                        *t = value(f, (struct ir_shape){2, 4, 4, p->in});
        struct ir_value *y = output(f, value(f, (struct ir_shape){2, 4, 4, p->out}));
        struct ir_op *m = op(f, &mean, x, t), *o = op(f, &product, t, y);

        *(int *)m->attr = p->odd == MEAN_IS_NONE;
        *(int *)o->attr = p->odd == PRODUCT_IS_NONE;
        if (p->odd == HAS_FUNCTION)
            assert_true(ir_apply(f->ir, m, &relu, NULL, NULL, IR_FLOAT));
        if (p->odd == IS_READ)
            op(f, &other, t, output(f, value(f, big)));
        if (p->odd == IS_OUTPUT)
            output(f, t);
        f->ir->half = p->odd == HALVES;
        run(f, "enlarge late");
        assert_ptr_equal(f->ir->ops[0], p->exchanged ? o : m);
        assert_ptr_equal(f->ir->ops[1], p->exchanged ? m : o);
        assert_ptr_equal(f->ir->ops[1]->out, y);
        f->ir->n_ops = f->ir->n_outputs = 0;
    }
}

/* Through several: the product is first, and no value of the way is read twice. */
static void several_enlargements_come_late(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 2, 2, 8}), *t = value(f, (struct ir_shape){1, 4, 4, 8}),
                    *u = value(f, (struct ir_shape){1, 8, 8, 8}), *v = value(f, (struct ir_shape){1, 8, 8, 8}),
                    *y = output(f, value(f, (struct ir_shape){1, 8, 8, 4}));
    static const struct node nodes[4];
    struct ir_op *m[2], *p[2];

    for (int i = 0; i < 2; i++) {
        f->ir->lowering.node = &nodes[i];
        m[i] = op(f, &mean, i ? t : x, i ? u : t);
    }
    for (int i = 0; i < 2; i++) {
        f->ir->lowering.node = &nodes[2 + i];
        p[i] = op(f, &product, i ? v : u, i ? y : v);
    }
    run(f, "enlarge late");
    for (int i = 0; i < 2; i++) {
        assert_true(f->ir->ops[i] == p[i] && f->ir->ops[2 + i] == m[i]);
        assert_true(p[i]->out->shape.h == 2 && p[i]->out->shape.c == (i ? 4 : 8));
        assert_int_equal(p[i]->n_nodes, 1);
        assert_int_equal(m[i]->n_nodes, 3); /* that of each product, whose functions are here now, and its own */
    }
    assert_true(p[0]->in[0] == x && p[1]->in[0] == p[0]->out && m[0]->in[0] == p[1]->out && m[1]->in[0] == m[0]->out);
    assert_true(m[0]->out->shape.h == 4 && m[0]->out->shape.c == 4 && m[1]->out == y);
}

/* A product with bias and activation, to whose result another image is added. */
static void results_are_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const struct opt_resize_bilinear how = {.align_corners = i & 1, .half_pixel_centers = i == 2};
        const struct opt_conv_2d sum = test_conv_with(i == 3 ? ACT_NONE : ACT_RELU6);
        const int32_t size[2] = {2 * H + 1, 3 * W}, dim[4] = {1, size[0], size[1], 6};
        const uint64_t vectors = (uint64_t)size[0] * (uint64_t)size[1];
        struct delegate_facts m;
        struct test_pair p;
        struct builder b;
        int32_t x, z, t, u, y;

        builder_init(&b, "enlarge");
        x = test_image(&b, "x");
        z = build_tensor(&b, "z", TYPE_FLOAT32, dim, 4);
        t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(1, size[0], size[1], C));
        u = build_tensor(&b, "u", TYPE_FLOAT32, dim, 4);
        y = build_tensor(&b, "y", TYPE_FLOAT32, dim, 4);
        build_op(&b, BUILTIN_RESIZE_BILINEAR, 3, &how, INDICES(x, build_const(&b, "size", TYPE_INT32, SHAPE(2), size)), INDICES(t));
        build_op(&b, BUILTIN_CONV_2D, 1, &sum, INDICES(t, test_weights(&b, SHAPE(6, 1, 1, C), 1), test_weights(&b, SHAPE(6), 2)),
                 INDICES(u));
        build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(u, z), INDICES(y));
        build_inputs(&b, INDICES(x, z));
        build_outputs(&b, INDICES(y));
        p = test_pair_start(&b, (struct gpu_options){.device = -1}, 3);
        test_compare(p.gpu, p.cpu, 1);
        session_facts(p.gpu, NULL, &m);
        assert_int_equal(fact_value(&m, "work.dispatches"), 5); /* with uploads and the download */
        assert_true(fact_value(&m, "memory.unshared") <
                    vectors * 16 * 6); /* the enlarged x alone would have four vectors a pixel, z and y have two */
        test_pair_stop(&p);
    }
}

/* A mean of infinities times 0 is none. */
static void infinite_biases_come_behind(void **state)
{
    const struct opt_resize_bilinear how = {.half_pixel_centers = true};
    const struct opt_conv_2d sum = test_conv_with(ACT_RELU6);
    const int32_t size[2] = {2 * H, 2 * W};
    const float bias[6] = {INFINITY, -INFINITY, 1, 2, 3, 4};
    struct test_pair p;
    struct builder b;
    int32_t x, t, y;

    (void)state;
    builder_init(&b, "infinite");
    x = test_image(&b, "x");
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(1, size[0], size[1], C));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, size[0], size[1], 6));
    build_op(&b, BUILTIN_RESIZE_BILINEAR, 3, &how, INDICES(x, build_const(&b, "size", TYPE_INT32, SHAPE(2), size)), INDICES(t));
    build_op(&b, BUILTIN_CONV_2D, 1, &sum,
             INDICES(t, test_weights(&b, SHAPE(6, 1, 1, C), 1), build_const(&b, "bias", TYPE_FLOAT32, SHAPE(6), bias)), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    p = test_pair_start(&b, (struct gpu_options){.device = -1}, 2);
    test_compare(p.gpu, p.cpu, 1);
    test_pair_stop(&p);
}

static void fill_bytes(struct session *s)
{
    struct tensor *t = session_input(s, 0);

    for (size_t k = 0; k < t->bytes; k++)
        ((uint8_t *)t->data)[k] = (uint8_t)(k * k * 37 >> 2);
}

/* What is enlarged in steps is rounded to those, which a product would not be. */
static void steps_stay_before_products(void **state)
{
    const struct opt_resize_bilinear how = {.half_pixel_centers = true};
    const struct opt_conv_2d sum = test_conv_with(ACT_NONE);
    const int32_t size[2] = {2 * H + 1, 3 * W};
    struct test_pair p;
    struct builder b;
    int32_t x, t, u, y;

    (void)state;
    builder_init(&b, "steps");
    x = build_tensor(&b, "x", TYPE_INT8, SHAPE(1, H, W, C));
    t = build_tensor(&b, "t", TYPE_INT8, SHAPE(1, size[0], size[1], C));
    build_quant(&b, x, 0.05f, -7);
    build_quant(&b, t, 0.05f, -7);
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(1, size[0], size[1], C));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, size[0], size[1], 6));
    build_op(&b, BUILTIN_RESIZE_BILINEAR, 3, &how, INDICES(x, build_const(&b, "size", TYPE_INT32, SHAPE(2), size)), INDICES(t));
    build_op(&b, BUILTIN_DEQUANTIZE, 2, NULL, INDICES(t), INDICES(u));
    build_op(&b, BUILTIN_CONV_2D, 1, &sum, INDICES(u, test_weights(&b, SHAPE(6, 1, 1, C), 1), test_weights(&b, SHAPE(6), 2)),
             INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    p = test_pair_start(&b, (struct gpu_options){.device = -1, .quant = GPU_QUANT_SIMULATE}, 3);
    test_pair_run(&p, fill_bytes);
    for (size_t k = 0; k < session_output(p.gpu, 0)->bytes / 4; k++)
        assert_float_equal(((float *)session_output(p.gpu, 0)->data)[k], ((float *)session_output(p.cpu, 0)->data)[k], 1e-4f);
    test_pair_stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_pays_is_exchanged),
        TEST(several_enlargements_come_late),
        cmocka_unit_test(results_are_the_same),
        cmocka_unit_test(infinite_biases_come_behind),
        cmocka_unit_test(steps_stay_before_products),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
