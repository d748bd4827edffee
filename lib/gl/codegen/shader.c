/* SPDX-License-Identifier: Apache-2.0 */
/* shader.c - what emit says about its dispatch. */
#include "lib/gl/codegen/shader.h"
#include "lib/gl/device/texts.h"
#include "lib/gl/ir/texture.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* vec4 that are packed at once where they are only looked at */
#define PACK_BLOCK 256

/* Of the name of one number or value, with its end. */
#define NAME_LENGTH 48

void gl_shader_init(struct gl_shader *p, struct arena *a, const struct gl_limits *lim, bool half, const struct ir_op *op)
{
    gl_texts_unpack();
    *p = (struct gl_shader){.arena = a, .limits = lim, .half = half, .op = op};
    p->params_end = &p->params;
    p->defines.arena = a;
}

void gl_source(struct gl_shader *p, const char *text)
{
    p->source = text;
}

void gl_source_of(struct gl_shader *p, const char *const *texts, size_t n)
{
    struct text t = {.arena = p->arena};

    for (size_t i = 0; i < n; i++)
        text_add(&t, "%s", texts[i]);
    p->failed |= t.failed;
    p->source = t.failed ? texts[n - 1] : t.s;
}

void gl_source_with(struct gl_shader *p, const char *functions, const char *text)
{
    gl_source_of(p, (const char *const[]){functions, text}, 2);
}

static struct gl_binding *bind(struct gl_shader *p, enum gl_bind kind, const char *name)
{
    struct gl_binding *b = &p->bind[p->n_bind];

    if (p->n_bind == GL_MAX_BINDINGS || !(b->name = arena_strdup(p->arena, name))) {
        p->failed = true;
        return NULL;
    }
    p->n_bind++;
    b->bind = kind;
    b->any_batch = p->limits->policy.any_batch;
    return b;
}

/* "X_AT" for x. */
struct full_name {
    char s[NAME_LENGTH];
};

static struct full_name full_name(const char *name, const char *what)
{
    struct full_name full;

    snprintf(full.s, sizeof full.s, "%s_%s", name, what);
    for (char *c = full.s; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return full;
}

static void named_param(struct gl_shader *p, const char *name, const char *what, int32_t value)
{
    gl_param(p, full_name(name, what).s, value);
}

static void shape_params(struct gl_shader *p, const char *name, struct ir_shape s)
{
    named_param(p, name, "B", s.b);
    named_param(p, name, "H", s.h);
    named_param(p, name, "W", s.w);
    named_param(p, name, "C", s.c);
    named_param(p, name, "S", ir_slices(s));
}

bool gl_is_placed(const struct ir_value *v)
{
    const struct ir_shape *at = &v->view.at;

    return v->view.of && (v->view.map || v->view.blend || v->view.blocks || at->b || at->h || at->w || at->c ||
                          !ir_same_shape(v->view.pitch, v->shape));
}

static void axis_params(struct gl_shader *p, const char *name, const char *before, const char *last, const struct ir_axis_map *m)
{
    if (m->before)
        named_param(p, name, before, m->before);
    if (m->mirrors)
        named_param(p, name, last, m->length - 1);
}

static void blend_params(struct gl_shader *p, const char *name, const char *last, const char *scale, const struct ir_blend_axis *a)
{
    named_param(p, name, last, a->length - 1);
    gl_param_float(p, full_name(name, scale).s, a->scale);
}

/* Where a view lies, as the index functions have it. */
static void place_params(struct gl_shader *p, const char *name, const struct ir_value *v)
{
    named_param(p, name, "AT", (int32_t)ir_vector_at(v, (struct ir_shape){0, 0, 0, 0}));
    named_param(p, name, "PITCH_S", ir_slices(v->view.pitch));
    if (v->view.lane)
        named_param(p, name, "LANE", v->view.at.c % 4);
    named_param(p, name, "PITCH_H", v->view.pitch.h);
    named_param(p, name, "PITCH_W", v->view.pitch.w);
    if (v->view.blocks) {
        named_param(p, name, "BLOCK_H", v->view.blocks->h);
        named_param(p, name, "BLOCK_W", v->view.blocks->w);
        named_param(p, name, "BLOCK_S", v->view.blocks->channels / 4);
    }
    if (v->view.map) {
        axis_params(p, name, "BEFORE_H", "LAST_H", &v->view.map->h);
        axis_params(p, name, "BEFORE_W", "LAST_W", &v->view.map->w);
    }
    if (v->view.blend) {
        gl_param_float(p, full_name(name, "CENTER").s, v->view.blend->center);
        blend_params(p, name, "LAST_H", "SCALE_H", &v->view.blend->h);
        blend_params(p, name, "LAST_W", "SCALE_W", &v->view.blend->w);
    }
}

bool gl_weights_fit_half(const struct gl_binding *b)
{
    float block[4 * PACK_BLOCK];

    for (size_t first = 0, n; first < b->n; first += n) {
        n = b->n - first < PACK_BLOCK ? b->n - first : PACK_BLOCK;
        b->pack(b->arg, first, n, block);
        if (!gl_fits_half(block, 4 * n))
            return false;
    }
    return true;
}

/* Among values of an operation that stores y. Single pixels in a texture are rows of them with another batch. */
static bool can_flatten(const struct gl_shader *p, const struct ir_value *v, struct ir_shape y)
{
    const bool texture = v->storage == GL_STORAGE_TEXTURE;

    if (gl_is_single_pixels(v->shape))
        return !texture || !p->limits->policy.any_batch;
    return v->shape.h == y.h && v->shape.w == y.w && ir_is_flat(v) && !texture;
}

/* See MOST_IN_LINE in codegen.c. */
bool gl_divides_by_floats(const struct gl_shader *p, int64_t n)
{
    return p->limits->policy.row_groups && !p->limits->policy.any_batch && n <= 1 << 19;
}

bool gl_flatten(struct gl_shader *p)
{
    const struct ir_op *op = p->op;
    struct ir_shape y = op->out->shape;
    bool can = can_flatten(p, op->out, y) && (!op->out2 || can_flatten(p, op->out2, y));

    for (uint32_t i = 0; i < op->n_in; i++)
        can = can && can_flatten(p, op->in[i], y);
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            can = can && (!e->operand[i] || can_flatten(p, e->operand[i], y));
    p->flat = can;
    return can;
}

struct ir_shape gl_bound_shape(const struct gl_shader *p, const struct ir_value *v)
{
    const struct ir_shape s = v->shape;

    return p->flat ? (struct ir_shape){s.b, 1, s.h * s.w, s.c} : s;
}

/* What is reached through units of one kind counts them together. */
static uint32_t n_like(const struct gl_shader *p, enum gl_through way)
{
    const uint32_t *n = p->n_points;

    switch (way) {
    case GL_THROUGH_IMAGE:
    case GL_THROUGH_STORE: return n[GL_THROUGH_IMAGE] + n[GL_THROUGH_STORE];
    case GL_THROUGH_TEXTURE:
    case GL_THROUGH_TEXEL:
    case GL_THROUGH_COPY:
    case GL_THROUGH_FOUR: return n[GL_THROUGH_TEXTURE] + n[GL_THROUGH_TEXEL] + n[GL_THROUGH_COPY] + n[GL_THROUGH_FOUR];
    case GL_THROUGH_UNIFORM: return n[way] + 1;
    default: return n[way];
    }
}

static void reach(struct gl_shader *p, struct gl_binding *b, enum gl_through way)
{
    b->through = way;
    b->point = n_like(p, way);
    p->n_points[way]++;
}

static enum gl_reads reads(const struct gl_shader *p)
{
    if (p->pick.reads != GL_READS_AS_SET)
        return (enum gl_reads)p->pick.reads;
    return p->limits->policy.image_reads ? GL_READS_IMAGES : GL_READS_BLOCKS;
}

static enum gl_through through(const struct gl_shader *p, enum gl_storage storage, bool writes)
{
    if (storage == GL_STORAGE_TEXTURE)
        return writes ? GL_THROUGH_STORE : GL_THROUGH_TEXTURE;
    if (storage == GL_STORAGE_BUFFER || writes)
        return GL_THROUGH_BLOCK;
    if (reads(p) == GL_READS_TEXELS && n_like(p, GL_THROUGH_TEXEL) < p->limits->texel_reads)
        return GL_THROUGH_TEXEL;
    return reads(p) == GL_READS_IMAGES ? GL_THROUGH_IMAGE : GL_THROUGH_BLOCK;
}

/* Of n vec4 that are packed. How many bytes they take is not settled yet, 16 each at most. */
static enum gl_through constants_through(const struct gl_shader *p, size_t n)
{
    const enum gl_reads how = p->pick.constants != GL_READS_AS_SET ? (enum gl_reads)p->pick.constants : reads(p);
    const struct gl_limits *l = p->limits;

    if (how == GL_READS_IMAGES && n <= l->image_vectors && p->n_points[GL_THROUGH_IMAGE] < l->image_reads)
        return GL_THROUGH_IMAGE;
    if (how == GL_READS_TEXELS && n <= l->image_vectors && n_like(p, GL_THROUGH_TEXEL) < l->texel_reads)
        return GL_THROUGH_TEXEL;
    if (how == GL_READS_UNIFORMS && n <= l->uniform_block_bytes / 16 && p->n_points[GL_THROUGH_UNIFORM] < l->uniform_reads)
        return GL_THROUGH_UNIFORM;
    if (how >= GL_READS_TEXTURES && n <= (size_t)l->texture_size * GL_COPY_WIDTH && n_like(p, GL_THROUGH_COPY) < l->texel_reads)
        return GL_THROUGH_COPY;
    return GL_THROUGH_BLOCK;
}

static void bind_value(struct gl_shader *p, enum gl_bind kind, const char *name, const struct ir_value *v)
{
    struct gl_binding *b = bind(p, kind, name);

    if (!b)
        return;
    reach(p, b, through(p, v->storage, kind == GL_BIND_OUTPUT));
    b->value = v;
    b->shape = gl_bound_shape(p, v);
    b->format = v->format;
    shape_params(p, name, b->shape);
    if (gl_is_placed(v))
        place_params(p, name, v);
    if (b->any_batch && v->storage == GL_STORAGE_TEXTURE)
        named_param(p, name, "SINGLE", gl_is_single_pixels(v->shape)); /* with another batch it may be rows of them */
}

void gl_input(struct gl_shader *p, const char *name, const struct ir_value *v)
{
    bind_value(p, GL_BIND_INPUT, name, v);
}

void gl_output(struct gl_shader *p, const char *name, const struct ir_value *v)
{
    bind_value(p, GL_BIND_OUTPUT, name, v);
}

void gl_output_read_back(struct gl_shader *p, const char *name, const struct ir_value *v)
{
    gl_output(p, name, v);
    if (!p->failed)
        p->bind[p->n_bind - 1].read_back = true;
}

void gl_host(struct gl_shader *p, const char *name, enum tensor_type type, size_t n, bool write)
{
    struct gl_binding *b = bind(p, write ? GL_BIND_HOST_WRITE : GL_BIND_HOST_READ, name);

    if (!b)
        return;
    reach(p, b, GL_THROUGH_BLOCK);
    b->host_type = type;
    b->n = n;
}

static void bind_packed(struct gl_shader *p, enum gl_bind kind, const char *name, enum gl_format format, size_t n, gl_packer pack,
                        const void *arg, size_t arg_size)
{
    struct gl_binding *b = bind(p, kind, name);
    void *copy = arena_alloc(p->arena, 1, arg_size);

    if (!b || !copy) {
        p->failed = true;
        return;
    }
    memcpy(copy, arg, arg_size);
    reach(p, b, constants_through(p, n));
    b->n = n;
    b->format = format;
    b->pack = pack;
    b->arg = copy;
}

void gl_weights(struct gl_shader *p, const char *name, size_t n, gl_packer pack, const void *arg, size_t arg_size)
{
    bind_packed(p, GL_BIND_WEIGHTS, name, GL_FORMAT_FLOAT, n, pack, arg, arg_size);
}

void gl_weights_bytes(struct gl_shader *p, const char *name, size_t n, gl_packer pack, const void *arg, size_t arg_size)
{
    bind_packed(p, GL_BIND_WEIGHTS, name, GL_FORMAT_INT8, n, pack, arg, arg_size);
}

bool gl_weights_in_four(struct gl_shader *p)
{
    struct gl_binding *b;

    if (p->failed || p->pick.constants != GL_READS_FOUR)
        return false;
    b = &p->bind[p->n_bind - 1];
    if (b->through != GL_THROUGH_COPY || n_like(p, GL_THROUGH_FOUR) + 3 > p->limits->texel_reads)
        return false;
    p->n_points[GL_THROUGH_COPY]--;
    p->n_points[GL_THROUGH_FOUR] += 4;
    b->through = GL_THROUGH_FOUR;
    return true;
}

void gl_table(struct gl_shader *p, const char *name, size_t n, gl_packer pack, const void *arg, size_t arg_size)
{
    bind_packed(p, GL_BIND_TABLE, name, GL_FORMAT_INT, n, pack, arg, arg_size);
}

void gl_table_packed(struct gl_shader *p, const char *name, size_t n, size_t n_packed, gl_packer pack, const void *arg,
                     size_t arg_size)
{
    gl_table(p, name, n, pack, arg, arg_size);
    if (!p->failed)
        p->bind[p->n_bind - 1].n_packed = n_packed;
}

void gl_define_text(struct gl_shader *p, const char *name, const char *text)
{
    text_add(&p->defines, "#define %s %s\n", name, text);
}

void gl_define_rows(struct gl_shader *p, const char *name, char letter, const struct gl_row *rows, int32_t n, int each)
{
    char number[NAME_LENGTH];

    text_add(&p->defines, "#define %s(F) ", name);
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < each; k++) {
            snprintf(number, sizeof number, "%c%d%d", letter, (int)i, k);
            text_add(&p->defines, "%s%s%s", k ? ", " : " F(", number, k < each - 1 ? "" : ")");
            gl_param(p, number, rows[i].n[k]);
        }
    text_add(&p->defines, "\n");
}

void gl_define(struct gl_shader *p, const char *name, int32_t value)
{
    text_add(&p->defines, "#define %s %s%d%s\n", name, value < 0 ? "(" : "", value, value < 0 ? ")" : "");
}

/* Takes the next of names that single spaces separate from the list; false after the last. */
static bool next_name(const char **names, char name[NAME_LENGTH])
{
    const size_t n = strcspn(*names, " ");

    snprintf(name, NAME_LENGTH, "%.*s", (int)n, *names);
    *names += n + ((*names)[n] == ' ');
    return n > 0;
}

void gl_define_named(struct gl_shader *p, const char *name, int32_t n, const char *names)
{
    char variable[NAME_LENGTH];

    if (!p->defines.arena)
        return;
    text_add(&p->defines, "#define %s(F)", name);
    for (int32_t i = 0; i < n; i++) {
        text_add(&p->defines, " F(%d", i);
        for (const char *rest = names; next_name(&rest, variable);)
            text_add(&p->defines, ", %s%d", variable, i);
        text_add(&p->defines, ")");
    }
    text_add(&p->defines, "\n");
}

void gl_define_each(struct gl_shader *p, const char *name, int32_t n)
{
    gl_define_named(p, name, n, "");
}

void gl_defines(struct gl_shader *p, const char *names, const int32_t *values)
{
    char name[NAME_LENGTH];

    while (next_name(&names, name))
        gl_define(p, name, *values++);
}

void gl_params(struct gl_shader *p, const char *names, const int32_t *values)
{
    char name[NAME_LENGTH];

    while (next_name(&names, name))
        gl_param(p, name, *values++);
}

void gl_params_window(struct gl_shader *p, const struct ir_window *w)
{
    GL_PARAMS(p, "KERNEL_H KERNEL_W STRIDE_H STRIDE_W DILATION_H DILATION_W PAD_H PAD_W", w->kernel_h, w->kernel_w, w->stride_h,
              w->stride_w, w->dilation_h, w->dilation_w, w->pad_h, w->pad_w);
}

void gl_grid_of(struct gl_shader *p, int32_t b, int32_t h, int32_t w, int32_t s)
{
    p->grid[0] = w;
    p->grid[1] = h;
    p->grid[2] = s;
    p->grid[3] = b;
}

void gl_grid(struct gl_shader *p, struct ir_shape s)
{
    gl_grid_of(p, s.b, s.h, s.w, ir_slices(s));
}

void gl_operands(struct gl_shader *p, const char *names)
{
    const struct ir_op *op = p->op;
    char name[NAME_LENGTH];

    for (uint32_t i = 0; i < op->n_in && next_name(&names, name); i++)
        gl_input(p, name, op->in[i]);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

void gl_group(struct gl_shader *p, uint32_t x, uint32_t y)
{
    p->group[0] = x;
    p->group[1] = y;
    p->group[2] = 1;
}

void gl_shared(struct gl_shader *p, uint32_t bytes)
{
    p->shared_bytes += bytes;
    p->says_shared = true;
}

void gl_array_stores(struct gl_shader *p)
{
    p->array_stores = true;
}

void gl_iterations(struct gl_shader *p, uint64_t n)
{
    p->counted = true;
    p->iterations = n;
}
