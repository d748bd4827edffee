/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_errors_test.c - what is said of nodes that TensorFlow Lite gets wrong, and that nothing is of their like. */
#include "lib/testing/test.h"
#include "lib/tflite/tflite_errors.h"

static const float scale[2] = {0.5f, 0.25f};
static int8_t weights[2];

static struct tensor x = {.type = TYPE_INT16, .rank = 4, .dim = {1, 2, 2, 2}, .quant = {.scale = scale, .n = 1}},
                     w = {.type = TYPE_INT8,
                          .rank = 4,
                          .dim = {1, 1, 1, 2},
                          .is_const = true,
                          .data = weights,
                          .quant = {.scale = scale, .n = 1}},
                     bias = {.type = TYPE_INT32, .rank = 1, .dim = {2}, .is_const = true},
                     y = {.type = TYPE_INT16, .rank = 4, .dim = {1, 2, 2, 2}, .quant = {.scale = scale, .n = 1}};

static const char *error_of(int32_t builtin, struct tensor *b)
{
    struct tensor *in[] = {&x, &w, b}, *out[] = {&y};
    const struct node n = {.builtin = builtin, .in = in, .n_in = 3, .out = out, .n_out = 1};

    return tflite_error_of(&n);
}

static void convolutions(void **state)
{
    (void)state;
    assert_non_null(strstr(error_of(BUILTIN_CONV_2D, NULL), "wants a bias"));
    assert_non_null(strstr(error_of(BUILTIN_CONV_2D, &bias), "INT64"));
    assert_null(error_of(BUILTIN_DEPTHWISE_CONV_2D, &bias));
    bias.type = TYPE_INT64;
    assert_null(error_of(BUILTIN_CONV_2D, &bias));
    bias.type = TYPE_INT32;
    x.type = TYPE_INT8;
    assert_null(error_of(BUILTIN_CONV_2D, &bias));
}

static void hybrid_depthwise(void **state)
{
    (void)state;
    x = (struct tensor){.type = TYPE_FLOAT32, .rank = 4, .dim = {1, 2, 2, 2}};
    y = x;
    assert_non_null(strstr(error_of(BUILTIN_DEPTHWISE_CONV_2D, NULL), "behind the only one"));
    w.quant.n = 2;
    assert_null(error_of(BUILTIN_DEPTHWISE_CONV_2D, NULL));
    w.quant.n = 1;
    w.dim[3] = 1;
    assert_null(error_of(BUILTIN_DEPTHWISE_CONV_2D, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(convolutions), cmocka_unit_test(hybrid_depthwise)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
