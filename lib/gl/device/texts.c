/* SPDX-License-Identifier: Apache-2.0 */
/* texts.c - unpacks the shaders' texts. */
#include "lib/gl/device/texts.h"

#include <pthread.h>
#include <stdint.h>

struct gl_texts gl_texts;

/* Where the chances of each kind of bit begin: scripts/make/embed.awk has the same places. */
enum { REPEAT = 0, AGAIN = 2, LENGTH = 4, DIGITS = 516, PLACE = 644, LITERAL = 1668, N_CHANCES = LITERAL + 128 * 128 };

struct unpacker {
    const unsigned char *in, *end;
    uint32_t range, code;
    uint16_t chance[N_CHANCES];
};

static uint32_t next_byte(struct unpacker *u)
{
    return u->in < u->end ? *u->in++ : 0;
}

static uint32_t get_bit(struct unpacker *u, uint32_t at)
{
    const uint32_t chance = u->chance[at], bound = (u->range >> 12) * chance, bit = u->code >= bound;

    if (bit) {
        u->code -= bound;
        u->range -= bound;
        u->chance[at] = (uint16_t)(chance - (chance >> 4));
    } else {
        u->range = bound;
        u->chance[at] = (uint16_t)(chance + ((4096 - chance) >> 4));
    }
    for (; u->range < 1u << 24; u->range <<= 8)
        u->code = u->code << 8 | next_byte(u);
    return bit;
}

/* The first of them is the highest; each has chances of its own for all that came before it. */
static uint32_t get_tree(struct unpacker *u, uint32_t at, uint32_t bits)
{
    uint32_t node = 1;

    for (uint32_t i = 0; i < bits; i++)
        node = 2 * node + get_bit(u, at + node);
    return node - (1u << bits);
}

static size_t get_back(struct unpacker *u, size_t length)
{
    const uint32_t digits = get_tree(u, DIGITS + 32 * (length < 6 ? (uint32_t)length - 3 : 3), 5);
    size_t back = 1;

    for (uint32_t place = digits; place-- > 0;)
        back = 2 * back + get_bit(u, PLACE + 32 * digits + place);
    return back;
}

static struct unpacker unpacker;

static void unpack(void)
{
    struct unpacker *u = &unpacker;
    char *out = (char *)&gl_texts;
    uint32_t repeated = 0;

    *u = (struct unpacker){.in = gl_texts_packed, .end = gl_texts_packed + gl_texts_packed_size, .range = UINT32_MAX};
    for (size_t i = 0; i < N_CHANCES; i++)
        u->chance[i] = 2048;
    for (int i = 0; i < 4; i++)
        u->code = u->code << 8 | next_byte(u);
    for (size_t i = 0, back = 1; i < sizeof gl_texts;) {
        const uint32_t before = repeated;
        size_t length;

        repeated = get_bit(u, REPEAT + before);
        if (!repeated) {
            out[i] = (char)get_tree(u, LITERAL + 128 * (i ? (unsigned char)out[i - 1] : 0), 7);
            i++;
            continue;
        }
        if (get_bit(u, AGAIN + before)) {
            length = get_tree(u, LENGTH + 256, 8) + 1;
        } else {
            length = get_tree(u, LENGTH, 8) + 3;
            back = get_back(u, length);
        }
        for (; length-- > 0 && i < sizeof gl_texts; i++)
            out[i] = out[i - back];
    }
}

void gl_texts_unpack(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, unpack);
}
