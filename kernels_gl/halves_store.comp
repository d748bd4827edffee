// SPDX-License-Identifier: Apache-2.0
// halves_store.comp - what kernels do to read and to write 16-bit floats (lib/gl/format.h).
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Stored { uint words[64], written[64]; highp vec2 floats[64]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    highp vec2 v = unpackHalf2x16(words[i]);
    floats[i] = v;
    written[i] = packHalf2x16(v);
}
