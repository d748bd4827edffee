/* SPDX-License-Identifier: Apache-2.0 */
/* fix_impl.h - what a rewrite is made with: a draft of the new subgraph, to which tensors and operators are added.
 *
 * A rule looks at one node of the inferred graph. It either adds operators that make the node's outputs, and returns true, or adds
 * nothing and returns false. Tensors are indices: those of the file keep theirs, new ones follow. A failed allocation sticks in
 * draft.st; rules go on with what they were given. */
#ifndef DELEGAUGE_FIX_IMPL_H
#define DELEGAUGE_FIX_IMPL_H

#include "lib/rewrite/fix.h"

#define DRAFT_AS_IT_WAS (-1)

/* An operator with where it comes from. */
struct draft_op {
    struct model_op op;
    uint32_t origin; /* node of the file that it is, or stands for */
    int32_t edit;    /* which rewrite made it; DRAFT_AS_IT_WAS: none */
    bool dead;       /* nobody needs it any more */
};

struct draft {
    const struct model *m;
    const struct graph *g; /* of the subgraph, inferred */
    struct arena *a;
    const struct node **maker; /* [graph tensors] of which it is the only output, or NULL */
    uint32_t *readers;         /* [graph tensors] times that nodes read it, and the graph hands it out */
    struct tensor *tensors;
    struct model_buffer *buffers;
    struct model_opcode *opcodes;
    struct draft_op *ops;
    uint32_t n_tensors, cap_tensors, n_buffers, cap_buffers, n_opcodes, cap_opcodes, n_ops, cap_ops;
    uint32_t origin; /* of what is being added */
    int32_t edit;
    int32_t *at; /* [n_tensors] after draft_model: index in the model that was made, or -1 */
    enum status st;
};

typedef bool (*fix_rule)(struct draft *d, const struct node *n);

/* A row of lib/rewrite/fix.def. */
struct fix_row {
    int32_t builtin; /* which operator it is for; -1: any */
    fix_rule rule;
    enum fix_kind kind;
    const char *what;
};

extern const struct fix_row fix_rows[];
extern const uint32_t fix_n_rows;
enum { FIX_MOST_ROWS = 64 }; /* they are bits of a word */

/* ---- building: fix_draft.c ---- */

/* Begins a draft without operators, whose tensors have the shapes of `g`. */
void draft_init(struct draft *d, const struct graph *g, struct arena *a);

/* A new tensor of the type and quantization of `like`. */
int32_t draft_tensor(struct draft *d, const struct tensor *like, const int32_t *dim, int32_t rank);

/* New constants: numbers for shapes, and elements of the type of `like`, bytes as its shape says; the data is copied. */
int32_t draft_ints(struct draft *d, const int32_t *v, uint32_t n);
int32_t draft_const(struct draft *d, const struct tensor *like, const int32_t *dim, int32_t rank, const void *data);
int32_t draft_float(struct draft *d, float v);

/* Makes a tensor of the file a constant with these bytes, which are copied. */
void draft_make_const(struct draft *d, const struct tensor *t);

/* Adds an operator of the least version that says what it says. */
#define DRAFT_MOST_OPERANDS 64
void draft_op(struct draft *d, int32_t builtin, const void *opt, const int32_t *in, uint32_t n_in, const int32_t *out,
              uint32_t n_out);

/* Adds the node as it is in the file, in another version of its operator or (0) in its own. */
void draft_keep(struct draft *d, const struct node *n, int32_t version);

/* One input, one output: the output is `y`, or with y below 0 a new tensor like x of that shape. Returns it. */
int32_t draft_reshape(struct draft *d, int32_t x, const int32_t *dim, int32_t rank, int32_t y);
int32_t draft_concat(struct draft *d, const int32_t *x, uint32_t n, int32_t axis, int32_t y, const int32_t *dim, int32_t rank);
int32_t draft_strided_slice(struct draft *d, int32_t x, const int32_t *begin, const int32_t *end, const int32_t *step, int32_t y,
                            const int32_t *dim, int32_t rank);
int32_t draft_unary(struct draft *d, int32_t builtin, int32_t x, int32_t y);
int32_t draft_binary(struct draft *d, int32_t builtin, int32_t x, int32_t x2, enum activation act, int32_t y);

/* The draft as a model whose parts lie in its arena, without tensors and constants that nobody reads. */
enum status draft_model(struct draft *d, struct model *out, struct err *err);

/* ---- what rules ask: fix_shape.c ---- */

/* Sizes of the dimensions before, at and after `axis`, which may count from the end; false where it is none. */
struct around {
    int32_t outer, at, inner, axis;
};
bool fix_around(const struct tensor *t, int64_t axis, struct around *out);

/* A constant of integers with at most `most` elements, as numbers; false where it is none. */
bool fix_ints(const struct tensor *t, uint32_t most, int32_t *out, uint32_t *n);

/* Whether the node has these many operands, none omitted, and outputs, all with shapes that are known. */
bool fix_has(const struct node *n, uint32_t n_in, uint32_t n_out);

/* A FLOAT32 that is computed at run time. */
bool fix_is_float(const struct tensor *t);

/* The form in three or four dimensions in which a tensor is taken apart along `axis`, which all sets take: its own where it has so
 * many, else folded, with what is last kept last. */
struct form {
    int32_t dim[4], rank, axis;
};
struct form fix_form(const struct tensor *t, struct around at);

/* Whether the tensor has just that shape. */
bool fix_is_form(const struct tensor *t, const struct form *f);

/* Picks positions of dimension 1 of x taken as [outer,at,inner], in at most FIX_MOST_RUNS stretches, into y: slices, and a
 * CONCATENATION where there are several. */
enum { FIX_MOST_RUNS = 16 };
bool fix_pick(struct draft *d, const struct tensor *x, struct around at, const int32_t *index, uint32_t n, const struct tensor *y);

/* ---- afterwards: fix_tidy.c ---- */

/* Lets a RESHAPE of a RESHAPE read what the first one reads, where either is of a rewrite, and marks what nobody needs. */
void draft_tidy(struct draft *d);

/* ---- versions: fix_version.c ---- */

/* The least version of the operator that has these options on these tensors, as TFLite's converter writes it; 0 where nobody here
 * knows. */
int32_t fix_version(int32_t builtin, const void *opt, const struct tensor *const *in, uint32_t n_in,
                    const struct tensor *const *out, uint32_t n_out);

#endif
