/* SPDX-License-Identifier: Apache-2.0 */
/* map.c - cutting a tensor into pieces for the threads. */
#include "kernels_cpu/common/map.h"

#include "kernels_cpu/common/broadcast_plain.h"

struct span {
    map_row row;
    const void *arg;
    const char *x;
    char *y;
    size_t x_bits, y_bits; /* of one element */
};

static void span_piece(void *arg, size_t begin, size_t end)
{
    const struct span *s = arg;

    s->row(s->arg, s->y + begin * s->y_bits / 8, s->x + begin * s->x_bits / 8, end - begin);
}

/* For CPU_REFERENCE: call the function on PLAIN_ELEMS elements at a time, whole bytes in sub-byte types too. */
static void span_piece_plain(void *arg, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += PLAIN_ELEMS)
        span_piece(arg, i, end - i < PLAIN_ELEMS ? end : i + PLAIN_ELEMS);
}

void map_run(struct cpu_call *c, map_row row, const void *arg)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct span s = {row, arg, x->data, y->data, type_bits(x->type), type_bits(y->type)};

    threads_for(c->threads, tensor_elems(y), MAP_GRAIN, c->mode == CPU_REFERENCE ? span_piece_plain : span_piece, &s);
}

enum status map_plan(struct cpu_call *c, map_row row, size_t bytes, struct err *err)
{
    const enum status st = cpu_pack(c, bytes, err);

    if (!st)
        ((struct map_plan *)c->packed)->row = row;
    return st;
}

enum status map_types(const struct node *n, struct err *err)
{
    if (n->out[0]->type != n->in[0]->type)
        return err_set(err, ST_BAD_MODEL, "the output has type %s, not %s", type_name(n->out[0]->type), type_name(n->in[0]->type));
    return ST_OK;
}

enum status map_plan_rows(struct cpu_call *c, const map_row row[TYPE_COUNT], struct err *err)
{
    const struct tensor *x = c->node->in[0];
    enum status st;

    if (!row[x->type])
        return cpu_bad_type(c->node, x, err);
    st = map_types(c->node, err);
    return st ? st : map_plan(c, row[x->type], sizeof(struct map_plan), err);
}

enum status map_plan_run(struct cpu_call *c, struct err *err)
{
    const struct map_plan *p = c->packed;

    (void)err;
    map_run(c, p->row, p);
    return ST_OK;
}
