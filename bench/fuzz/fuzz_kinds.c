/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_kinds.c - see fuzz_kinds.h */
#include "bench/fuzz/fuzz_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fuzz/gpu_chains.h"
#include "bench/fuzz/gpu_pairs.h"
#include "bench/fuzz/gpu_scales.h"
#include "bench/fuzz/gpu_walk.h"
#include "bench/opcheck/op_cases.h"

static unsigned long long number(uint64_t n)
{
    return n;
}

/* All cases of operators that the GPU has. */
static size_t list_cases(const struct fuzz_flags *f, struct case_ref *list)
{
    size_t n = 0;

    for (size_t row = 0; row < op_table_n; row++)
        for (uint32_t i = 0; op_table[row].gl && op_cases[row].cases[i].name; i++) {
            const struct op_case *c = &op_cases[row].cases[i];

            if (c->fails || c->build || c->large || (f->op && strcmp(op_table[row].name, f->op) != 0))
                continue;
            if (list)
                list[n] = (struct case_ref){.op = &op_table[row], .kernel = op_cases[row].kernel, .c = c, .n = i};
            n++;
        }
    return n;
}

/* The exit status of what has failed; without a device `skipped` tests are. */
static int stopped(enum status st, const struct err *err, uint64_t skipped)
{
    if (st == ST_NO_GPU) {
        printf("NOT RUN (gpu): %s\n0 passed, 0 failed, %llu skipped\n", err->msg, number(skipped));
        return 0;
    }
    fprintf(stderr, "gpu_fuzz: %s\n", err->msg);
    return status_exit_code(st);
}

int fuzz_pairs(const struct fuzz_flags *f)
{
    struct pairs p = {.every = f->pairs, .compile_every = f->compile};
    size_t n = list_cases(f, NULL);
    struct case_ref *cases = calloc(n + 1, sizeof *cases);
    struct err err = {""};
    enum status st = cases ? pairs_run(&p, cases, list_cases(f, cases), &err) : err_set(&err, ST_NOMEM, "out of memory");

    free(cases);
    if (st)
        return stopped(st, &err, 0);
    printf(
        "%llu variants, %llu models, %llu sources, %llu of the models in a mode fused, %llu refused, %llu compiled by the driver\n",
        number(p.variants), number(p.models), number(p.texts), number(p.fused), number(p.refused), number(p.compiled));
    printf("%llu passed, %llu failed\n", number(p.models - (p.failed < p.models ? p.failed : p.models)), number(p.failed));
    return p.failed ? 1 : 0;
}

int fuzz_scales(const struct fuzz_flags *f)
{
    struct scales s = {.draws = f->scales, .verbose = f->verbose};
    size_t n = list_cases(f, NULL);
    struct case_ref *cases = calloc(n + 1, sizeof *cases);
    struct err err = {""};
    enum status st = cases ? scales_run(&s, cases, list_cases(f, cases), &err) : err_set(&err, ST_NOMEM, "out of memory");

    free(cases);
    if (st)
        return stopped(st, &err, 1);
    printf("%llu models, %llu that the CPU refuses, %llu that the GPU alone refuses\n%llu passed, %llu failed\n",
           number(s.compared), number(s.invalid), number(s.refused), number(s.compared - s.failed), number(s.failed));
    return s.failed ? 1 : 0;
}

int fuzz_chains(const struct fuzz_flags *f)
{
    struct chains c = {.first = f->first, .count = f->chains, .share = f->share, .shares = f->shares, .verbose = f->verbose};
    struct err err = {""};
    enum status st = chains_run(&c, &err);

    if (st)
        return stopped(st, &err, f->chains);
    printf("%llu networks of %llu operators (%llu on the CPU), in %llu dispatches\n", number(c.made), number(c.nodes),
           number(c.on_cpu), number(c.dispatches));
    printf("%llu passed, %llu failed\n", number(c.made - c.failed), number(c.failed));
    return c.failed ? 1 : 0;
}

int fuzz_walk(const struct fuzz_flags *f)
{
    struct walk w = {.every = f->ranks ? 1 : f->walk,
                     .op = f->op,
                     .share = f->share,
                     .shares = f->shares,
                     .verbose = f->verbose,
                     .asks = f->ranks};
    struct err err = {""};
    enum status st = walk_run(&w, &err);

    if (st)
        return stopped(st, &err, 1);
    if (f->ranks)
        return 0;
    printf(
        "%llu places, of which every %llu%s: %llu held against the CPU, %llu run alone, %llu refused, %llu without such a shape\n",
        number(w.places), number(w.every), w.every == 1 ? "st" : "th", number(w.compared), number(w.unheld), number(w.refused),
        number(w.none));
    printf("operators held at rank 1 to 6: %llu, %llu, %llu, %llu, %llu, %llu\n", number(w.ranks[0]), number(w.ranks[1]),
           number(w.ranks[2]), number(w.ranks[3]), number(w.ranks[4]), number(w.ranks[5]));
    printf("%llu passed, %llu failed\n", number(w.compared - w.failed), number(w.failed));
    return w.failed ? 1 : 0;
}
