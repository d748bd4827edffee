/* SPDX-License-Identifier: Apache-2.0 */
/* cli_models.c - tiny models for the tests of the command lines: each shows one thing. */
#include "bench/models/cli_models.h"

#include <stdlib.h>
#include <string.h>

#include "bench/models/builder.h"
#include "bench/models/bundle_writer.h"
#include "bench/models/detectors.h"
#include "bench/models/language.h"
#include "bench/models/layers.h"
#include "lib/base/fbw.h"
#include "lib/base/file_write.h"

/* y = x0 + x1, with a colon in a name, for the flags that separate by colons. */
static void add(struct builder *b)
{
    int32_t x0 = build_tensor(b, "scope/x:0", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t x1 = build_tensor(b, "x1", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x0, x1), INDICES(y));
    build_ends(b, INDICES(x0, x1), INDICES(y));
    build_signature(b, "serving_default", (const char *const[]){"left", "right"}, (const char *const[]){"sum"});
}

/* y = (x + x) * x: the sum lies within the partition of a delegate, which does not show it. */
static void chain(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, x), INDICES(t));
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(t, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* y = x0 + ... + x5, in five nodes: a library that only adds up runs it, too (testdata/runtimes). */
static void sums(struct builder *b)
{
    int32_t x[6], sum[6];

    for (int i = 0; i < 6; i++) {
        char name[16];

        snprintf(name, sizeof name, "x%d", i);
        x[i] = build_tensor(b, name, TYPE_FLOAT32, SHAPE(1, 4));
        snprintf(name, sizeof name, "sum%d", i);
        sum[i] = i ? build_tensor(b, name, TYPE_FLOAT32, SHAPE(1, 4)) : x[0];
        if (i)
            build_op(b, BUILTIN_ADD, 1, NULL, INDICES(sum[i - 1], x[i]), INDICES(sum[i]));
    }
    build_ends(b, INDICES(x[0], x[1], x[2], x[3], x[4], x[5]), INDICES(sum[5]));
}

/* Activations of up to 1500 and RMSNorm over 64 channels: in half precision the squares are infinite. */
static void rms_norm(struct builder *b)
{
    static const struct opt_reducer keep = {.keep_dims = true};
    static const float large = 400, eps = 1e-6f;
    static const int32_t last = 2;
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 16, 64)), h = build_tensor(b, "h", TYPE_FLOAT32, SHAPE(1, 16, 64));
    int32_t square = build_tensor(b, "square", TYPE_FLOAT32, SHAPE(1, 16, 64));
    int32_t mean = build_tensor(b, "mean", TYPE_FLOAT32, SHAPE(1, 16, 1));
    int32_t sum = build_tensor(b, "mean_eps", TYPE_FLOAT32, SHAPE(1, 16, 1));
    int32_t root = build_tensor(b, "root", TYPE_FLOAT32, SHAPE(1, 16, 1));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 16, 64));
    int32_t scale = build_const(b, "large", TYPE_FLOAT32, SHAPE(1), &large);
    int32_t axis = build_const(b, "axis", TYPE_INT32, SHAPE(1), &last);

    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(x, scale), INDICES(h));
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(h, h), INDICES(square));
    build_op(b, BUILTIN_MEAN, 1, &keep, INDICES(square, axis), INDICES(mean));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(mean, build_const(b, "eps", TYPE_FLOAT32, SHAPE(1), &eps)), INDICES(sum));
    build_op(b, BUILTIN_RSQRT, 1, NULL, INDICES(sum), INDICES(root));
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(h, root), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Norms of rows and of columns: as both read the squares, a GPU stores them. */
static void two_norms(struct builder *b)
{
    static const struct opt_reducer keep = {.keep_dims = true};
    static const float large = 400;
    static const int32_t axes[2] = {1, 2};
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 16, 64)), h = build_tensor(b, "h", TYPE_FLOAT32, SHAPE(1, 16, 64));
    int32_t square = build_tensor(b, "square", TYPE_FLOAT32, SHAPE(1, 16, 64)), y[2];

    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(x, build_const(b, "large", TYPE_FLOAT32, SHAPE(1), &large)), INDICES(h));
    build_op(b, BUILTIN_SQUARED_DIFFERENCE, 1, NULL, INDICES(h, x), INDICES(square));
    for (int i = 0; i < 2; i++) {
        int32_t mean = build_tensor(b, i ? "rows" : "columns", TYPE_FLOAT32, (const int32_t[]){1, i ? 16 : 1, i ? 1 : 64}, 3);

        y[i] = build_tensor(b, i ? "norm_rows" : "norm_columns", TYPE_FLOAT32, (const int32_t[]){1, i ? 16 : 1, i ? 1 : 64}, 3);
        build_op(b, BUILTIN_MEAN, 1, &keep, INDICES(square, build_const(b, "axis", TYPE_INT32, SHAPE(1), axes + i)), INDICES(mean));
        build_op(b, BUILTIN_SQRT, 1, NULL, INDICES(mean), INDICES(y[i]));
    }
    build_ends(b, INDICES(x), INDICES(y[0], y[1]));
}

/* The mean of 256x256 elements of some tens: their sum is infinite in half precision, the mean is not. */
static void large_mean(struct builder *b)
{
    static const struct opt_reducer keep = {.keep_dims = true};
    static const float offset = 50;
    static const int32_t image[2] = {1, 2};
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 256, 256, 4));
    int32_t h = build_tensor(b, "h", TYPE_FLOAT32, SHAPE(1, 256, 256, 4)),
            y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 1, 1, 4));
    int32_t axes = build_const(b, "axes", TYPE_INT32, SHAPE(2), image);

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, build_const(b, "offset", TYPE_FLOAT32, SHAPE(1), &offset)), INDICES(h));
    build_op(b, BUILTIN_MEAN, 1, &keep, INDICES(h, axes), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* A square beyond 65504 whose reader carries no scale: its nodes have to stay in float32. */
static void large_square(struct builder *b)
{
    static const float large = 400;
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 64)), h = build_tensor(b, "h", TYPE_FLOAT32, SHAPE(1, 64));
    int32_t square = build_tensor(b, "square", TYPE_FLOAT32, SHAPE(1, 64)),
            log = build_tensor(b, "log", TYPE_FLOAT32, SHAPE(1, 64));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 64));

    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(x, build_const(b, "large", TYPE_FLOAT32, SHAPE(1), &large)), INDICES(h));
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(h, h), INDICES(square));
    build_op(b, BUILTIN_LOG, 1, NULL, INDICES(square), INDICES(log));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(log), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* The input picks a row of five: what is drawn at random is mostly no row. */
static void gather(struct builder *b)
{
    static const float rows[] = {0, 1, 2, 3, 4};
    int32_t table = build_const(b, "table", TYPE_FLOAT32, SHAPE(5, 1), rows);
    int32_t x = build_tensor(b, "index", TYPE_INT32, SHAPE(8));
    int32_t y = build_tensor(b, "row", TYPE_FLOAT32, SHAPE(8, 1));

    build_op(b, BUILTIN_GATHER, 1, NULL, INDICES(table, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Words pick rows of a table by way of a RESHAPE and a CAST; positions become angles. */
static void text(struct builder *b)
{
    static const float rows[14] = {0};
    static const int32_t flat_shape[] = {4};
    int32_t table = build_const(b, "table", TYPE_FLOAT32, SHAPE(7, 2), rows);
    int32_t shape = build_const(b, "flat", TYPE_INT32, SHAPE(1), flat_shape);
    int32_t words = build_tensor(b, "words", TYPE_INT64, SHAPE(2, 2));
    int32_t places = build_tensor(b, "places", TYPE_INT32, SHAPE(4, 1));
    int32_t list = build_tensor(b, "list", TYPE_INT64, SHAPE(4));
    int32_t index = build_tensor(b, "index", TYPE_INT32, SHAPE(4));
    int32_t vectors = build_tensor(b, "vectors", TYPE_FLOAT32, SHAPE(4, 2));
    int32_t angles = build_tensor(b, "angles", TYPE_FLOAT32, SHAPE(4, 1));
    int32_t waves = build_tensor(b, "waves", TYPE_FLOAT32, SHAPE(4, 1));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4, 2));

    build_op(b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{4}, 1}, INDICES(words, shape), INDICES(list));
    build_op(b, BUILTIN_CAST, 1, &(struct opt_cast){TYPE_INT64, TYPE_INT32}, INDICES(list), INDICES(index));
    build_op(b, BUILTIN_EMBEDDING_LOOKUP, 1, NULL, INDICES(index, table), INDICES(vectors));
    build_op(b, BUILTIN_CAST, 1, &(struct opt_cast){TYPE_INT32, TYPE_FLOAT32}, INDICES(places), INDICES(angles));
    build_op(b, BUILTIN_SIN, 1, NULL, INDICES(angles), INDICES(waves));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(vectors, waves), INDICES(y));
    build_ends(b, INDICES(words, places), INDICES(y));
}

/* log of numbers that are negative in part: NaN on both sides is no difference. */
static void log_of_anything(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 64));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 64));

    build_op(b, BUILTIN_LOG, 1, NULL, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* relu -> an operator nobody has -> relu. */
static void custom(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t u = build_tensor(b, "u", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_RELU, 1, NULL, INDICES(x), INDICES(t));
    build_custom_op(b, "NobodyHasThis", NULL, 0, INDICES(t), INDICES(u));
    build_op(b, BUILTIN_RELU, 1, NULL, INDICES(u), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Quantized, so that differences count raw and dequantized. */
static void quantized(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_INT8, SHAPE(1, 16));
    int32_t y = build_tensor(b, "y", TYPE_INT8, SHAPE(4, 4));

    build_quant(b, x, 0.1f, 3);
    build_quant(b, y, 0.1f, 3);
    build_op(b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{4, 4}, 2}, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* It runs nowhere: nothing writes the first tensor. */
static void unwritten(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2)), t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(2));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2));

    build_op(b, BUILTIN_RELU, 1, NULL, INDICES(x), INDICES(t));
    build_custom_op(b, "ethos-u", NULL, 0, INDICES(t), INDICES(y));
    build_outputs(b, INDICES(y));
}

/* What it was before it was quantized. */
static void unquantized(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 16));
    int32_t y = build_tensor(b, "y_float", TYPE_FLOAT32, SHAPE(4, 4));

    build_op(b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{4, 4}, 2}, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* y = x + x and, in a subgraph of its own, area = side * side: two signatures, neither of which is the model's. */
static void signatures(struct builder *b)
{
    for (int i = 0; i < 2; i++) {
        int32_t x, y;

        if (i > 0)
            build_subgraph(b, "second");
        x = build_tensor(b, i > 0 ? "side" : "x", TYPE_FLOAT32, SHAPE(1, 2));
        y = build_tensor(b, i > 0 ? "area" : "y", TYPE_FLOAT32, SHAPE(1, 2));
        build_op(b, i > 0 ? BUILTIN_MUL : BUILTIN_ADD, 1, NULL, INDICES(x, x), INDICES(y));
        build_ends(b, INDICES(x), INDICES(y));
        build_signature(b, i > 0 ? "square" : "twice", (const char *const[]){"v"}, (const char *const[]){"w"});
    }
}

/* Names that would be markup, bytes that are no text, and control characters, for whatever prints or writes them. */
static void names(struct builder *b)
{
    int32_t x = build_tensor(b, "<script>alert('x')</script>", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t t = build_tensor(b, "</td></table>&amp;<img src=\"http://x/\">", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t y = build_tensor(b, "\xff\xc3(\xed\xa0\x80\x1b[31m]]>\xef\xbf\xbf", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, x), INDICES(t));
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(t, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* A subgraph: y = x + x. */
static void twice(struct builder *b, const char *name)
{
    int32_t x, y;

    build_subgraph(b, name);
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* An operator that stands for a subgraph of the model, y = x + x, between two others. */
static void composite(struct builder *b)
{
    const struct opt_stablehlo_composite opt = {.name = "test.twice", .subgraph_index = 1};
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4)), t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t u = build_tensor(b, "u", TYPE_FLOAT32, SHAPE(1, 4)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(t));
    build_op(b, BUILTIN_STABLEHLO_COMPOSITE, 1, &opt, INDICES(t), INDICES(u));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(u), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
    twice(b, "twice");
}

static int32_t variable(struct builder *b)
{
    int32_t handle = build_tensor(b, "handle", TYPE_RESOURCE, SCALAR);

    build_op(b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", "count"}, NULL, 0, INDICES(handle));
    return handle;
}

/* count += x, which is y; then it is read again, and z is its double. It begins with ones. */
static void counter(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4)), h;
    int32_t old = build_tensor(b, "old", TYPE_FLOAT32, SHAPE(1, 4)), now = build_tensor(b, "now", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t z = build_tensor(b, "z", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1}, NULL, 0, NULL, 0);
    h = variable(b);
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(old));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, old), INDICES(y));
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, y), NULL, 0);
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(now));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(now, now), INDICES(z));
    build_ends(b, INDICES(x), INDICES(y, z));
    build_subgraph(b, "once");
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL,
             INDICES(variable(b), build_const(b, "ones", TYPE_FLOAT32, SHAPE(1, 4), (float[]){1, 1, 1, 1})), NULL, 0);
    build_ends(b, NULL, 0, NULL, 0);
}

/* y = -t, where a variable has held t = -x. */
static void noted(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4)), h;
    int32_t t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(1, 4)), read = build_tensor(b, "read", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(t));
    h = variable(b);
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, t), NULL, 0);
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(read));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(read), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* WHILE (true) x = x + x: it never ends. */
static void forever(struct builder *b)
{
    static const uint8_t yes[] = {1};
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4)), c;

    build_op(b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
    build_subgraph(b, "condition");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    c = build_const(b, "yes", TYPE_BOOL, SHAPE(1), yes);
    build_ends(b, INDICES(x), INDICES(c));
    twice(b, "body");
}

/* What a loop carries: how often it went round, and two vectors. */
static void carried(struct builder *b, int32_t v[3])
{
    v[0] = build_tensor(b, "i", TYPE_INT32, SHAPE(1));
    v[1] = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 64));
    v[2] = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 64));
}

/* WHILE (i < 100) (i, x, y) = (i + 1, y, |y| - x), which comes back after nine rounds; then i and y - x. */
static void loop(struct builder *b)
{
    static const int32_t none = 0, one = 1, most = 100;
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 64)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 64)), v[3], t[3];

    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(y));
    carried(b, v);
    build_op(b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(build_const(b, "0", TYPE_INT32, SHAPE(1), &none), x, y), v, 3);
    t[0] = build_tensor(b, "difference", TYPE_FLOAT32, SHAPE(1, 64));
    build_op(b, BUILTIN_SUB, 1, NULL, INDICES(v[2], v[1]), INDICES(t[0]));
    build_ends(b, INDICES(x), INDICES(v[0], t[0]));
    build_subgraph(b, "condition");
    carried(b, v);
    t[0] = build_tensor(b, "more", TYPE_BOOL, SHAPE(1));
    build_op(b, BUILTIN_LESS, 1, NULL, INDICES(v[0], build_const(b, "most", TYPE_INT32, SHAPE(1), &most)), INDICES(t[0]));
    build_ends(b, v, 3, INDICES(t[0]));
    build_subgraph(b, "body");
    carried(b, v);
    carried(b, t);
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(v[0], build_const(b, "1", TYPE_INT32, SHAPE(1), &one)), INDICES(t[0]));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(v[2]), INDICES(t[1]));
    build_op(b, BUILTIN_SUB, 1, NULL, INDICES(t[1], v[1]), INDICES(t[2]));
    build_ends(b, v, 3, INDICES(t[0], v[2], t[2]));
}

/* 12 multiply-accumulates, into a tensor whose name has all that a CSV must quote. */
static void dense(struct builder *b)
{
    static const float weights[12] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12};
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    int32_t w = build_const(b, "w", TYPE_FLOAT32, SHAPE(3, 4), weights);
    int32_t t = build_tensor(b, "a, \"b\"\nc", TYPE_FLOAT32, SHAPE(1, 3));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 3));

    build_op(b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(x, w), INDICES(t));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(t), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Floats times weights of 8 bits, twice: the CPU quantizes the floats while it runs. */
static void hybrid(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 16)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 16)), t, w;
    int8_t weights[16 * 16];

    for (int i = 0; i < 16 * 16; i++)
        weights[i] = (int8_t)(i * 37 % 255 - 127);
    w = build_const(b, "w", TYPE_INT8, SHAPE(16, 16), weights);
    build_quant(b, w, 0.01f, 0);
    t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(1, 16));
    build_op(b, BUILTIN_FULLY_CONNECTED, 3, NULL, INDICES(x, w, -1), INDICES(t));
    build_op(b, BUILTIN_FULLY_CONNECTED, 3, NULL, INDICES(t, w, -1), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Nine nodes as networks have them, to look for one of them that is wrong; node 2 adds what is read twice. */
static void branches(struct builder *b)
{
    struct net n = {.b = *b, .seed = 11};
    const struct window one = {1, 1, 1}, three = {3, 1, 1};
    int32_t x = layer_input(&n, "x", 8, 8, 3), a, s, t;

    a = layer_conv(&n, x, "a", "a", 8, three, ACT_RELU6, 1);
    s = layer_add(&n, a, layer_depthwise(&n, a, "b", "b", three, ACT_NONE), "s");
    t = layer_add(&n, s, layer_conv(&n, s, "c", "c", 8, one, ACT_NONE, 1), "t");
    t = layer_conv(&n, t, "d", "d", 6, (struct window){3, 2, 1}, ACT_RELU, 1);
    t = layer_conv(&n, layer_global_pool(&n, t, "p"), "e", "e", 5, one, ACT_NONE, 1);
    t = layer_softmax(&n, t, "y");
    build_ends(&n.b, INDICES(x), INDICES(t));
    *b = n.b;
}

/* What sets of 2019 refuse: an activation, a mean and a SQUEEZE, which have other forms, and an EXP, which has none. */
static void mendable(struct builder *b)
{
    static const struct opt_reducer keep = {.keep_dims = true};
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4, 4, 3)), h = build_tensor(b, "h", TYPE_FLOAT32, SHAPE(1, 4, 4, 3));
    int32_t m = build_tensor(b, "m", TYPE_FLOAT32, SHAPE(1, 1, 1, 3)), s = build_tensor(b, "s", TYPE_FLOAT32, SHAPE(3));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(3)),
            axes = build_const(b, "axes", TYPE_INT32, SHAPE(2), (int32_t[]){1, 2});

    build_op(b, BUILTIN_HARD_SWISH, 1, NULL, INDICES(x), INDICES(h));
    build_op(b, BUILTIN_MEAN, 1, &keep, INDICES(h, axes), INDICES(m));
    build_op(b, BUILTIN_SQUEEZE, 1, NULL, INDICES(m), INDICES(s));
    build_op(b, BUILTIN_EXP, 1, NULL, INDICES(s), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Where the input is above a half: as many rows as there are such places, which only running tells. */
static void dynamic(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, 8)), above = build_tensor(b, "above", TYPE_BOOL, SHAPE(2, 8));
    int32_t half = build_const(b, "half", TYPE_FLOAT32, SHAPE(1), (float[]){0.5f});
    int32_t places = build_tensor(b, "places", TYPE_INT64, SHAPE(1, 2)), f = build_tensor(b, "f", TYPE_FLOAT32, SHAPE(1, 2));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 2));

    build_op(b, BUILTIN_GREATER, 1, NULL, INDICES(x, half), INDICES(above));
    build_op(b, BUILTIN_WHERE, 1, NULL, INDICES(above), INDICES(places));
    build_op(b, BUILTIN_CAST, 1, &(struct opt_cast){TYPE_INT64, TYPE_FLOAT32}, INDICES(places), INDICES(f));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(f, f), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Texts, whose bytes only running tells. */
static void strings(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_STRING, SHAPE(2, 2)), y = build_tensor(b, "y", TYPE_STRING, SHAPE(4));
    int32_t shape = build_const(b, "shape", TYPE_INT32, SHAPE(1), (int32_t[]){4});
    int32_t like = build_tensor(b, "like", TYPE_STRING, SHAPE(4)), same = build_tensor(b, "same", TYPE_BOOL, SHAPE(4));

    build_op(b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{4}, 1}, INDICES(x, shape), INDICES(y));
    build_op(b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{4}, 1}, INDICES(y, shape), INDICES(like));
    build_op(b, BUILTIN_EQUAL, 1, NULL, INDICES(y, like), INDICES(same));
    build_ends(b, INDICES(x), INDICES(like, same));
}

/* Scores of three classes for each pixel, its red, green and blue; channels last, or first. */
static void scores_of_pixels(struct builder *b, const int32_t *dim)
{
    int32_t x = build_tensor(b, "pixels", TYPE_FLOAT32, dim, 4), twice = build_tensor(b, "twice", TYPE_FLOAT32, dim, 4);
    int32_t y = build_tensor(b, "scores", TYPE_FLOAT32, dim, 4);

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, x), INDICES(twice));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(twice, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

static void segments(struct builder *b)
{
    scores_of_pixels(b, (const int32_t[]){1, 8, 8, 3});
}

static void segments_first(struct builder *b)
{
    scores_of_pixels(b, (const int32_t[]){1, 3, 8, 8});
}

/* The same, with the class of each pixel for an answer. */
static void segments_labels(struct builder *b)
{
    int32_t x = build_tensor(b, "pixels", TYPE_FLOAT32, SHAPE(1, 8, 8, 3));
    int32_t axis = build_const(b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){3});
    int32_t y = build_tensor(b, "labels", TYPE_INT64, SHAPE(1, 8, 8));

    build_op(b, BUILTIN_ARG_MAX, 1, &(struct opt_arg_max){TYPE_INT64}, INDICES(x, axis), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* How probable a foreground is: where a gray pixel is bright. */
static void segments_mask(struct builder *b)
{
    int32_t x = build_tensor(b, "pixels", TYPE_FLOAT32, SHAPE(1, 8, 8, 1));
    int32_t y = build_tensor(b, "mask", TYPE_FLOAT32, SHAPE(1, 8, 8, 1));

    build_op(b, BUILTIN_LOGISTIC, 1, NULL, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* y = -|x|, with the channels last. */
static void channels_last(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));
    int32_t t = build_tensor(b, "magnitude", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));

    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(t));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(t), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* The same with the channels first within, and two tensors of one name. */
static void channels_first(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));
    int32_t first = build_const(b, "first", TYPE_INT32, SHAPE(4), (int32_t[]){0, 3, 1, 2});
    int32_t last = build_const(b, "last", TYPE_INT32, SHAPE(4), (int32_t[]){0, 2, 3, 1});
    int32_t u = build_tensor(b, "x/first", TYPE_FLOAT32, SHAPE(1, 4, 2, 3));
    int32_t t = build_tensor(b, "magnitude", TYPE_FLOAT32, SHAPE(1, 4, 2, 3));
    int32_t v = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4, 2, 3));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));

    build_op(b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(x, first), INDICES(u));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(u), INDICES(t));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(t), INDICES(v));
    build_op(b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(v, last), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

const struct cli_model cli_models[] = {
    {"add", add},
    {"chain", chain},
    {"sums", sums},
    {"gather", gather},
    {"rms_norm", rms_norm},
    {"two_norms", two_norms},
    {"large_mean", large_mean},
    {"large_square", large_square},
    {"text", text},
    {"log", log_of_anything},
    {"custom", custom},
    {"quantized", quantized},
    {"unquantized", unquantized},
    {"unwritten", unwritten},
    {"signatures", signatures},
    {"names", names},
    {"composite", composite},
    {"counter", counter},
    {"noted", noted},
    {"forever", forever},
    {"loop", loop},
    {"dense", dense},
    {"dynamic", dynamic},
    {"strings", strings},
    {"hybrid", hybrid},
    {"branches", branches},
    {"mendable", mendable},
    {"language", language_model},
    {"segments", segments},
    {"segments_first", segments_first},
    {"segments_labels", segments_labels},
    {"segments_mask", segments_mask},
    {"ssd", detector_ssd},
    {"ssd_reversed", detector_ssd_reversed},
    {"plain", detector_plain},
    {"yolo", detector_yolo},
    {"yolo_last", detector_yolo_last},
    {"nms_free", detector_nms_free},
    {"detr", detector_detr},
    {"detr_none", detector_detr_none},
    {"channels_last", channels_last},
    {"channels_first", channels_first},
    {0},
};

/* ---- tiny models packed together ---- */

enum { WIDTH = 8 };

static const float weights[WIDTH * WIDTH] = {1, 2, 3, 4, 5, 6, 7, 8, [17] = 1, [26] = 1, [63] = 2};

/* y = x + x. */
static void small(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* y = x w. */
static void product(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, WIDTH));
    int32_t w = build_const(b, "w", TYPE_FLOAT32, SHAPE(WIDTH, WIDTH), weights);
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, WIDTH));

    build_op(b, BUILTIN_FULLY_CONNECTED, 1, &(struct opt_fully_connected){0}, INDICES(x, w, -1), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* The same under two signatures. */
static void product_twice(struct builder *b)
{
    product(b);
    build_signature(b, "prefill", (const char *const[]){"tokens"}, (const char *const[]){"logits"});
    build_signature(b, "decode", (const char *const[]){"tokens"}, (const char *const[]){"logits"});
}

static fbw_ref put_table(struct fbw *w, unsigned id, fbw_ref child, unsigned name_id, fbw_ref name)
{
    fbw_start(w);
    fbw_table(w, id, child);
    fbw_table(w, name_id, name);
    return fbw_end(w);
}

/* TFLITE_METADATA of a model: input 0 is normalized by 100 and 50, the classes of output 0 are in labels.txt. */
static uint8_t *make_metadata(size_t *bytes)
{
    const float mean = 100, std = 50;
    fbw_ref numbers[2], unit, input, file, output, graph, lists[2];
    uint8_t *out;
    struct fbw w;

    fbw_init(&w);
    numbers[0] = fbw_vector(&w, &mean, 1, 4, 4);
    numbers[1] = fbw_vector(&w, &std, 1, 4, 4);
    unit = put_table(&w, 0, numbers[0], 1, numbers[1]);
    fbw_start(&w);
    fbw_u8(&w, 0, 1, 0);
    fbw_table(&w, 1, unit);
    unit = fbw_end(&w);
    unit = fbw_tables(&w, &unit, 1);
    input = fbw_string(&w, "image");
    input = put_table(&w, 4, unit, 0, input);
    file = fbw_string(&w, "labels.txt");
    fbw_start(&w);
    fbw_table(&w, 0, file);
    fbw_i8(&w, 2, 2, 0);
    file = fbw_end(&w);
    file = fbw_tables(&w, &file, 1);
    output = fbw_string(&w, "animal");
    output = put_table(&w, 6, file, 0, output);
    lists[0] = fbw_tables(&w, &input, 1);
    lists[1] = fbw_tables(&w, &output, 1);
    graph = put_table(&w, 2, lists[0], 3, lists[1]);
    graph = fbw_tables(&w, &graph, 1);
    file = fbw_string(&w, "photo");
    out = fbw_finish(&w, put_table(&w, 3, graph, 0, file), "M001", bytes);
    fbw_free(&w);
    return out;
}

/* Two classes of a picture of 2 x 2 pixels. */
static void photo(struct builder *b)
{
    static const float w[2 * 12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, [12] = 2};
    int32_t x = build_tensor(b, "image", TYPE_FLOAT32, SHAPE(1, 2, 2, 3));
    int32_t y = build_tensor(b, "animal", TYPE_FLOAT32, SHAPE(1, 2));
    size_t bytes;
    uint8_t *metadata = make_metadata(&bytes);

    build_op(b, BUILTIN_FULLY_CONNECTED, 1, &(struct opt_fully_connected){0},
             INDICES(x, build_const(b, "w", TYPE_FLOAT32, SHAPE(2, 12), w), -1), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
    if (metadata)
        build_metadata(b, "TFLITE_METADATA", metadata, bytes);
    free(metadata);
}

struct bytes {
    uint8_t *data;
    size_t n;
};

static enum status serialize(void (*build)(struct builder *b), struct bytes *out, struct err *err)
{
    struct builder b;
    enum status st;

    builder_init(&b, "packed");
    build(&b);
    st = builder_serialize(&b, &out->data, &out->n, err);
    builder_fini(&b);
    return st;
}

/* Its weights at `offset` of the store. */
static enum status serialize_outside(const char *group, uint64_t offset, struct bytes *out, struct err *err)
{
    struct model_external at = {.id = 0x80000000, .offset = offset, .bytes = sizeof weights};
    struct model_group store = {.name = (char *)group, .place = "", .offset = offset};
    struct builder b;
    enum status st;

    builder_init(&b, "weights outside");
    product_twice(&b);
    store.range = (struct file_range){.data = (const uint8_t *)weights, .bytes = sizeof weights};
    b.model.buffers[b.model.n_buffers - 1].external = &at;
    b.model.groups = &store;
    b.model.n_groups = 1;
    b.model.keep_external = true;
    st = builder_serialize(&b, &out->data, &out->n, err);
    builder_fini(&b);
    return st;
}

static const char *in(const char *dir, const char *name)
{
    static char path[1100];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static enum status write_lm(const char *path, const struct bytes *m, const struct bytes *with, uint64_t hole, struct err *err)
{
    const struct bundle_part parts[] = {
        {.type = PART_LLM_METADATA, .data = "about", .bytes = 5},
        {.type = PART_TOKENIZER, .data = "words", .bytes = 5},
        {.type = PART_MODEL, .model_type = "tf_lite_embedder", .backend = "cpu", .data = m->data, .bytes = m->n},
        {.type = PART_MODEL, .model_type = "tf_lite_prefill_decode", .data = with->data, .bytes = with->n},
        {.type = PART_WEIGHTS,
         .model_type = "tf_lite_prefill_decode",
         .data = hole ? NULL : weights,
         .bytes = hole + sizeof weights},
    };

    return bundle_write_litertlm(path, parts, sizeof parts / sizeof *parts, err);
}

enum status cli_bundles_write(const char *dir, struct err *err)
{
    const uint64_t far = (uint64_t)5 << 30;
    const struct bundle_part files[] = {{.name = "other.txt", .data = "one\ntwo\n", .bytes = 8},
                                        {.name = "labels.txt", .data = "cat\ndog\n", .bytes = 8}};
    struct bytes m[6] = {{0}};
    struct bundle_part pair[] = {
        {.name = "small.tflite"}, {.name = "PRODUCT"}, {.name = "labels.txt", .data = "cat\ndog\n", .bytes = 8}};
    enum status st;

    if ((st = serialize(small, &m[0], err)) || (st = serialize(product, &m[1], err)) ||
        (st = serialize_outside("tflite_weights", 0, &m[2], err)) || (st = serialize_outside("tflite_weights", far, &m[3], err)) ||
        (st = serialize_outside("outside.bin", 0, &m[4], err)) || (st = serialize(photo, &m[5], err)))
        goto out;
    pair[0].data = m[0].data, pair[0].bytes = m[0].n;
    pair[1].data = m[1].data, pair[1].bytes = m[1].n;
    if ((st = bundle_write_task(in(dir, "pair.task"), pair, 3, false, err)) ||
        (st = bundle_write_model(in(dir, "photo.tflite"), m[5].data, m[5].n, files, 2, err)) ||
        (st = write_lm(in(dir, "lm.litertlm"), &m[0], &m[2], 0, err)) ||
        (st = write_lm(in(dir, "far.litertlm"), &m[0], &m[3], far, err)) ||
        (st = file_write(in(dir, "outside.tflite"), &(struct file_piece){m[4].data, m[4].n}, 1, err)))
        goto out;
    st = file_write(in(dir, "outside.bin"), &(struct file_piece){weights, sizeof weights}, 1, err);
out:
    for (size_t i = 0; i < sizeof m / sizeof *m; i++)
        free(m[i].data);
    return st;
}
