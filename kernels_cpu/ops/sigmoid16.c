/* SPDX-License-Identifier: Apache-2.0 */
/* sigmoid16.c - LOGISTIC and TANH of INT16: one table of the logistic function, interpolated.
 *
 * The table steps by 1/24 and ends at 10.7. tanh(x) = 2 * logistic(2 * x) - 1 uses it twice as fast. */
#include "kernels_cpu/ops/activation.h"
#include "kernels_cpu/quant/quant_check.h"

#define POINTS 256

struct sigmoid16 {
    struct map_plan plan;
    int32_t mul, shift; /* bring the input to steps of 1 / (3 * 4096) */
};

/* logistic(i / 24) - 1/2 with 16 fractional bits, as far as TFLite's table has it: its points are not the nearest ones, but
 * those that make interpolation between them come out best. */
static const uint16_t above_half[POINTS] = {
    0,     683,   1365,  2045,  2725,  3401,  4075,  4745,  5412,  6073,  6730,  7381,  8026,  8664,  9296,  9920,  10536, 11144,
    11743, 12334, 12915, 13487, 14049, 14601, 15143, 15675, 16196, 16707, 17207, 17696, 18174, 18641, 19097, 19543, 19977, 20401,
    20813, 21215, 21606, 21987, 22357, 22717, 23066, 23406, 23735, 24055, 24365, 24665, 24956, 25239, 25512, 25776, 26032, 26280,
    26520, 26751, 26975, 27191, 27400, 27602, 27797, 27985, 28167, 28342, 28511, 28673, 28831, 28982, 29128, 29268, 29404, 29534,
    29660, 29781, 29898, 30010, 30118, 30222, 30322, 30418, 30511, 30600, 30686, 30768, 30847, 30923, 30997, 31067, 31135, 31200,
    31262, 31322, 31380, 31436, 31489, 31540, 31589, 31637, 31682, 31726, 31768, 31808, 31846, 31884, 31919, 31953, 31986, 32018,
    32048, 32077, 32105, 32132, 32158, 32182, 32206, 32229, 32251, 32271, 32292, 32311, 32329, 32347, 32364, 32381, 32396, 32411,
    32426, 32440, 32453, 32466, 32478, 32490, 32501, 32512, 32523, 32533, 32542, 32551, 32560, 32569, 32577, 32584, 32592, 32599,
    32606, 32613, 32619, 32625, 32631, 32636, 32642, 32647, 32652, 32657, 32661, 32665, 32670, 32674, 32677, 32681, 32685, 32688,
    32691, 32694, 32697, 32700, 32703, 32706, 32708, 32711, 32713, 32715, 32717, 32720, 32721, 32723, 32725, 32727, 32729, 32730,
    32732, 32733, 32735, 32736, 32737, 32739, 32740, 32741, 32742, 32743, 32744, 32745, 32746, 32747, 32748, 32749, 32749, 32750,
    32751, 32752, 32752, 32753, 32754, 32754, 32755, 32755, 32756, 32756, 32757, 32757, 32758, 32758, 32758, 32759, 32759, 32760,
    32760, 32760, 32761, 32761, 32761, 32761, 32762, 32762, 32762, 32762, 32763, 32763, 32763, 32763, 32763, 32764, 32764, 32764,
    32764, 32764, 32764, 32765, 32765, 32765, 32765, 32765, 32765, 32765, 32765, 32766, 32766, 32766, 32766, 32766, 32766, 32766,
    32766, 32766, 32766, 32767,
};

static inline int32_t point(uint32_t i)
{
    return 32768 + above_half[i];
}

static inline int32_t scaled_input(int16_t v, const struct sigmoid16 *s)
{
    return (int32_t)((uint32_t)(v * s->mul) + (s->shift > 0 ? 1u << (s->shift - 1) : 0)) >> s->shift;
}

static inline int16_t logistic16(int16_t v, const struct sigmoid16 *s)
{
    const int32_t x = scaled_input(v, s);
    const uint32_t magnitude = x < 0 ? 0u - (uint32_t)x : (uint32_t)x, i = magnitude >> 9, rest = magnitude & 511;
    const uint32_t y = i >= POINTS - 1 ? 0x7fffu << 10 : ((uint32_t)point(i) << 9) + rest * (uint32_t)(point(i + 1) - point(i));

    return (int16_t)((x >= 0 ? y + 512 : (1u << 25) - y + 511) >> 10);
}

static inline int16_t tanh16(int16_t v, const struct sigmoid16 *s)
{
    const int32_t x = scaled_input(v, s);
    const uint32_t magnitude = x < 0 ? 0u - (uint32_t)x : (uint32_t)x, i = magnitude >> 8, rest = magnitude & 255;
    const int32_t y = i >= POINTS - 1 ? 0xffff << 8 : (point(i) << 8) + (int32_t)rest * (point(i + 1) - point(i));

    return (int16_t)((x >= 0 ? y - (1 << 23) + 128 : -y + (1 << 23) + 127) >> 8);
}

MAP_ROW(logistic_row, int16_t, int16_t, const struct sigmoid16 *s = arg, logistic16(v, s))
MAP_ROW(tanh_row, int16_t, int16_t, const struct sigmoid16 *s = arg, tanh16(v, s))

/* Scales of 2^-12 (and up to 2^-(12 - max_shift)) are multiplied exactly; others get a 15-bit factor. */
static void set_factor(struct sigmoid16 *s, float scale, int32_t max_shift)
{
    double factor = (double)scale * 4096.0 * 3.0;
    int32_t log2;

    if (quant_whole_log2(scale, &log2) && log2 + 12 >= 0 && log2 + 12 <= max_shift) {
        s->mul = 3 << (log2 + 12);
        return;
    }
    while (factor <= 32767.0 / 2.0 && s->shift <= 30) {
        s->shift++;
        factor *= 2.0;
    }
    s->mul = (int32_t)factor;
}

static enum status prepare(struct cpu_call *c, map_row row, int32_t max_shift, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct sigmoid16 *s;
    enum status st;

    if ((st = map_types(c->node, err)) || (st = quant_check_all((const struct tensor *[]){x, y}, 2, err)) ||
        (st = quant_check_symmetric(x, err)) || (st = quant_check_symmetric(y, err)))
        return st;
    if (quant_scale(y) != 1.0f / 32768)
        return err_set(err, ST_BAD_MODEL, "the scale of %s must be 1/32768, not %g", TENSOR_TEXT(y), (double)quant_scale(y));
    if (!(quant_scale(x) < 1))
        return err_set(err, ST_BAD_MODEL, "the scale of %s must be below 1, not %g", TENSOR_TEXT(x), (double)quant_scale(x));
    if ((st = map_plan(c, row, sizeof *s, err)))
        return st;
    s = c->packed;
    set_factor(s, quant_scale(x), max_shift);
    return ST_OK;
}

enum status activation_prepare_logistic16(struct cpu_call *c, struct err *err)
{
    return prepare(c, logistic_row, 0, err);
}

enum status activation_prepare_tanh16(struct cpu_call *c, struct err *err)
{
    return prepare(c, tanh_row, 1, err);
}
