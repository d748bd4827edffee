/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_chains.c - runs random networks (random_graph.h), float and quantized, on the GPU and compares them with the CPU's reference
 * kernels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/fuzz/fuzz_kinds.h"
#include "bench/fuzz/random_graph.h"
#include "bench/opcheck/gpus.h"
#include "lib/base/splitmix.h"
#include "lib/session/session.h"

/* Number of modes used: GPU_DEFAULT to GPU_COPIED. */
#define CHAINS_MODES (GPU_COPIED + 1)

struct chains {
    const struct fuzz_flags *flags;
    /* Results: networks that ran, their nodes, nodes left to the CPU, dispatches for the other nodes. */
    uint64_t made, nodes, on_cpu, dispatches;
    uint64_t failed; /* result: networks that differ */
};

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

        for (size_t k = 0; k < t->bytes; k++)
            if (t->type != TYPE_FLOAT32)
                ((uint8_t *)t->data)[k] = (uint8_t)(splitmix_next(&seed) >> 56);
            else if (k % sizeof(float) == 0)
                ((float *)t->data)[k / sizeof(float)] = (float)(int32_t)(splitmix_next(&seed) >> 32) / 2147483648.0f;
    }
}

/* Of floats, or in steps. */
static double element(const struct tensor *t, size_t i)
{
    return t->type == TYPE_FLOAT32 ? (double)((const float *)t->data)[i] : (double)tensor_int(t, i);
}

/* How it is run. */
enum way { FLOATS, SIMULATED, EXACTLY, WAYS };

static const char *const ways[WAYS] = {"of floats", "simulated", "exact"};

/* Of all outputs the element that is off most; infinity: NaN, or another shape. */
static double distance(const struct session *a, const struct session *b)
{
    double most = 0;

    for (uint32_t i = 0; i < session_n_outputs(a); i++) {
        const struct tensor *x = session_output(a, i), *y = session_output(b, i);

        if (!tensor_same_shape(x, y))
            return INFINITY;
        for (size_t k = 0; k < tensor_elems(x); k++) {
            const double d = fabs(element(x, k) - element(y, k));

            if (!(d <= most))
                most = d >= 0 ? d : INFINITY;
        }
    }
    return most;
}

static const char *mode_of(uint64_t seed)
{
    return gpu_mode_names[seed % CHAINS_MODES];
}

static void account(struct chains *all, const struct random_graph *c, enum way way, struct session *gpu, double off, uint64_t seed)
{
    const double allowed = way == FLOATS ? (double)(TOLERANCE * random_bound(c)) : 0;

    all->dispatches += session_fact(gpu, "work.dispatches");
    all->nodes += c->n_ops;
    all->on_cpu += session_partitioning(gpu)->n_cpu;
    all->failed += off > allowed;
    if (off > allowed || all->flags->verbose)
        printf("%s --chains=1 --first=%llu: %s %s in mode %s off by %g of %g: %s\n", off > allowed ? "FAIL" : "ok  ",
               (unsigned long long)seed, type_name(c->type), ways[way], mode_of(seed), off, allowed, c->ops);
}

static enum status compare(struct chains *all, const struct random_graph *c, const struct model *m, enum way way,
                           struct delegate *d, uint64_t seed, struct err *err)
{
    struct session *cpu = NULL, *gpu = NULL;
    enum status st;

    if (!(st = open_session(m, NULL, &cpu, err)) && !(st = open_session(m, d, &gpu, err))) {
        fill(cpu, seed);
        fill(gpu, seed);
        if (!(st = session_run(cpu, err)) && !(st = session_run(gpu, err)))
            account(all, c, way, gpu, distance(cpu, gpu), seed);
    }
    session_free(gpu);
    session_free(cpu);
    return st;
}

static enum status run_one(struct chains *all, uint64_t seed, enum way way, struct delegate *d, struct err *err)
{
    static const enum tensor_type types[] = {TYPE_INT8, TYPE_UINT8, TYPE_INT16};
    struct random_graph *c = malloc(sizeof *c);
    struct model *m = NULL;
    uint8_t *file = NULL;
    size_t bytes;
    enum status st;

    if (!c)
        return err_set(err, ST_NOMEM, "out of memory");
    random_make(c, way == FLOATS ? TYPE_FLOAT32 : types[seed / 2 % 3], seed);
    if (!(st = builder_serialize(&c->b, &file, &bytes, err)) && !(st = model_parse(file, bytes, "chain", &m, err)))
        st = compare(all, c, m, way, d, seed, err);
    if (st)
        printf("FAIL --chains=1 --first=%llu: %s %s in mode %s: %s: %s\n", (unsigned long long)seed, type_name(c->type), ways[way],
               mode_of(seed), err->msg, c->ops);
    all->made++;
    all->failed += st != ST_OK;
    model_close(m);
    free(file);
    builder_fini(&c->b);
    free(c);
    return st == ST_NOMEM ? st : ST_OK;
}

#define SAYS_EVERY 100

static enum status run_all(struct chains *c, struct delegate *const gpus[WAYS][CHAINS_MODES], struct err *err)
{
    const uint64_t step = c->flags->shares ? c->flags->shares : 1, end = c->flags->first + c->flags->chains;
    enum status st = ST_OK;
    uint64_t done = 0;

    for (uint64_t i = c->flags->first + (c->flags->shares ? c->flags->share - 1 : 0); i < end && !st; i += step) {
        for (int way = 0; way < WAYS && !st; way++)
            st = run_one(c, i, (enum way)way, gpus[way][i % CHAINS_MODES], err);
        if (++done % SAYS_EVERY == 0)
            fprintf(stderr, "gpu_fuzz: %llu seeds, the last %llu: %llu networks, %llu failed\n", (unsigned long long)done,
                    (unsigned long long)i, (unsigned long long)c->made, (unsigned long long)c->failed);
    }
    return st;
}

/* Build a float and a quantized network (INT8, UINT8 or INT16) from each seed; the quantized one runs simulated and exact. Each
 * runs in float32 in one of CHAINS_MODES modes (gpus.h), which take turns. Print seeds whose outputs differ from the CPU's by more
 * than float32 explains or, quantized, at all, and the progress on stderr after every hundredth seed. Fails with ST_NO_GPU or
 * ST_NOMEM. */
static enum status chains_run(struct chains *c, struct err *err)
{
    struct delegate *gpus[WAYS][CHAINS_MODES] = {{NULL}};
    enum status st = ST_OK;

    for (int way = 0; way < WAYS; way++)
        for (int mode = 0; mode < CHAINS_MODES && !st; mode++) {
            struct gpu_options o = gpus_options((enum gpu_mode)mode, PRECISION_FP32);

            o.quant = way == EXACTLY ? GPU_QUANT_EXACT : GPU_QUANT_SIMULATE;
            st = delegate_gpu.open(&o, &gpus[way][mode], err);
        }
    st = st ? st : run_all(c, gpus, err);
    for (int way = 0; way < WAYS; way++)
        for (int mode = 0; mode < CHAINS_MODES; mode++)
            delegate_close(gpus[way][mode]);
    return st;
}

int fuzz_chains(const struct fuzz_flags *f)
{
    struct chains c = {.flags = f};
    struct err err = {""};
    enum status st = chains_run(&c, &err);

    if (st)
        return fuzz_stopped(st, &err, f->chains);
    printf("%llu networks of %llu operators (%llu on the CPU), in %llu dispatches\n", fuzz_number(c.made), fuzz_number(c.nodes),
           fuzz_number(c.on_cpu), fuzz_number(c.dispatches));
    printf("%llu passed, %llu failed\n", fuzz_number(c.made - c.failed), fuzz_number(c.failed));
    return c.failed ? 1 : 0;
}
