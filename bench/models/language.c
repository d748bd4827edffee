/* SPDX-License-Identifier: Apache-2.0 */
/* language.c - see language.h */
#include "bench/models/language.h"

#include <math.h>

#include "lib/tensor/rng.h"

enum { LAYERS = 2, WIDTH = 32, HIDDEN = 64, MOST_WEIGHTS = 64 };

/* While the subgraphs are built. Each has the same weights in the same order, so that the second takes the buffers of the first. */
struct language {
    struct builder *b;
    struct language_form form;
    struct rng rng;
    uint32_t buffers[MOST_WEIGHTS], n_weights;
    bool again;      /* the second subgraph */
    int32_t n;       /* tokens a run */
    int32_t start;   /* [3] where new rows of the state go */
    int32_t visible; /* [n,capacity] added to attention scores: 0, or far below 0 for later tokens */
};

static int32_t tensor(struct language *l, const char *name, int32_t rows, int32_t columns)
{
    return build_tensor(l->b, name, TYPE_FLOAT32, SHAPE(1, rows, columns));
}

static int32_t constant(struct language *l, const char *name, enum tensor_type type, const int32_t *dim, int32_t rank,
                        const void *data)
{
    int32_t t;

    if (!l->again) {
        t = build_const(l->b, name, type, dim, rank, data);
        l->buffers[l->n_weights++] = l->b->st ? 0 : build_at(l->b, t)->buffer;
        return t;
    }
    t = build_tensor(l->b, name, type, dim, rank);
    if (!l->b->st) {
        struct tensor *at = build_at(l->b, t);

        at->buffer = l->buffers[l->n_weights++];
        at->data = (void *)l->b->model.buffers[at->buffer].data;
        at->is_const = at->is_known = true;
    }
    return t;
}

/* Random weights: [rows,columns], or a vector for 0 rows. */
static int32_t weights(struct language *l, const char *name, int32_t rows, int32_t columns)
{
    float w[LANGUAGE_CAPACITY * WIDTH];
    const int32_t n = (rows ? rows : 1) * columns;
    const double scale = sqrt(12.0 / columns);

    for (int32_t i = 0; i < n && !l->again; i++)
        w[i] = (float)(scale * (rng_uniform(&l->rng) - 0.5));
    return rows ? constant(l, name, TYPE_FLOAT32, SHAPE(rows, columns), w) : constant(l, name, TYPE_FLOAT32, SHAPE(columns), w);
}

static int32_t one_number(struct language *l, const char *name, float value)
{
    return constant(l, name, TYPE_FLOAT32, SCALAR, &value);
}

static int32_t dense(struct language *l, const char *name, int32_t x, int32_t from, int32_t to, enum activation act)
{
    const int32_t w = weights(l, "weights", to, from), y = tensor(l, name, l->n, to);

    build_op(l->b, BUILTIN_FULLY_CONNECTED, 5, &(struct opt_fully_connected){.activation = act, .keep_num_dims = true},
             INDICES(x, w, -1), INDICES(y));
    return y;
}

static int32_t add(struct language *l, const char *name, int32_t x0, int32_t x1)
{
    const int32_t y = tensor(l, name, l->n, WIDTH);

    build_op(l->b, BUILTIN_ADD, 1, NULL, INDICES(x0, x1), INDICES(y));
    return y;
}

/* RMSNorm: x / sqrt(mean of x^2 + 1e-6), without a gain. */
static int32_t norm(struct language *l, int32_t x)
{
    const int32_t axis = constant(l, "axis", TYPE_INT32, SHAPE(1), (const int32_t[]){2}), tiny = one_number(l, "epsilon", 1e-6f);
    const int32_t squares = tensor(l, "squares", l->n, WIDTH), mean = tensor(l, "mean", l->n, 1);
    const int32_t sum = tensor(l, "sum", l->n, 1), factor = tensor(l, "factor", l->n, 1), y = tensor(l, "norm", l->n, WIDTH);

    build_op(l->b, BUILTIN_MUL, 1, NULL, INDICES(x, x), INDICES(squares));
    build_op(l->b, BUILTIN_MEAN, 1, &(struct opt_reducer){.keep_dims = true}, INDICES(squares, axis), INDICES(mean));
    build_op(l->b, BUILTIN_ADD, 1, NULL, INDICES(mean, tiny), INDICES(sum));
    build_op(l->b, BUILTIN_RSQRT, 1, NULL, INDICES(sum), INDICES(factor));
    build_op(l->b, BUILTIN_MUL, 1, NULL, INDICES(x, factor), INDICES(y));
    return y;
}

/* A tensor of the state, or rows for it. */
static int32_t state_tensor(struct language *l, const char *name, int32_t rows)
{
    const int32_t t = build_tensor(l->b, name, l->form.state, SHAPE(1, rows, WIDTH));

    if (l->form.state == TYPE_INT8)
        build_quant(l->b, t, 0.03f, 5);
    return t;
}

/* `from` as the type of `to`. */
static int32_t converted(struct language *l, enum builtin op, int32_t from, int32_t to)
{
    build_op(l->b, op, 1, NULL, INDICES(from), INDICES(to));
    return to;
}

/* The state with the new rows in it: in *out as it is stored, returned as floats. */
static int32_t updated(struct language *l, const char *name, int32_t state, int32_t rows, int32_t *out)
{
    const int32_t y = *out = state_tensor(l, name, LANGUAGE_CAPACITY);
    const bool floats = l->form.state == TYPE_FLOAT32;

    if (!floats)
        rows = converted(l, BUILTIN_QUANTIZE, rows, state_tensor(l, "rows", l->n));
    build_op(l->b, BUILTIN_DYNAMIC_UPDATE_SLICE, 1, NULL, INDICES(state, rows, l->start), INDICES(y));
    return floats ? y : converted(l, BUILTIN_DEQUANTIZE, y, tensor(l, "floats", LANGUAGE_CAPACITY, WIDTH));
}

/* Attention over all tokens so far; state[2] are keys and values before, out[2] after. */
static int32_t attention(struct language *l, int32_t x, const int32_t *state, int32_t *out)
{
    const int32_t q = dense(l, "query", x, WIDTH, WIDTH, ACT_NONE), k = dense(l, "key", x, WIDTH, WIDTH, ACT_NONE);
    const int32_t v = dense(l, "value", x, WIDTH, WIDTH, ACT_NONE), scale = one_number(l, "scale", 0.6f);
    const int32_t scores = tensor(l, "scores", l->n, LANGUAGE_CAPACITY), scaled = tensor(l, "scaled", l->n, LANGUAGE_CAPACITY);
    const int32_t masked = tensor(l, "masked", l->n, LANGUAGE_CAPACITY), shares = tensor(l, "shares", l->n, LANGUAGE_CAPACITY);
    const int32_t mixed = tensor(l, "mixed", l->n, WIDTH);
    const int32_t keys = updated(l, "keys", state[0], k, &out[0]), values = updated(l, "values", state[1], v, &out[1]);

    build_op(l->b, BUILTIN_BATCH_MATMUL, 1, &(struct opt_batch_matmul){.adj_y = true}, INDICES(q, keys), INDICES(scores));
    build_op(l->b, BUILTIN_MUL, 1, NULL, INDICES(scores, scale), INDICES(scaled));
    build_op(l->b, BUILTIN_ADD, 1, NULL, INDICES(scaled, l->visible), INDICES(masked));
    build_op(l->b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){.beta = 1}, INDICES(masked), INDICES(shares));
    build_op(l->b, BUILTIN_BATCH_MATMUL, 1, NULL, INDICES(shares, values), INDICES(mixed));
    return dense(l, "attention", mixed, WIDTH, WIDTH, ACT_NONE);
}

/* Where the first of the positions is in the state. */
static void find_start(struct language *l, int32_t positions)
{
    const int32_t zero = constant(l, "zero", TYPE_INT32, SHAPE(1), (const int32_t[]){0});
    const int32_t one = constant(l, "one", TYPE_INT32, SHAPE(1), (const int32_t[]){1});
    const int32_t first = build_tensor(l->b, "first", TYPE_INT32, SHAPE(1));

    l->start = build_tensor(l->b, "start", TYPE_INT32, SHAPE(3));
    build_op(l->b, BUILTIN_SLICE, 1, NULL, INDICES(positions, zero, one), INDICES(first));
    build_op(l->b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 0}, INDICES(zero, first, zero), INDICES(l->start));
}

/* Which tokens each may see: those up to its own position. */
static void find_visible(struct language *l, int32_t positions)
{
    int32_t all[LANGUAGE_CAPACITY], places, shape, column, later;
    const int32_t hidden = one_number(l, "hidden", -1e9f), shown = one_number(l, "shown", 0);

    for (int32_t i = 0; i < LANGUAGE_CAPACITY; i++)
        all[i] = i;
    places = constant(l, "places", TYPE_INT32, SHAPE(1, LANGUAGE_CAPACITY), all);
    shape = constant(l, "column_shape", TYPE_INT32, SHAPE(2), (const int32_t[]){-1, 1});
    column = build_tensor(l->b, "column", TYPE_INT32, SHAPE(l->n, 1));
    later = build_tensor(l->b, "later", TYPE_BOOL, SHAPE(l->n, LANGUAGE_CAPACITY));
    l->visible = build_tensor(l->b, "visible", TYPE_FLOAT32, SHAPE(l->n, LANGUAGE_CAPACITY));
    build_op(l->b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{-1, 1}, 2}, INDICES(positions, shape), INDICES(column));
    build_op(l->b, BUILTIN_GREATER, 1, NULL, INDICES(places, column), INDICES(later));
    build_op(l->b, BUILTIN_SELECT_V2, 1, NULL, INDICES(later, hidden, shown), INDICES(l->visible));
}

/* The same, said by a mask. */
static void take_mask(struct language *l, int32_t mask)
{
    if (l->form.spare) {
        const int32_t begin = constant(l, "begin", TYPE_INT32, SHAPE(3), (const int32_t[]){0, 0, 0});
        const int32_t size = constant(l, "size", TYPE_INT32, SHAPE(3), (const int32_t[]){1, -1, LANGUAGE_CAPACITY});
        const int32_t whole = mask;

        mask = build_tensor(l->b, "cut", l->form.mask, SHAPE(1, l->n, LANGUAGE_CAPACITY));
        build_op(l->b, BUILTIN_SLICE, 1, NULL, INDICES(whole, begin, size), INDICES(mask));
    }
    if (l->form.mask == TYPE_FLOAT32) {
        l->visible = mask;
        return;
    }
    l->visible = tensor(l, "visible", l->n, LANGUAGE_CAPACITY);
    build_op(l->b, BUILTIN_SELECT_V2, 1, NULL, INDICES(mask, one_number(l, "shown", 0), one_number(l, "hidden", -1e9f)),
             INDICES(l->visible));
}

/* An input of whole numbers; its numbers as INT32. */
static int32_t input_numbers(struct language *l, const char *name, const int32_t *dim, int32_t rank, int32_t *input)
{
    *input = build_tensor(l->b, name, l->form.numbers, dim, rank);
    if (l->form.numbers == TYPE_INT32)
        return *input;
    return converted(l, BUILTIN_CAST, *input, build_tensor(l->b, name, TYPE_INT32, dim, rank));
}

static int32_t embed(struct language *l, int32_t tokens, int32_t positions)
{
    const int32_t words = weights(l, "embedding", LANGUAGE_VOCABULARY, WIDTH);
    const int32_t places = weights(l, "position_embedding", LANGUAGE_CAPACITY, WIDTH);
    const int32_t x = tensor(l, "words", l->n, WIDTH), p = build_tensor(l->b, "at", TYPE_FLOAT32, SHAPE(l->n, WIDTH));

    build_op(l->b, BUILTIN_GATHER, 1, NULL, INDICES(words, tokens), INDICES(x));
    build_op(l->b, BUILTIN_GATHER, 1, NULL, INDICES(places, positions), INDICES(p));
    return add(l, "embedded", x, p);
}

static void build_side(struct language *l, bool decode)
{
    /* Of the signature; the mask, if there is one, comes last. */
    const char *const names[] = {"tokens", "input_pos", "kv_cache_k_0", "kv_cache_v_0", "kv_cache_k_1", "kv_cache_v_1", "mask"};
    const char *const out_names[] = {names[2], names[3], names[4], names[5], "logits"};
    const bool masked = l->form.mask != TYPE_NONE;
    int32_t ends[3 + 2 * LAYERS], out[2 * LAYERS + 1], tokens, positions, x;

    l->n = decode ? 1 : LANGUAGE_CHUNK;
    l->n_weights = 0;
    tokens = input_numbers(l, names[0], SHAPE(1, l->n), &ends[0]);
    positions = input_numbers(l, names[1], SHAPE(l->n), &ends[1]);
    for (int32_t i = 2; i < 2 + 2 * LAYERS; i++)
        ends[i] = state_tensor(l, names[i], LANGUAGE_CAPACITY);
    find_start(l, positions);
    if (masked)
        take_mask(
            l, ends[2 + 2 * LAYERS] = build_tensor(l->b, "mask", l->form.mask, SHAPE(1, l->n, LANGUAGE_CAPACITY + l->form.spare)));
    else
        find_visible(l, positions);
    x = embed(l, tokens, positions);
    for (int32_t i = 0; i < LAYERS; i++) {
        x = add(l, "attended", x, attention(l, norm(l, x), &ends[2 + 2 * i], &out[2 * i]));
        x = add(l, "layer", x, dense(l, "mlp", dense(l, "hidden", norm(l, x), WIDTH, HIDDEN, ACT_RELU), HIDDEN, WIDTH, ACT_NONE));
    }
    if (decode)
        out[2 * LAYERS] = dense(l, "logits", norm(l, x), WIDTH, LANGUAGE_VOCABULARY, ACT_NONE);
    build_ends(l->b, ends, 2 + 2 * LAYERS + masked, out, 2 * LAYERS + decode);
    build_signature(l->b, decode ? "decode" : "prefill", names, out_names);
}

void language_model_of(struct builder *b, const struct language_form *form)
{
    struct language l = {.b = b, .form = *form, .rng = rng_seed(1, 0)};

    build_side(&l, true);
    l.again = true;
    build_subgraph(b, "prefill");
    build_side(&l, false);
}

void language_model(struct builder *b)
{
    language_model_of(b, &(struct language_form){TYPE_INT32, TYPE_FLOAT32, TYPE_NONE});
}
