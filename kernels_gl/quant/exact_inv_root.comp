// SPDX-License-Identifier: Apache-2.0
// exact_inv_root.comp - 1 / sqrt(v) as the nearest float, where a GPU's own may be off by some last places.

// v above 0 and a normal number. With v = m * 2^e, e even and m between 2^24 and 2^26, the result is q * 2^(-36 - e/2), where q is
// the largest number for which q - 1/2 is below 2^36 / sqrt(m): (2 q - 1)^2 * m < 2^74. None lies just between two. In double,
// rounded to a float then, every v comes to the same.
float exact_inv_root(float v)
{
    uint u = floatBitsToUint(v), m = (u & 0x7fffffu | 0x800000u) << (2u - (u >> 23 & 1u)), q = 0u;
    int e = int(u >> 23) - 152 + int(u >> 23 & 1u);

    for (int i = 24; i >= 0; i--) {
        uint with = q | 1u << i, odd = 2u * with - 1u, high, low, over, product, top, middle, carry;

        umulExtended(odd, odd, high, low);
        umulExtended(low, m, over, product);
        umulExtended(high, m, top, middle);
        uaddCarry(middle, over, carry);
        if (top + carry < 1u << 10)
            q = with;
    }
    return uintBitsToFloat((uint(114 - e / 2) << 23) + (q - 0x800000u));
}
