/* SPDX-License-Identifier: Apache-2.0 */
/* storage.c - in what each value is stored: what the device reads best, as far as every shader that binds the value can bind that.
 *
 * Constants of kernels (gl_weights, gl_table) are no values; those that an operation may bind are taken off what it has of image
 * units first. */
#include "lib/gl/ir/texture.h"
#include "lib/gl/passes/choose.h"
#include "lib/gl/passes/passes.h"

/* Of the operation at hand. */
struct units {
    const struct gl_limits *limits;
    uint32_t textures, image_reads; /* that it can still have */
    uint32_t in;                    /* operands still to come that the kernel itself binds, be they scalars */
};

static enum gl_storage in_memory(const struct ir_value *v, const struct gl_limits *lim)
{
    return lim->image_reads && ir_vectors(v->shape) <= lim->image_vectors ? GL_STORAGE_IMAGE : GL_STORAGE_BUFFER;
}

/* Constants are packed into a buffer. */
static enum gl_storage wish(const struct ir_value *v, const struct gl_limits *lim)
{
    return !v->data && !v->view.of && gl_fits_texture(lim, v->shape) ? GL_STORAGE_TEXTURE : in_memory(v, lim);
}

/* What an operation says of a value. */
struct asker {
    const struct gl_limits *limits;
    enum gl_objects objects; /* AS_SET: it asks for textures of what it reads, and whatever suits others it writes */
};

static enum gl_objects objects_of(const struct ir_op *op, const struct gl_choice *choice, const struct gl_policy *policy)
{
    const enum gl_objects picked = gl_pick_of(op, choice).objects;

    if (picked)
        return picked;
    return policy->all_textures ? GL_OBJECTS_TEXTURES : policy->textures ? GL_OBJECTS_AS_SET : GL_OBJECTS_BUFFERS;
}

static void choose_object(void *arg, struct ir_value **operand)
{
    const struct asker *a = arg;

    (*operand)->storage = a->objects == GL_OBJECTS_BUFFERS ? in_memory(*operand, a->limits) : wish(*operand, a->limits);
}

/* Textures are better to read, by their cache: so readers ask for them. An output that no shader reads again gets none unless that
 * is picked or asked for, as TensorFlow Lite has it, too: a buffer of the caller's may then take its place (direct.c). */
static void choose_for(struct ir *ir, const struct gl_limits *lim, bool refuses)
{
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i];
        struct asker a = {lim, objects_of(op, ir->choice, &lim->policy)};

        if ((a.objects == GL_OBJECTS_BUFFERS) != refuses)
            continue;
        ir_each_operand(op, choose_object, &a);
        if (a.objects)
            choose_object(&a, &op->out);
        if (a.objects && op->out2)
            choose_object(&a, &op->out2);
    }
}

/* What another partition takes over it has in a texture if a shader reads it there, and only what is stored alike stays
 * (resident_tensors.c). */
static void choose_for_others(struct ir *ir, const struct gl_limits *lim)
{
    for (uint32_t i = 0; i < ir->n_outputs && lim->policy.textures; i++) {
        const struct tensor *t = ir->output_tensors[i];

        if (t && !tensor_is_among(t, ir->graph->outputs, ir->graph->n_outputs))
            ir->outputs[i]->storage = wish(ir->outputs[i], lim);
    }
}

static struct ir_value *root_of(struct ir_value *v)
{
    return v->view.of ? v->view.of : v;
}

/* Where an operation reads more operands of a storage than it has units for, the last of them do without: the operand takes one of
 * *units, if the shader binds it and it is stored so, or goes to `else_to`. */
static void take(struct units *u, struct ir_value *operand, enum gl_storage storage, uint32_t *units, enum gl_storage else_to)
{
    struct ir_value *v = root_of(operand);
    const bool by_kernel = u->in > 0;

    u->in -= by_kernel;
    if (v->storage != storage || (!by_kernel && ir_is_scalar(operand)))
        return;
    if (*units)
        --*units;
    else
        v->storage = else_to;
}

static void take_texture(void *arg, struct ir_value **operand)
{
    struct units *u = arg;

    take(u, *operand, GL_STORAGE_TEXTURE, &u->textures, in_memory(root_of(*operand), u->limits));
}

static void take_image(void *arg, struct ir_value **operand)
{
    struct units *u = arg;

    take(u, *operand, GL_STORAGE_IMAGE, &u->image_reads, GL_STORAGE_BUFFER);
}

static uint32_t less(uint32_t n, uint32_t by)
{
    return n > by ? n - by : 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool is_texture(const struct ir_value *v)
{
    return v && v->storage == GL_STORAGE_TEXTURE;
}

/* Units for the textures that the operation writes, beside its constants. */
static void choose_stores(struct ir_op *op, const struct gl_limits *lim)
{
    const uint32_t units = less(lim->image_units, least(lim->image_reads, op->kind->constants));

    if (is_texture(op->out2) && units < 2)
        op->out2->storage = in_memory(op->out2, lim);
    if (is_texture(op->out) && (!units || op->kind->reads_back))
        op->out->storage = in_memory(op->out, lim);
}

static uint32_t images_left(const struct ir_op *op, const struct gl_limits *lim)
{
    const uint32_t stores = (uint32_t)is_texture(op->out) + is_texture(op->out2);

    return less(least(lim->image_reads, less(lim->image_units, stores)), op->kind->constants);
}

/* Textures first: what is none may become an image. */
enum status gl_choose_storage(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)err;
    for (uint32_t i = 0; i < ir->n_values; i++)
        ir->values[i]->storage = in_memory(ir->values[i], lim);
    choose_for(ir, lim, false);
    choose_for_others(ir, lim);
    choose_for(ir, lim, true); /* where one wants none, a value is in none */
    for (uint32_t i = 0; i < ir->n_values; i++)
        if (ir->values[i]->view.of)
            ir->values[i]->view.of->storage = in_memory(ir->values[i]->view.of, lim);
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct units u = {.limits = lim, .textures = lim->texture_reads, .in = ir->ops[i]->n_in};

        choose_stores(ir->ops[i], lim);
        ir_each_operand(ir->ops[i], take_texture, &u);
    }
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct units u = {.limits = lim, .image_reads = images_left(ir->ops[i], lim), .in = ir->ops[i]->n_in};

        ir_each_operand(ir->ops[i], take_image, &u);
    }
    for (uint32_t i = 0; i < ir->n_values; i++)
        ir->values[i]->storage = ir_root(ir->values[i])->storage;
    return ST_OK;
}
