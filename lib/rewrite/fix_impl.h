/* SPDX-License-Identifier: Apache-2.0 */
/* fix_impl.h - the parts of a rewrite: a draft of the new subgraph, to which tensors and operators are added.
 *
 * A rule looks at one node of the inferred graph. It either adds operators that make the node's outputs, and returns true, or adds
 * nothing and returns false. Tensors are indices: the file's tensors keep theirs, new ones follow. A failed allocation sticks in
 * draft.st; rules go on with the index that they were given. */
#ifndef DELEGAUGE_FIX_IMPL_H
#define DELEGAUGE_FIX_IMPL_H

#include "lib/rewrite/fix.h"

#define DRAFT_AS_IT_WAS (-1)

/* An operator and its origin. */
struct draft_op {
    struct model_op op;
    uint32_t origin; /* node of the file that it is, or replaces */
    int32_t edit;    /* rewrite that made it; DRAFT_AS_IT_WAS: none */
    bool dead;       /* nobody needs it any more */
};

struct draft {
    const struct model *m;
    const struct graph *g; /* of the subgraph, inferred */
    struct arena *a;
    const struct node **maker; /* [graph tensors] node whose only output it is, or NULL */
    uint32_t *readers;         /* [graph tensors] times that nodes read it or the graph outputs it */
    struct tensor *tensors;
    struct model_buffer *buffers;
    struct model_opcode *opcodes;
    struct draft_op *ops;
    uint32_t n_tensors, cap_tensors, n_buffers, cap_buffers, n_opcodes, cap_opcodes, n_ops, cap_ops;
    uint32_t origin; /* of the operators being added */
    int32_t edit;
    int32_t *at; /* [n_tensors] after draft_model: index in the model that was made, or -1 */
    enum status st;
};

typedef bool (*fix_rule)(struct draft *d, const struct node *n);

/* A row of lib/rewrite/fix.def. */
struct fix_row {
    int32_t builtin; /* operator that it is for; -1: any */
    fix_rule rule;
    enum fix_kind kind;
    const char *what;
};

extern const struct fix_row fix_rows[];
extern const uint32_t fix_n_rows;
enum { FIX_MOST_ROWS = 64 }; /* they are bits of a word */

/* ---- building: fix_draft.c ---- */

/* Begin a draft without operators, whose tensors have the shapes of `g`. */
void draft_init(struct draft *d, const struct graph *g, struct arena *a);

/* Add a tensor of the type and quantization of `like`. */
int32_t draft_tensor(struct draft *d, const struct tensor *like, const int32_t *dim, int32_t rank);

/* Add constants: numbers for shapes, and elements of the type of `like`, as many bytes as its shape needs; the data is copied. */
int32_t draft_ints(struct draft *d, const int32_t *v, uint32_t n);
int32_t draft_const(struct draft *d, const struct tensor *like, const int32_t *dim, int32_t rank, const void *data);
int32_t draft_float(struct draft *d, float v);

/* Make a tensor of the file a constant with these bytes, which are copied. */
void draft_make_const(struct draft *d, const struct tensor *t);

/* Add an operator in the least version that can express it. */
#define DRAFT_MOST_OPERANDS 64
void draft_op(struct draft *d, int32_t builtin, const void *opt, const int32_t *in, uint32_t n_in, const int32_t *out,
              uint32_t n_out);

/* Add the node as it is in the file, in another version of its operator or (0) in its own. */
void draft_keep(struct draft *d, const struct node *n, int32_t version);

/* Add an operator with one output: the output is `y`, or with y below 0 a new tensor like x of that shape. Returns it. */
int32_t draft_reshape(struct draft *d, int32_t x, const int32_t *dim, int32_t rank, int32_t y);
int32_t draft_concat(struct draft *d, const int32_t *x, uint32_t n, int32_t axis, int32_t y, const int32_t *dim, int32_t rank);
int32_t draft_strided_slice(struct draft *d, int32_t x, const int32_t *begin, const int32_t *end, const int32_t *step, int32_t y,
                            const int32_t *dim, int32_t rank);
int32_t draft_unary(struct draft *d, int32_t builtin, int32_t x, int32_t y);
int32_t draft_binary(struct draft *d, int32_t builtin, int32_t x, int32_t x2, enum activation act, int32_t y);

/* Make the draft a model whose parts lie in its arena, without tensors and constants that nobody reads. */
enum status draft_model(struct draft *d, struct model *out, struct err *err);

/* ---- questions of rules: fix_shape.c ---- */

/* Sizes of the dimensions before, at and after `axis`, which may count from the end; false if there is no such axis. */
struct around {
    int32_t outer, at, inner, axis;
};
bool fix_around(const struct tensor *t, int64_t axis, struct around *out);

/* Read a constant of integers with at most `most` elements, as numbers; false if it is none. */
bool fix_ints(const struct tensor *t, uint32_t most, int32_t *out, uint32_t *n);

/* Return true if the node has so many operands, none omitted, and outputs, all with shapes that are known. */
bool fix_has(const struct node *n, uint32_t n_in, uint32_t n_out);

/* Return true if the tensor is a FLOAT32 that is computed at run time. */
bool fix_is_float(const struct tensor *t);

/* The form in three or four dimensions in which a tensor is taken apart along `axis`, which all sets take: its own if it has so
 * many, else folded, with the last dimension kept last. */
struct form {
    int32_t dim[4], rank, axis;
};
struct form fix_form(const struct tensor *t, struct around at);

/* Return true if the tensor has just that shape. */
bool fix_is_form(const struct tensor *t, const struct form *f);

/* Pick positions of dimension 1 of x taken as [outer,at,inner], in at most FIX_MOST_RUNS stretches, into y: slices, and a
 * CONCATENATION if there are several. */
enum { FIX_MOST_RUNS = 16 };
bool fix_pick(struct draft *d, const struct tensor *x, struct around at, const int32_t *index, uint32_t n, const struct tensor *y);

/* ---- afterwards: fix_tidy.c ---- */

/* Let a RESHAPE of a RESHAPE read the first one's input, if either is of a rewrite, and mark the operators that nobody needs. */
void draft_tidy(struct draft *d);

/* ---- versions: fix_version.c ---- */

/* Return the least version of the operator that has these options on these tensors, as TFLite's converter writes it; 0 if it is not
 * known here. */
int32_t fix_version(int32_t builtin, const void *opt, const struct tensor *const *in, uint32_t n_in,
                    const struct tensor *const *out, uint32_t n_out);

#endif
