/* SPDX-License-Identifier: Apache-2.0 */
/* shader_fits.c - what a dispatch takes of a device, and whether the device has it. */
#include "lib/gl/codegen/shader.h"

#include <string.h>

uint64_t gl_value_bytes(const struct ir_value *v)
{
    return ir_vectors(ir_root(v)->shape) * gl_formats[v->format].bytes;
}

uint64_t gl_staged_bytes(uint64_t bytes)
{
    /* Whole words; some more, as no range may be empty. */
    return (bytes + 3) / 4 * 4 + 16;
}

size_t gl_binding_bytes(const struct gl_binding *b)
{
    switch (b->bind) {
    case GL_BIND_INPUT:
    case GL_BIND_OUTPUT: return (size_t)gl_value_bytes(b->value);
    case GL_BIND_WEIGHTS:
    case GL_BIND_TABLE: return b->n * gl_formats[b->format].bytes;
    default: return (size_t)gl_staged_bytes(type_bytes(b->host_type, b->n));
    }
}

size_t gl_uniform_bytes(const struct gl_binding *b, size_t most)
{
    const size_t bytes = gl_binding_bytes(b);
    size_t n = 256;

    while (n < bytes)
        n *= 2;
    return n < most ? n : most > bytes ? most : bytes;
}

/* What is a texture here may be a buffer in another partition, where the same node must fit: it counts as one. */
static enum status points_fit(const struct gl_shader *p, const char *label, struct err *err)
{
    const struct gl_limits *l = p->limits;
    const uint32_t textures = p->n_points[GL_THROUGH_TEXTURE], stores = p->n_points[GL_THROUGH_STORE];
    const uint32_t texels = p->n_points[GL_THROUGH_TEXEL] + p->n_points[GL_THROUGH_COPY] + p->n_points[GL_THROUGH_FOUR];
    const uint32_t images = p->n_points[GL_THROUGH_IMAGE], blocks = p->n_points[GL_THROUGH_BLOCK] + textures + stores;

    if (blocks > l->storage_blocks)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" binds %u buffers%s, the device has %u", label, blocks,
                       textures + stores ? " or textures in their place" : "", l->storage_blocks);
    if (images > l->image_reads)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" reads %u images, the device has %u", label, images, l->image_reads);
    if (stores && images + stores > l->image_units)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" has %u images, the device %u", label, images + stores, l->image_units);
    if (textures > l->texture_reads)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" reads %u textures, the device has %u", label, textures,
                       l->texture_reads);
    if (texels && textures + texels > l->texel_reads)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" reads %u textures, with texture buffers, the device has %u", label,
                       textures + texels, l->texel_reads);
    return ST_OK;
}

static bool has_loop(const char *source)
{
    return source && (strstr(source, "for (") || strstr(source, "while ("));
}

enum status gl_shader_fits(const struct gl_shader *p, const char *label, struct err *err)
{
    const struct gl_limits *l = p->limits;
    uint32_t invocations = p->group[0] * p->group[1] * p->group[2];
    enum status st = points_fit(p, label, err);

    if (st)
        return st;
    if (p->n_bind > l->output_resources)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" binds %u buffers and images, the device has %u for both", label,
                       p->n_bind, l->output_resources);
    if (!p->says_shared && p->source && strstr(p->source, "\nshared "))
        return err_set(err, ST_FAILED, "shader \"%s\" has shared variables and does not state their bytes", label);
    if (p->shared_bytes > l->shared_bytes)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" shares %u bytes in a workgroup, the device %u", label, p->shared_bytes,
                       l->shared_bytes);
    if (16 * (uint64_t)p->n_uniforms > l->uniform_block_bytes)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" has %u bytes of numbers, the device at most %u", label,
                       16 * p->n_uniforms, l->uniform_block_bytes);
    if (p->n_uniforms && !l->uniform_blocks)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" has a uniform block, the device none", label);
    if (!p->counted && has_loop(p->source))
        return err_set(err, ST_FAILED, "shader \"%s\" has a loop and states no iterations", label);
    if (p->iterations > gl_most_passes(l))
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" needs %llu iterations of one invocation, the device has %u", label,
                       (unsigned long long)p->iterations, l->policy.iterations);
    if (invocations > l->group_invocations)
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" has workgroups of %u, the device of %u", label, invocations,
                       l->group_invocations);
    for (uint32_t i = 0; i < p->n_bind; i++)
        if (p->bind[i].read_back && p->bind[i].through != GL_THROUGH_BLOCK)
            return err_set(err, ST_FAILED, "shader \"%s\" reads \"%s\" back, which lies in a texture", label, p->bind[i].name);
        else if (gl_binding_bytes(&p->bind[i]) > l->storage_block_bytes)
            return err_set(err, ST_UNSUPPORTED, "shader \"%s\" binds %zu bytes as \"%s\", the device at most %llu", label,
                           gl_binding_bytes(&p->bind[i]), p->bind[i].name, (unsigned long long)l->storage_block_bytes);
    for (int i = 0; i < 3; i++)
        if (p->group[i] > l->group_size[i] || p->groups[i] > l->group_count[i])
            return err_set(err, ST_UNSUPPORTED, "shader \"%s\" starts %u workgroups of %u along a dimension, the device %u of %u",
                           label, p->groups[i], p->group[i], l->group_count[i], l->group_size[i]);
    return ST_OK;
}
