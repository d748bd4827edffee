/* SPDX-License-Identifier: Apache-2.0 */
/* generate.c - lower, rewrite, choose, emit; and again with something less, until it fits. */
#include "lib/gl/compile/generate.h"
#include "lib/gl/codegen/dedup_shaders.h"
#include "lib/gl/ir/fold.h"
#include "lib/gl/ir/ir.h"
#include "lib/gl/lower/exact.h"
#include "lib/gl/lower/floats.h"
#include "lib/gl/lower/int64.h"
#include "lib/gl/lower/integers.h"
#include "lib/gl/lower/quantized.h"
#include "lib/gl/passes/passes.h"

/* ---- why the passes have left copies: reshapes, joins, parts and the like ---- */

static bool is_copy(const struct ir_op *op)
{
    return !op->epilogue && !op->out2 && (op->kind->moves || op->kind->role == IR_MAP);
}

static bool has_constant(const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->n_in; i++)
        if (op->in[i]->data)
            return true;
    return false;
}

static const char *reason_of_join(const struct ir_op *op)
{
    for (uint32_t i = 0; i + 1 < op->n_in; i++)
        if (op->in[i]->shape.c != op->out->shape.c && op->in[i]->shape.c % 4)
            return "its parts are no whole slices of four channels";
    for (uint32_t i = 0; i < op->n_in; i++)
        if (op->in[i]->view.of)
            return "a part lies in another value already";
    return "a part is stored in another way than the whole, or the whole is no memory to lie in";
}

/* Return the reason why the passes have left such an operation, "its parts are no whole slices of four channels"; "" if it is none
 * of these: it computes. */
static const char *gl_why_copy(const struct ir_op *op)
{
    if (!is_copy(op))
        return "";
    if (has_constant(op))
        return "it reads a constant, which has no memory to lie in";
    switch (op->kind->role) {
    case IR_RESHAPE:
        return ir_same_order(op->in[0]->shape, op->out->shape) ? "what it reads is part of another value"
                                                               : "the order of the slices of four channels changes";
    case IR_PAD: return "its border is read by what takes none of its own, or more than once";
    case IR_CONCATENATION: return reason_of_join(op);
    case IR_MAP: return "elements are repeated";
    default: break;
    }
    if (ir_traits(op)->is_box && ir_traits(op)->is_box(op, &(struct ir_shape){0}))
        return "the part begins or ends within a slice of four channels, or its whole is no memory to lie in";
    return "elements change their order";
}

/* ---- attempts ---- */

/* One attempt. */
struct attempt {
    const struct gl_recipe *how;
    struct gl_draft *out;
    struct ir *ir;
    const struct ir_op *failed; /* what did not fit */
    bool exhausted;             /* as nothing was left to try for it */
};

static enum status lower_node(struct ir *ir, const struct node *n, enum gpu_quant quant, struct err *err)
{
    const bool among_reals = !ir->exact && gl_exact_computes(n, quant);
    const struct gl_kernel *k = gl_kernel_of(n, quant);
    uint32_t first = ir->n_ops;
    struct gl_integers in;
    bool computes;
    enum status st;

    ir->lowering = (struct ir_lowering){.node = n, .exact = ir->exact, .raw = ir->exact && gl_exact_concerns(n)};
    if (among_reals && (st = gl_integers_begin(ir, n, &in, err)))
        return st;
    st = gl_int64_takes(n, &computes) ? gl_int64_lower(ir, n, k, err) : k->lower(ir, n, err);
    if ((st = node_err_if(n, st, err)) || (st = gl_integers_wrap(ir, n, first, err)) || (st = gl_floats_round(ir, n, first, err)))
        return st;
    if (among_reals)
        return gl_integers_end(ir, n, &in, err);
    return ir->exact ? ST_OK : gl_quantized_node(ir, n, first, err);
}

static enum status lower(struct ir *ir, const struct partition *part, enum gpu_quant quant, struct err *err)
{
    enum status st = ST_OK;

    if (quant == GPU_QUANT_EXACT)
        gl_exact_begin(ir);
    else
        st = gl_quantized_begin(ir, err);
    st = st ? st : gl_int64_begin(ir, err);
    for (uint32_t i = 0; i < part->n_nodes && !st; i++)
        st = lower_node(ir, part->nodes[i], quant, err);
    ir->lowering = (struct ir_lowering){.exact = ir->exact};
    st = st ? st : gl_int64_end(ir, err);
    return st || ir->exact ? st : gl_quantized_end(ir, err);
}

/* What is read of it is made on the way. */
static const char *of_resize(const struct ir_value *v)
{
    return v && v->view.blend ? " of a resize" : "";
}

static const char *of_operands(const struct ir_epilogue *e)
{
    const char *of = "";

    for (uint32_t i = 0; i < e->fn->arity && !*of; i++)
        of = of_resize(e->operand[i]);
    return of;
}

/* "conv direct +RELU6 +ADD", "conv direct +ADD of a resize", "reduce serial of SQUARE" */
static const char *op_label(struct arena *a, const struct ir_op *op, const char *suffix)
{
    const struct ir_fn *first = ir_traits(op)->applies_first ? ir_traits(op)->applies_first(op) : NULL;
    struct text t = {.arena = a};

    text_add(&t, "%s", op->kind->name);
    if (op->variant->name[0])
        text_add(&t, " %s", op->variant->name);
    if (first)
        text_add(&t, " of %s", first->name);
    text_add(&t, "%s", op->n_in ? of_resize(op->in[0]) : "");
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        if (!e->is_idle)
            text_add(&t, " +%s%s", e->fn->name, of_operands(e));
    text_add(&t, "%s", suffix);
    return t.failed ? NULL : t.s;
}

/* Whether values that the operation reads or writes are in textures, or not. */
static bool has_values(const struct gl_shader *p, bool in_textures)
{
    for (uint32_t i = 0; i < p->n_bind; i++) {
        const struct ir_value *v = p->bind[i].value;

        if (v && !v->data && (v->storage == GL_STORAGE_TEXTURE) == in_textures)
            return true;
    }
    return false;
}

/* What was picked of it, behind the label: "conv 4x2, groups 8x8x1, numbers inlined". NULL: out of memory. */
static const char *picked_label(struct arena *a, const char *label, const struct gl_shader *p)
{
    static const char *const ways[] = {
        [GL_READS_BLOCKS] = "buffers",          [GL_READS_IMAGES] = "images",     [GL_READS_TEXELS] = "texture buffers",
        [GL_READS_UNIFORMS] = "uniform blocks", [GL_READS_TEXTURES] = "textures", [GL_READS_FOUR] = "four textures"};
    const struct gl_policy *policy = &p->limits->policy;
    const bool few = p->pick.constants == GL_READS_FOUR && !p->n_points[GL_THROUGH_FOUR]; /* no blocks of weights, or few units */
    struct text t = {.arena = a};

    text_add(&t, "%s", label);
    if (p->group_picked)
        text_add(&t, ", groups %ux%ux%u", p->group[0], p->group[1], p->group[2]);
    if (p->pick.numbers)
        text_add(&t, ", numbers %s", policy->inline_uniforms ? "bound" : "inlined");
    if (p->pick.objects == GL_OBJECTS_TEXTURES && has_values(p, true))
        text_add(&t, ", %svalues in textures", has_values(p, false) ? "some " : "");
    if (p->pick.objects == GL_OBJECTS_BUFFERS && policy->textures)
        text_add(&t, ", values in buffers");
    if (p->pick.reads)
        text_add(&t, ", reads through %s", ways[p->pick.reads]);
    if (p->pick.constants)
        text_add(&t, ", constants through %s", ways[few ? GL_READS_TEXTURES : p->pick.constants]);
    return t.failed ? NULL : t.s;
}

static enum status finish(struct gl_dispatch *w, struct err *err)
{
    enum status st;
    int32_t depth;

    if (__builtin_mul_overflow(w->shader.grid[2], w->shader.grid[3], &depth))
        return err_set(err, ST_UNSUPPORTED, "shader \"%s\" has %d slices in each of %d batches", w->label, w->shader.grid[2],
                       w->shader.grid[3]);
    st = gl_shader_finish(&w->shader, err);
    return st ? st : gl_shader_fits(&w->shader, w->label, err);
}

/* Weights may be halves where these are asked for and it is `half`. `op` is NULL for a transfer. */
static void start_shader(const struct attempt *a, struct gl_shader *p, bool half, const struct ir_op *op)
{
    gl_shader_init(p, &a->out->arena, a->how->limits, a->how->precision.half && half, op);
    if (a->how->textless)
        p->defines.arena = NULL;
}

static enum status generate_op(struct attempt *a, const struct ir_op *op, struct err *err)
{
    struct gl_dispatch *w = &a->out->dispatches[a->out->n_dispatches++];
    enum status st = gl_value_fits(a->how->limits, op->out, err);
    bool full;

    if (!st)
        st = gl_value_fits(a->how->limits, op->out2, err);
    for (uint32_t i = 0; i < op->n_in && !st; i++)
        st = gl_value_fits(a->how->limits, op->in[i], err);
    if (st)
        return st;
    w->kind = op->n_nodes ? op->nodes[0]->name : op->kind->name;
    w->why_copy = gl_why_copy(op);
    w->border = op->n_nodes ? NULL : op->in[0]->tensor ? op->in[0]->tensor : op->out->tensor;
    full = gl_op_is_full(a->ir, op);
    if (!(w->label = op_label(&a->out->arena, op, full ? " in float32" : "")))
        return ir_nomem(err);
    start_shader(a, &w->shader, !full, op);
    w->shader.pick = gl_pick_of(op, a->ir->choice);
    if (!full && gl_op_takes_fp16(op, a->how->precision.arithmetic))
        w->shader.halves = a->how->precision.arithmetic;
    w->shader.sum32 = a->how->precision.sum32;
    op->variant->emit(&w->shader, op);
    if (op->variant->iterations)
        gl_iterations(&w->shader, op->variant->iterations(op));
    st = finish(w, err);
    if (w->shader.halves && !(w->label = op_label(&a->out->arena, op, GL_IN_FP16)))
        return ir_nomem(err);
    if (!(w->label = picked_label(&a->out->arena, w->label, &w->shader)))
        return ir_nomem(err);
    return op->n_nodes && st == ST_FAILED ? node_err(op->nodes[0], st, err) : st;
}

static struct gl_dispatch *start_transfer(struct attempt *a, const char *label)
{
    struct gl_dispatch *w = &a->out->dispatches[a->out->n_dispatches++];

    w->kind = w->label = label;
    w->why_copy = "";
    start_shader(a, &w->shader, true, NULL);
    return w;
}

static enum status generate_upload(struct attempt *a, struct tensor *t, const struct ir_value *v, struct err *err)
{
    struct gl_dispatch *w = start_transfer(a, "upload");

    a->out->uploads[a->out->n_uploads++].tensor = t;
    gl_emit_upload(&w->shader, t, v);
    return finish(w, err);
}

static enum status generate_download(struct attempt *a, struct tensor *t, const struct ir_parts *from, struct err *err)
{
    struct gl_dispatch *w = start_transfer(a, "download");

    a->out->downloads[a->out->n_downloads++].tensor = t;
    gl_emit_download(&w->shader, t, from);
    return finish(w, err);
}

static bool make_alike(struct gl_draft *d)
{
    const char **texts = ARENA_ARRAY(&d->arena, d->n_dispatches, const char *);

    for (uint32_t i = 0; i < d->n_dispatches && texts; i++)
        texts[i] = d->dispatches[i].shader.text;
    if (!texts || !gl_dedup_shaders(&d->arena, texts, d->n_dispatches))
        return false;
    for (uint32_t i = 0; i < d->n_dispatches; i++)
        d->dispatches[i].shader.text = texts[i];
    return true;
}

static enum status generate(struct attempt *a, const struct partition *part, struct err *err)
{
    struct gl_draft *out = a->out;
    const struct ir *ir = a->ir;
    enum status st = ST_OK;

    out->dispatches = ARENA_ARRAY(&out->arena, ir->n_inputs + ir->n_ops + ir->n_outputs, struct gl_dispatch);
    out->uploads = ARENA_ARRAY(&out->arena, ir->n_inputs, struct gl_transfer);
    out->downloads = ARENA_ARRAY(&out->arena, ir->n_outputs, struct gl_transfer);
    if (!out->dispatches || !out->uploads || !out->downloads)
        return ir_nomem(err);
    for (uint32_t i = 0; i < ir->n_inputs && !st; i++)
        if (ir->inputs[i]->n_uses)
            st = generate_upload(a, part->inputs[i], ir->inputs[i], err);
    for (uint32_t i = 0; i < ir->n_ops && !st; i++)
        if ((st = generate_op(a, ir->ops[i], err)))
            a->failed = ir->ops[i];
    for (uint32_t i = 0; i < ir->n_outputs && !st; i++)
        st = generate_download(a, part->outputs[i], &ir->parts[i], err);
    return st || a->how->textless || make_alike(out) ? st : ir_nomem(err);
}

static enum status attempt(struct attempt *a, const struct graph *g, const struct partition *part, const struct gl_tried *tried,
                           struct err *err)
{
    struct gl_choice choice = {
        .forced = a->how->forced, .pick = a->how->pick, .picks = a->how->picks, .tried = tried, .met = a->how->met};
    enum status st = ir_new(&a->out->arena, g, part->inputs, part->n_inputs, part->outputs, part->n_outputs, &a->ir, err);

    if (st)
        return st;
    a->ir->limits = a->how->limits;
    a->ir->choice = &choice;
    a->ir->dump_dir = a->how->dump_ir;
    a->ir->first_node = part->n_nodes ? part->nodes[0]->index : 0;
    if ((st = gl_precision_begin(a->ir, &a->how->precision, a->how->quant, err)) || (st = lower(a->ir, part, a->how->quant, err)))
        return st;
    st = gl_rewrite_all(a->ir, a->how->limits, err);
    a->failed = choice.none_for;
    a->exhausted = choice.exhausted;
    if (st || (st = generate(a, part, err)))
        return st;
    for (uint32_t i = 0; i < a->ir->n_ops; i++)
        gl_note_met(a->how->met, a->ir->ops[i]);
    a->out->n_values = a->ir->n_values;
    a->out->variants = choice.most;
    return ST_OK;
}

/* Whether something else can be tried instead of what failed; notes it. */
static enum status try_less(const struct attempt *a, struct gl_tried *tried, const struct graph *g, bool *more, struct err *err)
{
    const struct ir_op *op = a->failed;

    *more = false;
    if (!op || !op->n_nodes)
        return ST_OK;
    if (op->variant) {
        enum status st = gl_tried_variant(tried, g, op, op->variant, more, err);

        if (st || *more)
            return st;
    }
    return gl_tried_apart(tried, g, op, more, err);
}

enum status gl_generate(const struct gl_recipe *how, const struct graph *g, const struct partition *part, struct gl_tried *tried,
                        struct gl_draft *out, const struct node **stuck, struct err *err)
{
    struct err last = {""};

    for (;;) {
        struct attempt a = {.how = how, .out = out};
        enum status st, less;
        bool more;

        arena_free(&out->arena);
        *out = (struct gl_draft){.graph = g, .part = part, .programs = out->programs};
        st = attempt(&a, g, part, tried, err);
        if (st != ST_UNSUPPORTED)
            return st;
        if (a.exhausted && last.msg[0])
            *err = last; /* says more than that nothing is left */
        else
            last = *err;
        *stuck = a.failed && a.failed->n_nodes ? a.failed->nodes[0] : NULL;
        if ((less = try_less(&a, tried, g, &more, err)) || !more)
            return less ? less : st;
    }
}

/* ---- the outline: dispatches of a partition, and those among them that only copy ---- */

enum status gl_outline(const struct gl_recipe *how, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                       struct err *err)
{
    struct gl_tried tried = {0};
    struct gl_draft draft = {0};
    const struct node *stuck;
    enum status st = gl_generate(how, g, p, &tried, &draft, &stuck, err);

    out->dispatches = out->copies = out->transfers = 0;
    for (uint32_t i = 0; i < draft.n_dispatches && !st; i++) {
        const struct gl_dispatch *w = &draft.dispatches[i];
        const struct ir_op *op = w->shader.op;

        out->transfers += !op;
        out->dispatches += op != NULL;
        if (!*w->why_copy)
            continue;
        out->copies++;
        if (out->see_copy)
            out->see_copy(out->arg, op->n_nodes ? op->nodes[0] : NULL, w->label, w->why_copy);
    }
    arena_free(&draft.arena);
    arena_free(&tried.arena);
    return st;
}
