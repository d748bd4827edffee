/* SPDX-License-Identifier: Apache-2.0 */
/* access.h - the border between the two halves of code generation: a template's text (codegen.c), and the meaning of its accesses
 * (access.c, epilogue.c). */
#pragma once

#include "lib/gl/codegen/shader.h"

/* The ways in which a template may use a binding (kernel.h describes each); gl_binding.used holds a bit for each. */
enum access {
    ACCESS_LOAD,
    ACCESS_LOADZ,
    ACCESS_LOADB,
    ACCESS_LOADC,
    ACCESS_ROWTYPE,
    ACCESS_ROW,
    ACCESS_COLUMN,
    ACCESS_LOADR,
    ACCESS_LOADW,
    ACCESS_LOADI,
    ACCESS_STORE,
    ACCESS_HOST,
    ACCESS_HOST_STORE,
    ACCESSES
};

/* Bind the values that the epilogues of p->op read, unless the kernel reads them already, and add their numbers; before these are
 * written. */
void gl_bind_epilogues(struct gl_shader *p);

/* Write the functions of p->op's epilogues. */
void gl_define_epilogues(struct gl_shader *p, struct text *t);

/* Write the text that makes `v` of the type `final` of v0, the value that the kernel stores: all epilogues, one after the other. */
void gl_apply_epilogues(struct gl_shader *p, struct text *t, const char *final);

/* Return the type that shaders compute with. */
static inline const char *gl_vec(enum ir_type t)
{
    return t == IR_INT ? "ivec4" : "vec4";
}

/* Return the type of a row's beginning: the number of its first vector or, of a texture, the texel; if several pixels make one,
 * batch, row and slice. */
static inline const char *gl_row_type(const struct gl_binding *b)
{
    return b->value->storage == GL_STORAGE_TEXTURE || b->value->view.blend ? "ivec3" : "int";
}

/* Write declarations of all bindings and definitions of the functions that the template uses. After gl_define_uniforms. */
void gl_define_access(struct gl_shader *p, struct text *t);
