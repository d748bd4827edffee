// SPDX-License-Identifier: Apache-2.0
// exact_divide.comp - a / b as IEEE 754 has it, rounded to nearest, where a GPU's own division may be off by some last places.

// Both above 0. Where the quotient or one of them is not a normal number, the device's own.
float exact_divide(float a, float b)
{
    uint u = floatBitsToUint(a), v = floatBitsToUint(b);
    uint rest = u & 0x7fffffu | 0x800000u, by = v & 0x7fffffu | 0x800000u, q = 0u;
    int exponent = int(u >> 23) - int(v >> 23) + 127;

    if (rest < by) {
        rest <<= 1;
        exponent--;
    }
    if ((u >> 23) == 0u || (v >> 23) == 0u || (u >> 23) > 254u || (v >> 23) > 254u || exponent < 1 || exponent > 253)
        return a / b;
    for (int i = 0; i < 24; i++) {
        bool one = rest >= by;

        q = q << 1 | uint(one);
        rest = (one ? rest - by : rest) << 1;
    }
    q += uint(rest > by || (rest == by && (q & 1u) == 1u));
    return uintBitsToFloat((uint(exponent) << 23) + (q - 0x800000u));
}
