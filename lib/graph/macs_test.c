/* SPDX-License-Identifier: Apache-2.0 */
/* macs_test.c - one known count per family of operators. */
#include "lib/graph/macs.h"
#include "lib/testing/test.h"

#define MAX_IN 4

struct case_node {
    struct node node;
    struct tensor tensors[MAX_IN + 1];
    struct tensor *in[MAX_IN], *out[1];
};

static struct tensor shaped(int32_t rank, const int32_t *dim)
{
    struct tensor t = {.type = TYPE_FLOAT32, .rank = rank, .name = "t"};

    memcpy(t.dim, dim, (size_t)rank * sizeof *dim);
    return t;
}

#define T(...) shaped(sizeof((int32_t[]){__VA_ARGS__}) / 4, (int32_t[]){__VA_ARGS__})

static uint64_t count(struct case_node *c, int32_t builtin, const char *name, uint32_t n_in)
{
    for (uint32_t i = 0; i < n_in; i++)
        c->in[i] = &c->tensors[i];
    c->out[0] = &c->tensors[MAX_IN];
    c->node.builtin = builtin;
    c->node.name = name;
    c->node.op = op_find(builtin, name);
    c->node.in = c->in;
    c->node.out = c->out;
    c->node.n_in = n_in;
    c->node.n_out = 1;
    return node_macs(&c->node);
}

static void convolutions(void **state)
{
    struct case_node conv = {.tensors = {T(1, 8, 8, 3), T(16, 3, 3, 3), T(16), [MAX_IN] = T(1, 4, 4, 16)}};
    struct case_node grouped = {.tensors = {T(1, 8, 8, 4), T(16, 3, 3, 2), [MAX_IN] = T(1, 8, 8, 16)}};
    struct case_node depthwise = {.tensors = {T(1, 8, 8, 3), T(1, 3, 3, 6), [MAX_IN] = T(1, 8, 8, 6)}};
    struct case_node transpose = {.tensors = {T(4), T(5, 2, 2, 3), T(1, 4, 4, 3), [MAX_IN] = T(1, 8, 8, 5)}};
    struct case_node custom = {.tensors = {T(1, 4, 4, 3), T(5, 2, 2, 3), [MAX_IN] = T(1, 8, 8, 5)}};

    struct case_node conv_3d = {.tensors = {T(1, 4, 8, 8, 3), T(2, 3, 3, 3, 5), [MAX_IN] = T(1, 3, 6, 6, 5)}};
    struct case_node transpose_3d = {.tensors = {T(5), T(2, 3, 3, 5, 3), T(1, 3, 6, 6, 3), [MAX_IN] = T(1, 4, 8, 8, 5)}};

    (void)state;
    assert_int_equal(count(&conv_3d, BUILTIN_CONV_3D, "CONV_3D", 2), 3 * 6 * 6 * 5 * 2 * 3 * 3 * 3);
    assert_int_equal(count(&transpose_3d, BUILTIN_CONV_3D_TRANSPOSE, "CONV_3D_TRANSPOSE", 3), 3 * 6 * 6 * 3 * 2 * 3 * 3 * 5);
    assert_int_equal(count(&conv, BUILTIN_CONV_2D, "CONV_2D", 3), 4 * 4 * 16 * 27);
    assert_int_equal(count(&grouped, BUILTIN_CONV_2D, "CONV_2D", 2), 8 * 8 * 16 * 18);
    assert_int_equal(count(&depthwise, BUILTIN_DEPTHWISE_CONV_2D, "DEPTHWISE_CONV_2D", 2), 8 * 8 * 6 * 9);
    assert_int_equal(count(&transpose, BUILTIN_TRANSPOSE_CONV, "TRANSPOSE_CONV", 3), 4 * 4 * 3 * 5 * 4);
    assert_int_equal(count(&custom, BUILTIN_CUSTOM, "Convolution2DTransposeBias", 2), 4 * 4 * 3 * 5 * 4);
}

static void products(void **state)
{
    struct case_node full = {.tensors = {T(2, 10), T(7, 10), [MAX_IN] = T(2, 7)}};
    struct case_node matmul = {.tensors = {T(3, 4, 5), T(3, 5, 6), [MAX_IN] = T(3, 4, 6)}};
    struct case_node adjoint = {.tensors = {T(3, 5, 4), T(3, 5, 6), [MAX_IN] = T(3, 4, 6)},
                                .node.opt = &(struct opt_batch_matmul){.adj_x = true}};

    (void)state;
    assert_int_equal(count(&full, BUILTIN_FULLY_CONNECTED, "FULLY_CONNECTED", 2), 2 * 7 * 10);
    assert_int_equal(count(&matmul, BUILTIN_BATCH_MATMUL, "BATCH_MATMUL", 2), 3 * 4 * 6 * 5);
    assert_int_equal(count(&adjoint, BUILTIN_BATCH_MATMUL, "BATCH_MATMUL", 2), 3 * 4 * 6 * 5);
}

static void recurrent_steps(void **state)
{
    struct case_node rnn = {.tensors = {T(2, 9, 5), T(7, 5), T(7, 7), T(7), [MAX_IN] = T(2, 9, 7)}};

    static const int32_t cells[] = {
        BUILTIN_UNIDIRECTIONAL_SEQUENCE_RNN,  BUILTIN_BIDIRECTIONAL_SEQUENCE_RNN,  BUILTIN_RNN, BUILTIN_LSTM,
        BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM, BUILTIN_BIDIRECTIONAL_SEQUENCE_LSTM, BUILTIN_SVDF};

    (void)state;
    for (int i = 1; i < 4; i++)
        rnn.tensors[i].is_const = true;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        assert_int_equal(count(&rnn, cells[i], NULL, 4), 2 * 9 * (35 + 49));
}

static void nothing_to_count(void **state)
{
    struct case_node add = {.tensors = {T(2, 10), T(2, 10), [MAX_IN] = T(2, 10)}};
    struct case_node odd = {.tensors = {T(1, 8, 8, 3), T(3), [MAX_IN] = T(1, 4, 4, 16)}};

    (void)state;
    assert_int_equal(count(&add, BUILTIN_ADD, "ADD", 2), 0);
    assert_int_equal(count(&odd, BUILTIN_DEPTHWISE_CONV_2D, "DEPTHWISE_CONV_2D", 2), 0);
    assert_int_equal(count(&odd, BUILTIN_CONV_2D, "CONV_2D", 1), 0);
}

static void unknown_is_not_zero(void **state)
{
    struct case_node add = {.tensors = {T(2, 10), T(2, 10), [MAX_IN] = T(2, 10)}};
    struct case_node loop = {.tensors = {T(2, 10), [MAX_IN] = T(2, 10)}};
    struct case_node stranger = {.tensors = {T(2, 10), [MAX_IN] = T(2, 10)}};
    struct case_node odd = {.tensors = {T(1, 8, 8, 3), T(3), [MAX_IN] = T(1, 4, 4, 16)}};
    struct case_node empty = {.tensors = {T(0, 10), T(7, 10), [MAX_IN] = T(0, 7)}};
    struct case_node late = {.tensors = {T(2, 10), T(7, 10), [MAX_IN] = T(2, 7)}, .node.dynamic = true};

    (void)state;
    assert_int_equal(count(&add, BUILTIN_ADD, "ADD", 2), 0);
    assert_true(node_macs_known(&add.node));
    assert_int_equal(count(&loop, BUILTIN_WHILE, "WHILE", 1), 0);
    assert_false(node_macs_known(&loop.node));
    assert_int_equal(count(&stranger, BUILTIN_CUSTOM, "NobodyKnows", 1), 0);
    assert_false(node_macs_known(&stranger.node));
    assert_int_equal(count(&odd, BUILTIN_CONV_2D, "CONV_2D", 1), 0);
    assert_false(node_macs_known(&odd.node));
    assert_int_equal(count(&empty, BUILTIN_FULLY_CONNECTED, "FULLY_CONNECTED", 2), 0);
    assert_true(node_macs_known(&empty.node));
    assert_int_equal(count(&late, BUILTIN_FULLY_CONNECTED, "FULLY_CONNECTED", 2), 140);
    assert_false(node_macs_known(&late.node));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions),        cmocka_unit_test(products),
        cmocka_unit_test(recurrent_steps),     cmocka_unit_test(nothing_to_count),
        cmocka_unit_test(unknown_is_not_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
