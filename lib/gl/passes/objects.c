/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c - what values and constants may be kept in, and read through, is what the limits say that there is. */
#include "lib/gl/plan/compiled.h"

enum status gl_choose_objects(struct gl_settings *set, enum gpu_objects objects, bool spares_memory, struct err *err)
{
    const bool image = objects == GPU_OBJECTS_IMAGE, texture = objects == GPU_OBJECTS_TEXTURE,
               fastest = objects == GPU_OBJECTS_FASTEST;
    const bool any = set->tuning || set->pick.reads || set->pick.constants || set->pick.objects;
    struct gl_limits *lim = &set->context->limits;

    if ((image && !lim->image_reads) || (texture && !lim->texture_reads))
        return err_set(err, ST_UNSUPPORTED, "--gpu_object_type=%s",
                       image ? "image: the driver lacks GL_EXT_texture_buffer"
                             : "texture: the driver has no textures or images for compute shaders");
    set->any_reads = any && (fastest || texture);
    set->any_objects = any && fastest && !spares_memory;
    lim->policy.image_reads = lim->image_reads && (image || ((fastest || texture) && lim->policy.image_reads));
    lim->policy.all_textures = texture;
    lim->policy.textures = lim->texture_reads && (texture || (fastest && lim->policy.textures && !spares_memory));
    if (!set->any_reads)
        lim->texel_reads = lim->uniform_reads = 0;
    if (!lim->policy.image_reads && !set->any_reads)
        lim->image_reads = 0;
    if (!lim->policy.textures && !set->any_objects)
        lim->texture_reads = 0;
    return ST_OK;
}
