/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_test.c - the integer inner loops that this CPU gets, in every size of tile, against sums of plain loops. */
#include "kernels_cpu/matmul/gemm_bytes.h"

#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "lib/base/aligned.h"
#include "lib/testing/test.h"

enum {
    TAPS = 3,
    MOST_DEPTH = 21,
    MOST_LANES = 16,
    MOST_CHANNELS = 2 * MOST_LANES,
    MOST_TILE = 8,
    SLACK = GEMM_BEYOND + 1,
    ROW = TAPS * MOST_DEPTH
};

static void store(const struct gemm *g, const int32_t *sum, void *y, size_t channel, size_t count)
{
    assert_true(channel + count <= g->channels);
    memcpy((int32_t *)y + channel, sum, count * sizeof *sum);
}

static struct data {
    int16_t w[TAPS][MOST_DEPTH][MOST_CHANNELS];
    int32_t x[MOST_TILE][ROW + SLACK]; /* as numbers; beyond what is used there is what must not count */
    union {
        uint8_t u8[MOST_TILE][ROW + SLACK];
        int16_t i16[MOST_TILE][ROW + SLACK];
    } held;
} d;

/* Numbers that fill the type, its ends among them: sums of int16 wrap. */
static void fill(uint64_t *seed, const struct gemm_type *type)
{
    const int32_t span = type->bytes == 1 ? 256 : 65536, low = type->bytes == 1 ? gemm_bytes_lift - 128 : -32768;

    for (size_t i = 0; i < sizeof d.w / sizeof(int16_t); i++) {
        const uint64_t r = test_random(seed);

        (&d.w[0][0][0])[i] = (int16_t)(r % 5 ? (int32_t)(r >> 8 & 255) - 128 : -128);
    }
    for (size_t p = 0; p < MOST_TILE; p++) {
        for (size_t i = 0; i < ROW + SLACK; i++) {
            const uint64_t r = test_random(seed);

            d.x[p][i] = low + (int32_t)(r % 5 ? r >> 8 & (uint64_t)(span - 1) : r >> 8 & 1 ? (uint64_t)(span - 1) : 0);
            if (type->bytes == 1)
                d.held.u8[p][i] = (uint8_t)d.x[p][i];
            else
                d.held.i16[p][i] = (int16_t)d.x[p][i];
        }
    }
}

static int32_t plain_sum(const struct gemm *g, size_t position, size_t channel)
{
    uint32_t sum = 0;

    for (size_t t = 0; t < TAPS; t++)
        for (size_t k = 0; k < g->depth; k++)
            sum += (uint32_t)d.x[position][g->tap_x[t] + k] * (uint32_t)d.w[g->tap_w[t]][k][channel];
    return (int32_t)sum;
}

static void check(const struct gemm_type *type, const struct gemm_isa *isa, size_t depth, size_t channels, int m, int panels)
{
    static const size_t tap_x[TAPS] = {0, MOST_DEPTH, 2 * MOST_DEPTH}, tap_w[TAPS] = {0, 1, 2};
    const struct gemm_i16_post post = {.store = store};
    const size_t from[TAPS] = {0, MOST_DEPTH * MOST_CHANNELS, 2 * MOST_DEPTH * MOST_CHANNELS};
    const struct gemm_source source = {d.w, from, MOST_CHANNELS, 1};
    int32_t y[MOST_TILE][MOST_CHANNELS];
    const void *x[MOST_TILE];
    void *to[MOST_TILE];
    struct gemm g = {.isa = isa,
                     .channels = channels,
                     .depth = depth,
                     .taps = TAPS,
                     .w_taps = TAPS,
                     .tap_x = tap_x,
                     .tap_w = tap_w,
                     .post = &post};
    void *packed = aligned_new(64, gemm_packed_bytes(type, isa, TAPS, depth, channels));

    assert_non_null(packed);
    type->pack(isa, TAPS, depth, channels, source, packed);
    g.w = packed;
    for (size_t p = 0; p < MOST_TILE; p++) {
        x[p] = type->bytes == 1 ? (const void *)d.held.u8[p] : d.held.i16[p];
        to[p] = y[p];
    }
    isa->run(&g, x, to, m, 0, panels);
    for (size_t p = 0; p < (size_t)m; p++)
        for (size_t c = 0; c < channels; c++)
            assert_int_equal(y[p][c], plain_sum(&g, p, c));
    free(packed);
}

static void check_all(const struct gemm_type *type)
{
    const struct gemm_isa *isa = type->isa();
    uint64_t seed = 1;

    if (!isa) /* gemm_bytes alone may have none */
        return;
    assert_true(isa->lanes <= MOST_LANES && isa->tile <= MOST_TILE);
    for (int m = 1; m <= isa->tile; m++) {
        for (int panels = 1; panels <= 2; panels++) {
            fill(&seed, type);
            for (size_t depth = 1; depth <= MOST_DEPTH; depth += depth < 9 ? 1 : 4)
                for (size_t less = 0; less < (size_t)isa->lanes; less += (size_t)isa->lanes / 4 + 1)
                    check(type, isa, depth, (size_t)(panels * isa->lanes) - less, m, panels);
        }
    }
}

static void words(void **state)
{
    (void)state;
    check_all(&gemm_i16);
}

static void bytes(void **state)
{
    (void)state;
    check_all(&gemm_bytes);
}

#if defined(__aarch64__)
/* /proc/cpuinfo's asimddp and i8mm. */
static void chosen(void **state)
{
    const struct gemm_isa *isa = gemm_bytes.isa();
    const bool sdot = getauxval(AT_HWCAP) >> 20 & 1, smmla = getauxval(AT_HWCAP2) >> 13 & 1;

    (void)state;
    assert_int_equal(isa ? isa->group : 0, smmla ? 8 : sdot ? 4 : 0);
}
#endif

/* Weights stored [k][oc], [oc][k], and apart from each other: every element where gemm.h says, and zeros around. */
static void float_weights_are_packed(void **state)
{
    const struct gemm_isa *isa = gemm_f32.isa();
    const size_t lanes = (size_t)isa->lanes, zero = 0;

    (void)state;
    for (size_t depth = 1; depth < 10; depth++)
        for (size_t channels = 1; channels < 3 * lanes; channels += 3) {
            const struct gemm_source sources[] = {
                {NULL, &zero, channels + 2, 1}, {NULL, &zero, 1, depth + 3}, {NULL, &zero, 2, 2 * depth + 1}};

            for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
                const struct gemm_source s = sources[i];
                float w[3 * MOST_LANES * 21 + 21], packed[3 * MOST_LANES * 10];

                for (size_t k = 0; k < sizeof w / sizeof *w; k++)
                    w[k] = (float)k;
                gemm_f32.pack(isa, 1, depth, channels, (struct gemm_source){w, s.from, s.k_stride, s.oc_stride}, packed);
                for (size_t oc = 0; oc < gemm_panels(isa, channels) * lanes; oc++)
                    for (size_t k = 0; k < depth; k++)
                        assert_float_equal(packed[(oc / lanes * depth + k) * lanes + oc % lanes],
                                           oc < channels ? w[k * s.k_stride + oc * s.oc_stride] : 0, 0);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(bytes),
#if defined(__aarch64__)
        cmocka_unit_test(chosen),
#endif
        cmocka_unit_test(float_weights_are_packed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
