/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_map_test.c - which functions are applied where their result is reduced, and that results stay what they are. */
#include "lib/gl/testing/test_session.h"

/* y = reduced(fn(x, z)) over `axis`; fn(z, x) where `swaps`, fn(x, x) or fn(x) where z has no extents. */
struct chain {
    enum builtin fn, reduced;
    int32_t axis;   /* or H and W where -1 */
    int32_t z[4];   /* its extents; fewer than those of x, but several, are padded with zeros */
    bool swaps;     /* the function's operands */
    int32_t x[4];   /* {0}: EXTENTS */
    bool is_output; /* what the function makes */
    bool is_read;   /* by another operation */
    bool in_order;  /* as the CPU sums, for one whose rounding depends on it */
    uint32_t maps;  /* dispatches of their own */
};

#define EXTENTS                                                                                                                    \
    {                                                                                                                              \
        2, 4, 3, 5                                                                                                                 \
    }

static const struct chain chains[] = {
    {BUILTIN_SQUARED_DIFFERENCE, BUILTIN_MEAN, -1, .z = {2, 1, 1, 5}},
    {BUILTIN_SQUARED_DIFFERENCE, BUILTIN_MEAN, 3, .z = {2, 4, 3, 1}},
    {BUILTIN_SQUARED_DIFFERENCE, BUILTIN_SUM, 0, .z = {1, 4, 3, 5}},
    {BUILTIN_SUB, BUILTIN_REDUCE_MAX, 1, .z = EXTENTS},
    {BUILTIN_SUB, BUILTIN_REDUCE_MAX, 2, .z = EXTENTS, .swaps = true},
    {BUILTIN_SUB, BUILTIN_SUM, 3, .z = {1, 1, 1, 1}, .swaps = true}, /* lanes beyond the last channel would be z */
    {BUILTIN_MUL, BUILTIN_SUM, 3, .z = {1, 4, 1, 5}},
    {BUILTIN_MUL, BUILTIN_SUM, 3},
    {BUILTIN_ABS, BUILTIN_REDUCE_MAX, -1},
    {BUILTIN_SQUARED_DIFFERENCE, BUILTIN_MEAN, -1, .z = EXTENTS, .is_output = true, .maps = 1},
    {BUILTIN_SQUARED_DIFFERENCE, BUILTIN_MEAN, -1, .z = EXTENTS, .is_read = true, .maps = 1},
    {BUILTIN_SQUARED_DIFFERENCE, BUILTIN_MEAN, -1, .z = EXTENTS, .in_order = true, .maps = 1},
    {BUILTIN_SQUARED_DIFFERENCE, BUILTIN_SUM, -1, .z = EXTENTS, .in_order = true, .maps = 1},
    {BUILTIN_SQUARED_DIFFERENCE, BUILTIN_REDUCE_MAX, -1, .z = EXTENTS, .in_order = true},
    {BUILTIN_MUL, BUILTIN_SUM, -1, .z = EXTENTS, .x = {2, 4, 1, 5}},
    {BUILTIN_SUB, BUILTIN_SUM, -1, .z = {2, 4, 1, 5}, .x = {2, 1, 3, 5}, .maps = 1},
    {BUILTIN_SUB, BUILTIN_SUM, 3, .z = {2, 4, 3, 3}, .maps = 1}, /* reads zeros beside them */
    {BUILTIN_SUB, BUILTIN_SUM, 3, .z = {2, 2, 3, 5}, .maps = 1}, /* or below */
    {BUILTIN_SUB, BUILTIN_REDUCE_MAX, 1, .z = {2, 4, 2, 5}, .maps = 1},
    {BUILTIN_RELU, BUILTIN_SUM, -1, .maps = 1}, /* a NaN is kept by more than its text */
};

static int32_t floats(struct builder *b, const int32_t dim[4])
{
    return build_tensor(b, "v", TYPE_FLOAT32, dim, 4);
}

/* A product with 8-bit weights of what has 5 channels. */
static void build_hybrid(struct builder *b, int32_t x)
{
    static const int8_t w[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const int32_t weights = build_const(b, "w", TYPE_INT8, SHAPE(2, 5), w), y = build_tensor(b, "h", TYPE_FLOAT32, SHAPE(2, 2));

    build_quant(b, weights, 0.1f, 0);
    build_op(b, BUILTIN_FULLY_CONNECTED, 1, &(struct opt_fully_connected){ACT_NONE}, INDICES(x, weights, -1), INDICES(y));
}

static bool is_padded(const int32_t *z, const int32_t *x)
{
    bool any = false;

    for (int i = 1; i < 4; i++)
        any |= z[i] > 1 && z[i] < x[i];
    return any;
}

/* z with zeros behind it, up to the extents `to`. */
static int32_t pad(struct builder *b, int32_t z, const int32_t dim[4], const int32_t to[4])
{
    const int32_t before_after[8] = {[3] = to[1] - dim[1], [5] = to[2] - dim[2], [7] = to[3] - dim[3]}, y = floats(b, to);

    build_op(b, BUILTIN_PAD, 1, NULL, INDICES(z, build_const(b, "by", TYPE_INT32, SHAPE(4, 2), before_after)), INDICES(y));
    return y;
}

static struct loaded build(const struct chain *c)
{
    const int32_t all[4] = EXTENTS, *x_dim = c->x[0] ? c->x : all, *z_dim = c->z[0] ? c->z : x_dim;
    const int32_t hw[] = {1, 2}, *axes = c->axis < 0 ? hw : &c->axis;
    const bool pads = is_padded(z_dim, x_dim);
    int32_t t_dim[4], y_dim[4], x, z, t, y, u;
    struct builder b;

    builder_init(&b, "chain");
    for (int i = 0; i < 4; i++) {
        t_dim[i] = x_dim[i] > z_dim[i] ? x_dim[i] : z_dim[i];
        y_dim[i] = i == axes[0] || (c->axis < 0 && i == 2) ? 1 : t_dim[i];
    }
    x = floats(&b, x_dim);
    z = c->z[0] ? floats(&b, z_dim) : x;
    t = floats(&b, t_dim);
    y = floats(&b, y_dim);
    u = floats(&b, t_dim);
    build_inputs(&b, (int32_t[]){x, z}, z == x ? 1 : 2);
    z = pads ? pad(&b, z, z_dim, x_dim) : z;
    build_op(&b, c->fn, 1, NULL, c->swaps ? (int32_t[]){z, x} : (int32_t[]){x, z},
             c->fn == BUILTIN_ABS || c->fn == BUILTIN_RELU ? 1 : 2, INDICES(t));
    build_op(&b, c->reduced, 1, &(struct opt_reducer){.keep_dims = true},
             INDICES(t, build_const(&b, "axes", TYPE_INT32, (int32_t[]){c->axis < 0 ? 2 : 1}, 1, axes)), INDICES(y));
    if (c->is_read)
        build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){.beta = 1}, INDICES(t), INDICES(u));
    if (c->in_order)
        build_hybrid(&b, y);
    build_outputs(&b, (int32_t[]){y, c->is_output ? t : u}, c->is_output || c->is_read ? 2 : 1);
    return load(&b);
}

static void maps_are_reduced_on_the_way(void **state)
{
    static const char *const forced[] = {"reduce:serial", "reduce:split", "reduce:tree"};

    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        struct loaded l = build(&chains[i]);
        const enum gpu_quant quant = chains[i].in_order ? GPU_QUANT_EXACT : GPU_QUANT_NONE;

        for (int k = 0; k < 3; k++) {
            const struct gpu_options o = {.variants = forced[k], .quant = quant};
            uint32_t folds = test_dispatches(&l, o, "reduce serial of ") + test_dispatches(&l, o, "reduce tree of ");

            if (test_dispatches(&l, o, "map") != chains[i].maps || folds == chains[i].maps)
                fail_msg("chain %zu, %s: not %u maps", i, forced[k], chains[i].maps);
            if (chains[i].in_order && chains[i].maps && test_dispatches(&l, o, "reduce serial") != 1)
                fail_msg("chain %zu, %s: not in order", i, forced[k]);
        }
        if (test_dispatches(&l, (struct gpu_options){.dynamic_batch = true}, "reduce serial of "))
            fail_msg("chain %zu: of any batch", i);
        unload(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_reduced_on_the_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
