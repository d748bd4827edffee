/* SPDX-License-Identifier: Apache-2.0 */
/* int_weights.h - input 1 of a node as weights of an integer product: constant weights are packed once, others in each run.
 *
 *   int_weights_init     from the tensor, with the type as which its elements are read
 *   int_weights_layout   chooses the layout, packed or scratch, for the packed weights
 *   int_weights_prepare  at the end of prepare, when the plan is in c->packed
 *   int_weights_run      at the beginning of run */
#pragma once

#include "kernels_cpu/common/layout.h"
#include "lib/graph/kernel.h"

struct int_weights {
    enum tensor_type type; /* type as which elements are read: one of widen.h's */
    int32_t zero;          /* zero point, subtracted from each element */
    size_t elems;
    bool constant;
    size_t widened; /* offset in scratch of the widened elements, if not constant */
};

/* Pack `widened`, all elements minus the zero point in stored order, to the plan's offset of the weights from `base`. */
typedef void (*int_weights_pack)(const struct cpu_call *c, const int16_t *widened, char *base);

/* Fill all fields but `widened` from the tensor's shape and type. Reads no data. */
struct int_weights int_weights_init(const struct tensor *as_read, int32_t zero);

/* Return the layout to which the caller adds room for the packed weights: `packed` if they are constant, else `scratch`, after
 * adding room for the widened elements to it. */
struct layout *int_weights_layout(struct int_weights *w, struct layout *packed, struct layout *scratch);

/* Pack constant weights with `base` c->packed; do nothing for others. Fails only with ST_NOMEM, for the temporary widened elements.
 */
enum status int_weights_prepare(struct cpu_call *c, const struct int_weights *w, int_weights_pack pack, struct err *err);

/* Pack weights that are not constant, with `base` c->scratch. Return the base of the packed weights: c->packed or c->scratch. */
char *int_weights_run(struct cpu_call *c, const struct int_weights *w, int_weights_pack pack);
