/* SPDX-License-Identifier: Apache-2.0 */
/* lsh_projection.c - LSH_PROJECTION: each hash function's sign bits of the input, weighted.
 *
 * A bit is the sign of the sum over input rows of weight times fingerprint(seed, row). Dense output has a number for each bit,
 * sparse output one for each function, offset so that functions do not collide. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels_cpu/common/move.h"

/* ---- FarmHash's 64-bit fingerprint, one mixing rule for each range of lengths ---- */

#define K0 0xc3a5c85c97cb3127u
#define K1 0xb492b66fbe98f273u
#define K2 0x9ae16a3b2f90404fu

struct pair {
    uint64_t a, b;
};

/* Little-endian, whatever the machine. */
static uint64_t word(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;

    for (unsigned i = bytes; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static uint64_t word64(const uint8_t *p)
{
    return word(p, 8);
}

static uint64_t rotate(uint64_t v, unsigned n)
{
    return v >> n | v << (64 - n);
}

static uint64_t fold(uint64_t v)
{
    return v ^ v >> 47;
}

static uint64_t mix(uint64_t u, uint64_t v, uint64_t mul)
{
    return fold((v ^ fold((u ^ v) * mul)) * mul) * mul;
}

static uint64_t hash_short(const uint8_t *p, size_t n)
{
    const uint64_t mul = K2 + n * 2;

    if (n >= 8) {
        uint64_t a = word64(p) + K2, b = word64(p + n - 8);

        return mix(rotate(b, 37) * mul + a, (rotate(a, 25) + b) * mul, mul);
    }
    if (n >= 4)
        return mix(n + (word(p, 4) << 3), word(p + n - 4, 4), mul);
    if (n > 0)
        return fold((p[0] + ((uint64_t)p[n >> 1] << 8)) * K2 ^ (n + ((uint64_t)p[n - 1] << 2)) * K0) * K2;
    return K2;
}

static uint64_t hash_32(const uint8_t *p, size_t n)
{
    const uint64_t mul = K2 + n * 2;
    uint64_t a = word64(p) * K1, b = word64(p + 8), c = word64(p + n - 8) * mul, d = word64(p + n - 16) * K2;

    return mix(rotate(a + b, 43) + rotate(c, 30) + d, a + rotate(b + K2, 18) + c, mul);
}

static uint64_t hash_64(const uint8_t *p, size_t n)
{
    const uint64_t mul = K2 + n * 2;
    uint64_t a = word64(p) * K2, b = word64(p + 8), c = word64(p + n - 8) * mul, d = word64(p + n - 16) * K2;
    uint64_t y = rotate(a + b, 43) + rotate(c, 30) + d, z = mix(y, a + rotate(b + K2, 18) + c, mul);
    uint64_t e = word64(p + 16) * mul, f = word64(p + 24);
    uint64_t g = (y + word64(p + n - 32)) * mul, h = (z + word64(p + n - 24)) * mul;

    return mix(rotate(e + f, 43) + rotate(g, 30) + h, e + rotate(f + a, 18) + g, mul);
}

static struct pair weak(const uint8_t *p, uint64_t a, uint64_t b)
{
    uint64_t w = word64(p), x = word64(p + 8), y = word64(p + 16), z = word64(p + 24), c;

    a += w;
    b = rotate(b + a + z, 21);
    c = a;
    a += x + y;
    b += rotate(a, 44);
    return (struct pair){a + z, b + c};
}

/* State that each block of 64 bytes updates. */
struct state {
    uint64_t x, y, z;
    struct pair v, w;
};

static void block(struct state *s, const uint8_t *p, uint64_t mul, uint64_t weight)
{
    uint64_t z;

    s->x = rotate(s->x + s->y + s->v.a + word64(p + 8), 37) * mul;
    s->y = rotate(s->y + s->v.b + word64(p + 48), 42) * mul;
    s->x ^= s->w.b * weight;
    s->y += s->v.a * weight + word64(p + 40);
    s->z = rotate(s->z + s->w.a, 33) * mul;
    s->v = weak(p, s->v.b * mul, s->x + s->w.a);
    s->w = weak(p + 32, s->z + s->w.b, s->y + word64(p + 16));
    z = s->z;
    s->z = s->x;
    s->x = z;
}

static uint64_t hash_long(const uint8_t *p, size_t n)
{
    const uint64_t seed = 81;
    const uint8_t *end = p + (n - 1) / 64 * 64, *last = p + n - 64;
    struct state s = {.x = seed * K2 + word64(p), .y = seed * K1 + 113};
    uint64_t mul;

    s.z = fold(s.y * K2 + 113) * K2;
    for (; p != end; p += 64)
        block(&s, p, K1, 1);
    mul = K1 + ((s.z & 0xff) << 1);
    s.w.a += (n - 1) & 63;
    s.v.a += s.w.a;
    s.w.a += s.v.a;
    block(&s, last, mul, 9);
    return mix(mix(s.v.a, s.w.a, mul) + fold(s.y) * K0 + s.z, mix(s.v.b, s.w.b, mul) + s.x, mul);
}

/* Return the fingerprint of n bytes: the same on every machine, whatever its byte order or alignment. Source: Google's FarmHash
 * 1.1, farmhashna::Hash64, which Fingerprint64 keeps stable. */
static uint64_t farmhash_fingerprint64(const void *data, size_t n)
{
    return n <= 16 ? hash_short(data, n) : n <= 32 ? hash_32(data, n) : n <= 64 ? hash_64(data, n) : hash_long(data, n);
}

/* ---- the projection ---- */

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
