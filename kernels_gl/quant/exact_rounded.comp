// SPDX-License-Identifier: Apache-2.0
// exact_rounded.comp - v as a float has it, on devices that know no `precise`, too: its bits pass through integers beside whether
// a step is below 0, which none is, NaN neither. No compiler can know that, so none makes one operation of v and what reads it.

#define ROUNDED(v, step) intBitsToFloat(floatBitsToInt(v) ^ int((step) < 0.0))
