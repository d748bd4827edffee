/* SPDX-License-Identifier: Apache-2.0 */
/* passes.c - the rewrites; passes.def has the order in which they run. */
#include "lib/gl/passes/passes.h"
#include "lib/base/hash64.h"
#include "lib/gl/ir/dump_ir.h"
#include "lib/gl/passes/choose.h"

#include <string.h>

static bool is_identity(const struct ir_op *op)
{
    bool whole = op->n_in == 1 && !op->epilogue && ir_same_shape(op->in[0]->shape, op->out->shape) &&
                 op->in[0]->type == op->out->type;

    return whole && op->kind->role != IR_OTHER && op->kind->role != IR_CONV;
}

static void lose_use(void *arg, struct ir_value **operand)
{
    (void)arg;
    (*operand)->n_uses--;
}

/* What nobody reads: outputs of a split that the model ignores. */
static enum status drop_unused(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)lim, (void)err;
    for (uint32_t i = ir->n_ops; i-- > 0;) {
        struct ir_op *op = ir->ops[i];

        if (op->out->n_uses || (op->out2 && op->out2->n_uses))
            continue;
        ir_each_operand(op, lose_use, NULL); /* no value lies in another yet: each has its own uses */
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    return ST_OK;
}

/* The window of `op`, the pad's reader, can cover the border as well. */
static bool can_take_border(const struct ir *ir, const struct ir_op *op, const struct ir_op *pad)
{
    const struct ir_pad *by = pad->attr;

    if (!op->n_in || op->in[0] != pad->out || !gl_may_merge(ir, op, pad))
        return false;
    return ir_traits(op)->takes_border ? ir_traits(op)->takes_border(op, by->value) : op->kind->role == IR_CONV && by->value == 0;
}

static bool is_border_of_rows(const struct ir_op *pad)
{
    const struct ir_shape x = pad->in[0]->shape, y = pad->out->shape;
    const struct ir_pad *by = pad->attr;

    return !pad->epilogue && x.c == y.c && x.b == y.b && !by->before.c && !by->before.b;
}

static bool take_border(struct ir *ir, struct ir_op *op, struct ir_op *pad)
{
    const struct ir_pad *by = pad->attr;
    struct ir_window *win = op->attr;

    if (!ir_merge_nodes(ir, op, pad))
        return false;
    if (ir_traits(op)->take_border)
        ir_traits(op)->take_border(op, pad);
    win->pad_h += by->before.h;
    win->pad_w += by->before.w;
    op->in[0] = pad->in[0];
    return true;
}

/* The pad that the operation can take; NULL: it reads none, or cannot. */
static struct ir_op *pad_of(const struct ir *ir, const struct ir_op *op)
{
    struct ir_op *pad = op->n_in ? op->in[0]->producer : NULL;

    return pad && pad->kind->role == IR_PAD && is_border_of_rows(pad) && can_take_border(ir, op, pad) ? pad : NULL;
}

/* A pad that only convolutions and pools read becomes part of their own padding, where it holds what they take for outside. */
static enum status merge_pads(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct arena scratch = {0};
    uint32_t *takers = ARENA_ARRAY(&scratch, ir->n_values, uint32_t);
    bool ok = takers != NULL;

    for (uint32_t i = 0; i < ir->n_ops && ok; i++) {
        const struct ir_op *pad = pad_of(ir, ir->ops[i]);

        if (pad)
            takers[pad->out->id]++;
    }
    for (uint32_t i = 0; i < ir->n_ops && ok; i++) {
        struct ir_op *pad = pad_of(ir, ir->ops[i]);

        if (pad && takers[pad->out->id] == pad->out->n_uses)
            ok = take_border(ir, ir->ops[i], pad);
    }
    arena_free(&scratch);
    ir_link(ir);
    return ok ? drop_unused(ir, lim, err) : ir_nomem(err); /* what the pad reads is read once less */
}

/* ---- duplicates ---- */

/* Bit by bit, so that 0 and -0 are two and a NaN is itself. */
static bool same_numbers(const float a[4], const float b[4])
{
    uint32_t x[4], y[4];

    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
}

static bool same_functions(const struct ir_epilogue *a, const struct ir_epilogue *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->fn != b->fn || memcmp(a->operand, b->operand, sizeof a->operand) || memcmp(a->back, b->back, sizeof a->back) ||
            !same_numbers(a->p, b->p))
            return false;
    return a == b;
}

/* Both compute the same of the same. */
static bool is_duplicate(const struct ir_op *a, const struct ir_op *b)
{
    return a->kind == b->kind && a->n_in == b->n_in && !memcmp(a->in, b->in, a->n_in * sizeof *a->in) && !a->out2 && !b->out2 &&
           a->stores == b->stores && a->out->type == b->out->type && a->out->full == b->out->full &&
           ir_same_shape(a->out->shape, b->out->shape) && a->attr_size == b->attr_size && !memcmp(a->attr, b->attr, a->attr_size) &&
           same_functions(a->epilogue, b->epilogue);
}

static uint64_t mix(uint64_t h, uint64_t more)
{
    h = (h ^ more) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

/* The same for duplicates. */
static uint64_t hash_of(const struct ir_op *op)
{
    uint64_t h = mix((uintptr_t)op->kind, op->attr_size ? hash64(op->attr, op->attr_size) : 0);

    for (uint32_t i = 0; i < op->n_in; i++)
        h = mix(h, op->in[i]->id);
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next) {
        h = mix(mix(h, (uintptr_t)e->fn), hash64(e->p, sizeof e->p));
        for (uint32_t i = 0; i < e->fn->arity; i++)
            h = mix(h, e->operand[i] ? e->operand[i]->id : UINT32_MAX + (uint64_t)e->back[i]);
    }
    return mix(h, (uint64_t)op->out->shape.c);
}

/* Operations by what they compute: those of one hash in lists, in their order. */
struct same {
    struct ir *ir;
    uint32_t *first, *last, *next; /* [mask + 1] and [ir->n_ops] places in ir->ops, NONE at an end */
    uint32_t *of;                  /* [ir->n_ops] whose duplicate the operation is, or NONE */
    struct ir_value **instead;     /* [ir->n_values] what is read in the value's place, or NULL */
    uint32_t mask;
};
#define NONE UINT32_MAX

static bool same_init(struct same *s, struct ir *ir, struct arena *a)
{
    for (s->mask = 3; s->mask < ir->n_ops && s->mask < NONE / 2; s->mask = 2 * s->mask + 1)
        ;
    s->ir = ir;
    s->first = ARENA_ARRAY(a, (size_t)s->mask + 1, uint32_t);
    s->last = ARENA_ARRAY(a, (size_t)s->mask + 1, uint32_t);
    s->next = ARENA_ARRAY(a, ir->n_ops, uint32_t);
    s->of = ARENA_ARRAY(a, ir->n_ops, uint32_t);
    s->instead = ARENA_ARRAY(a, ir->n_values, struct ir_value *);
    if (!s->first || !s->last || !s->next || !s->of || !s->instead)
        return false;
    memset(s->first, 0xff, ((size_t)s->mask + 1) * sizeof *s->first);
    memset(s->next, 0xff, ir->n_ops * sizeof *s->next);
    memset(s->of, 0xff, ir->n_ops * sizeof *s->of);
    return true;
}

static void read_instead(void *arg, struct ir_value **operand)
{
    struct ir_value *const to = ((const struct same *)arg)->instead[(*operand)->id];

    *operand = to ? to : *operand;
}

/* A reshape that only renames dimensions, a join of one, an empty pad. */
static enum status drop_identities(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct arena scratch = {0};
    struct same s = {.ir = ir, .instead = ARENA_ARRAY(&scratch, ir->n_values, struct ir_value *)};

    (void)lim;
    for (uint32_t i = 0; i < ir->n_ops && s.instead; i++) {
        struct ir_op *op = ir->ops[i];

        ir_each_operand(op, read_instead, &s);
        /* A constant cannot be downloaded. */
        if (!is_identity(op) || op->in[0]->data || op->moves_batch)
            continue;
        s.instead[op->out->id] = op->in[0];
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    for (uint32_t i = 0; i < ir->n_outputs && s.instead; i++)
        if (s.instead[ir->outputs[i]->id]) {
            ir->outputs[i]->is_output = false;
            ir->outputs[i] = s.instead[ir->outputs[i]->id];
            ir->outputs[i]->is_output = true;
        }
    arena_free(&scratch);
    return s.instead ? ST_OK : ir_nomem(err);
}

/* Finds what operation i is a duplicate of, or keeps it for those to come. What it reads was looked at before. */
static void find_original(struct same *s, uint32_t i)
{
    struct ir_op *op = s->ir->ops[i];
    uint32_t at;

    ir_each_operand(op, read_instead, s);
    at = (uint32_t)hash_of(op) & s->mask;
    for (uint32_t k = op->out->is_output ? NONE : s->first[at]; k != NONE; k = s->next[k])
        if (is_duplicate(s->ir->ops[k], op) && gl_may_merge(s->ir, s->ir->ops[k], op)) {
            s->of[i] = k;
            s->instead[op->out->id] = s->ir->ops[k]->out;
            return;
        }
    if (s->first[at] == NONE)
        s->first[at] = i;
    else
        s->next[s->last[at]] = i;
    s->last[at] = i;
}

/* What was computed before is not computed again. */
static enum status drop_duplicates(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct arena scratch = {0};
    struct same s = {0};
    bool ok = same_init(&s, ir, &scratch);

    (void)lim;
    for (uint32_t i = 0; i < ir->n_ops && ok; i++)
        find_original(&s, i);
    for (uint32_t i = ir->n_ops; i-- > 0 && ok;) {
        if (s.of[i] == NONE)
            continue;
        ok = ir_merge_nodes(ir, ir->ops[s.of[i]], ir->ops[i]);
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    arena_free(&scratch);
    return ok ? ST_OK : ir_nomem(err);
}

const struct gl_rewrite gl_rewrites[] = {
#define PASS(identifier, name, function) {name, function},
#include "lib/gl/passes/passes.def"
#include "lib/gl/passes/storage.def"
#undef PASS
    {NULL, NULL},
};

enum status gl_rewrite_all(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    enum status st = ir->dump_dir ? gl_dump_ir(ir, ir->dump_dir, "lowered", 0, err) : ST_OK;

    for (const struct gl_rewrite *r = gl_rewrites; r->name && !st; r++) {
        ir_link(ir);
        st = r->run(ir, lim, err);
        ir_link(ir);
        if (!st && ir->dump_dir)
            st = gl_dump_ir(ir, ir->dump_dir, r->name, (uint32_t)(r - gl_rewrites) + 1, err);
    }
    return st;
}

const struct gl_rewrite *gl_rewrite_find(const char *name)
{
    for (const struct gl_rewrite *r = gl_rewrites; r->name; r++)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}
