/* quantize.c - QUANTIZE: float32 to integers, or integers to integers of another scale. */
#include "channel_runs.h"
#include "map.h"
#include "packed_int.h"
#include "quant_check.h"

static bool is_pair(enum tensor_type x, enum tensor_type y)
{
    switch (x) {
    case TYPE_FLOAT32:
        return y == TYPE_INT4 || y == TYPE_INT8 || y == TYPE_UINT8 || y == TYPE_INT16;
    case TYPE_INT8:
    case TYPE_UINT8:
        return y == TYPE_INT8 || y == TYPE_UINT8;
    case TYPE_INT16:
        return y == TYPE_INT8 || y == TYPE_INT16 || y == TYPE_INT32;
    case TYPE_INT32:
        return y == TYPE_INT8 || y == TYPE_INT16;
    default:
        return false;
    }
}

/* Rounds halves away from zero and saturates; NaN gives INT32_MIN. */
static int32_t round_to_int(float v)
{
    const float lo = -0x1p31f, hi = 0x1.fffffep30f, in = v > lo ? (v < hi ? v : hi) : lo;
    const int32_t whole = (int32_t)in;
    const float rest = in - (float)whole;

    return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

static int32_t add_saturated(int32_t v, int32_t zero, struct int_limits to)
{
    const int64_t sum = (int64_t)v + zero;

    return (int32_t)(sum < to.lo ? to.lo : sum > to.hi ? to.hi : sum);
}

static void quantize_channel(const struct node *n, size_t at, size_t count, uint32_t channel)
{
    const struct tensor *y = n->out[0];
    const float *x = (const float *)n->in[0]->data + at;
    const float scale = y->quant.scale[channel];
    const int32_t zero = channel_zero(y, channel);
    const struct int_limits to = int_limits(y->type);
    int32_t chunk[QUANT_CHUNK];

    for (size_t i = 0; i < count; i++)
        chunk[i] = add_saturated(round_to_int(x[i] / scale), zero, to);
    packed_int_store(y->type, y->data, at, count, chunk);
}

static void quantize_piece(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;

    channel_runs(n, n->out[0], begin, end, quantize_channel);
}

static bool rescale_find(const struct node *n, struct fixed_mul *out)
{
    return fixed_from_double((double)quant_scale(n->in[0]) / (double)quant_scale(n->out[0]), out);
}

static void requantize_piece(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;
    const struct tensor *x = n->in[0], *y = n->out[0];
    const uint32_t x_zero = (uint32_t)quant_zero(x);
    const struct int_limits to = int_limits(y->type);
    int32_t chunk[QUANT_CHUNK];
    struct fixed_mul rescale;

    (void)rescale_find(n, &rescale);     /* prepare has seen it succeed */
    for (size_t at = begin; at < end; at += QUANT_CHUNK) {
        const size_t count = end - at < QUANT_CHUNK ? end - at : QUANT_CHUNK;

        packed_int_load(x->type, x->data, at, count, chunk);
        for (size_t i = 0; i < count; i++)
            chunk[i] = add_saturated(fixed_scale((int32_t)((uint32_t)chunk[i] - x_zero), rescale), quant_zero(y), to);
        packed_int_store(y->type, y->data, at, count, chunk);
    }
}

static enum status quantize_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    enum status st;

    if (!is_pair(x->type, y->type))
        return err_set(err, ST_UNSUPPORTED, "no CPU kernel quantizes %s to %s", type_name(x->type), type_name(y->type));
    if ((st = channel_runs_check(y, err)) || x->type == TYPE_FLOAT32)
        return st;
    if (x->quant.n != 1 || y->quant.n != 1 || !rescale_find(c->node, &(struct fixed_mul){0, 0}))
        return err_set(err, ST_BAD_MODEL, "cannot rescale from %u scales (first %g) to %u (first %g)", x->quant.n,
                       (double)quant_scale(x), y->quant.n, (double)quant_scale(y));
    if (x->type == TYPE_INT16 && y->type == TYPE_INT16 && (quant_zero(x) || quant_zero(y)))
        return err_set(err, ST_BAD_MODEL, "zero points %d and %d of INT16 tensors must be 0", (int)quant_zero(x),
                       (int)quant_zero(y));
    return ST_OK;
}

static enum status quantize_run(struct cpu_call *c, struct err *err)
{
    (void)err;
    threads_for(c->threads, tensor_elems(c->node->in[0]), MAP_GRAIN,
                c->node->in[0]->type == TYPE_FLOAT32 ? quantize_piece : requantize_piece, c->node);
    return ST_OK;
}

const struct cpu_kernel cpu_quantize = { .shape = shape_unary, .prepare = quantize_prepare, .run = quantize_run };
