/* SPDX-License-Identifier: Apache-2.0 */
/* precision.c - what was asked for, and the tensors and operations that are excepted from it. */
#include "lib/gl/passes/precision.h"

#include "lib/compare/auto_fp32.h"
#include "lib/delegate/partition.h"
#include "lib/graph/float_weights.h"
#include "lib/graph/graph_part.h"

/* ---- options ---- */

static const char *const priority_names[] = {"auto", "max_precision", "min_latency", "min_memory_usage"};

const char *gpu_precision_name(enum gpu_precision p)
{
    static const char *const names[] = {"auto", "fp32", "fp16_storage", "fp16_sum32", "fp16"};

    return names[p];
}

/* How TFLite goes on behind the first (ResolveAutoPriority of its GPU delegate). */
static void resolve(enum gpu_priority p[3])
{
    static const enum gpu_priority orders[][3] = {
        [GPU_PRIORITY_AUTO] = {GPU_MAX_PRECISION, GPU_MIN_LATENCY, GPU_MIN_MEMORY_USAGE},
        [GPU_MAX_PRECISION] = {GPU_MAX_PRECISION, GPU_MIN_LATENCY, GPU_MIN_MEMORY_USAGE},
        [GPU_MIN_LATENCY] = {GPU_MIN_LATENCY, GPU_MIN_MEMORY_USAGE, GPU_MAX_PRECISION},
        [GPU_MIN_MEMORY_USAGE] = {GPU_MIN_MEMORY_USAGE, GPU_MAX_PRECISION, GPU_MIN_LATENCY}};
    const enum gpu_priority *order = orders[p[0]];

    if (p[1] != GPU_PRIORITY_AUTO)
        p[2] = p[2] ? p[2] : (enum gpu_priority)(GPU_MAX_PRECISION + GPU_MIN_LATENCY + GPU_MIN_MEMORY_USAGE - p[0] - p[1]);
    else
        for (int i = 0; i < 3; i++)
            p[i] = order[i];
}

static enum status order_priorities(const struct gpu_options *o, enum gpu_priority p[3], struct err *err)
{
    for (int i = 0; i < 3; i++)
        p[i] = o->priority[i];
    for (int i = 1; i < 3; i++)
        if (p[i] && !p[i - 1])
            return err_set(err, ST_USAGE, "--gpu_inference_priority%d=%s stands behind priority %d, which is auto", i + 1,
                           priority_names[p[i]], i);
    for (int i = 1; i < 3; i++)
        for (int k = 0; k < i; k++)
            if (p[i] && p[i] == p[k])
                return err_set(err, ST_USAGE, "--gpu_inference_priority%d and %d are both %s", k + 1, i + 1, priority_names[p[i]]);
    if (o->precision_loss_allowed && !p[0])
        p[0] = GPU_MIN_LATENCY;
    resolve(p);
    return ST_OK;
}

static enum gpu_precision by_priority(const enum gpu_priority p[3])
{
    return p[0] == GPU_MAX_PRECISION   ? GPU_PRECISION_FP32
           : p[1] == GPU_MAX_PRECISION ? GPU_PRECISION_FP16_STORAGE
                                       : GPU_PRECISION_FP16;
}

enum status gpu_precision_of(const struct gpu_options *o, enum gpu_precision *out, enum gpu_priority priority[3], struct err *err)
{
    enum gpu_priority p[3];
    enum status st = order_priorities(o, p, err);
    const char *first = priority_names[o->priority[0]];

    if (st)
        return st;
    if (o->precision_loss_allowed && o->precision == GPU_PRECISION_FP32)
        return err_set(err, ST_USAGE, "--gpu_precision=fp32, but --gpu_precision_loss_allowed");
    if (o->precision_loss_allowed && o->priority[0] == GPU_MAX_PRECISION)
        return err_set(err, ST_USAGE, "--gpu_inference_priority1=%s, but --gpu_precision_loss_allowed", first);
    if (o->priority[0] == GPU_MAX_PRECISION && o->precision > GPU_PRECISION_FP32)
        return err_set(err, ST_USAGE, "--gpu_inference_priority1=%s, but --gpu_precision=%s", first,
                       gpu_precision_name(o->precision));
    *out = o->precision ? o->precision : by_priority(p);
    for (int i = 0; i < 3 && priority; i++)
        priority[i] = p[i];
    return ST_OK;
}

bool gpu_spares_memory(const enum gpu_priority priority[3])
{
    int i = 0;

    while (priority[i] != GPU_MIN_LATENCY && priority[i] != GPU_MIN_MEMORY_USAGE)
        i++;
    return priority[i] == GPU_MIN_MEMORY_USAGE;
}

/* ---- what stays float32 ---- */

enum status gl_full_nodes_are(const struct gl_precision *p, const struct graph *g, struct err *err)
{
    const struct node_range *last = p->full->n ? &p->full->ranges[p->full->n - 1] : NULL;

    if (!last || g->subgraph != p->subgraph || last->last < g->n_nodes)
        return ST_OK;
    if (!g->n_nodes)
        return err_set(err, ST_USAGE, "--gpu_fp32_nodes: the model has no nodes");
    return err_set(err, ST_USAGE, "--gpu_fp32_nodes: there is no node %u, the model has nodes 0 to %u", last->last, g->n_nodes - 1);
}

/* The GPU has something of the node at run time that could be a half. */
static bool has_floats(const struct node *n, enum gpu_quant quant)
{
    for (uint32_t i = 0; i < n->n_in + n->n_out; i++) {
        const struct tensor *t = i < n->n_in ? n->in[i] : n->out[i - n->n_in];

        if (t && !t->is_const && ir_type_of(t) == IR_FLOAT && !(quant == GPU_QUANT_EXACT && tensor_is_quantized(t)))
            return true;
    }
    return false;
}

static void warn_of(struct delegate *d, struct arena *a, const uint32_t *nodes, uint32_t n, const char *why)
{
    const char *list = n ? auto_fp32_list(a, nodes, n) : NULL;

    if (n)
        delegate_warn(d, "--gpu_fp32_nodes changes nothing where %s node%s %s", why, n > 1 ? "s" : "", list ? list : "?");
}

enum status gl_full_nodes_say_idle(const struct gl_precision *p, enum gpu_quant quant, const struct graph *g,
                                   const struct partitioning *parts, struct delegate *d, struct err *err)
{
    struct arena arena = {0};
    uint32_t *elsewhere = ARENA_ARRAY(&arena, g->n_nodes, uint32_t), *integers = ARENA_ARRAY(&arena, g->n_nodes, uint32_t);
    uint32_t n_elsewhere = 0, n_integers = 0;
    const bool ok = elsewhere && integers;

    for (uint32_t i = 0; i < g->n_nodes && ok; i++) {
        const struct node *n = &g->nodes[i];

        if (!node_list_has(p->full, n->index) || graph_leaves_out(g, i))
            continue;
        if (parts->part_of[i] < 0 || parts->parts[parts->part_of[i]].delegate != d)
            elsewhere[n_elsewhere++] = n->index;
        else if (!has_floats(n, quant))
            integers[n_integers++] = n->index;
    }
    if (ok) {
        warn_of(d, &arena, elsewhere, n_elsewhere, "the GPU does not compute");
        warn_of(d, &arena, integers, n_integers, "there are no floats but integers in");
    }
    arena_free(&arena);
    return ok ? ST_OK : ir_nomem(err);
}

/* Nobody in the graph computes it. */
static bool comes_from_outside(const struct graph *g, const struct tensor *t)
{
    return tensor_is_among(t, g->inputs, g->n_inputs) || t->is_const || t->is_variable;
}

static void mark_inputs(const struct graph *g, const struct node *n, bool *full)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && comes_from_outside(g, n->in[i]))
            full[n->in[i]->index] = true;
}

static void mark_outputs(const struct node *n, bool *full)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i])
            full[n->out[i]->index] = true;
}

enum status gl_precision_begin(struct ir *ir, const struct gl_precision *p, enum gpu_quant quant, struct err *err)
{
    const struct graph *g = ir->graph;
    const bool exact = quant == GPU_QUANT_EXACT;
    bool *full;

    ir->half = p->half;
    if (p->half && p->full && p->full->n && g->subgraph == p->subgraph)
        ir->full_nodes = p->full;
    if (!p->half || (!ir->full_nodes && !exact))
        return ST_OK;
    if (!(full = ARENA_ARRAY(ir->arena, g->n_tensors, bool)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        const bool named = node_list_has(ir->full_nodes, n->index);

        if (named)
            mark_outputs(n, full);
        if (named || (exact && node_is_hybrid(n))) /* which quantizes floats */
            mark_inputs(g, n, full);
    }
    for (uint32_t i = 0; i < ir->n_values; i++)
        ir->values[i]->full |= full[ir->values[i]->tensor->index];
    ir->full_tensors = full;
    return ST_OK;
}

bool gl_op_is_full(const struct ir *ir, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->n_nodes; i++)
        if (ir_is_fine(op->nodes[i]) || node_list_has(ir->full_nodes, op->nodes[i]->index))
            return true;
    return false;
}

bool gl_op_takes_fp16(const struct ir_op *op, enum gl_fp16 by)
{
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        if (e->fn->helper || e->fn->full || e->in == IR_INT || e->out == IR_INT)
            return false;
    return by == GL_FP16_TYPES ? op->kind->products : by && op->kind->halves;
}

struct delegate_precision gl_precision_told(const struct gl_limits *l, enum gpu_precision asked, const struct gl_precision *p,
                                            const char *wrong, const char *fp32_nodes)
{
    const enum gpu_precision in_force = !p->half         ? GPU_PRECISION_FP32
                                        : !p->arithmetic ? GPU_PRECISION_FP16_STORAGE
                                        : p->sum32       ? GPU_PRECISION_FP16_SUM32
                                                         : GPU_PRECISION_FP16;

    return (struct delegate_precision){
        .asked = gpu_precision_name(asked),
        .in_force = gpu_precision_name(in_force),
        .stored = p->half ? "float16" : "float32",
        .arithmetic = p->arithmetic ? "float16" : "float32",
        .sums = p->arithmetic && !p->sum32 ? "float16" : "float32",
        .by = gl_fp16_name(l, p->arithmetic),
        .why = *wrong              ? wrong
               : in_force != asked ? "the driver computes mediump in 32 bits"
                                   : NULL,
        .fp32_nodes = fp32_nodes,
    };
}
