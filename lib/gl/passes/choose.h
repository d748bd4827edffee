/* SPDX-License-Identifier: Apache-2.0 */
/* choose.h - which of its kind's variants computes an operation.
 *
 * The first that fits does, unless something else is wanted of the whole partition: struct gl_choice. */
#pragma once

#include "lib/gl/ir/kernel.h"
#include "lib/gl/options/pick.h"

/* Failed attempts for nodes of a graph, so that something else is tried. Zeroed to begin with; free with arena_free. */
struct gl_tried {
    struct arena arena;
    struct gl_tried_one *list; /* [n] variants that are not to be chosen */
    uint32_t n, cap;
    bool *apart; /* [graph nodes] true for a node not to be merged with others; NULL: for none */
};

/* Every kind of operation; ends with NULL. */
extern const struct ir_kind *const gl_kinds[];

#define GL_MAX_FORCED 32

/* Variants asked for by name; the first that fits an operation of its kind comes before others. */
struct gl_forced {
    struct gl_forced_one {
        const struct ir_kind *kind;
        const struct gl_variant *variant;
        uint32_t used;   /* number of operations that it was chosen for */
        uint32_t behind; /* number of operations that it fits, and for which a variant before it was chosen */
    } list[GL_MAX_FORCED];
    uint32_t n;
};

/* Read a list such as "conv:4x1,depthwise:direct"; "" and NULL name none. ST_USAGE if there is no such kind or variant: the message
 * lists the variants of the kind, or the kinds with several variants. */
enum status gl_forced_read(const char *text, struct gl_forced *out, struct err *err);

/* Warn of variants that were chosen for no operation, and that with any forced variant no start is stored in `dir`; NULL: none was
 * to be. */
void gl_forced_say_unused(const struct gl_forced *f, const char *dir, struct delegate *d);

/* Choices to be made instead of the first variant that fits and pays. */
struct gl_choice {
    struct gl_forced *forced;     /* or NULL */
    struct gl_pick pick;          /* for all operations; variants alone are chosen here */
    const struct gl_pick *picks;  /* [graph nodes] in place of `pick`, by an operation's first node; or NULL */
    const struct gl_tried *tried; /* or NULL */
    bool *met;                    /* out, or NULL: gl_note_met */
    uint32_t most;                /* out: number of variants of the operation with the largest choice */
    const struct ir_op *none_for; /* out: the operation for which no variant is left, after ST_UNSUPPORTED */
    bool exhausted;               /* out: all have been tried, so that an earlier message says more */
};

/* Return the number of variants of all kinds, one table behind the other in the order of gl_kinds, and the index of `v` among them;
 * their number if it is none of them. */
size_t gl_variant_rows(void);
size_t gl_variant_row(const struct ir_kind *kind, const struct gl_variant *v);

/* Set met[row] of the variant by which `op` is computed. `met` may be NULL. For tests of the coverage of tests. */
void gl_note_met(bool *met, const struct ir_op *op);

/* Note that `variant` of `op` does not work out, or that the nodes of `op` must stay apart; *more: this is news, and leaves
 * something else to try. For an operation that makes pixels as it reads (struct ir_blend) the first function does as the second: no
 * variant does without the blend. Merged operations and operations kept apart are noted separately. Fail only with ST_NOMEM. */
enum status gl_tried_variant(struct gl_tried *t, const struct graph *g, const struct ir_op *op, const struct gl_variant *variant,
                             bool *more, struct err *err);
enum status gl_tried_apart(struct gl_tried *t, const struct graph *g, const struct ir_op *op, bool *more, struct err *err);

/* True if a variant of the kind is asked for by name. */
bool gl_is_asked_for(const struct ir *ir, const struct ir_kind *kind);

/* True if passes may let one operation do the work of both. Each pass that merges operations asks. */
bool gl_may_merge(const struct ir *ir, const struct ir_op *a, const struct ir_op *b);

/* True if all that the operation reads and writes, and so many values or constants `more`, can be bound at once. */
bool gl_fits_bindings(struct ir_op *op, uint32_t more, const struct gl_limits *lim);

/* True if the variant may compute the operation on a device with these limits, and was not tried in vain. */
bool gl_may_use(const struct gl_variant *v, const struct ir_op *op, const struct gl_limits *lim, const struct gl_choice *choice);

/* Return the pick for the operation. */
struct gl_pick gl_pick_of(const struct ir_op *op, const struct gl_choice *choice);

/* Return the chosen variant; NULL if none fits. `choice` may be NULL. */
const struct gl_variant *gl_choose(const struct ir_op *op, const struct gl_limits *lim, struct gl_choice *choice);

/* Say why gl_choose found none: "needs 80000 iterations of one invocation, the device has 65535", if nothing else keeps a variant
 * from fitting; else each that fits has been tried (choice->exhausted), or none ever fitted. Returns ST_UNSUPPORTED. `choice` may
 * be NULL. */
enum status gl_choose_none(const struct ir_op *op, const struct gl_limits *lim, struct gl_choice *choice, struct err *err);

/* Check the room for a value. ST_UNSUPPORTED if the device has none for its shape (gl_fits); the message says whether it stands for
 * a tensor. ST_OK for NULL, and for constants, whose bytes their bindings answer for. */
enum status gl_value_fits(const struct gl_limits *lim, const struct ir_value *v, struct err *err);
