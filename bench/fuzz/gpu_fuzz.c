/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_fuzz.c - fuzzer of the GPU compiler: runs random variations of every test case (mutate.h), seed by seed.
 *
 * Each is claimed with the least limits and the device's, with values in buffers and in textures, in both precisions. Every claimed
 * partition must generate within these limits, without a driver. Small ones are also compiled and run, and must compute the CPU's
 * results. op_coverage's answer without a device must equal the partitioning of a session on the least device, node by node
 * (gpu_agree.h). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fuzz/fuzz_compare.h"
#include "bench/fuzz/fuzz_kinds.h"
#include "bench/fuzz/mutate.h"
#include "bench/opcheck/gpu_agree.h"
#include "bench/opcheck/op_cases.h"
#include "lib/gl/gpu/gpu.h"
#include "lib/graph/graph_infer.h"
#include "lib/session/session.h"

static const char help[] =
    "usage: gpu_fuzz [flags]\n"
    "Draws random models of every operator that the GPU has: what it accepts must compile, run and be right.\n"
    "  --count=N   draw this many (1000)\n"
    "  --first=N   begin with this number (0); each number is its own seed\n"
    "  --run=N     run every Nth of those that are small on the device (20; 0: none)\n"
    "  --compile=N let the driver compile every Nth of them (100; 0: none)\n"
    "  --op=NAME   draw this operator alone\n"
    "  --pairs=N   instead: generate every Nth variant with two elementwise functions behind it\n"
    "  --chains=N  instead: compare N networks of 2 to 20 operators with the CPU, three ways each, seven modes in turns\n"
    "  --scales=N  instead: compare each case of quantized tensors with the CPU, at N draws of scales and zero points\n"
    "  --walk=N    instead: compare each operator with the CPU at rank 1 to 6, beyond 65,535 along each axis; every Nth\n"
    "              of these places\n"
    "  --ranks     instead: print the places of --walk that the GPU takes, and why not the others; run nothing\n"
    "  --share=K/N run every Nth operator of --walk and --ranks, or network of --chains, from the Kth (1 to N) on\n"
    "  --agree MODEL.tflite...  instead: check that a session does what op_coverage says of these models\n"
    "  --verbose   print each\n";

#define RUN_BYTES (4u << 20) /* of any tensor of a model that is run */

struct fuzz {
    struct fuzz_flags flags;
    struct delegate *judges[8]; /* as `kinds` has them; the device's NULL where there is none */
    struct delegate *least;     /* the device, with no more than the first of them has; NULL likewise */
    uint64_t last_failed;       /* 1 + the number of the last model that failed: each counts once */
    uint64_t made, invalid, accepted, in_part, refused, high, ran, compared, failed; /* high: accepted, of rank above 4 */
    uint64_t agreed, sessions; /* models of which op_coverage says what is so; of these, sessions that were prepared */
};

static void fail(struct fuzz *f, uint64_t i, const struct mutant *m, const char *where, const struct err *err)
{
    f->failed += f->last_failed != i + 1;
    f->last_failed = i + 1;
    printf("FAIL --first=%llu --count=1 --run=%llu%s%s: %s \"%s\", %s: %s\n", (unsigned long long)i,
           (unsigned long long)f->flags.run, f->flags.op ? " --op=" : "", f->flags.op ? f->flags.op : "", m->ref.op->name,
           m->c.name, where, err->msg);
}

/* The shapes of a graph, so that a failure says what it was about. */
static void say_shapes(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        printf("  %s(", n->name);
        for (uint32_t k = 0; k < n->n_in; k++)
            printf("%s%s%s", k ? ", " : "", n->in[k] && n->in[k]->is_const ? "constant " : "",
                   n->in[k] ? TENSOR_TEXT(n->in[k]) : "-");
        printf(") ->");
        for (uint32_t k = 0; k < n->n_out; k++)
            printf(" %s", n->out[k] ? TENSOR_TEXT(n->out[k]) : "-");
        printf("\n");
    }
}

static bool is_high(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n_tensors; i++)
        if (g->tensors[i].rank > 4)
            return true;
    return false;
}

/* Claims, partitions, and generates the partitions. */
static void judge(struct fuzz *f, uint64_t i, const struct mutant *m, const struct graph *g, struct delegate *d, const char *where)
{
    struct arena a = {0};
    struct partitioning parts;
    struct err err = {""};
    enum status st = partition_graph(g, (struct delegate *const[]){d, NULL}, &(struct partition_options){0}, &a, &parts, &err);

    if (!st)
        st = gpu_dry_compile(d, g, parts.parts, parts.n_parts, NULL, NULL, &err);
    if (st) {
        fail(f, i, m, where, &err);
        say_shapes(g);
    } else if (!parts.n_delegated) {
        f->refused++;
    } else {
        f->accepted += !parts.n_cpu;
        f->high += !parts.n_cpu && is_high(g);
        f->in_part += parts.n_cpu > 0;
    }
    arena_free(&a);
}

/* The first two need no device. */
static const struct {
    const char *where;
    enum precision precision;
    enum gpu_quant quant;
    bool textures;
} kinds[] = {
    {"least, fp32", PRECISION_FP32, GPU_QUANT_SIMULATE, false},
    {"least, fp16", PRECISION_FP16_STORAGE, GPU_QUANT_EXACT, false},
    {"device, fp32", PRECISION_FP32, GPU_QUANT_SIMULATE, false},
    {"device, fp16", PRECISION_FP16_STORAGE, GPU_QUANT_SIMULATE, false},
    {"textures, fp32", PRECISION_FP32, GPU_QUANT_SIMULATE, true},
    {"textures, fp16", PRECISION_FP16_STORAGE, GPU_QUANT_SIMULATE, true},
    {"device, exact", PRECISION_FP32, GPU_QUANT_EXACT, false},
    {"textures, exact", PRECISION_FP32, GPU_QUANT_EXACT, true},
};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

static bool is_small(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n_tensors; i++)
        if (g->tensors[i].bytes > RUN_BYTES)
            return false;
    return true;
}

/* precision_loss_allowed lets a device that computes with halves do so, which is further off than what is stored in them. */
static enum precision precision_in_force(const struct fuzz *f, int judge)
{
    const char *name = f->judges[judge]->precision.in_force;

    return name && !strcmp(name, "fp16") ? PRECISION_FP16 : kinds[judge].precision;
}

static void run(struct fuzz *f, uint64_t i, const struct mutant *m, const struct case_model *cm, int judge)
{
    struct err err = {""};
    enum fuzz_result result = fuzz_compare(m, cm, f->judges[judge], precision_in_force(f, judge), &err);

    f->ran += result != FUZZ_NOT_RUN;
    f->compared += result == FUZZ_EQUAL || result == FUZZ_DIFFERS;
    if (result == FUZZ_DIFFERS)
        fail(f, i, m, kinds[judge].where, &err);
}

/* Other limits on partitions with each, which both sides are told. */
static void hold_coverage(struct fuzz *f, uint64_t i, const struct mutant *m, const struct case_model *cm, struct graph *g)
{
    const struct session_options opt = {.mode = CPU_FAST,
                                        .num_threads = 1,
                                        .delegates = {f->least},
                                        .partition = {.max_partitions = (int32_t)(i % 3), .min_nodes = (int32_t)(i / 3 % 3)}};
    const bool compiles = f->flags.run && i % f->flags.run == f->flags.run / 2 && is_small(g);
    struct session *s = NULL;
    struct err err = {""};
    enum status st = agree_on_graph(g, f->judges[0], f->least, &opt.partition, &err);

    if (!st && compiles && !fuzz_session(m, cm, &opt, &s, &err)) {
        f->sessions++;
        st = agree_with_session(s, g, f->judges[0], &opt.partition, &err);
    }
    session_free(s);
    f->agreed += !st;
    if (st) {
        fail(f, i, m, "op_coverage", &err);
        say_shapes(g);
    }
}

static void try_one(struct fuzz *f, uint64_t i, const struct mutant *m, const struct case_model *cm)
{
    struct graph *g = NULL;
    struct err err = {""};

    if (graph_new(cm->model, 0, &g, &err) || mutant_resize(m, cm, g, &err) || graph_infer(g, &err)) {
        f->invalid++;
    } else {
        if (f->flags.verbose)
            say_shapes(g);
        for (int k = 0; k < KINDS; k++)
            if (f->judges[k])
                judge(f, i, m, g, f->judges[k], kinds[k].where);
        if (is_small(g) && fuzz_refused(m, cm, g, f->judges[0], &err))
            fail(f, i, m, "one check", &err);
        if (f->least)
            hold_coverage(f, i, m, cm, g);
        if (f->flags.run && i % f->flags.run == 0 && f->judges[2] && is_small(g))
            run(f, i, m, cm, 2 + (int)(i / f->flags.run % (uint64_t)(KINDS - 2)));
    }
    graph_free(g);
}

/* Every input constant: it would be computed here and now. */
static bool is_folded(const struct mutant *m)
{
    for (size_t i = 0; i < CASE_INPUTS; i++)
        if (m->c.in[i].type != TYPE_NONE && !m->c.in[i].constant)
            return false;
    return true;
}

/* A row that has a GL kernel, and one of its cases that is well-formed. */
static bool draw_case(const struct fuzz *f, uint64_t *seed, struct case_ref *ref)
{
    size_t row = splitmix_next(seed) % op_table_n;
    uint32_t n = 0;

    if (!op_table[row].gl || (f->flags.op && strcmp(op_table[row].name, f->flags.op) != 0))
        return false;
    while (op_cases[row].cases[n].name)
        n++;
    if (!n)
        return false;
    n = (uint32_t)(splitmix_next(seed) % n);
    *ref = (struct case_ref){.op = &op_table[row], .kernel = op_cases[row].kernel, .c = &op_cases[row].cases[n], .n = n};
    return !ref->c->fails && !ref->c->build;
}

static enum status fuzz_one(struct fuzz *f, uint64_t i, struct err *err)
{
    uint64_t count = i, seed = splitmix_next(&count); /* i itself would begin the next model one number later in this one's */
    struct case_model cm = {0};
    struct arena a = {0};
    struct case_ref ref;
    struct mutant *m = ARENA_NEW(&a, struct mutant);
    enum status st = m ? ST_OK : err_set(err, ST_NOMEM, "out of memory");

    while (!st && !draw_case(f, &seed, &ref))
        ;
    if (!st)
        st = mutant_init(m, &ref, &seed, &a, err);
    if (!st && f->flags.verbose)
        printf("%llu %s \"%s\"\n", (unsigned long long)i, ref.op->name, ref.c->name);
    if (!st && !is_folded(m)) {
        f->made++;
        if (mutant_model(m, &seed, &cm, err))
            f->invalid++; /* refused when loaded: told by other tests */
        else
            try_one(f, i, m, &cm);
    }
    case_model_fini(&cm);
    arena_free(&a);
    return st;
}

/* draw_case would look for ever otherwise. */
static bool has_cases(const struct fuzz *f)
{
    for (size_t row = 0; row < op_table_n; row++) {
        const struct op_case *c = op_cases[row].cases;

        if (!op_table[row].gl || (f->flags.op && strcmp(op_table[row].name, f->flags.op) != 0))
            continue;
        for (; c->name; c++)
            if (!c->fails && !c->build)
                return true;
    }
    return false;
}

static bool parse_args(int argc, char **argv, struct fuzz *f)
{
    static const struct option flags[] = {{"count", 1, NULL, 'c'},   {"first", 1, NULL, 'f'},  {"run", 1, NULL, 'r'},
                                          {"op", 1, NULL, 'o'},      {"pairs", 1, NULL, 'p'},  {"compile", 1, NULL, 'C'},
                                          {"verbose", 0, NULL, 'v'}, {"help", 0, NULL, 'h'},   {"chains", 1, NULL, 'H'},
                                          {"walk", 1, NULL, 'w'},    {"scales", 1, NULL, 'S'}, {"ranks", 0, NULL, 'R'},
                                          {"agree", 0, NULL, 'a'},   {"share", 1, NULL, 's'},  {0}};
    int flag;

    while ((flag = getopt_long(argc, argv, "", flags, NULL)) != -1)
        switch (flag) {
        case 'c': f->flags.count = strtoull(optarg, NULL, 0); break;
        case 'f': f->flags.first = strtoull(optarg, NULL, 0); break;
        case 'r': f->flags.run = strtoull(optarg, NULL, 0); break;
        case 'o': f->flags.op = optarg; break;
        case 'p': f->flags.pairs = strtoull(optarg, NULL, 0); break;
        case 'C': f->flags.compile = strtoull(optarg, NULL, 0); break;
        case 'H': f->flags.chains = strtoull(optarg, NULL, 0); break;
        case 'S': f->flags.scales = strtoull(optarg, NULL, 0); break;
        case 'w': f->flags.walk = strtoull(optarg, NULL, 0); break;
        case 'R': f->flags.ranks = true; break;
        case 's':
            if (sscanf(optarg, "%u/%u", &f->flags.share, &f->flags.shares) != 2 || f->flags.share < 1 ||
                f->flags.share > f->flags.shares)
                return false;
            break;
        case 'v': f->flags.verbose = true; break;
        case 'a': f->flags.agree = true; break;
        case 'h': fputs(help, stdout); exit(0);
        default: return false;
        }
    return (!f->flags.shares || f->flags.walk || f->flags.ranks || f->flags.chains) && (!f->flags.walk || !f->flags.ranks) &&
           (f->flags.agree ? optind < argc : optind == argc);
}

/* Without a device only the judges that need none are there. */
static enum status open_all(struct fuzz *f, struct err *err)
{
    enum status st = ST_OK;

    for (int k = 0; k < KINDS && !st; k++) {
        const struct gpu_options o = {.device = -1,
                                      .precision_loss_allowed = kinds[k].precision != PRECISION_FP32,
                                      .quant = kinds[k].quant,
                                      .objects = kinds[k].textures ? GPU_OBJECTS_TEXTURE : GPU_OBJECTS_FASTEST};

        st = (k < 2 ? delegate_gpu.open_static : delegate_gpu.open)(&o, &f->judges[k], err);
    }
    if (!st)
        st = delegate_gpu.open(&(struct gpu_options){.device = -1, .quant = kinds[0].quant, .most = &gl_limits_least}, &f->least,
                               err);
    if (st == ST_NO_GPU)
        printf("NOT RUN (gpu): %s\n", err->msg);
    return st == ST_NO_GPU ? ST_OK : st;
}

static void say_sums(const struct fuzz *f)
{
    printf(
        "%llu models, %llu of them contradict themselves; of %llu answers %llu take all nodes (%llu at a rank above 4), %llu some; "
        "%llu models run, %llu of them held against the CPU; of %llu op_coverage said what is so, in %llu sessions too\n",
        fuzz_number(f->made), fuzz_number(f->invalid), fuzz_number(f->accepted + f->in_part + f->refused), fuzz_number(f->accepted),
        fuzz_number(f->high), fuzz_number(f->in_part), fuzz_number(f->ran), fuzz_number(f->compared), fuzz_number(f->agreed),
        fuzz_number(f->sessions));
    printf("%llu passed, %llu failed\n", fuzz_number(f->made - f->invalid - f->failed), fuzz_number(f->failed));
}

/* Without a device, and with --device. */
static int hold_files(const struct fuzz *f, char *const *paths)
{
    struct agree_files all = {.pairs = {{f->judges[0], f->least}, {f->judges[2], f->judges[2]}, {f->judges[6], f->judges[6]}},
                              .verbose = f->flags.verbose};

    if (!f->least) {
        printf("0 passed, 0 failed, 1 skipped\n");
        return 0;
    }
    for (; *paths; paths++)
        agree_on_file(&all, *paths);
    printf("%llu models, %llu sessions; %llu files are none\n%llu passed, %llu failed\n", fuzz_number(all.models),
           fuzz_number(all.sessions), fuzz_number(all.invalid), fuzz_number(all.models - all.failed), fuzz_number(all.failed));
    return all.failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct fuzz f = {.flags = {.count = 1000, .run = 20, .compile = 100}};
    struct err err = {""};
    enum status st;
    int code;

    if (!parse_args(argc, argv, &f)) {
        fputs(help, stderr);
        return 2;
    }
    if (!has_cases(&f)) {
        fprintf(stderr, "gpu_fuzz: no operator \"%s\" that the GPU has and that has cases\n", f.flags.op);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (f.flags.pairs)
        return fuzz_pairs(&f.flags);
    if (f.flags.chains)
        return fuzz_chains(&f.flags);
    if (f.flags.scales)
        return fuzz_scales(&f.flags);
    if (f.flags.walk || f.flags.ranks)
        return fuzz_walk(&f.flags);
    st = open_all(&f, &err);
    code = !st && f.flags.agree ? hold_files(&f, argv + optind) : 0;
    for (uint64_t i = f.flags.first; i < f.flags.first + f.flags.count && !st && !f.flags.agree; i++)
        st = fuzz_one(&f, i, &err);
    for (int k = 0; k < KINDS; k++)
        delegate_close(f.judges[k]);
    delegate_close(f.least);
    if (st) {
        fprintf(stderr, "gpu_fuzz: %s\n", err.msg);
        return status_exit_code(st);
    }
    if (f.flags.agree)
        return code;
    say_sums(&f);
    return f.failed ? 1 : 0;
}
