/* softmax.c - SOFTMAX and LOG_SOFTMAX over the last dimension. */
#include <float.h>
#include <math.h>

#include "../lib/kernel.h"

struct softmax_job {
    const void *x;
    void *y;
    size_t depth;
    float beta;
};

static enum status softmax_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 1, 1, 1, err);

    if (st)
        return st;
    if (n->in[0]->rank < 1)
        return err_set(err, ST_BAD_MODEL, "a scalar has no last dimension");
    return shape_like(n, 0, n->in[0], err);
}

static enum status softmax_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *in = c->node->in[0], *out = c->node->out[0];

    if (in->type != TYPE_FLOAT32)
        return cpu_bad_type(c->node, in, err);
    if (out->type != in->type)
        return cpu_bad_type(c->node, out, err);
    return ST_OK;
}

/* The largest element; NaN never wins, as in TFLite. */
static float row_max(const float *x, size_t n)
{
    float max = -FLT_MAX;

    for (size_t i = 0; i < n; i++)
        max = max < x[i] ? x[i] : max;
    return max;
}

static void softmax_f32(void *arg, size_t begin, size_t end)
{
    const struct softmax_job *j = arg;

    for (size_t row = begin; row < end; row++) {
        const float *x = (const float *)j->x + row * j->depth;
        float *y = (float *)j->y + row * j->depth;
        float max = row_max(x, j->depth), sum = 0;

        for (size_t i = 0; i < j->depth; i++) {
            y[i] = expf((x[i] - max) * j->beta);
            sum += y[i];
        }
        for (size_t i = 0; i < j->depth; i++)
            y[i] /= sum;
    }
}

static void log_softmax_f32(void *arg, size_t begin, size_t end)
{
    const struct softmax_job *j = arg;

    for (size_t row = begin; row < end; row++) {
        const float *x = (const float *)j->x + row * j->depth;
        float *y = (float *)j->y + row * j->depth;
        float max = row_max(x, j->depth), sum = 0, log_sum;

        for (size_t i = 0; i < j->depth; i++)
            sum += expf(x[i] - max);
        log_sum = logf(sum);
        for (size_t i = 0; i < j->depth; i++)
            y[i] = x[i] - max - log_sum;
    }
}

static enum status rows_run(struct cpu_call *c, float beta, void (*fn)(void *, size_t, size_t))
{
    const struct tensor *in = c->node->in[0];
    size_t depth = (size_t)in->dim[in->rank - 1], elems = tensor_elems(in);
    struct softmax_job job = {in->data, c->node->out[0]->data, depth, beta};

    if (elems)
        threads_for(c->threads, elems / depth, 1 + 4096 / depth, fn, &job);
    return ST_OK;
}

static enum status softmax_run(struct cpu_call *c, struct err *err)
{
    const struct opt_softmax *o = c->node->opt;

    (void)err;
    return rows_run(c, o->beta, softmax_f32);
}

static enum status log_softmax_run(struct cpu_call *c, struct err *err)
{
    (void)err;
    return rows_run(c, 1, log_softmax_f32);
}

const struct cpu_kernel cpu_softmax = {.shape = softmax_shape, .prepare = softmax_prepare, .run = softmax_run};
const struct cpu_kernel cpu_log_softmax = {.shape = softmax_shape, .prepare = softmax_prepare, .run = log_softmax_run};
