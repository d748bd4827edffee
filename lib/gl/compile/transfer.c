/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.c - dispatches between host order (dense NHWC) and the layout of the GPU. */
#include "lib/gl/compile/generate.h"
#include "lib/gl/lower/floats.h"

static void define_vector(struct gl_shader *p, const struct ir_value *v)
{
    gl_define_text(p, "VEC4", v->type == IR_INT ? "ivec4" : "vec4");
}

/* Both words of 64 bits are a channel each (int64.h). */
static bool is_of_words(const struct tensor *t, const struct ir_value *v)
{
    return ir_is_int64(t) && ir_elems(v->shape) == 2 * tensor_elems(t);
}

static void host(struct gl_shader *p, const char *name, const struct tensor *t, const struct ir_value *v, bool write)
{
    if (is_of_words(t, v))
        gl_host(p, name, TYPE_INT32, 2 * tensor_elems(t), write);
    else
        gl_host(p, name, t->type, tensor_elems(t), write);
}

void gl_emit_upload(struct gl_shader *p, const struct tensor *t, const struct ir_value *v)
{
    gl_source(p, upload_comp);
    define_vector(p, v);
    gl_define(p, "FEW", v->shape.c < 4 && !p->limits->policy.any_batch ? v->shape.c : 0);
    host(p, "x", t, v, false);
    gl_output(p, "y", v);
    gl_grid(p, v->shape);
}

/* n invocations in rows of at most 4096. */
static void grid_of(struct gl_shader *p, size_t n)
{
    const size_t width = n < 4096 ? n : 4096;

    gl_grid_of(p, 1, (int32_t)((n + width - 1) / width), (int32_t)width, 1);
}

static void emit_parts(struct gl_shader *p, const struct tensor *t, const struct ir_parts *from)
{
    static const struct {
        const char *name, *first, *at; /* its first vector among those of all parts, and element; of the first both are 0 */
    } parts[] = {{"x0", NULL, NULL}, {"x1", "FIRST1", "AT1"}, {"x2", "FIRST2", "AT2"}};
    uint64_t vectors = 0, elems = 0;

    _Static_assert(sizeof parts / sizeof *parts == IR_MAX_PARTS, "names for each part");
    gl_source(p, download_parts_comp);
    define_vector(p, from->part[0]);
    gl_define(p, "PARTS", (int32_t)from->n);
    for (uint32_t i = 0; i < from->n; i++) {
        gl_input(p, parts[i].name, from->part[i]);
        if (i) {
            gl_param(p, parts[i].first, (int32_t)vectors);
            gl_param(p, parts[i].at, (int32_t)elems);
        }
        vectors += ir_vectors(from->part[i]->shape);
        elems += ir_elems(from->part[i]->shape);
    }
    gl_param(p, "VECTORS", (int32_t)vectors);
    gl_host(p, "y", t->type, elems, true);
    grid_of(p, vectors);
}

void gl_emit_download(struct gl_shader *p, const struct tensor *t, const struct ir_parts *from)
{
    const struct ir_value *v = from->part[0];
    const size_t per_word = 32 / (size_t)type_bits(t->type);
    const bool floats = TAKES_SHORT_FLOAT >> t->type & 1;
    size_t words;

    if (from->n > 1) {
        emit_parts(p, t, from);
        return;
    }
    define_vector(p, v);
    gl_input(p, "x", v);
    host(p, "y", t, v, true);
    if (from->blocks.channels) {
        p->bind[0].blocks = &from->blocks;
        gl_source(p, download_blocks_comp);
        GL_PARAMS(p, "BLOCK_H BLOCK_W CHANNELS", from->blocks.h, from->blocks.w, from->blocks.channels);
        gl_iterations(p, 4);
        gl_grid(p, v->shape);
    } else if (type_bits(t->type) >= 32) {
        gl_source(p, download_comp);
        gl_grid(p, v->shape);
    } else {
        /* Small elements share words. */
        gl_source(p, download_bytes_comp);
        words = (tensor_elems(t) + per_word - 1) / per_word;
        grid_of(p, words);
        gl_param(p, "WORDS", (int32_t)words);
        gl_define_text(p, "SCALAR", floats ? "float" : "int");
        gl_define(p, "PER_WORD", (int32_t)per_word);
        gl_define_text(p, "PAIR", floats ? "vec2" : "ivec2");
    }
}
