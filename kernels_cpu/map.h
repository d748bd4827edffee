/* map.h - runs a function over the elements of one tensor: every output element comes from the input element in its place. */
#ifndef DELEGAUGE_KERNELS_CPU_MAP_H
#define DELEGAUGE_KERNELS_CPU_MAP_H

#include "../lib/kernel.h"

/* Elements below which a piece is not worth handing to another thread. A multiple of 64, so that pieces of sub-byte types
 * start on a byte. */
#define MAP_GRAIN 16384

/* Computes y[0..n) from x[0..n). `arg` is the op's own. */
typedef void (*map_row)(const void *arg, void *y, const void *x, size_t n);

/* Runs `row` over input 0 and output 0 of the node, shared between threads in pieces of MAP_GRAIN elements. */
void map_run(struct cpu_call *c, map_row row, const void *arg);

/* The same, one function for each type of input 0, with c->packed as `arg`. */
static inline enum status map_typed(struct cpu_call *c, const map_row row[TYPE_COUNT])
{
    map_run(c, row[c->node->in[0]->type], c->packed);
    return ST_OK;
}

/* A prepare function's checks: there is a function for the type of input 0, and output 0 has the same type. */
enum status map_types(struct cpu_call *c, const map_row row[TYPE_COUNT], struct err *err);

/* Defines function `name`: y = expr(v), after the declarations of `setup` (which may read `arg`). */
#define MAP_ROW(name, in_t, out_t, setup, expr)                                                                                \
    static void name(const void *arg, void *out, const void *in, size_t n)                                                     \
    {                                                                                                                          \
        const in_t *x = in;                                                                                                    \
        out_t *y = out;                                                                                                        \
                                                                                                                               \
        (void)arg;                                                                                                             \
        setup;                                                                                                                 \
        for (size_t i = 0; i < n; i++) {                                                                                       \
            const in_t v = x[i];                                                                                               \
            y[i] = (out_t)(expr);                                                                                              \
        }                                                                                                                      \
    }

#ifndef NO_SETUP
#define NO_SETUP (void)0
#endif

#endif
