/* SPDX-License-Identifier: Apache-2.0 */
/* hadamard.c - aeq.hadamard_rotation: pieces of each row times a Hadamard matrix, by the fast Walsh-Hadamard transform.
 *
 * The matrix is scaled to be orthogonal; the rotation spreads outliers before quantization. */
#include "lib/base/flexbuffer.h"
#include "lib/graph/kernel.h"
#include "lib/graph/macs.h"

#include <math.h>
#include <string.h>

struct plan {
    size_t size;
};

static enum status rotation_shape(struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];

    if (x->rank != 2 && x->rank != 3)
        return err_set(err, ST_BAD_MODEL, "input is %s, expected rank 2 or 3", TENSOR_TEXT(x));
    return shape_like(n, 0, x, err);
}

static enum status rotation_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *x = n->in[0];
    struct flex_map m;
    int32_t size;
    enum status st;

    if ((st = flex_open(n->custom, n->n_custom, &m, err)))
        return st;
    size = flex_int(&m, "hadamard_size", 0);
    if (size < 1 || (size & (size - 1)) || x->dim[x->rank - 1] % size)
        return err_set(err, ST_BAD_MODEL,
                       "a Hadamard matrix of size %d for rows of %d: the size must be a power of two that divides "
                       "them",
                       size, x->dim[x->rank - 1]);
    if ((st = cpu_pack(c, sizeof(struct plan), err)))
        return st;
    *(struct plan *)c->packed = (struct plan){(size_t)size};
    return ST_OK;
}

static void transform(float *x, size_t n)
{
    const float norm = (float)(1 / sqrt((double)n));

    for (size_t half = 1; half < n; half *= 2)
        for (size_t i = 0; i < n; i += 2 * half)
            for (size_t j = i; j < i + half; j++) {
                const float a = x[j], b = x[j + half];

                x[j] = a + b;
                x[j + half] = a - b;
            }
    for (size_t i = 0; i < n; i++)
        x[i] *= norm;
}

static void pieces(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    size_t size = ((const struct plan *)c->packed)->size;
    const float *x = c->node->in[0]->data;
    float *y = c->node->out[0]->data;

    memcpy(y + begin * size, x + begin * size, (end - begin) * size * sizeof *y);
    for (size_t i = begin; i < end; i++)
        transform(y + i * size, size);
}

static void rotation_run(struct cpu_call *c)
{
    size_t size = ((const struct plan *)c->packed)->size;

    threads_for(c->threads, tensor_elems(c->node->in[0]) / size, 4096 / size + 1, pieces, c);
}

const struct cpu_kernel cpu_hadamard_rotation = {.arity = {1, 1, 1},
                                                 .shape = rotation_shape,
                                                 .in = {CPU_F32},
                                                 .out = {CPU_F32},
                                                 .prepare = rotation_prepare,
                                                 .compute = rotation_run,
                                                 .macs = macs_unknown};
