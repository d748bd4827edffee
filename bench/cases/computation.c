/* SPDX-License-Identifier: Apache-2.0 */
/* computation.c - see computation.h */
#include "bench/cases/computation.h"

void stablehlo_computation(struct builder *b, enum tensor_type type, int op)
{
    int32_t p, q, r;

    build_subgraph(b, "computation");
    p = build_tensor(b, "p", type, SCALAR);
    q = build_tensor(b, "q", type, SCALAR);
    r = op < 0 ? q : build_tensor(b, "r", type, SCALAR);
    if (op >= 0)
        build_op(b, (enum builtin)op, 1, NULL, INDICES(p, q), INDICES(r));
    build_ends(b, INDICES(p, q), INDICES(r));
}
