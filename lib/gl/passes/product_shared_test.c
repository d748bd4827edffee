/* SPDX-License-Identifier: Apache-2.0 */
/* product_shared_test.c - which products of matrices are computed by blocks that lie in shared memory, and that they are right
 * where rows, columns and the sum are no multiples of a block. Those of convolutions: conv_variants_test.c. */
#include "lib/gl/testing/test_session.h"

/* x [x_batch][heads][rows][depth] times z [z_batch][heads][depth][columns], either transposed. */
struct matrices {
    int32_t x_batch, z_batch, heads, rows, depth, columns;
    bool adj_x, adj_z;
    const char *forced, *label;
    bool cached; /* shared memory is as all else */
};

static struct loaded network(const struct matrices *c)
{
    const struct opt_batch_matmul opt = {.adj_x = c->adj_x, .adj_y = c->adj_z};
    const int32_t batch = c->x_batch > c->z_batch ? c->x_batch : c->z_batch;
    int32_t x, z, y;
    struct builder b;

    builder_init(&b, "matrices");
    x = build_tensor(&b, "x", TYPE_FLOAT32,
                     SHAPE(c->x_batch, c->heads, c->adj_x ? c->depth : c->rows, c->adj_x ? c->rows : c->depth));
    z = build_tensor(&b, "z", TYPE_FLOAT32,
                     SHAPE(c->z_batch, c->heads, c->adj_z ? c->columns : c->depth, c->adj_z ? c->depth : c->columns));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(batch, c->heads, c->rows, c->columns));
    build_op(&b, BUILTIN_BATCH_MATMUL, 1, &opt, INDICES(x, z), INDICES(y));
    build_inputs(&b, INDICES(x, z));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

#define SHARED "batch_matmul:shared", "batch_matmul shared"
#define DIRECT "batch_matmul:shared", "batch_matmul direct"
static const struct matrices cases[] = {
    /* one beyond a block in both directions and a chunk; both sides as they are and transposed, of several products */
    {1, 1, 1, 65, 17, 69, false, false, SHARED},
    {2, 2, 3, 70, 37, 67, false, true, SHARED},
    {2, 2, 3, 67, 33, 70, true, false, SHARED},
    {2, 2, 1, 66, 35, 65, true, true, SHARED},
    {1, 3, 2, 70, 5, 131, false, false, SHARED},
    {3, 1, 2, 131, 3, 33, false, true, SHARED},
    {1, 1, 1, 16, 40, 29, false, false, SHARED},
    /* too few rows and columns */
    {1, 1, 1, 15, 40, 29, false, false, DIRECT},
    {1, 1, 1, 16, 40, 28, false, false, DIRECT},
    /* as estimated of hardware: long sums, and more than three quarters of the blocks are full */
    {1, 1, 2, 64, 64, 64, false, false, NULL, "batch_matmul shared"},
    {1, 1, 2, 64, 60, 64, false, false, NULL, "batch_matmul direct"},
    {1, 1, 2, 64, 64, 64, false, false, NULL, "batch_matmul direct", .cached = true},
    {1, 1, 1, 49, 64, 64, false, false, NULL, "batch_matmul shared"},
    {1, 1, 1, 48, 64, 64, false, false, NULL, "batch_matmul direct"},
    {1, 1, 1, 97, 64, 128, false, false, NULL, "batch_matmul shared"},
    {1, 1, 1, 96, 64, 128, false, false, NULL, "batch_matmul direct"},
};

static void of_any_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gl_policy policy = {
            .cached_shared = cases[i].cached, .check_reads = cases[i].forced != NULL, .iterations = GL_FEW_ITERATIONS};
        const struct gpu_options o = {.device = -1, .policy = &policy, .variants = cases[i].forced};
        struct loaded l = network(&cases[i]);

        if (test_dispatches(&l, o, cases[i].label) != 1)
            fail_msg("case %zu is not \"%s\"", i, cases[i].label);
        unload(&l);
    }
}

static bool is_shared(const struct gl_limits *most)
{
    static const struct matrices m = {1, 1, 3, 65, 16, 65, .forced = "batch_matmul:shared"};
    const struct gpu_options o = {.device = -1, .most = most, .variants = m.forced};
    struct loaded l = network(&m);
    const uint32_t n = test_dispatches(&l, o, "batch_matmul shared");

    unload(&l);
    return n == 1;
}

/* What every device has is enough, and less of anything is not: 2 blocks of rows and of columns, of 3 products. */
static void as_the_device_allows(void **state)
{
    struct gl_limits most = gl_limits_least;
    const struct {
        uint32_t *limit, enough;
    } rows[] = {{&most.group_count[0], 2}, {&most.group_count[1], 2},      {&most.group_count[2], 3}, {&most.group_size[0], 16},
                {&most.group_size[1], 8},  {&most.group_invocations, 128}, {&most.shared_bytes, 8192}};

    (void)state;
    assert_true(is_shared(&most));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        most = gl_limits_least;
        *rows[i].limit = rows[i].enough;
        if (!is_shared(&most))
            fail_msg("row %zu: it is enough", i);
        *rows[i].limit = rows[i].enough - 1;
        if (is_shared(&most))
            fail_msg("row %zu: less is not enough", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_any_size),
        cmocka_unit_test(as_the_device_allows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
