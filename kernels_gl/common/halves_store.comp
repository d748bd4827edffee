// SPDX-License-Identifier: Apache-2.0
// halves_store.comp - what kernels do to read and to write 16-bit floats (lib/gl/ir/format.h): in a buffer; with IMAGE through an
// image of it; with TEXTURE in a texture, which a first dispatch writes and another one, of two rows of workgroups, reads.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Stored {
    highp uint words[64], written[64];
    highp vec2 floats[64];
    highp vec4 image[32], texels[32];
};
#ifdef IMAGE
layout(rgba16f, binding = 0) uniform restrict readonly highp imageBuffer words_image;
#endif
#ifdef TEXTURE
layout(rgba16ui, binding = 1) uniform restrict writeonly highp uimage2DArray y_texture;
layout(binding = 0) uniform highp usampler2DArray x_texture;
#endif
void main()
{
    uint i = gl_LocalInvocationIndex;
    highp vec2 v = unpackHalf2x16(words[i]);
    floats[i] = v;
    written[i] = packHalf2x16(v);
    if (i >= 32u)
        return;
#ifdef IMAGE
    image[i] = imageLoad(words_image, int(i));
#endif
#ifdef TEXTURE
    ivec3 at = ivec3(i & 7u, i >> 3, 1);
    if (gl_NumWorkGroups.y == 1u) {
        highp vec4 v = vec4(unpackHalf2x16(words[2u * i]), unpackHalf2x16(words[2u * i + 1u]));
        imageStore(y_texture, at, TEXEL_OF);
    } else if (gl_WorkGroupID.y == 0u) {
        highp uvec4 t = texelFetch(x_texture, at, 0);
        texels[i] = OF_TEXEL;
    }
#endif
}
