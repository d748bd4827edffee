// SPDX-License-Identifier: Apache-2.0
// exact_wide.comp - 64 bits in two words, lane by lane.

// (high * 2^32 + low) / 2^shift, halves up; 1 <= shift <= 46.
ivec4 int64_shift_right(ivec4 high, uvec4 low, ivec4 shift)
{
    ivec4 at = shift - 1;
    uvec4 half_low = mix(uvec4(1u) << uvec4(at & 31), uvec4(0u), greaterThan(at, ivec4(31)));
    uvec4 sum = low + half_low;

    high += ivec4(lessThan(sum, half_low)) + mix(ivec4(0), ivec4(1) << (at & 31), greaterThan(at, ivec4(31)));
    ivec4 near = ivec4(sum >> uvec4(shift & 31)) | high << (32 - (shift & 31));
    ivec4 far = high >> (shift & 31);

    return mix(near, far, greaterThan(shift, ivec4(31)));
}
