/* SPDX-License-Identifier: Apache-2.0 */
/* workgroup_reduce_test.c - which long loops are folded by a workgroup in one dispatch, which in parts, and that the results are
 * the CPU's. */
#include <string.h>

#include "lib/gl/testing/test_session.h"

/* Of x [dim] over `axes`, ended by -1. */
struct fold {
    enum builtin op;
    int32_t dim[4], axes[5];
    uint32_t trees, all; /* dispatches by a workgroup for each vector, and with others */
    enum { HARDWARE, SOFTWARE } device;
    uint32_t groups;     /* that the device starts along each axis; 0: as every device has */
    uint32_t iterations; /* that an invocation may make; 0: GL_FEW_ITERATIONS */
    const char *forced;
    bool any_batch;
};

#define HW                                                                                                                         \
    {                                                                                                                              \
        1, 2, -1                                                                                                                   \
    }
#define TREE   1, 1
#define SERIAL 0, 1
#define PARTS  0, 2

static const struct fold folds[] = {
    /* worth parts; worth a workgroup alone, and too short for that; as many outputs; more of them, which parts are worth */
    {BUILTIN_MEAN, {1, 48, 47, 21}, HW, TREE},
    {BUILTIN_MEAN, {1, 16, 16, 21}, HW, TREE},
    {BUILTIN_MEAN, {1, 15, 17, 21}, HW, SERIAL},
    {BUILTIN_MEAN, {1, 16, 16, 4096}, HW, TREE},
    {BUILTIN_MEAN, {1, 16, 16, 4097}, HW, SERIAL},
    {BUILTIN_REDUCE_MAX, {1, 33, 32, 4097}, HW, TREE},
    /* as long as one workgroup takes it, and longer: parts, short and long ones */
    {BUILTIN_MEAN, {1, 128, 128, 3}, HW, TREE},
    {BUILTIN_MEAN, {1, 128, 129, 3}, HW, PARTS},
    {BUILTIN_MEAN, {1, 270, 270, 3}, HW, 2, 2},
    /* along other axes, and all of them */
    {BUILTIN_REDUCE_MAX, {2, 3, 5, 1025}, {3, -1}, TREE},
    {BUILTIN_REDUCE_MAX, {300, 1, 2, 3}, {0, -1}, TREE},
    {BUILTIN_MEAN, {3, 5, 7, 43}, {0, 1, 2, 3, -1}, TREE},
    {BUILTIN_REDUCE_MAX, {5, 67, 3, 11}, {0, 2, -1}, TREE, .forced = "reduce:tree"},
    {BUILTIN_ARG_MAX, {1, 1, 2000, 9}, {2, -1}, TREE},
    {BUILTIN_ARG_MAX, {2, 1, 3, 700}, {3, -1}, TREE},
    {BUILTIN_ARG_MIN, {300, 1, 2, 5}, {0, -1}, TREE},
    {BUILTIN_ARG_MIN, {1, 200, 2, 5}, {1, -1}, SERIAL},
    /* a CPU's lanes wait for each other: of few outputs alone */
    {BUILTIN_MEAN, {1, 64, 64, 16}, HW, TREE, SOFTWARE},
    {BUILTIN_MEAN, {1, 64, 64, 17}, HW, PARTS, SOFTWARE},
    {BUILTIN_MEAN, {1, 63, 65, 16}, HW, PARTS, SOFTWARE},
    {BUILTIN_MEAN, {1, 270, 270, 3}, HW, TREE, SOFTWARE},
    {BUILTIN_MEAN, {1, 16, 16, 8}, HW, SERIAL, SOFTWARE},
    {BUILTIN_MEAN, {1, 16, 16, 8}, HW, TREE, SOFTWARE, .forced = "reduce:tree"},
    /* 48 turns of rows and 6 of joining, each with its end; turns of 2000 in 64 */
    {BUILTIN_MEAN, {1, 48, 47, 21}, HW, TREE, .iterations = 154},
    {BUILTIN_MEAN, {1, 48, 47, 21}, HW, PARTS, .iterations = 153},
    {BUILTIN_ARG_MAX, {1, 1, 2000, 9}, {2, -1}, TREE, .iterations = 39},
    {BUILTIN_ARG_MAX, {1, 1, 2000, 9}, {2, -1}, 2, 2, .iterations = 38},
    /* too many workgroups; any batch */
    {BUILTIN_REDUCE_MAX, {1, 300, 64, 4}, {1, -1}, TREE, .groups = 64},
    {BUILTIN_REDUCE_MAX, {1, 300, 64, 4}, {1, -1}, SERIAL, .groups = 63},
    {BUILTIN_REDUCE_MAX, {1, 64, 300, 4}, {2, -1}, SERIAL, .groups = 63},
    {BUILTIN_REDUCE_MAX, {64, 2, 300, 4}, {2, -1}, SERIAL, .groups = 63},
    {BUILTIN_MEAN, {1, 48, 47, 21}, HW, PARTS, .any_batch = true},
};

static bool is_arg(const struct fold *f)
{
    return f->op == BUILTIN_ARG_MAX || f->op == BUILTIN_ARG_MIN;
}

/* What is an index becomes a float, as the comparison wants it. */
static struct loaded build(const struct fold *f)
{
    int32_t y_dim[4], n = 0, rank = 0, x, y, t, at;
    struct builder b;

    builder_init(&b, "fold");
    for (int32_t i = 0; i < 4; i++)
        if (i == f->axes[n])
            n++;
        else
            y_dim[rank++] = f->dim[i];
    x = build_tensor(&b, "x", TYPE_FLOAT32, f->dim, 4);
    y = build_tensor(&b, "y", TYPE_FLOAT32, y_dim, rank);
    at = build_const(&b, "axes", TYPE_INT32, &n, 1, f->axes);
    if (is_arg(f)) {
        t = build_tensor(&b, "t", TYPE_INT32, y_dim, rank);
        build_op(&b, f->op, 1, &(struct opt_arg_max){TYPE_INT32}, INDICES(x, at), INDICES(t));
        build_op(&b, BUILTIN_CAST, 1, NULL, INDICES(t), INDICES(y));
    } else
        build_op(&b, f->op, 1, &(struct opt_reducer){.keep_dims = false}, INDICES(x, at), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static void as_long_and_as_few(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        const struct fold *f = &folds[i];
        const struct gl_policy policy = {.software = f->device == SOFTWARE,
                                         .iterations = f->iterations ? f->iterations : GL_FEW_ITERATIONS};
        struct gl_limits most = gl_limits_least;
        const struct gpu_options o = {
            .device = -1, .policy = &policy, .most = &most, .variants = f->forced, .dynamic_batch = f->any_batch};
        struct loaded l = build(f);
        uint32_t trees, all;

        most.policy.software = true;
        for (int axis = 0; axis < 3 && f->groups; axis++)
            most.group_count[axis] = f->groups;
        trees = test_dispatches(&l, o, is_arg(f) ? "arg_minmax tree" : "reduce tree");
        all = test_dispatches(&l, o, is_arg(f) ? "arg_minmax" : "reduce");
        if (trees != f->trees || all != f->all)
            fail_msg("fold %zu: %u dispatches, %u of them trees, not %u, %u", i, all, trees, f->all, f->trees);
        unload(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_long_and_as_few)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
