/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - compute programs: identical sources are compiled once, all of them at the same time where the driver can. */
#ifndef DELEGAUGE_GL_PROGRAM_H
#define DELEGAUGE_GL_PROGRAM_H

#include "../arena.h"
#include "context.h"

struct gl_program {
    const char *text, *label; /* borrowed; the label names it in messages and dumps */
    uint64_t hash;            /* of the text, so that few texts are compared */
    GLuint shader, program;   /* 0 before gl_programs_build; the shader object is gone after it */
};

/* Zeroed to begin with. */
struct gl_programs {
    struct gl_program *list;
    uint32_t n, cap;
};

/* The index of the program with this source, added if it is new. Fails only with ST_NOMEM. */
enum status gl_programs_add(struct gl_programs *ps, struct arena *a, const char *text, const char *label, uint32_t *index,
                            struct err *err);

/* Compiles and links all of them; called once, after the last gl_programs_add. Writes each source to dump_dir (NULL: nowhere)
 * before that. A compile error shows the driver's log with the line of the source it speaks of. */
enum status gl_programs_build(struct gl_programs *ps, struct gl_context *c, const char *dump_dir, struct err *err);

/* Deletes the GL objects; the context is current. The list itself is the arena's. */
void gl_programs_free(struct gl_programs *ps);

#endif
