/* SPDX-License-Identifier: Apache-2.0 */
/* random_graph.c - draws operators one by one, most of them on what was made last. */
#include "bench/fuzz/random_graph.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/splitmix.h"

#define MOST_BOUND 50.0f /* values beyond are squeezed before anything else reads them */

static bool has_room(const struct random_graph *c, const struct random_value *y)
{
    for (int32_t i = 0; i < y->rank; i++)
        if (y->dim[i] < 1)
            return false;
    return random_elems(y) <= RANDOM_ELEMS && c->n_values + 2 < RANDOM_VALUES;
}

static void note(struct random_graph *c, const char *name)
{
    size_t n = strlen(c->ops);

    c->n_ops++;
    snprintf(c->ops + n, sizeof c->ops - n, "%s%s", n ? " " : "", name);
}

/* y = op(x, further), where further < 0 is none. False, and nothing is built, where y is too large. */
static bool make(struct random_graph *c, enum builtin op, const char *name, const void *opt, struct random_value *x,
                 int32_t further, struct random_value y)
{
    if (!has_room(c, &y))
        return false;
    x->read = true;
    note(c, name);
    build_op(&c->b, op, 1, opt, (const int32_t[]){x->tensor, further}, further < 0 ? 1 : 2,
             (const int32_t[]){random_add(c, y)->tensor}, 1);
    return true;
}

static int32_t int_constant(struct random_graph *c, const int32_t *data, const int32_t *dim, int32_t rank)
{
    return build_const(&c->b, "numbers", TYPE_INT32, dim, rank, data);
}

/* Any value, most often one of the last. */
static struct random_value *draw_value(struct random_graph *c)
{
    uint32_t back = random_draw(c, 3) ? random_draw(c, c->n_values < 3 ? c->n_values : 3) : random_draw(c, c->n_values);

    return &c->values[c->n_values - 1 - back];
}

/* ---- operators; each is false where it does not go with the value ---- */

/* TensorFlow Lite has the function for the network's type. */
static bool has_type(const struct random_graph *c, enum builtin op)
{
    switch (op) {
    case BUILTIN_ABS: return c->type != TYPE_UINT8;
    case BUILTIN_NEG: return c->type == TYPE_FLOAT32;
    case BUILTIN_HARD_SWISH: return c->type != TYPE_INT16;
    default: return true;
    }
}

static bool unary(struct random_graph *c, struct random_value *x)
{
    static const struct {
        enum builtin op;
        const char *name;
        float most;
    } table[] = {
        {BUILTIN_RELU, "RELU", 0}, {BUILTIN_RELU6, "RELU6", 6}, {BUILTIN_LOGISTIC, "LOGISTIC", 1},    {BUILTIN_TANH, "TANH", 1},
        {BUILTIN_ABS, "ABS", 0},   {BUILTIN_NEG, "NEG", 0},     {BUILTIN_HARD_SWISH, "HARD_SWISH", 0}};
    const uint32_t i = random_draw(c, sizeof table / sizeof *table);
    struct random_value y = random_computed(x);

    if (!has_type(c, table[i].op))
        return false;
    if (table[i].most > 0)
        y.bound = table[i].most;
    if (table[i].op == BUILTIN_LOGISTIC || table[i].op == BUILTIN_TANH)
        random_known_steps(c, &y, table[i].op == BUILTIN_TANH);
    return make(c, table[i].op, table[i].name, NULL, x, -1, y);
}

static float bound_of(enum builtin op, float a, float b)
{
    return op == BUILTIN_MUL ? a * b : op == BUILTIN_MAXIMUM || op == BUILTIN_MINIMUM ? (a > b ? a : b) : a + b;
}

static bool same_shape(const struct random_value *a, const struct random_value *b)
{
    return a->rank == b->rank && !memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim);
}

static bool has_steps_of(const struct random_value *a, const struct random_value *b)
{
    return a->scale == b->scale && a->zero == b->zero;
}

/* The operand: a constant that broadcasts along some axes, or another value of that shape, if need be x itself. */
static struct random_value other_operand(struct random_graph *c, const struct random_value *x, bool same_steps)
{
    struct random_value w = same_steps ? random_like(x) : random_computed(x);

    if (random_draw(c, 2)) {
        for (uint32_t i = random_draw(c, c->n_values), n = 0; n < c->n_values; i = (i + 1) % c->n_values, n++)
            if (same_shape(&c->values[i], x) && (!same_steps || has_steps_of(&c->values[i], x)) &&
                (&c->values[i] != x || n + 1 == c->n_values)) {
                c->values[i].read = true;
                return c->values[i];
            }
    }
    for (int32_t i = 0; i < w.rank; i++)
        w.dim[i] = random_draw(c, 2) ? 1 : w.dim[i];
    w.bound = 2;
    w.tensor = random_constant(c, w, w.bound);
    return w;
}

/* Sums of 16-bit tensors are of any scales; unless it is said, TensorFlow Lite takes them to be powers of two. */
static const void *sum_options(const struct random_graph *c, enum builtin op)
{
    static const struct opt_add add = {.pot_scale_int16 = false};
    static const struct opt_sub sub = {.pot_scale_int16 = false};

    return c->type != TYPE_INT16 ? NULL : op == BUILTIN_ADD ? (const void *)&add : op == BUILTIN_SUB ? (const void *)&sub : NULL;
}

static bool binary(struct random_graph *c, struct random_value *x)
{
    static const struct {
        enum builtin op;
        const char *name;
    } table[] = {{BUILTIN_ADD, "ADD"},
                 {BUILTIN_SUB, "SUB"},
                 {BUILTIN_MUL, "MUL"},
                 {BUILTIN_MAXIMUM, "MAXIMUM"},
                 {BUILTIN_MINIMUM, "MINIMUM"}};
    const uint32_t i = random_draw(c, sizeof table / sizeof *table);
    const bool same_steps = table[i].op == BUILTIN_MAXIMUM || table[i].op == BUILTIN_MINIMUM;
    const struct random_value w = other_operand(c, x, same_steps);
    struct random_value y = same_steps ? random_like(x) : random_computed(x);

    y.bound = bound_of(table[i].op, x->bound, w.bound);
    return make(c, table[i].op, table[i].name, sum_options(c, table[i].op), x, w.tensor, y);
}

/* x * c + d with one number for each channel, as batch normalization is written. */
static bool normalization(struct random_graph *c, struct random_value *x)
{
    struct random_value y = random_computed(x);

    y.bound = 2 * x->bound;
    if (!make(c, BUILTIN_MUL, "MUL", NULL, x, random_channels(c, x, 2), y))
        return false;
    y.bound++;
    return make(c, BUILTIN_ADD, "ADD", sum_options(c, BUILTIN_ADD), &c->values[c->n_values - 1], random_channels(c, x, 1), y);
}

/* x * sigmoid(x), as converters write it: the sigmoid, perhaps something of it, times x. */
static bool silu(struct random_graph *c, struct random_value *x)
{
    struct random_value y = random_computed(x);

    y.bound = 1;
    random_known_steps(c, &y, false);
    if (!make(c, BUILTIN_LOGISTIC, "LOGISTIC", NULL, x, -1, y))
        return false;
    y = random_computed(x);
    return make(c, BUILTIN_MUL, "MUL", NULL, x, c->values[c->n_values - 1].tensor, y) && (c->values[c->n_values - 2].read = true);
}

/* The last axis to the second place, or back, or any order. */
static bool transpose(struct random_graph *c, struct random_value *x)
{
    struct random_value y = random_like(x);
    int32_t order[4] = {0, 1, 2, 3};
    const uint32_t how = random_draw(c, 3);

    for (int32_t i = 0; i < x->rank; i++)
        if (how < 2 && i)
            order[i] = how ? 1 + i % (x->rank - 1) : i == 1 ? x->rank - 1 : i - 1;
    for (int32_t i = x->rank; how == 2 && i-- > 1;) {
        const uint32_t k = random_draw(c, (uint32_t)i + 1);
        const int32_t swapped = order[i];

        order[i] = order[k];
        order[k] = swapped;
    }
    for (int32_t i = 0; i < x->rank; i++)
        y.dim[i] = x->dim[order[i]];
    return x->rank > 1 && make(c, BUILTIN_TRANSPOSE, "TRANSPOSE", NULL, x, int_constant(c, order, &x->rank, 1), y);
}

static bool pad(struct random_graph *c, struct random_value *x)
{
    int32_t pads[8] = {0};
    struct random_value y = random_like(x);

    for (int32_t i = 0; i < x->rank; i++)
        for (int32_t k = 0; k < 2 && random_draw(c, 2); k++)
            y.dim[i] += pads[2 * i + k] = (int32_t)random_draw(c, 3);
    return make(c, BUILTIN_PAD, "PAD", NULL, x, int_constant(c, pads, (const int32_t[]){x->rank, 2}, 2), y);
}

static bool reshape(struct random_graph *c, struct random_value *x)
{
    struct random_value y = random_like(x);
    const uint32_t how = random_draw(c, 3);

    if (how == 0 && x->rank > 1) {
        y.rank--;
        y.dim[y.rank - 1] = x->dim[y.rank - 1] * x->dim[y.rank];
    } else if (how == 1 && x->rank > 2) {
        y.rank--;
        y.dim[0] = x->dim[0] * x->dim[1];
        memmove(&y.dim[1], &x->dim[2], (size_t)(y.rank - 1) * sizeof *y.dim);
    } else if (x->rank < 4 && x->dim[x->rank - 1] % 2 == 0) {
        y.dim[y.rank - 1] /= 2;
        y.dim[y.rank++] = 2;
    } else {
        return false;
    }
    return make(c, BUILTIN_RESHAPE, "RESHAPE", NULL, x, int_constant(c, y.dim, &y.rank, 1), y);
}

/* With another value of that shape, or with itself. */
static bool concatenation(struct random_graph *c, struct random_value *x)
{
    const int32_t axis = (int32_t)random_draw(c, (uint32_t)x->rank);
    const struct opt_concatenation opt = {.axis = axis};
    struct random_value y = random_like(x), *w = x;

    for (uint32_t i = 0; i < c->n_values; i++)
        if (same_shape(&c->values[i], x) && (c->type == TYPE_UINT8 || has_steps_of(&c->values[i], x)) && random_draw(c, 2))
            w = &c->values[i];
    y.dim[axis] += w->dim[axis];
    y.bound = bound_of(BUILTIN_MAXIMUM, x->bound, w->bound);
    return make(c, BUILTIN_CONCATENATION, "CONCATENATION", &opt, x, w->tensor, y) && (w->read = true);
}

static bool split(struct random_graph *c, struct random_value *x)
{
    const int32_t axis = (int32_t)random_draw(c, (uint32_t)x->rank);
    const struct opt_split opt = {2};
    struct random_value y = random_like(x);
    int32_t in[2], out[2];

    if (x->dim[axis] % 2)
        return false;
    y.dim[axis] /= 2;
    if (!has_room(c, &y))
        return false;
    x->read = true;
    note(c, "SPLIT");
    in[0] = build_const(&c->b, "axis", TYPE_INT32, SCALAR, &axis);
    in[1] = x->tensor;
    out[0] = random_add(c, y)->tensor;
    out[1] = random_add(c, y)->tensor;
    build_op(&c->b, BUILTIN_SPLIT, 1, &opt, in, 2, out, 2);
    return true;
}

static int32_t extent(int32_t x, int32_t k, int32_t stride, bool same)
{
    return ((same ? x : x - k + 1) + stride - 1) / stride;
}

/* Kernel and bias are small enough for y's bound to be x's and a half. */
static bool convolution(struct random_graph *c, struct random_value *x)
{
    const int32_t k = random_draw(c, 2) ? 1 : 3, stride = random_draw(c, 4) ? 1 : 2,
                  channels = (const int32_t[]){1, 3, 4, 8, 13}[random_draw(c, 5)];
    const bool same = random_draw(c, 2);
    const struct opt_conv_2d opt = {.padding = same ? PAD_SAME : PAD_VALID,
                                    .stride_width = stride,
                                    .stride_height = stride,
                                    .dilation_width_factor = 1,
                                    .dilation_height_factor = 1,
                                    .activation = random_draw(c, 3) ? ACT_NONE : ACT_RELU};
    struct random_value y = random_computed(x);
    int32_t in[3];

    if (x->rank != 4 || x->dim[3] > 40)
        return false;
    y.dim[1] = extent(x->dim[1], k, stride, same);
    y.dim[2] = extent(x->dim[2], k, stride, same);
    y.dim[3] = channels;
    y.bound += 0.5f;
    if (!has_room(c, &y) || k * k * channels * x->dim[3] > RANDOM_ELEMS)
        return false;
    in[0] = x->tensor;
    in[1] = random_weights(c, (const int32_t[]){channels, k, k, x->dim[3]}, 0, 1.0f / (float)(k * k * x->dim[3]));
    in[2] = random_biases(c, x, in[1], channels);
    x->read = true;
    note(c, "CONV_2D");
    build_op(&c->b, BUILTIN_CONV_2D, 1, &opt, in, 3, (const int32_t[]){random_add(c, y)->tensor}, 1);
    if (!random_draw(c, 3))
        normalization(c, &c->values[c->n_values - 1]);
    return true;
}

static bool depthwise(struct random_graph *c, struct random_value *x)
{
    const struct opt_depthwise_conv_2d opt = {.padding = PAD_SAME,
                                              .stride_width = 1,
                                              .stride_height = 1,
                                              .depth_multiplier = 1,
                                              .dilation_width_factor = 1,
                                              .dilation_height_factor = 1};
    struct random_value y = random_computed(x);
    int32_t in[3];

    if (x->rank != 4 || 9 * x->dim[3] > RANDOM_ELEMS || !has_room(c, &y))
        return false;
    y.bound += 0.5f;
    in[0] = x->tensor;
    in[1] = random_weights(c, (const int32_t[]){1, 3, 3, x->dim[3]}, 3, 1.0f / 9);
    in[2] = random_biases(c, x, in[1], x->dim[3]);
    x->read = true;
    note(c, "DEPTHWISE_CONV_2D");
    build_op(&c->b, BUILTIN_DEPTHWISE_CONV_2D, 1, &opt, in, 3, (const int32_t[]){random_add(c, y)->tensor}, 1);
    if (!random_draw(c, 2))
        normalization(c, &c->values[c->n_values - 1]);
    return true;
}

/* The least value that the network has, or zero. */
static int32_t border_value(struct random_graph *c, const struct random_value *x, bool least)
{
    const float value = least ? -3.40282347e38f : 0;
    const int32_t q = !least ? x->zero : c->type == TYPE_INT8 ? INT8_MIN : c->type == TYPE_INT16 ? INT16_MIN : 0;
    int32_t tensor;

    if (c->type == TYPE_FLOAT32)
        return build_const(&c->b, "value", TYPE_FLOAT32, SCALAR, &value);
    tensor = random_integers(c, c->type, SCALAR, q, q);
    build_quant(&c->b, tensor, x->scale, x->zero);
    return tensor;
}

/* x with a border of that value around each image, which a pool reads alone: no value of the network. */
static struct random_value bordered(struct random_graph *c, const struct random_value *x, bool least)
{
    static const int32_t rows[] = {4, 2};
    const int32_t pads[8] = {0, 0, 1, (int32_t)random_draw(c, 2), (int32_t)random_draw(c, 2), 1, 0, 0};
    struct random_value y = random_like(x);
    int32_t in[3];

    y.dim[1] += 1 + pads[3];
    y.dim[2] += 1 + pads[4];
    in[0] = x->tensor;
    in[1] = int_constant(c, pads, rows, 2);
    in[2] = border_value(c, x, least);
    y.tensor = build_tensor(&c->b, "bordered", c->type, y.dim, y.rank);
    if (c->type != TYPE_FLOAT32)
        build_quant(&c->b, y.tensor, y.scale, y.zero);
    note(c, "PADV2");
    build_op(&c->b, BUILTIN_PADV2, 1, NULL, in, 3, &y.tensor, 1);
    return y;
}

static bool pool(struct random_graph *c, struct random_value *x)
{
    const int32_t k = 2 + (int32_t)random_draw(c, 2), stride = 1 + (int32_t)random_draw(c, 2);
    const bool border_first = random_draw(c, 2), same = !border_first && random_draw(c, 2),
               max = random_draw(c, 2); /* each window meets the image */
    const struct opt_pool_2d opt = {.padding = same ? PAD_SAME : PAD_VALID,
                                    .stride_width = stride,
                                    .stride_height = stride,
                                    .filter_width = k,
                                    .filter_height = k};
    struct random_value y = random_like(x), border;

    if (x->rank != 4 || random_elems(x) * 4 > RANDOM_ELEMS)
        return false;
    if (border_first) {
        x->read = true;
        border = bordered(c, x, max);
        x = &border;
    }
    y.dim[1] = extent(x->dim[1], k, stride, same);
    y.dim[2] = extent(x->dim[2], k, stride, same);
    return max ? make(c, BUILTIN_MAX_POOL_2D, "MAX_POOL_2D", &opt, x, -1, y)
               : make(c, BUILTIN_AVERAGE_POOL_2D, "AVERAGE_POOL_2D", &opt, x, -1, y);
}

/* To any other number of rows and columns, of up to three times as many. */
static bool resize(struct random_graph *c, struct random_value *x)
{
    static const int32_t two[] = {2};
    const uint32_t how = random_draw(c, 3);
    const struct opt_resize_bilinear opt = {how == 1, how == 2};
    struct random_value y = random_like(x);

    if (x->rank != 4)
        return false;
    for (int i = 1; i < 3; i++)
        y.dim[i] = random_draw(c, 2) ? 2 * x->dim[i] : 1 + (int32_t)random_draw(c, 3 * (uint32_t)x->dim[i]);
    y.bound *= 1.001f; /* for rounding */
    return make(c, BUILTIN_RESIZE_BILINEAR, "RESIZE_BILINEAR", &opt, x, int_constant(c, &y.dim[1], two, 1), y);
}

/* Transposes and elementwise functions are drawn more often than others. */
static bool (*const operators[])(struct random_graph *c, struct random_value *x) = {
    unary, unary,   binary,        binary, binary,      silu,        transpose, transpose, transpose, pad,
    pad,   reshape, concatenation, split,  convolution, convolution, depthwise, pool,      resize,    resize};

static void add_input(struct random_graph *c, int32_t rank)
{
    struct random_value x = {.rank = rank, .bound = 1};

    for (int32_t i = 0; i < rank; i++)
        x.dim[i] = i == rank - 1     ? (const int32_t[]){1, 3, 4, 8, 10}[random_draw(c, 5)]
                   : !i && rank == 4 ? 1
                                     : 2 + (int32_t)random_draw(c, 6);
    random_add(c, x);
}

static void step(struct random_graph *c)
{
    struct random_value *x = draw_value(c), y = random_computed(x);
    const uint32_t before = c->n_ops;

    if (x->bound > MOST_BOUND) {
        y.bound = 1;
        random_known_steps(c, &y, true);
        make(c, BUILTIN_TANH, "TANH", NULL, x, -1, y);
        return;
    }
    for (int tries = 0; tries < 20 && c->n_ops == before; tries++)
        operators[random_draw(c, sizeof operators / sizeof *operators)](c, x);
}

void random_make(struct random_graph *c, enum tensor_type type, uint64_t seed)
{
    int32_t inputs[2], outputs[RANDOM_VALUES];
    uint32_t n_inputs, n_outputs = 0, steps;

    *c = (struct random_graph){.type = type,
                               .seed = splitmix_next(&seed)}; /* seeds beside each other must not share what they draw */
    builder_init(&c->b, "a chain");
    n_inputs = 1 + !random_draw(c, 4);
    for (uint32_t i = 0; i < n_inputs; i++) {
        add_input(c, random_draw(c, 4) ? 4 : 3);
        inputs[i] = c->values[i].tensor;
    }
    steps = 2 + random_draw(c, RANDOM_STEPS - 1);
    for (uint32_t i = 0; i < steps; i++)
        step(c);
    for (uint32_t i = n_inputs; i < c->n_values; i++)
        if (!c->values[i].read || !random_draw(c, 16))
            outputs[n_outputs++] = c->values[i].tensor;
    build_ends(&c->b, inputs, n_inputs, outputs, n_outputs);
}

float random_bound(const struct random_graph *c)
{
    float most = 1;

    for (uint32_t i = 0; i < c->n_values; i++)
        most = c->values[i].bound > most ? c->values[i].bound : most;
    return most;
}
