/* SPDX-License-Identifier: Apache-2.0 */
/* int_weights.h - input 1 of a node as the weights of an integer product: constant ones are packed once, others in each run.
 *
 *   int_weights_init     from the tensor as it is to be read
 *   int_weights_layout   says which memory the packed weights are to lie in
 *   int_weights_prepare  at the end of prepare, when the plan is in c->packed
 *   int_weights_run      at the beginning of run */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_INT_WEIGHTS_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_INT_WEIGHTS_H

#include "kernels_cpu/common/layout.h"
#include "lib/graph/kernel.h"

struct int_weights {
    enum tensor_type type; /* as which the elements are read: widen.h has the possible ones */
    int32_t zero;          /* subtracted from each */
    size_t elems;
    bool constant;
    size_t widened; /* offset in scratch of the widened elements, if not constant */
};

/* Packs `widened`, all elements less the zero point in their order, to the place of the weights in the plan in c->packed, counted
 * from `base`. */
typedef void (*int_weights_pack)(const struct cpu_call *c, const int16_t *widened, char *base);

/* Fills all but `widened`, from the shape and type alone. */
struct int_weights int_weights_init(const struct tensor *as_read, int32_t zero);

/* Return the layout in which the caller adds room for the packed weights: `packed` if they are constant, else `scratch`, after
 * adding room there for the widened ones. */
struct layout *int_weights_layout(struct int_weights *w, struct layout *packed, struct layout *scratch);

/* Packs constant weights with `base` c->packed; does nothing for others. Fails only with ST_NOMEM: the widened ones lie in memory
 * that is gone afterwards. */
enum status int_weights_prepare(struct cpu_call *c, const struct int_weights *w, int_weights_pack pack, struct err *err);

/* Packs the others with `base` c->scratch; does nothing for constant ones. Returns the base. */
char *int_weights_run(struct cpu_call *c, const struct int_weights *w, int_weights_pack pack);

#endif
