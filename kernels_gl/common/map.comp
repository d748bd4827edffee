// SPDX-License-Identifier: Apache-2.0
// map.comp - the input, broadcast to the output; what is computed with it is in the epilogue.
void run(int b, int h, int w, int s)
{
    STORE(y, b, h, w, s, LOADB(x, b, h, w, s));
}
