/* SPDX-License-Identifier: Apache-2.0 */
/* tune_ways.c - the ways in which nodes may be computed otherwise than as rules have it. */
#include "lib/gl/tune/tune_impl.h"

#define MOST_TRIALS 16 /* more variants no operation has */

void tune_set_way(struct gl_pick *p, enum way way, uint32_t value)
{
    switch (way) {
    case WAY_VARIANT: p->variant = (uint16_t)value; break;
    case WAY_OWN: p->own = value; break;
    case WAY_GROUP: p->group = (uint8_t)value; break;
    case WAY_NUMBERS: p->numbers = value; break;
    case WAY_OBJECTS:
    case WAY_MIXED: p->objects = (uint8_t)value; break;
    case WAY_BLENDS: p->blends = value; break;
    case WAY_READS: p->reads = (uint8_t)value; break;
    default: p->constants = (uint8_t)value;
    }
}

/* All inputs and outputs cross to the host whatever the values are kept in: no other partition takes them over
 * (resident_tensors.c). */
static bool is_by_itself(const struct tuner *t)
{
    const struct partition *p = t->trial.part;

    for (uint32_t i = 0; i < p->n_inputs; i++)
        if (!tensor_is_among(p->inputs[i], t->trial.g->inputs, t->trial.g->n_inputs))
            return false;
    for (uint32_t i = 0; i < p->n_outputs; i++)
        if (!tensor_is_among(p->outputs[i], t->trial.g->outputs, t->trial.g->n_outputs))
            return false;
    return true;
}

bool tune_concerns(const struct tuner *t, enum way way, uint32_t unit)
{
    for (uint32_t i = 0; i < t->trial.part->n_nodes; i++) {
        const struct node *n = t->trial.part->nodes[i];

        if (way != WAY_BLENDS || (n->builtin == BUILTIN_RESIZE_BILINEAR && (unit == t->n || tune_unit_of(t, n->index) == unit)))
            return true;
    }
    return false;
}

uint32_t tune_count_of(const struct tuner *t, enum way way)
{
    const struct gl_limits *lim = &t->trial.set->run.context->limits;

    switch (way) {
    case WAY_VARIANT: return t->base.variants < MOST_TRIALS ? t->base.variants : MOST_TRIALS;
    case WAY_OWN: return lim->policy.row_groups && !lim->policy.inline_uniforms ? 2 : 1; /* gl_share_programs */
    case WAY_OBJECTS:
    case WAY_MIXED: return t->trial.set->any_objects && lim->texture_reads && is_by_itself(t) ? GL_OBJECTS_TEXTURES + 1 : 1;
    case WAY_GROUP: return lim->policy.any_batch || lim->policy.row_groups ? 1 : GL_GROUPS;
    case WAY_NUMBERS: return lim->policy.any_batch ? 1 : 2; /* the batch is among them */
    case WAY_BLENDS: return tune_concerns(t, way, t->n) ? 2 : 1;
    case WAY_READS: return t->trial.set->any_reads ? GL_READS_TEXELS + 1 : 1;
    default: return t->trial.set->any_reads ? GL_READS_FOUR + 1 : 1;
    }
}

/* Halves through images and texture buffers no self-test has tried, but where the rules read images. */
bool tune_is_there(const struct tuner *t, enum way way, uint32_t value)
{
    const struct gl_limits *lim = &t->trial.set->run.context->limits;

    if (way == WAY_OBJECTS || way == WAY_MIXED)
        return value == GL_OBJECTS_TEXTURES || lim->policy.textures;
    if (way != WAY_READS && way != WAY_CONSTANTS)
        return true;
    if (way == WAY_READS && value == (lim->policy.image_reads ? GL_READS_IMAGES : GL_READS_BLOCKS)) /* as set */
        return false;
    switch (value) {
    case GL_READS_IMAGES: return lim->image_reads && (lim->policy.image_reads || !t->trial.set->recipe.precision.half);
    case GL_READS_TEXELS: return lim->image_reads && lim->texel_reads && !t->trial.set->recipe.precision.half;
    case GL_READS_UNIFORMS: return lim->uniform_reads > 0;
    case GL_READS_TEXTURES: return lim->texel_reads > 0;
    case GL_READS_FOUR: return lim->texel_reads >= 4 && !lim->policy.software; /* a CPU has no cache of texels to gain by */
    default: return true;
    }
}
