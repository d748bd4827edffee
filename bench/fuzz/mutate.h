/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.h - random variations of test cases: other shapes, also far larger ones, other options, and more operators behind. */
#pragma once

#include "bench/opcheck/case_model.h"
#include "lib/base/splitmix.h"

/* A variation of a case. Shapes of run-time tensors are kept apart from the case, whose content has its own size. */
struct mutant {
    struct op_case c;                                             /* the case; constants have their new shape */
    struct case_ref ref;                                          /* points to c: do not copy the mutant */
    int32_t rank[CASE_INPUTS], dim[CASE_INPUTS][TENSOR_MAX_RANK]; /* shapes of run-time inputs, for graph_resize_input */
    uint32_t tail;                                                /* number of elementwise nodes behind the operator */
};

/* Draw a variation of the case; `a` owns its options. Many are invalid models and will be refused. Fails with ST_NOMEM. */
enum status mutant_init(struct mutant *m, const struct case_ref *of, uint64_t *seed, struct arena *a, struct err *err);

/* Take the case itself, with `axes` more axes in front of the tensors of the highest rank. Returns false if it has none, or if
 * memory runs out. */
bool mutant_as_is(struct mutant *m, const struct case_ref *of, int32_t axes, struct arena *a);

/* Change every dimension of size `from` of tensors without given content to `to`. Returns false if a constant gets too large; *m is
 * then unusable. */
bool mutant_make_extent(struct mutant *m, int32_t from, int32_t to);

/* Randomly add axes, up to rank 6, to the tensors of the highest rank, or leave them; mutant_more_axes adds n. Return false if
 * memory runs out. */
bool mutate_rank(struct mutant *m, uint64_t *seed, struct arena *a);
bool mutant_more_axes(struct mutant *m, int32_t n, struct arena *a);

/* An elementwise operator to put behind a float output. */
struct case_tail {
    const char *name;
    enum builtin op;
    bool scalar, twice; /* second operand: a scalar constant; the first operand again */
};
extern const struct case_tail case_tails[];
extern const size_t case_tails_n;

/* Put case_tails[tail] behind the model's first output; its output becomes the only one. *done is false, and the model unchanged,
 * if that output is not FLOAT32 or, if `quantized`, not 8-bit with one scale, which the new node then keeps. Fails as
 * model_serialize and model_parse do, and with ST_NOMEM. */
enum status case_lengthen(struct case_model *m, size_t tail, bool quantized, bool *done, struct err *err);

/* Build the mutant's model with its tail; inputs still have the case's shapes. Fails as case_model_init does. Free with
 * case_model_fini, after failures too. */
enum status mutant_model(const struct mutant *m, uint64_t *seed, struct case_model *out, struct err *err);

/* Return the mutant's shape of model input i. */
void mutant_shape(const struct mutant *m, const struct case_model *of, uint32_t i, const int32_t **dim, int32_t *rank);

/* Give the inputs of a graph of the model the mutant's shapes. Fails as graph_resize_input does. */
enum status mutant_resize(const struct mutant *m, const struct case_model *of, struct graph *g, struct err *err);
