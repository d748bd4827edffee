/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_chains.c - see gpu_chains.h */
#include "gpu_chains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../lib/session.h"
#include "../lib/splitmix.h"
#include "chain.h"

/* Of the largest value that the network can have: some operators, each some roundings. */
#define TOLERANCE 5e-6f

static enum status open_session(const struct model *m, struct delegate *d, struct session **s, struct err *err)
{
    const struct session_options opt = {.mode = CPU_REFERENCE, .delegates = {d}};
    enum status st = session_new(m, &opt, s, err);

    return st ? st : session_prepare(*s, err);
}

static void fill(struct session *s, uint64_t seed)
{
    for (uint32_t i = 0; i < session_n_inputs(s); i++) {
        const struct tensor *t = session_input(s, i);

        for (size_t k = 0; k < tensor_elems(t); k++)
            ((float *)t->data)[k] = (float)(int32_t)(splitmix_next(&seed) >> 32) / 2147483648.0f;
    }
}

/* The largest difference of any output; infinity where one side is NaN. */
static float distance(const struct session *a, const struct session *b)
{
    float most = 0;

    for (uint32_t i = 0; i < session_n_outputs(a); i++) {
        const struct tensor *x = session_output(a, i), *y = session_output(b, i);

        if (!tensor_same_shape(x, y))
            return INFINITY;
        for (size_t k = 0; k < tensor_elems(x); k++) {
            const float d = fabsf(((const float *)x->data)[k] - ((const float *)y->data)[k]);

            if (!(d <= most))
                most = d >= 0 ? d : INFINITY;
        }
    }
    return most;
}

static enum status compare(struct chains *all, const struct chain *c, const struct model *m, struct delegate *d, uint64_t seed,
                           struct err *err)
{
    struct session *cpu = NULL, *gpu = NULL;
    enum status st;

    if (!(st = open_session(m, NULL, &cpu, err)) && !(st = open_session(m, d, &gpu, err))) {
        struct session_memory memory;

        fill(cpu, seed);
        fill(gpu, seed);
        if (!(st = session_run(cpu, err)) && !(st = session_run(gpu, err))) {
            const float off = distance(cpu, gpu), most = TOLERANCE * chain_bound(c);

            session_memory(gpu, &memory);
            all->dispatches += memory.delegate.dispatches;
            all->nodes += c->n_ops;
            all->failed += off > most;
            if (off > most || all->verbose)
                printf("%s --chains=1 --first=%llu: off by %g of %g: %s\n", off > most ? "FAIL" : "ok  ", (unsigned long long)seed,
                       (double)off, (double)most, c->ops);
        }
    }
    session_free(gpu);
    session_free(cpu);
    return st;
}

static enum status run_one(struct chains *all, uint64_t seed, struct delegate *d, struct err *err)
{
    struct chain *c = malloc(sizeof *c);
    struct model *m = NULL;
    uint8_t *file = NULL;
    size_t bytes;
    enum status st;

    if (!c)
        return err_set(err, ST_NOMEM, "out of memory");
    chain_make(c, seed);
    if (!(st = builder_serialize(&c->b, &file, &bytes, err)) && !(st = model_parse(file, bytes, "chain", &m, err)))
        st = compare(all, c, m, d, seed, err);
    if (st)
        printf("FAIL --chains=1 --first=%llu: %s: %s\n", (unsigned long long)seed, err->msg, c->ops);
    all->made++;
    all->failed += st != ST_OK;
    model_close(m);
    free(file);
    builder_fini(&c->b);
    free(c);
    return st == ST_NOMEM ? st : ST_OK;
}

enum status chains_run(struct chains *c, struct err *err)
{
    struct delegate *judges[2] = {NULL, NULL};
    enum status st = ST_OK;

    for (int i = 0; i < 2 && !st; i++) {
        const struct gpu_options o = {.device = -1, .most = i ? &gl_limits_least : NULL};

        st = delegate_gpu.open(&o, &judges[i], err);
    }
    for (uint64_t i = c->first; i < c->first + c->count && !st; i++)
        st = run_one(c, i, judges[i % 2], err);
    delegate_close(judges[0]);
    delegate_close(judges[1]);
    return st;
}
