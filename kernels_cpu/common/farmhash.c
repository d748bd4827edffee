/* SPDX-License-Identifier: Apache-2.0 */
/* farmhash.c - FarmHash's 64-bit fingerprint, one mixing rule for each range of lengths. */
#include "kernels_cpu/common/farmhash.h"

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

uint64_t farmhash_fingerprint64(const void *data, size_t n)
{
    return n <= 16 ? hash_short(data, n) : n <= 32 ? hash_32(data, n) : n <= 64 ? hash_64(data, n) : hash_long(data, n);
}
