/* SPDX-License-Identifier: Apache-2.0 */
/* rng_bits.c - STABLEHLO_RNG_BIT_GENERATOR: random bits from a key and a counter (Philox 4x32-10, Threefry 2x32-20; Salmon et al.
 * 2011), which the op is given and gives back moved on. */
#include "kernels_cpu/common/philox.h"
#include "lib/graph/kernel.h"

#include <string.h>

enum { KEY_OUT, BITS };
enum { MAX_STATE = 3 }; /* 64-bit numbers: key, counter and, with Philox, its upper half */

static enum rng_algorithm algorithm(const struct node *n)
{
    return ((const struct opt_stablehlo_rng_bit_generator *)n->opt)->algorithm;
}

static enum status rng_bits_shape(struct node *n, struct err *err)
{
    enum status st;
    const struct tensor *s = n->in[0];
    bool threefry;

    if (algorithm(n) == RNG_UNKNOWN)
        return err_set(err, ST_BAD_MODEL, "no known algorithm");
    threefry = algorithm(n) == RNG_THREEFRY;
    if (s->rank != 1 || s->dim[0] < 2 || s->dim[0] > (threefry ? 2 : MAX_STATE))
        return err_set(err, ST_BAD_MODEL, "state is %s, expected %s numbers", TENSOR_TEXT(s), threefry ? "2" : "2 or 3");
    /* nothing but the file gives the shape of the bits */
    if ((st = shape_set(n, BITS, n->out[BITS]->dim, n->out[BITS]->rank, err)))
        return st;
    return shape_like(n, KEY_OUT, s, err);
}

static void threefry(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4])
{
    static const uint8_t turns[8] = {13, 15, 26, 6, 17, 29, 16, 24};
    const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA};

    out[0] = counter[0] + key[0];
    out[1] = counter[1] + key[1];
    for (uint32_t round = 0; round < 20; round++) {
        uint32_t by = turns[round % 8], group = round / 4 + 1;

        out[0] += out[1];
        out[1] = (out[1] << by | out[1] >> (32 - by)) ^ out[0];
        if (round % 4 == 3) {
            out[0] += keys[group % 3];
            out[1] += keys[(group + 1) % 3] + group;
        }
    }
}

static void rng_bits_run(struct cpu_call *c)
{
    const struct node *n = c->node;
    const bool is_threefry = algorithm(n) == RNG_THREEFRY;
    const size_t step = (is_threefry ? 2 : 4) * sizeof(uint32_t);
    uint32_t state[2 * MAX_STATE], out[4];
    uint8_t *bits = n->out[BITS]->data;

    memcpy(state, n->in[0]->data, n->in[0]->bytes);
    if (n->in[0]->dim[0] == 2)
        memcpy(&state[4], state, 2 * sizeof *state); /* the key stands for the counter's upper half */
    for (size_t left = n->out[BITS]->bytes, size; left; left -= size, bits += size) {
        size = left < step ? left : step;
        (is_threefry ? threefry : philox_draw)(state, state + 2, out);
        memcpy(bits, out, size);
        if (!++state[2])
            state[3]++;
    }
    memcpy(n->out[KEY_OUT]->data, state, n->out[KEY_OUT]->bytes);
}

const struct cpu_kernel cpu_rng_bits = {
    .arity = {1, 1, 2},
    .shape = rng_bits_shape,
    .in = {1u << TYPE_UINT64},
    .out = {[KEY_OUT] = 1u << TYPE_UINT64, [BITS] = CPU_INDEX | 1u << TYPE_UINT32 | 1u << TYPE_UINT64},
    .compute = rng_bits_run};
