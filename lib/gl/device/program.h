/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - the compute programs of a context: equal sources are compiled once, whoever asks, all new ones at the same time where
 * the driver can.
 *
 * Each compiled partition holds a set of references; a program goes with the last of them, unless it was refused, all go with the
 * context. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/sha256.h"
#include "lib/gl/device/headers.h"
#include "lib/gl/software/helpers.h"

struct gl_program {
    char hash[SHA256_HEX_SIZE]; /* of the source: what tells programs apart */
    char *text, *label;         /* the source, NULL once it is compiled or refused; the label names it in messages and dumps */
    uint32_t users;             /* sets that hold it */
    bool built;                 /* compiled and linked */
    bool loaded;                /* by gl_binaries_load, not from source */
    uint64_t ns;                /* that building it took; several may be built at the same time */
    const struct gl_program_set *builder; /* for whom; NULL once that set is gone */
    char *refusal;                        /* NULL, or why the driver does not take it; kept with the context, and not asked again */
    bool told;                            /* for who reports refusals: this one was */
    bool warm;                            /* the context that dispatches it has its machine code; gl_policy.dynamic_compile alone */
    uint32_t who;                         /* the context that dispatches it (gl_helpers_turn) */
    uint32_t stall_ms;                    /* see gl_programs */
    GLuint shader, program;               /* 0 before gl_programs_build; the shader object is gone after it */
};

/* Of a context; zeroed to begin with. */
struct gl_programs {
    struct gl_program **list;
    uint32_t n, cap;
    struct gl_helpers helpers;
    const char *refuse; /* for tests: programs whose label or text has this are refused without asking the driver; or NULL */
    const char *stall;  /* for tests: for those that have this, the driver takes stall_ms; or NULL */
    uint32_t stall_ms;
};

/* Of one user, zeroed to begin with: programs that it holds, each once, by an index of its own. */
struct gl_program_set {
    struct gl_program **list;
    uint32_t n, cap;
    uint32_t first; /* of these no other user held when they were added: so, added up over users, each program counts once */
    uint32_t compiled, loaded; /* so many were built for this user, from source or by gl_binaries_load */
    uint64_t build_ns; /* that gl_programs_build took for it: less than its programs together where threads share the work */
};

/* Stores the index in `set` of the program with this source, which the set holds from now on; text and label are copied. Fails only
 * with ST_NOMEM. */
enum status gl_programs_add(struct gl_programs *ps, struct gl_program_set *set, const char *text, const char *label,
                            uint32_t *index, struct err *err);

/* The same for a program whose source is known by its hash alone: where no other user has it, gl_binaries_load must build it. */
enum status gl_programs_add_hash(struct gl_programs *ps, struct gl_program_set *set, const char *hash, const char *label,
                                 uint32_t *index, struct err *err);

/* Makes `to` the set that `from` was, which is empty then. */
void gl_programs_move(struct gl_program_set *from, struct gl_program_set *to);

/* Programs of the set that were built for sets that are gone count as built for this one. Returns their number. */
uint32_t gl_programs_adopt(struct gl_program_set *set);

/* The program is built: its source is no longer needed. Its objects are deleted. */
void gl_program_done(struct gl_program *p);
void gl_program_delete(struct gl_program *p);

/* Forgets which programs were compiled at a dispatch: the contexts that held them are gone. */
void gl_programs_cool(struct gl_programs *ps);

/* Empties the set and frees the programs that nobody else holds; where there are any, helpers are dismissed, and what they compiled
 * for others is compiled anew before it runs again. The context is current and none of them in use. NULL for `ps`: only the set's
 * own memory is freed, its programs stay until the context goes; no other thread is disturbed. */
void gl_programs_release(struct gl_programs *ps, struct gl_program_set *set);

/* Frees the memory of all that is left; GL frees its objects with the context. */
void gl_programs_fini(struct gl_programs *ps);
