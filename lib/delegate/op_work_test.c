/* SPDX-License-Identifier: Apache-2.0 */
/* op_work_test.c - counts of single nodes and of nodes computed together. */
#include "lib/delegate/op_work.h"

#include <math.h>

#include "bench/models/builder.h"
#include "lib/session/session.h"
#include "lib/testing/test.h"
#include "lib/testing/test_model.h"

#define N 6

/* x -> FULLY_CONNECTED(w[N,N]) -> a -> RELU -> b -> ADD(b, b) -> y, and a -> NEG -> z. */
static void build(struct builder *b)
{
    static const float weights[N * N];
    int32_t x, w, a, r, y, z;

    builder_init(b, "work");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, N));
    w = build_const(b, "w", TYPE_FLOAT32, SHAPE(N, N), weights);
    a = build_tensor(b, "a", TYPE_FLOAT32, SHAPE(1, N));
    r = build_tensor(b, "b", TYPE_FLOAT32, SHAPE(1, N));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, N));
    z = build_tensor(b, "z", TYPE_FLOAT32, SHAPE(1, N));
    build_op(b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(x, w), INDICES(a));
    build_op(b, BUILTIN_RELU, 1, NULL, INDICES(a), INDICES(r));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(r, r), INDICES(y));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(a), INDICES(z));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y, z));
}

/* Work of the nodes whose bits are set. */
static struct op_work work(const struct graph *g, uint32_t bits)
{
    const struct node *nodes[4];
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (bits >> i & 1)
            nodes[n++] = &g->nodes[i];
    return op_work_of(g, nodes, n);
}

static void counts(void **state)
{
    struct session_options opt = {0};
    struct op_work w;
    struct session *s;
    struct builder b;
    struct loaded l;
    struct err err;

    (void)state;
    build(&b);
    l = load(&b);
    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    w = work(session_graph(s), 1);
    assert_true(w.macs_known && w.bytes_known);
    assert_int_equal(w.macs, N * N);
    assert_int_equal(w.bytes, 4 * (N + N * N + N));
    w = work(session_graph(s), 2 + 4); /* b stays within; a is read once */
    assert_int_equal(w.macs, 0);
    assert_int_equal(w.bytes, 4 * (N + N));
    w = work(session_graph(s), 4); /* the same tensor twice is read once */
    assert_int_equal(w.bytes, 4 * (N + N));
    w = work(session_graph(s), 1 + 2 + 4); /* NEG reads a outside */
    assert_int_equal(w.bytes, 4 * (N + N * N + N + N));
    assert_int_equal(w.written, 4 * (N + N));
    w = work(session_graph(s), 15); /* nobody does; z is an output */
    assert_int_equal(w.bytes, 4 * (N + N * N + N + N));
    w = op_work_of_copy(session_input(s, 0));
    assert_true(w.macs_known && !w.macs && w.bytes == 4 * N);
    session_free(s);
    unload(&l);
}

static void least_time(void **state)
{
    const struct op_work w = {.macs = 3000000, .bytes = 8000, .macs_known = true, .bytes_known = true};
    const struct op_work unknown = {.macs = 3000000, .bytes = 8000};

    (void)state;
    assert_float_equal(op_work_least_us(&w, &(struct device_peak){.gflops = 6, .gbytes = 1}, false), 1000, 1e-3);
    assert_float_equal(op_work_least_us(&w, &(struct device_peak){.gflops = 6e6, .gbytes = 1}, false), 8, 1e-3);
    assert_float_equal(op_work_least_us(&w, &(struct device_peak){.gflops = 6}, false), 1000, 1e-3);
    assert_true(isnan(op_work_least_us(&w, &(struct device_peak){0}, false)));
    assert_float_equal(op_work_least_us(&w, &(struct device_peak){.gflops = 6, .half_gflops = 12}, true), 500, 1e-3);
    assert_float_equal(op_work_least_us(&w, &(struct device_peak){.gflops = 6, .half_gflops = 3}, true), 2000, 1e-3);
    assert_float_equal(op_work_least_us(&w, &(struct device_peak){.gflops = 6, .half_gflops = 12}, false), 1000, 1e-3);
    assert_float_equal(op_work_least_us(&w, &(struct device_peak){.gflops = 6}, true), 1000, 1e-3);
    assert_true(isnan(op_work_least_us(&unknown, &(struct device_peak){.gflops = 6, .gbytes = 1}, false)));
}

/* Of 8 kB; copied, each half takes what the whole takes on average. */
static void least_time_of_bytes(void **state)
{
    const struct op_work read = {.bytes = 8000, .bytes_known = true};
    const struct op_work written = {.bytes = 8000, .written = 8000, .bytes_known = true};
    const struct op_work copied = {.bytes = 8000, .written = 4000, .bytes_known = true};

    (void)state;
    assert_float_equal(op_work_least_us(&read, &(struct device_peak){.gbytes = 1}, false), 8, 1e-4);
    assert_float_equal(op_work_least_us(&read, &(struct device_peak){.gbytes = 2, .read_gbytes = 4}, false), 2, 1e-4);
    assert_float_equal(op_work_least_us(&written, &(struct device_peak){.gbytes = 2, .read_gbytes = 4}, false), 6, 1e-4);
    assert_float_equal(op_work_least_us(&copied, &(struct device_peak){.gbytes = 2, .read_gbytes = 4}, false), 4, 1e-4);
    assert_float_equal(op_work_least_us(&copied, &(struct device_peak){.gbytes = 4, .read_gbytes = 2}, false), 2, 1e-4);
    assert_float_equal(op_work_least_us(&written, &(struct device_peak){.gbytes = 4, .read_gbytes = 1}, false), 2, 1e-4);
}

static void rates(void **state)
{
    struct op_work w = {.macs = 3000000, .bytes = 8000, .macs_known = true, .bytes_known = true}, none = {.macs_known = true};
    struct op_work unknown = {.macs = 3000000, .bytes = 8000};

    (void)state;
    assert_float_equal(op_work_gflops(&w, 1000), 6, 1e-4);
    assert_float_equal(op_work_gbytes(&w, 2), 4, 1e-4);
    assert_true(isnan(op_work_gflops(&unknown, 1)) && isnan(op_work_gbytes(&unknown, 1)));
    assert_true(isnan(op_work_gflops(&none, 1)) && isnan(op_work_gflops(&w, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(rates),
        cmocka_unit_test(least_time),
        cmocka_unit_test(least_time_of_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
