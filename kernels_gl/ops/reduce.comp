// SPDX-License-Identifier: Apache-2.0
// reduce.comp - folds a block of the input into one element, lane by lane. A block is BLOCK_B x BLOCK_H x BLOCK_W pixels, OVER_C of
// BLOCK_S slices; with ACROSS those are all, and the lanes are folded, too. With OPERANDS the elements are MAP of those of the
// input and, where these are 2, of `with`, which has several along B, H, W, C where ALONG_B ... are 1. Of LANES_B x LANES_H x
// LANES_W x LANES_S invocations each takes its turns along each axis: of one, or of the LANES of a workgroup
// (workgroup_reduce_main.comp).

#if OPERANDS > 0
VEC element(int i, int j, int k, int t)
{
    VEC a = LOAD(x, i, j, k, t);
#if OPERANDS == 1
    VEC b = a;
#elif ALONG_C
    VEC b = LOAD(with, ALONG_B * i, ALONG_H * j, ALONG_W * k, t);
#else
    VEC b = LOAD(with, ALONG_B * i, ALONG_H * j, ALONG_W * k, 0).xxxx;
#endif
    PRECISE VEC r = MAP(a, b);

    return r;
}
#define ELEMENT(i, j, k, t) element(i, j, k, t)
#else
#define ELEMENT(i, j, k, t) LOAD(x, i, j, k, t)
#endif

VEC fold(int b, int h, int w, int s, int lane)
{
    PRECISE VEC total = VEC(INIT); // or a compiler makes max() of a comparison and a choice
    ivec3 from = ivec3(b, h, w) * ivec3(BLOCK_B, BLOCK_H, BLOCK_W);
    ivec3 to = min(from + ivec3(BLOCK_B, BLOCK_H, BLOCK_W), ivec3(X_B, X_H, X_W));

    from += ivec3(lane / (LANES_W * LANES_H * LANES_S), lane / LANES_W % LANES_H, lane % LANES_W);
    for (int i = from.x; i < to.x; i += LANES_B)
        for (int j = from.y; j < to.y; j += LANES_H)
            for (int k = from.z; k < to.z; k += LANES_W) {
#ifdef OVER_C
                int last = min((s + 1) * BLOCK_S, X_S);

                for (int t = s * BLOCK_S + lane / (LANES_W * LANES_H) % LANES_S; t < last; t += LANES_S) {
                    VEC v = ELEMENT(i, j, k, t);

                    v = mix(VEC(INIT), v, lessThan(4 * t + ivec4(0, 1, 2, 3), ivec4(X_C)));
#if IN_ORDER
                    for (int c = 0; c < 4; c++)
                        total = COMBINE(total, VEC(v[c]));
#else
                    total = COMBINE(total, v);
#endif
                }
#else
                VEC v = ELEMENT(i, j, k, s);

                total = COMBINE(total, v);
#endif
            }
    return total;
}

void finish(int b, int h, int w, int s, VEC folded)
{
    PRECISE VEC total = folded;

#if defined(ACROSS) && !IN_ORDER
    PRECISE VEC half_way = COMBINE(total, total.zwxy);

    total = COMBINE(half_way, half_way.yxwz);
#endif
#if defined(MEAN) && IN_ORDER
    for (int c = 0; c < 4; c++)
        total[c] = total[c] == 0.0 ? total[c] : sign(total[c]) * exact_divide(abs(total[c]), float(COUNT));
#elif defined(MEAN)
    total /= VEC(COUNT);
#endif
    STORE(y, b, h, w, s, total);
}

#ifdef LANES
shared VEC found[LANES];

void share(int b, int h, int w, int s, int lane)
{
    found[lane] = fold(b, h, w, s, lane);
}

void merge(int lane, int other)
{
    VEC a = found[lane], b = found[other];
    PRECISE VEC both = COMBINE(a, b);

    found[lane] = both;
}

void finish(int b, int h, int w, int s)
{
    finish(b, h, w, s, found[0]);
}
#else
void run(int b, int h, int w, int s)
{
    finish(b, h, w, s, fold(b, h, w, s, 0));
}
#endif
