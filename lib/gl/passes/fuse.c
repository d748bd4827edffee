/* SPDX-License-Identifier: Apache-2.0 */
/* fuse.c - the pass "fuse maps": elementwise functions become epilogues of the operation whose result they take; and before it
 * "read pads": they read zeros where channels were added.
 *
 * A map that reads its input several times, as x * sigmoid(x) does once its functions are in one map, reads it once: the others are
 * values computed so far (ir_epilogue.back). So it is the input's only reader, and fuses like any other. */
#include "lib/gl/passes/choose.h"
#include "lib/gl/passes/passes.h"

#include <math.h>

/* What is known of an operation, so that a long list of functions is not walked for each that is added. */
struct known {
    struct ir_epilogue **end;    /* where the next function goes */
    struct ir_epilogue *first;   /* that reads a value, through next_reader */
    struct ir_epilogue **reader; /* where the next of these goes */
    uint32_t functions;
};

/* Kept up to date while operations fuse: producers, and n_uses of values that have one. An operation that is gone is NULL in
 * ir->ops until the end, so that the others keep their places. */
struct fusing {
    struct ir *ir;
    const struct gl_limits *lim;
    struct known *known; /* [ir->n_ops] */
};

static struct known *known_of(const struct fusing *f, const struct ir_op *op)
{
    return &f->known[op->at];
}

static void look_at(const struct fusing *f, struct ir_op *op)
{
    struct known *k = known_of(f, op);

    *k = (struct known){.end = &op->epilogue, .reader = &k->first};
    for (; *k->end; k->end = &(*k->end)->next, k->functions++) {
        if (!ir_reads_value(*k->end))
            continue;
        *k->reader = *k->end;
        k->reader = &(*k->end)->next_reader;
    }
    *k->reader = NULL;
}

static uint32_t count_buffers(const struct fusing *f, const struct ir_op *op)
{
    uint32_t n = op->n_in + 1 + (op->out2 != NULL) + op->kind->constants;

    for (const struct ir_epilogue *e = known_of(f, op)->first; e; e = e->next_reader)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            n += e->operand[i] && !ir_is_scalar(e->operand[i]);
    return n;
}

/* Everything but its input that `map` reads is there when `to` runs. */
static bool operands_ready(const struct fusing *f, const struct ir_op *map, const struct ir_op *to)
{
    for (const struct ir_epilogue *e = known_of(f, map)->first; e; e = e->next_reader)
        for (uint32_t i = 0; i < e->fn->arity; i++) {
            const struct ir_value *v = e->operand[i];

            if (v && v->producer && v->producer->at >= to->at)
                return false;
        }
    return true;
}

/* `waits`: what the map reads need not be there, as the operation that takes it is a map, too, and may run that late: nobody else
 * reads what it makes. */
static bool can_fuse(const struct fusing *f, const struct ir_op *map, bool waits)
{
    const struct ir_value *x = map->in[0];
    const struct ir_op *to = x->producer;

    if (!to || to->out2 || x->n_uses != 1 || !ir_same_shape(x->shape, map->out->shape) || !gl_may_merge(f->ir, to, map) ||
        known_of(f, to)->functions + known_of(f, map)->functions > UINT16_MAX) /* what ir_epilogue.back can tell */
        return false;
    return count_buffers(f, to) + count_buffers(f, map) - 2 <= f->lim->storage_blocks &&
           (waits ? to->kind->role == IR_MAP : operands_ready(f, map, to));
}

/* Makes v the map's input: the functions from number k on, e and those after it, that read it take it as computed so far, those
 * that took the old input read that. */
static void set_input(struct ir_op *map, struct ir_epilogue *e, uint32_t k, struct ir_value *v)
{
    struct ir_value *old = map->in[0];

    for (; e; e = e->next, k++)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            if (e->operand[i] == v) {
                e->operand[i] = NULL;
                e->back[i] = (uint16_t)k;
                v->n_uses--;
            } else if (!e->operand[i] && e->back[i] == k && v != old) {
                e->operand[i] = old;
                old->n_uses++;
            }
    old->n_uses--;
    v->n_uses++;
    map->in[0] = v;
}

/* Whether nobody but `map` reads v, which another operation makes. */
static bool reads_alone(const struct fusing *f, const struct ir_op *map, const struct ir_value *v)
{
    uint32_t n = 0;

    for (const struct ir_epilogue *e = known_of(f, map)->first; e; e = e->next_reader)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            n += e->operand[i] == v;
    return v->producer && v->n_uses == n;
}

/* Brings the operand whose producer can take the map to the front: of a + b only the one computed last can without waiting. */
static bool find_fusable(const struct fusing *f, struct ir_op *map, bool waits)
{
    struct ir_value *const x = map->in[0];

    if (can_fuse(f, map, waits))
        return true;
    for (struct ir_epilogue *e = known_of(f, map)->first; e; e = e->next_reader)
        for (uint32_t i = 0; i < e->fn->arity; i++) {
            struct ir_value *v = e->operand[i];

            if (!v || v->type != x->type || v->data || !ir_same_shape(v->shape, map->out->shape) || !reads_alone(f, map, v))
                continue;
            set_input(map, map->epilogue, 0, v);
            look_at(f, map);
            if (can_fuse(f, map, waits))
                return true;
            set_input(map, map->epilogue, 0, x);
            look_at(f, map);
        }
    return false;
}

/* All that they compute, `to` stores. */
static bool fuse(const struct fusing *f, struct ir_op *map, struct ir_op *to)
{
    struct known *k = known_of(f, to), *of = known_of(f, map);
    const bool waits = !operands_ready(f, map, to);

    if (!ir_merge_nodes(f->ir, to, map))
        return false;
    if (to->kind->role == IR_MAP) {
        set_input(to, map->epilogue, k->functions, to->in[0]);
        look_at(f, map); /* what it takes as computed so far it reads no more */
    }
    if (map->epilogue) {
        *k->end = map->epilogue;
        k->end = of->end;
    }
    if (of->first) {
        *k->reader = of->first;
        k->reader = of->reader;
    }
    map->in[0]->producer = NULL;
    map->in[0]->n_uses--;
    to->out = map->out;
    to->out->producer = to;
    f->ir->ops[map->at] = NULL;
    k->functions += of->functions;
    if (waits) { /* in the map's place, whose record is not its own */
        f->ir->ops[to->at] = NULL;
        f->ir->ops[map->at] = to;
        to->at = map->at;
        look_at(f, to);
    }
    return true;
}

/* Where operands may change places the value computed so far comes first: both orders give the same bits (but for which of two
 * NaN), and layers that differ by that alone share a program. */
static void take_computed_first(struct ir_epilogue *e)
{
    if (e->fn->role == IR_FN_OTHER || !e->operand[0] || e->operand[1])
        return;
    e->operand[1] = e->operand[0];
    e->operand[0] = NULL;
    e->back[0] = e->back[1];
    e->back[1] = 0;
}

enum status gl_fuse_maps(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct arena scratch = {0};
    const struct fusing f = {ir, lim, ARENA_ARRAY(&scratch, ir->n_ops, struct known)};
    bool ok = f.known != NULL;

    for (uint32_t i = 0; i < ir->n_ops && ok; i++) {
        struct ir_op *op = ir->ops[i];

        op->at = i;
        if (op->kind->role == IR_MAP)
            set_input(op, op->epilogue, 0, op->in[0]);
        look_at(&f, op);
    }
    for (uint32_t i = 0; i < ir->n_ops && ok; i++) {
        struct ir_op *map = ir->ops[i];

        /* A map that has taken one may fuse in turn, now that it reads less. */
        while (ok && map->kind->role == IR_MAP && (find_fusable(&f, map, false) || find_fusable(&f, map, true))) {
            struct ir_op *to = map->in[0]->producer;

            ok = fuse(&f, map, to);
            map = to;
        }
    }
    ir_close_gaps(ir);
    for (uint32_t i = 0; i < ir->n_ops; i++)
        for (struct ir_epilogue *e = ir->ops[i]->epilogue; e; e = e->next)
            take_computed_first(e);
    arena_free(&scratch);
    return ok ? ST_OK : ir_nomem(err);
}

/* ---- pads ---- */

/* Zeros behind the last rows, pixels and channels and nowhere else: as an operand that is what the unpadded value reads as. */
static bool adds_behind(const struct ir_op *op)
{
    const struct ir_pad *pad = op->attr;

    if (op->kind->role != IR_PAD || op->epilogue || pad->value != 0 || signbit(pad->value) || op->out->n_uses != 1 ||
        !ir_same_shape(pad->before, (struct ir_shape){0, 0, 0, 0}))
        return false;
    for (int axis = 0; axis < 4; axis++) {
        const int32_t x = ir_dim(op->in[0]->shape, axis);

        if (x != ir_dim(op->out->shape, axis) && (!axis || x == 1))
            return false;
    }
    return true;
}

/* Another value of the output's shape that the map may read first. NULL: none. */
static struct ir_value *other_input(const struct ir_op *map)
{
    for (const struct ir_epilogue *e = map->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++) {
            struct ir_value *v = e->operand[i];

            if (v && !v->data && v->type == map->in[0]->type && ir_same_shape(v->shape, map->out->shape))
                return v;
        }
    return NULL;
}

/* Operands that are `v` become `to`. False: none is. */
static bool replace_operands(struct ir_op *map, const struct ir_value *v, struct ir_value *to)
{
    bool any = false;

    for (struct ir_epilogue *e = map->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            if (e->operand[i] == v) {
                e->operand[i] = to;
                any = true;
            }
    return any;
}

/* A map may read its input several times, as computed so far: then several operands are the pad's, once another is the input. */
static bool read_pad(struct ir *ir, const struct ir_op *pad, struct ir_op *map)
{
    struct ir_value *first;

    if (map->kind->role != IR_MAP || !gl_may_merge(ir, map, pad))
        return false;
    if (map->in[0] == pad->out && (first = other_input(map)))
        set_input(map, map->epilogue, 0, first);
    return replace_operands(map, pad->out, pad->in[0]);
}

struct reading {
    struct ir_op **reader; /* [values] the last operation that reads it */
    struct ir_op *op;
};

static void note_reader(void *arg, struct ir_value **operand)
{
    const struct reading *r = arg;

    r->reader[(*operand)->id] = r->op;
}

enum status gl_read_pads(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct arena scratch = {0};
    struct reading r = {.reader = ARENA_ARRAY(&scratch, ir->n_values, struct ir_op *)};
    bool ok = r.reader != NULL;

    for (uint32_t i = 0; i < ir->n_ops && ok; i++) {
        r.op = ir->ops[i];
        ir_each_operand(r.op, note_reader, &r);
    }
    for (uint32_t i = 0; i < ir->n_ops && ok && !lim->policy.any_batch; i++) {
        const struct ir_op *pad = ir->ops[i];
        struct ir_op *map;

        if (!adds_behind(pad) || !(map = r.reader[pad->out->id]) || !read_pad(ir, pad, map))
            continue;
        ok = ir_merge_nodes(ir, map, pad);
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    ir_link(ir);
    arena_free(&scratch);
    return ok ? ST_OK : ir_nomem(err);
}
