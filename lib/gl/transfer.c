/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.c - dispatches between host order (dense NHWC) and the layout of the GPU. */
#include "floats.h"
#include "generate.h"

static void define_vector(struct gl_shader *p, const struct ir_value *v)
{
    gl_define_text(p, "VEC4", v->type == IR_INT ? "ivec4" : "vec4");
}

/* Both words of 64 bits are a channel each (words.h). */
static bool is_of_words(const struct tensor *t, const struct ir_value *v)
{
    return ir_is_words(t) && ir_elems(v->shape) == 2 * tensor_elems(t);
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

void gl_emit_download(struct gl_shader *p, const struct tensor *t, const struct ir_value *v)
{
    size_t per_word = 32 / (size_t)type_bits(t->type), words = per_word ? (tensor_elems(t) + per_word - 1) / per_word : 0;
    int32_t width = words < 4096 ? (int32_t)words : 4096;

    define_vector(p, v);
    gl_input(p, "x", v);
    host(p, "y", t, v, true);
    if (type_bits(t->type) >= 32) {
        gl_source(p, download_comp);
        gl_grid(p, v->shape);
    } else {
        /* Small elements share words, so an invocation makes a word of them. */
        gl_source(p, download_bytes_comp);
        gl_grid_of(p, 1, (int32_t)((words + (size_t)width - 1) / (size_t)width), width, 1);
        gl_param(p, "WORDS", (int32_t)words);
        gl_define(p, "PER_WORD", (int32_t)per_word);
        gl_define_text(p, "SCALAR", TAKES_SHORT_FLOAT >> t->type & 1 ? "float" : "int");
        gl_define_text(p, "PAIR", TAKES_SHORT_FLOAT >> t->type & 1 ? "vec2" : "ivec2");
    }
}
