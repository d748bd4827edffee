/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_pairs.c - generates every variant of every kind of operation with every ordered pair of elementwise functions fused behind
 * it: for floats, and for 8-bit values, simulated and exact. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fuzz/fuzz_kinds.h"
#include "bench/fuzz/mutate.h"
#include "bench/opcheck/case_model.h"
#include "lib/gl/gpu/gpu.h"
#include "lib/graph/graph_infer.h"
#include "lib/session/session.h"

/* Modes of a shader: least or device limits, fp32 or fp16, buffers, images or textures. */
#define PAIR_MODES 8

struct pairs {
    const struct fuzz_flags *flags;
    uint64_t variants, models, texts, fused, compiled, failed; /* results: counts */
    uint64_t refused; /* result: quantized models in modes that do not take them, as TensorFlow Lite would not */
};

#define MOST_VARIANTS 6   /* of one kind */
#define MOST_FOUND    400 /* variants of all kinds */
#define MOST_CALLS    128 /* functions of one shader */

/* A variant and a case whose last operation it computes. */
struct found {
    char label[64]; /* "conv 4x1" */
    const struct case_ref *ref;
    int index; /* that forces it */
};

struct walk {
    struct pairs *p;
    enum gpu_quant quant;                              /* GPU_QUANT_NONE: floats */
    struct delegate *modes[PAIR_MODES][MOST_VARIANTS]; /* NULL: no device */
    struct found found[MOST_FOUND];
    uint32_t n_found;
    uint64_t on_device; /* models generated for the device */
    char last[128];     /* label of the last operation seen */
    char why[256];      /* what is wrong with a source */
};

static const char *const mode_names[PAIR_MODES] = {"least, fp32",  "least, fp16",  "buffers, fp32",  "buffers, fp16",
                                                   "images, fp32", "images, fp16", "textures, fp32", "textures, fp16"};

/* A definition stands at the beginning of a line: "vec4 load_x(int b". Returns the name's length. */
static size_t defined_name(const char *line, const char **name)
{
    static const char *const types[] = {"vec4 ", "ivec4 ", "int ",   "float ", "void ",
                                        "bool ", "vec2 ",  "bvec4 ", "uint ",  "uvec4 "};
    size_t n = 0;

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strncmp(line, types[i], strlen(types[i]))) {
            *name = line + strlen(types[i]);
            while (isalnum((unsigned char)(*name)[n]) || (*name)[n] == '_')
                n++;
            return (*name)[n] == '(' ? n : 0;
        }
    return 0;
}

/* GLSL lets functions share a name if their parameters differ, so the whole head is compared. What stands under #if may have an
 * alternative of the same head. */
static bool defines_twice(const char *text, char *which, size_t size)
{
    const char *heads[MOST_CALLS];
    size_t lengths[MOST_CALLS], n = 0;
    int depth = 0;

    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *name;
        size_t length = !depth && defined_name(line, &name) ? strcspn(name, ")") : 0;

        depth += !strncmp(line, "#if", 3);
        depth -= !strncmp(line, "#endif", 6);

        for (size_t i = 0; i < n && length; i++)
            if (lengths[i] == length && !memcmp(heads[i], name, length)) {
                snprintf(which, size, "%.*s) is defined twice", (int)length, name);
                return true;
            }
        if (length && n < MOST_CALLS) {
            heads[n] = name;
            lengths[n++] = length;
        }
    }
    return false;
}

static void see(void *arg, const char *label, const char *text)
{
    struct walk *w = arg;

    if (strcmp(label, "upload") != 0 && strcmp(label, "download") != 0)
        snprintf(w->last, sizeof w->last, "%s", label);
    w->p->texts++;
    if (!w->why[0])
        defines_twice(text, w->why, sizeof w->why);
}

/* ST_UNSUPPORTED: not taken as a whole. */
static enum status generate(struct walk *w, const struct model *m, struct delegate *d, struct err *err)
{
    struct arena a = {0};
    struct graph *g = NULL;
    struct partitioning parts = {0};
    enum status st = graph_new(m, 0, &g, err);

    w->last[0] = w->why[0] = 0;
    if (!st && !(st = graph_infer(g, err)) &&
        !(st = partition_graph(g, (struct delegate *const[]){d, NULL}, &(struct partition_options){0}, &a, &parts, err)))
        st = parts.n_delegated && !parts.n_cpu ? gpu_dry_compile(d, g, parts.parts, 1, see, w, err) : ST_UNSUPPORTED;
    graph_free(g);
    arena_free(&a);
    return st;
}

/* ---- which variants there are ---- */

static void note(struct walk *w, const struct case_ref *ref, int index)
{
    char *plus = strstr(w->last, " +");
    struct found f = {.ref = ref, .index = index};

    if (plus)
        *plus = 0;
    snprintf(f.label, sizeof f.label, "%.63s", w->last);
    for (uint32_t i = 0; i < w->n_found; i++)
        if (!strcmp(w->found[i].label, f.label))
            return;
    if (f.label[0] && w->n_found < MOST_FOUND)
        w->found[w->n_found++] = f;
}

/* A result that pairs can be put behind. */
static bool is_result(const struct walk *w, const struct model_subgraph *g)
{
    const struct tensor *y = g->n_outputs == 1 ? &g->tensors[g->outputs[0]] : NULL;

    if (y && w->quant != GPU_QUANT_NONE)
        return (y->type == TYPE_INT8 || y->type == TYPE_UINT8) && y->quant.n == 1;
    return y && y->type == TYPE_FLOAT32;
}

static void find_variants(struct walk *w, const struct case_ref *cases, size_t n)
{
    struct err err;

    for (size_t i = 0; i < n; i++) {
        struct case_model cm;
        bool right = !case_model_init(&cm, &cases[i], 0, &err) && is_result(w, &cm.model->subgraphs[0]);

        for (int v = 0; v < MOST_VARIANTS && right; v++)
            if (!generate(w, cm.model, w->modes[0][v], &err))
                note(w, &cases[i], v);
        case_model_fini(&cm);
    }
}

/* ---- the pairs ---- */

static void fail(struct walk *w, const struct found *f, size_t a, size_t b, const char *mode, const char *why)
{
    w->p->failed++;
    printf("FAIL %s, then %s, then %s (%s \"%s\"), %s: %s\n", f->label, case_tails[a].name, case_tails[b].name, f->ref->op->name,
           f->ref->c->name, mode, why);
}

static void compile(struct walk *w, const struct found *f, size_t a, size_t b, const struct case_model *cm, int mode)
{
    struct session_options opt = {.delegates = {w->modes[mode][f->index]}};
    struct session *s = NULL;
    struct err err;
    enum status st = session_new(cm->model, &opt, &s, &err);

    w->p->compiled++;
    if (st || (st = session_prepare(s, &err)))
        fail(w, f, a, b, mode_names[mode], err.msg);
    else if (session_partitioning(s)->n_cpu)
        fail(w, f, a, b, mode_names[mode], session_partitioning(s)->reasons[0].text);
    session_free(s);
}

static enum status one_pair(struct walk *w, const struct found *f, size_t a, size_t b, struct err *err)
{
    const bool steps = w->quant != GPU_QUANT_NONE;
    struct case_model cm;
    bool done = false;
    enum status st = case_model_init(&cm, f->ref, 0, err);

    if (!st && !(st = case_lengthen(&cm, a, steps, &done, err)))
        st = case_lengthen(&cm, b, steps, &done, err);
    w->p->models++;
    for (int mode = 0; mode < PAIR_MODES && !st; mode++) {
        struct delegate *d = w->modes[mode][f->index];
        enum status got = d ? generate(w, cm.model, d, err) : ST_OK;

        if (got == ST_UNSUPPORTED && (steps || mode < 2)) { /* the least device may lack what one of them needs */
            w->p->refused += steps;
            continue;
        }
        if (got || w->why[0])
            fail(w, f, a, b, mode_names[mode], got ? err->msg : w->why);
        w->p->fused += strstr(w->last, " +") != NULL;
        if (d && mode >= 2 && w->p->flags->compile && w->on_device++ % w->p->flags->compile == 0)
            compile(w, f, a, b, &cm, mode);
    }
    case_model_fini(&cm);
    return st;
}

static enum status open_modes(struct walk *w, struct err *err)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_BUFFER, GPU_OBJECTS_IMAGE, GPU_OBJECTS_TEXTURE};
    enum status st = ST_OK;

    for (int mode = 0; mode < PAIR_MODES && !st; mode++)
        for (uint32_t v = 0; v < MOST_VARIANTS && !st; v++) {
            struct gpu_options o = {.precision_loss_allowed = mode % 2,
                                    .device = -1,
                                    .pick = {.variant = (uint16_t)v},
                                    .objects = objects[mode / 2],
                                    .quant = w->quant};

            st = mode < 2 ? delegate_gpu.open_static(&o, &w->modes[mode][v], err) : delegate_gpu.open(&o, &w->modes[mode][v], err);
        }
    return st == ST_NO_GPU ? ST_OK : st;
}

static enum status run_one_way(struct pairs *p, enum gpu_quant quant, const struct case_ref *cases, size_t n, struct err *err)
{
    const uint64_t every = p->flags->pairs * (quant == GPU_QUANT_NONE || p->flags->pairs == 1 ? 1 : 4);
    struct walk *w = calloc(1, sizeof *w);
    uint64_t number = 0;
    enum status st = w ? ST_OK : err_set(err, ST_NOMEM, "out of memory");

    if (!st) {
        w->p = p;
        w->quant = quant;
        st = open_modes(w, err);
    }
    if (!st)
        find_variants(w, cases, n);
    p->variants += w ? w->n_found : 0;
    for (uint32_t i = 0; w && i < w->n_found && !st; i++)
        for (size_t a = 0; a < case_tails_n && !st; a++)
            for (size_t b = 0; b < case_tails_n && !st; b++)
                if (number++ % every == 0)
                    st = one_pair(w, &w->found[i], a, b, err);
    for (int mode = 0; mode < PAIR_MODES && w; mode++)
        for (int v = 0; v < MOST_VARIANTS; v++)
            delegate_close(w->modes[mode][v]);
    free(w);
    return st;
}

/* Find among the cases one for each variant of each kind with such a result, and generate it with every pair behind it in every
 * mode. Each source must define every function once; failures are printed. Fails if a delegate cannot be opened. */
static enum status pairs_run(struct pairs *p, const struct case_ref *cases, size_t n, struct err *err)
{
    static const enum gpu_quant ways[] = {GPU_QUANT_NONE, GPU_QUANT_SIMULATE, GPU_QUANT_EXACT};
    enum status st = ST_OK;

    for (size_t i = 0; i < sizeof ways / sizeof *ways && !st; i++)
        st = run_one_way(p, ways[i], cases, n, err);
    return st;
}

int fuzz_pairs(const struct fuzz_flags *f)
{
    struct pairs p = {.flags = f};
    size_t n;
    struct case_ref *cases = fuzz_cases(f, &n);
    struct err err = {""};
    enum status st = cases ? pairs_run(&p, cases, n, &err) : err_set(&err, ST_NOMEM, "out of memory");

    free(cases);
    if (st)
        return fuzz_stopped(st, &err, 0);
    printf(
        "%llu variants, %llu models, %llu sources, %llu of the models in a mode fused, %llu refused, %llu compiled by the driver\n",
        fuzz_number(p.variants), fuzz_number(p.models), fuzz_number(p.texts), fuzz_number(p.fused), fuzz_number(p.refused),
        fuzz_number(p.compiled));
    printf("%llu passed, %llu failed\n", fuzz_number(p.models - (p.failed < p.models ? p.failed : p.models)),
           fuzz_number(p.failed));
    return p.failed ? 1 : 0;
}
