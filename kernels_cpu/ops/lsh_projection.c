/* SPDX-License-Identifier: Apache-2.0 */
/* lsh_projection.c - LSH_PROJECTION: each hash function's sign bits of the input, weighted.
 *
 * A bit is the sign of the sum over input rows of weight times fingerprint(seed, row). Dense output has a number for each bit,
 * sparse output one for each function, offset so that functions do not collide. */
#include <string.h>

#include "kernels_cpu/common/farmhash.h"
#include "kernels_cpu/common/move.h"

#define MAX_BITS 32

static enum status lsh_shape(struct node *n, struct err *err)
{
    const struct opt_lsh_projection *opt = n->opt;
    const struct tensor *hash = n->in[0], *x = n->in[1], *weight = node_in(n, 2);
    int64_t count;

    if (hash->rank != 2 || hash->dim[1] > MAX_BITS)
        return err_set(err, ST_BAD_MODEL, "hash functions of shape rank %d and more than %d bits, or no matrix", hash->rank,
                       MAX_BITS);
    if (x->rank < 1 || x->dim[0] < 1)
        return err_set(err, ST_BAD_MODEL, "the input has no rows");
    if (weight && (weight->rank != 1 || weight->dim[0] != x->dim[0]))
        return err_set(err, ST_BAD_MODEL, "the weights must be a vector of %d", x->dim[0]);
    if (opt->type != LSH_SPARSE && opt->type != LSH_DENSE)
        return err_set(err, ST_BAD_MODEL, "projection type %d is unknown", (int)opt->type);
    count = opt->type == LSH_SPARSE ? hash->dim[0] : (int64_t)hash->dim[0] * hash->dim[1];
    if (count > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "an output of %lld", (long long)count);
    return shape_set(n, 0, (int32_t[]){(int32_t)count}, 1, err);
}

static size_t row_bytes(const struct tensor *x)
{
    return x->bytes / (size_t)x->dim[0];
}

static enum status lsh_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[1];

    if (type_bits(x->type) < 8)
        return cpu_bad_type(c->node, x, err);
    c->scratch_bytes = sizeof(float) + row_bytes(x);
    return ST_OK;
}

/* `key` has room for the seed and a row. */
static uint32_t sign_bit(const struct tensor *x, const float *weight, float seed, uint8_t *key)
{
    size_t bytes = row_bytes(x);
    double score = 0;

    memcpy(key, &seed, sizeof seed);
    for (int32_t i = 0; i < x->dim[0]; i++) {
        double value;

        memcpy(key + sizeof seed, (const uint8_t *)x->data + (size_t)i * bytes, bytes);
        value = (double)(int64_t)farmhash_fingerprint64(key, sizeof seed + bytes);
        score += weight ? (double)weight[i] * value : value;
    }
    return score > 0;
}

static void lsh_run(struct cpu_call *c)
{
    const struct opt_lsh_projection *opt = c->node->opt;
    const struct tensor *hash = c->node->in[0], *x = c->node->in[1], *weight = node_in(c->node, 2);
    const float *seed = hash->data, *w = weight ? weight->data : NULL;
    int32_t *y = c->node->out[0]->data;
    uint32_t bits = (uint32_t)hash->dim[1];

    for (uint32_t i = 0; i < (uint32_t)hash->dim[0]; i++) {
        uint32_t signature = 0;

        for (uint32_t k = 0; k < bits; k++, seed++) {
            uint32_t bit = sign_bit(x, w, *seed, c->scratch);

            signature = signature << 1 | bit;
            if (opt->type == LSH_DENSE)
                *y++ = (int32_t)bit;
        }
        if (opt->type == LSH_SPARSE)
            *y++ = (int32_t)(signature + (uint32_t)((uint64_t)i << bits));
    }
}

const struct cpu_kernel cpu_lsh_projection = {.arity = {2, 3, 1},
                                              .shape = lsh_shape,
                                              .in = {CPU_F32, 0, CPU_F32},
                                              .out = {CPU_I32},
                                              .prepare = lsh_prepare,
                                              .compute = lsh_run};
