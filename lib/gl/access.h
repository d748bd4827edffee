/* SPDX-License-Identifier: Apache-2.0 */
/* access.h - between the two halves of code generation: a template's text (codegen.c), and what its accesses mean (access.c). */
#ifndef DELEGAUGE_GL_ACCESS_H
#define DELEGAUGE_GL_ACCESS_H

#include "shader.h"

/* How a template may use a binding (kernel.h has what each does); gl_binding.used holds a bit for each. */
enum access {
    ACCESS_LOAD,
    ACCESS_LOADZ,
    ACCESS_LOADB,
    ACCESS_LOADC,
    ACCESS_LOADW,
    ACCESS_LOADI,
    ACCESS_STORE,
    ACCESS_HOST,
    ACCESS_HOST_STORE,
    ACCESSES
};

/* Binds what the epilogues of p->op read, unless the kernel reads it already, and adds their numbers; before these are written. */
void gl_bind_epilogues(struct gl_shader *p);

/* Writes declarations of all bindings and, of those functions that the template uses, definitions. After gl_define_numbers. */
void gl_define_access(struct gl_shader *p, struct text *t);

#endif
