/* SPDX-License-Identifier: Apache-2.0 */
/* access.h - between the two halves of code generation: a template's text (codegen.c), and what its accesses mean (access.c,
 * epilogue.c). */
#ifndef DELEGAUGE_GL_ACCESS_H
#define DELEGAUGE_GL_ACCESS_H

#include "lib/gl/codegen/shader.h"

/* How a template may use a binding (kernel.h has what each does); gl_binding.used holds a bit for each. */
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

/* Binds what the epilogues of p->op read, unless the kernel reads it already, and adds their numbers; before these are written. */
void gl_bind_epilogues(struct gl_shader *p);

/* Writes the functions of p->op's epilogues. */
void gl_define_epilogues(struct gl_shader *p, struct text *t);

/* Writes what makes of v0, as the kernel stores it, `v` of the type `final`: all of them, one after the other. */
void gl_apply_epilogues(struct gl_shader *p, struct text *t, const char *final);

/* What shaders compute with. */
static inline const char *gl_vec(enum ir_type t)
{
    return t == IR_INT ? "ivec4" : "vec4";
}

/* Where a row begins: the number of its first vector or, of a texture, the texel; where several pixels make one, batch, row and
 * slice. */
static inline const char *gl_row_type(const struct gl_binding *b)
{
    return b->value->storage == GL_STORAGE_TEXTURE || b->value->view.blend ? "ivec3" : "int";
}

/* Writes declarations of all bindings and, of those functions that the template uses, definitions. After gl_define_numbers. */
void gl_define_access(struct gl_shader *p, struct text *t);

#endif
