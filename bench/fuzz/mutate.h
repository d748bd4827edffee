/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.h - random relatives of test cases: other shapes, far larger ones among them, other options, more operators behind. */
#ifndef DELEGAUGE_BENCH_MUTATE_H
#define DELEGAUGE_BENCH_MUTATE_H

#include "bench/opcheck/case_model.h"
#include "lib/base/splitmix.h"

/* One relative. Tensors made at run time have their shapes apart, since content of such sizes need not exist. */
struct mutant {
    struct op_case c;                                             /* constants in their new shape; the rest as it was */
    struct case_ref ref;                                          /* points to c: not to be copied */
    int32_t rank[CASE_INPUTS], dim[CASE_INPUTS][TENSOR_MAX_RANK]; /* of in[] made at run time, to be given by graph_resize_input */
    uint32_t tail;                                                /* elementwise nodes put behind the operator */
};

/* Draws one from the case; `a` owns its options. Many will contradict themselves and be refused. ST_NOMEM. */
enum status mutant_init(struct mutant *m, const struct case_ref *of, uint64_t *seed, struct arena *a, struct err *err);

/* The case itself, with `axes` more axes in front of the tensors of the highest rank. False: it has none, or out of memory. */
bool mutant_as_is(struct mutant *m, const struct case_ref *of, int32_t axes, struct arena *a);

/* Every dimension `from` of tensors whose content is not given becomes `to`. False: a constant is too large, *m is of no use. */
bool mutant_make_extent(struct mutant *m, int32_t from, int32_t to);

/* Part of that: adds axes, up to rank 6, to the tensors of the highest rank, or leaves it. False: out of memory. */
bool mutate_rank(struct mutant *m, uint64_t *seed, struct arena *a);
bool mutant_more_axes(struct mutant *m, int32_t n, struct arena *a);

/* An operator that may follow an output of floats. */
struct case_tail {
    const char *name;
    enum builtin op;
    bool scalar, twice; /* with a scalar constant, or with itself, as second operand */
};
extern const struct case_tail case_tails[];
extern const size_t case_tails_n;

/* Puts one of them behind the first output of the model, which becomes its only one. *done is false, and nothing changed, if that
 * is none of floats; if `quantized`, of 8-bit steps, which the operator behind has, too. Fails as case_model_init does. */
enum status case_lengthen(struct case_model *m, size_t tail, bool quantized, bool *done, struct err *err);

/* The model of it, with the tail; its inputs still have the shapes of the case. Fails as case_model_init does; free with
 * case_model_fini, after failures too. */
enum status mutant_model(const struct mutant *m, uint64_t *seed, struct case_model *out, struct err *err);

/* The shape that input i of the model shall have. */
void mutant_shape(const struct mutant *m, const struct case_model *of, uint32_t i, const int32_t **dim, int32_t *rank);

#endif
