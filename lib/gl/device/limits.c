/* SPDX-License-Identifier: Apache-2.0 */
/* limits.c - the least device, and any device seen as a smaller one. */
#include "lib/gl/device/limits.h"

#include <string.h>

const struct gl_limits gl_limits_least = {
    .storage_blocks = 4,
    .output_resources = 4,
    .storage_block_bytes = 1u << 27,
    .storage_align = 256,
    .group_count = {65535, 65535, 65535},
    .group_size = {128, 128, 64},
    .group_invocations = 128,
    .shared_bytes = 16384,
    .uniform_blocks = 12,
    .uniform_block_bytes = 16384,
    .uniform_align = 256,
    .image_units = 4,
    .texture_size = 2048,
    .texture_layers = 256,
    .policy = {.timer = true, .iterations = GL_FEW_ITERATIONS, .registers = 48},
};

static void lower(uint32_t *v, uint32_t most)
{
    if (*v > most)
        *v = most;
}

static void lower_long(uint64_t *v, uint64_t most)
{
    if (*v > most)
        *v = most;
}

void gl_limits_clamp(struct gl_limits *l, const struct gl_limits *most)
{
    lower(&l->storage_blocks, most->storage_blocks);
    lower(&l->output_resources, most->output_resources);
    lower_long(&l->storage_block_bytes, most->storage_block_bytes);
    if (l->storage_align < most->storage_align)
        l->storage_align = most->storage_align;
    for (int i = 0; i < 3; i++) {
        lower(&l->group_count[i], most->group_count[i]);
        lower(&l->group_size[i], most->group_size[i]);
    }
    lower(&l->group_invocations, most->group_invocations);
    lower(&l->shared_bytes, most->shared_bytes);
    lower(&l->uniform_blocks, most->uniform_blocks);
    lower(&l->uniform_block_bytes, most->uniform_block_bytes);
    if (l->uniform_align < most->uniform_align)
        l->uniform_align = most->uniform_align;
    lower(&l->image_units, most->image_units);
    lower(&l->image_reads, most->image_reads);
    lower_long(&l->image_vectors, most->image_vectors);
    lower(&l->texel_reads, most->texel_reads);
    lower(&l->uniform_reads, most->uniform_reads);
    lower(&l->texture_reads, most->texture_reads);
    lower(&l->texture_size, most->texture_size);
    lower(&l->texture_layers, most->texture_layers);
    l->precise = l->precise && most->precise;
    if (l->half_types != most->half_types)
        l->half_types = GL_HALF_TYPES_NONE;
    gl_policy_clamp(&l->policy, &most->policy);
}

void gl_limits_see(const struct gl_limits *l, void (*see)(void *arg, const char *name, uint64_t value), void *arg)
{
    see(arg, "storage_blocks", l->storage_blocks);
    see(arg, "output_resources", l->output_resources);
    see(arg, "storage_block_bytes", l->storage_block_bytes);
    see(arg, "storage_align", l->storage_align);
    see(arg, "group_count_x", l->group_count[0]);
    see(arg, "group_count_y", l->group_count[1]);
    see(arg, "group_count_z", l->group_count[2]);
    see(arg, "group_size_x", l->group_size[0]);
    see(arg, "group_size_y", l->group_size[1]);
    see(arg, "group_size_z", l->group_size[2]);
    see(arg, "group_invocations", l->group_invocations);
    see(arg, "shared_bytes", l->shared_bytes);
    see(arg, "uniform_blocks", l->uniform_blocks);
    see(arg, "uniform_block_bytes", l->uniform_block_bytes);
    see(arg, "uniform_align", l->uniform_align);
    see(arg, "image_units", l->image_units);
    see(arg, "image_reads", l->image_reads);
    see(arg, "image_vectors", l->image_vectors);
    see(arg, "texel_reads", l->texel_reads);
    see(arg, "uniform_reads", l->uniform_reads);
    see(arg, "texture_reads", l->texture_reads);
    see(arg, "texture_size", l->texture_size);
    see(arg, "texture_layers", l->texture_layers);
    see(arg, "precise", l->precise);
    see(arg, "half_types", l->half_types);
}

void gl_limits_numbers(const struct gl_limits *l, uint64_t out[GL_LIMITS_NUMBERS])
{
    const struct gl_policy *p = &l->policy;
    const uint64_t all[GL_LIMITS_NUMBERS] = {
        l->storage_blocks,
        l->output_resources,
        l->storage_block_bytes,
        l->storage_align,
        l->group_count[0],
        l->group_count[1],
        l->group_count[2],
        l->group_size[0],
        l->group_size[1],
        l->group_size[2],
        l->group_invocations,
        l->shared_bytes,
        l->uniform_blocks,
        l->uniform_block_bytes,
        l->uniform_align,
        l->image_units,
        l->image_reads,
        l->image_vectors,
        l->texel_reads,
        l->uniform_reads,
        l->texture_reads,
        l->texture_size,
        l->texture_layers,
        l->precise,
        l->half_types,
        p->software,
        p->inline_uniforms,
        p->any_batch,
        p->image_reads,
        p->textures,
        p->all_textures,
        p->row_groups,
        p->straight_code,
        p->dynamic_compile,
        p->host_layout,
        p->timer,
        p->finish,
        p->pbuffer,
        p->even_stores,
        p->flush,
        p->iterations,
        p->registers,
        p->check_reads,
        p->cached_shared,
        p->no_half_types,
        p->emulated_halves,
    };

    memcpy(out, all, sizeof all);
}
