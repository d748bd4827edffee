/* SPDX-License-Identifier: Apache-2.0 */
/* fix_impl.h - building blocks of rewrites: a draft of the new subgraph, to which rules add tensors and operators.
 *
 * A rule looks at one node of the inferred graph. It either adds operators that make the node's outputs and returns true, or adds
 * nothing and returns false. Tensors are indices: the file's tensors keep theirs, new ones follow. A failed allocation is kept in
 * draft.st; rules need not check for it. */
#pragma once

#include "lib/rewrite/fix.h"

#define DRAFT_AS_IT_WAS (-1)

/* An operator of the new subgraph. */
struct draft_op {
    struct model_op op;
    uint32_t origin; /* index in the file of the node that it is or replaces */
    int32_t edit;    /* rewrite that made it, or DRAFT_AS_IT_WAS */
    bool dead;       /* nothing needs it any more */
};

struct draft {
    const struct model *m;
    const struct graph *g; /* of the subgraph, inferred */
    struct arena *a;
    const struct node **maker; /* [graph tensors] node whose only output it is, or NULL */
    uint32_t *readers;         /* [graph tensors] number of reads by nodes and graph outputs */
    struct tensor *tensors;
    struct model_buffer *buffers;
    struct model_opcode *opcodes;
    struct draft_op *ops;
    uint32_t n_tensors, cap_tensors, n_buffers, cap_buffers, n_opcodes, cap_opcodes, n_ops, cap_ops;
    uint32_t origin; /* origin and edit of the operators that are being added */
    int32_t edit;
    int32_t *at; /* [n_tensors] after draft_model: index in the new model, or -1 */
    enum status st;
};

typedef bool (*fix_rule)(struct draft *d, const struct node *n);

/* A row of lib/rewrite/fix.def. */
struct fix_row {
    int32_t builtin; /* operator that it rewrites; -1: any */
    fix_rule rule;
    enum fix_kind kind;
    const char *what;
};

extern const struct fix_row fix_rows[];
extern const uint32_t fix_n_rows;
enum { FIX_MOST_ROWS = 64 }; /* rows are bits of a uint64_t */

/* ---- building: fix_draft.c ---- */

/* Begin an empty draft with the tensors and shapes of `g`. */
void draft_init(struct draft *d, const struct graph *g, struct arena *a);

/* Add a tensor of this shape with the type and quantization of `like`. Returns its index, as all functions with an int32_t result
 * do. */
int32_t draft_tensor(struct draft *d, const struct tensor *like, const int32_t *dim, int32_t rank);

/* Add a constant, with copied data: an INT32 vector; elements of the type of `like`, as many bytes as the shape needs; one
 * FLOAT32. */
int32_t draft_ints(struct draft *d, const int32_t *v, uint32_t n);
int32_t draft_const(struct draft *d, const struct tensor *like, const int32_t *dim, int32_t rank, const void *data);
int32_t draft_float(struct draft *d, float v);

/* Make a tensor of the file a constant with t->data, copied. */
void draft_make_const(struct draft *d, const struct tensor *t);

/* Add an operator in the least version that supports its options and tensors. */
#define DRAFT_MOST_OPERANDS 64
void draft_op(struct draft *d, int32_t builtin, const void *opt, const int32_t *in, uint32_t n_in, const int32_t *out,
              uint32_t n_out);

/* Add the node as it is in the file, in this version of its operator, or in its own if 0. */
void draft_keep(struct draft *d, const struct node *n, int32_t version);

/* Add an operator whose output is tensor `y`, or, if y is negative, a new tensor of this shape like x. Return the output. */
int32_t draft_reshape(struct draft *d, int32_t x, const int32_t *dim, int32_t rank, int32_t y);
int32_t draft_concat(struct draft *d, const int32_t *x, uint32_t n, int32_t axis, int32_t y, const int32_t *dim, int32_t rank);
int32_t draft_strided_slice(struct draft *d, int32_t x, const int32_t *begin, const int32_t *end, const int32_t *step, int32_t y,
                            const int32_t *dim, int32_t rank);
int32_t draft_unary(struct draft *d, int32_t builtin, int32_t x, int32_t y);
int32_t draft_binary(struct draft *d, int32_t builtin, int32_t x, int32_t x2, int32_t y);

/* Make a model of the draft, without unused tensors and constants; its parts lie in the draft's arena. */
enum status draft_model(struct draft *d, struct model *out, struct err *err);

/* ---- questions of rules: fix_shape.c ---- */

/* Sizes of the dimensions before, at and behind `axis`; a negative axis counts from the end. fix_around returns false if there is
 * no such axis, and for empty tensors. */
struct around {
    int32_t outer, at, inner, axis;
};
bool fix_around(const struct tensor *t, int64_t axis, struct around *out);

/* Read a constant of integers with at most `most` elements. Returns false if t is none, or if a value exceeds INT32. */
bool fix_ints(const struct tensor *t, uint32_t most, int32_t *out, uint32_t *n);

/* Return true if the node has exactly n_in operands, none omitted, and n_out outputs, all of known shape. */
bool fix_has(const struct node *n, uint32_t n_in, uint32_t n_out);

/* Return true if the tensor is FLOAT32 and computed at run time. */
bool fix_is_float(const struct tensor *t);

/* Shape of three or four dimensions in which all rule sets can slice a tensor along `axis`: its own if its rank is 3 or 4, else
 * folded to four, with the last dimension kept last. */
struct form {
    int32_t dim[4], rank, axis;
};
struct form fix_form(const struct tensor *t, struct around at);

/* Return true if the tensor has exactly the shape of *f. */
bool fix_is_form(const struct tensor *t, const struct form *f);

/* Write x, taken as [outer,at,inner], at index[n] of dimension 1 to y: one slice for each run of consecutive indices, and a
 * CONCATENATION if there are several. Returns false if there are more than FIX_MOST_RUNS, or an index is out of range. */
enum { FIX_MOST_RUNS = 16 };
bool fix_pick(struct draft *d, const struct tensor *x, struct around at, const int32_t *index, uint32_t n, const struct tensor *y);

/* ---- afterwards: fix_tidy.c ---- */

/* Let a RESHAPE of a RESHAPE read the first one's input, if one of them is of a rewrite, and mark operators that nothing needs. */
void draft_tidy(struct draft *d);

/* ---- versions: fix_version.c ---- */

/* Return the version that TFLite's converter would write: the least one with these options on these tensors; 0 if unknown here. */
int32_t fix_version(int32_t builtin, const void *opt, const struct tensor *const *in, uint32_t n_in,
                    const struct tensor *const *out, uint32_t n_out);
