/* SPDX-License-Identifier: Apache-2.0 */
/* session_fuzz.c - a model of any bytes that loads must plan and run, or end in one message, on both sets of CPU kernels, whatever
 * its inputs hold. */
#include "lib/testing/fuzz.h"

#include <string.h>

#include "lib/model/model.h"
#include "lib/session/session.h"
#include "lib/tensor/rng.h"

/* Beyond this a run is slow, not wrong. */
#define MOST_BYTES (1u << 20)

static volatile unsigned long sink;

/* The loop of a hostile WHILE never ends. */
static bool may_loop(const struct model *m)
{
    for (uint32_t g = 0; g < m->n_subgraphs; g++)
        for (uint32_t i = 0; i < m->subgraphs[g].n_ops; i++) {
            const char *name = model_op_name(m, &m->subgraphs[g].ops[i]);

            if (!strcmp(name, "WHILE") || !strcmp(name, "STABLEHLO_WHILE"))
                return true;
        }
    return false;
}

static bool is_large(const struct session *s)
{
    struct session_memory mem;

    session_memory(s, &mem);
    return mem.arena_bytes > MOST_BYTES || mem.packed_bytes > MOST_BYTES || mem.scratch_bytes > MOST_BYTES;
}

/* Any bytes, or whole numbers from 0 to 3, which indices and sizes may well be. */
static void fill_inputs(struct session *s, struct rng *rng, bool small)
{
    for (uint32_t i = 0; i < session_n_inputs(s); i++) {
        struct tensor *t = session_input(s, i);
        size_t unit = type_bits(t->type) / 8;

        if (t->type == TYPE_STRING || !t->data)
            continue;
        for (size_t at = 0; at < t->bytes; at++)
            ((uint8_t *)t->data)[at] = (uint8_t)(t->type == TYPE_BOOL     ? rng_below(rng, 2)
                                                 : !small                 ? rng_next(rng)
                                                 : unit && at % unit == 0 ? rng_below(rng, 4)
                                                                          : 0);
    }
}

static void touch_outputs(const struct session *s)
{
    for (uint32_t i = 0; i < session_n_outputs(s); i++) {
        const struct tensor *t = session_output(s, i);

        for (size_t at = 0; t->data && at < t->bytes; at++)
            sink += ((const uint8_t *)t->data)[at];
    }
}

static void run(const struct model *m, enum cpu_mode mode, int threads)
{
    struct session_options opt = {.num_threads = threads, .mode = mode};
    struct session *s;
    struct err err;
    struct rng rng = rng_seed(1, 0);

    if (!session_new(m, &opt, &s, &err) && !session_prepare(s, &err) && !is_large(s))
        for (int i = 0; i < 2; i++) {
            fill_inputs(s, &rng, i == 1);
            if (!session_run(s, &err))
                touch_outputs(s);
        }
    session_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct model *m;
    struct err err;

    if (model_parse(data, bytes, "input", &m, &err))
        return 0;
    if (!may_loop(m)) {
        run(m, CPU_REFERENCE, 1);
        run(m, CPU_FAST, 2);
    }
    model_close(m);
    return 0;
}
