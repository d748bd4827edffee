/* SPDX-License-Identifier: Apache-2.0 */
/* rules_eval.c - evaluates an expression of a rule set for one node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rules/rules_impl.h"
#include "schema/option_table.h"

bool rules_is_const(const struct graph *g, const struct tensor *t)
{
    const struct model_subgraph *filed = &g->model->subgraphs[g->subgraph];

    return t->index < filed->n_tensors && filed->tensors[t->index].is_const;
}

static bool is_seen_through(const struct asking *q, const struct node *writer)
{
    return writer && writer->builtin == BUILTIN_DEQUANTIZE && writer->n_in && writer->in[0] &&
           writer->in[0]->type == TYPE_FLOAT16 && rules_is_const(q->g, writer->in[0]);
}

static const struct tensor *input(const struct asking *q, uint32_t i)
{
    const struct tensor *t = node_in(q->n, i);
    const struct node *writer = t ? q->uses[t->index].writer : NULL;

    return q->program->sees_through && is_seen_through(q, writer) ? writer->in[0] : t;
}

static const struct tensor *at(const struct asking *q, struct tensor_ref x)
{
    switch (x.side) {
    case REF_IN: return input(q, x.index);
    case REF_OUT: return node_out(q->n, x.index);
    case REF_EACH: return q->t;
    }
    return NULL;
}

/* 0 where the operator has no such option. Texts and lists are none. */
static double option(const struct node *n, const char *name)
{
    const struct options_table *table = options_table(n->options_kind);

    for (uint16_t i = 0; table && n->opt && i < table->n_fields; i++) {
        const struct field *f = &table->fields[i];
        const char *member = (const char *)n->opt + f->offset;

        if (strcmp(f->name, name) != 0)
            continue;
        switch (f->kind) {
        case FIELD_BOOL: return *(const bool *)member;
        case FIELD_I64: return (double)*(const int64_t *)member;
        case FIELD_F32: return *(const float *)member;
        case FIELD_ENUM:
        case FIELD_ENUM_PLUS_1:
        case FIELD_ENUM_WIDE:
        case FIELD_TYPE:
        case FIELD_I32:
        case FIELD_SUBGRAPH:
        case FIELD_I64_LOW: return *(const int *)member;
        default: return 0;
        }
    }
    return 0;
}

static double count_inputs(const struct asking *q, bool constant)
{
    double n = 0;

    for (uint32_t i = 0; i < q->n->n_in; i++) {
        const struct tensor *t = input(q, i);

        n += t && rules_is_const(q->g, t) == constant;
    }
    return n;
}

static double node_fact(const struct asking *q, enum node_fact what)
{
    switch (what) {
    case NODE_OP: return q->n->builtin;
    case NODE_VERSION: return q->n->version;
    case NODE_INPUTS: return q->n->n_in;
    case NODE_OUTPUTS: return q->n->n_out;
    case NODE_RUNTIME_INPUTS: return count_inputs(q, false);
    case NODE_CONST_INPUTS: return count_inputs(q, true);
    case NODE_DYNAMIC_TENSOR: return (double)q->dynamic_tensor;
    case NODE_CALLED:
    case NODE_FACTS: break;
    }
    return 0;
}

const char *rules_called(const struct node *n)
{
    const struct opt_stablehlo_composite *composite = n->opt;

    if (n->builtin == BUILTIN_CUSTOM)
        return n->name;
    return n->builtin == BUILTIN_STABLEHLO_COMPOSITE && n->options_kind == OPTIONS_STABLEHLO_COMPOSITE && composite &&
                   composite->name
               ? composite->name
               : "";
}

/* A negative index counts from the last dimension. */
static double dimension(const struct tensor *t, double index)
{
    const double i = index < 0 ? index + t->rank : index;

    return i >= 0 && i < t->rank ? t->dim[(int32_t)i] : 0;
}

/* Element i of a constant of integers; 0 where there is none. */
static double element(const struct asking *q, const struct tensor *t, double index)
{
    const bool ints = t->type == TYPE_INT32 || t->type == TYPE_INT64 || t->type == TYPE_INT16 || t->type == TYPE_INT8 ||
                      t->type == TYPE_UINT8 || t->type == TYPE_BOOL;

    if (!rules_is_const(q->g, t) || !ints || !t->data || t->sparsity || !(index >= 0 && index < (double)tensor_elems(t)))
        return 0;
    return (double)tensor_int(t, (size_t)index);
}

/* Values that TFLite keeps in its arena: neither constants, nor variables, nor what it computes when the model is made ready. */
static bool is_in_arena(const struct asking *q, const struct tensor *t)
{
    return !t->is_variable && !q->uses[t->index].known_early;
}

static double tensor_fact(struct asking *q, const struct expr *e)
{
    const struct tensor *t = at(q, e->x);
    const struct tensor_uses *uses = t ? &q->uses[t->index] : NULL;
    const struct tensor *after;

    if (!t)
        return 0;
    switch ((enum tensor_fact)e->what) {
    case TENSOR_PRESENT: return 1;
    case TENSOR_TYPE: return t->type;
    case TENSOR_RANK: return t->rank;
    case TENSOR_ELEMS: return (double)tensor_elems(t);
    case TENSOR_CONST: return rules_is_const(q->g, t);
    case TENSOR_RUNTIME: return !rules_is_const(q->g, t);
    case TENSOR_ARENA: return is_in_arena(q, t);
    case TENSOR_VARIABLE: return t->is_variable;
    case TENSOR_SCALES: return t->quant.n;
    case TENSOR_AXIS: return t->quant.dim;
    case TENSOR_SPARSE: return t->sparsity != NULL;
    case TENSOR_READERS: return uses->readers;
    case TENSOR_READER: return uses->reader ? uses->reader->builtin : -1;
    case TENSOR_READER_TYPE: after = uses->reader ? node_out(uses->reader, 0) : NULL; return after ? after->type : TYPE_NONE;
    case TENSOR_WRITER: return uses->writer ? uses->writer->builtin : -1;
    case TENSOR_INDEX: return e->x.side == REF_EACH ? q->t_index : e->x.index;
    case TENSOR_NUMBER: return t->index;
    case TENSOR_DIM: return dimension(t, rules_value(q, e->a));
    case TENSOR_VALUE: return element(q, t, rules_value(q, e->a));
    case TENSOR_SHAPE:
    case TENSOR_EXTENTS:
    case TENSOR_NAME:
    case TENSOR_FACTS: break;
    }
    return 0;
}

/* From the last dimension on, each equal or one of them 1; the shorter one ends first. */
static bool broadcasts(const struct tensor *a, const struct tensor *b)
{
    for (int32_t i = 1; i <= a->rank && i <= b->rank; i++) {
        const int32_t x = a->dim[a->rank - i], y = b->dim[b->rank - i];

        if (x != y && x != 1 && y != 1)
            return false;
    }
    return true;
}

static double shapes(const struct asking *q, const struct expr *e)
{
    const struct tensor *a = at(q, e->x), *b = at(q, e->y);

    if (!a || !b)
        return 0;
    switch ((enum shape_relation)e->what) {
    case SHAPES_SAME: return tensor_same_shape(a, b);
    case SHAPES_BROADCAST: return broadcasts(a, b);
    case SHAPES_ONE_TENSOR: return a == b;
    }
    return 0;
}

/* q->t stays at the tensor that decided. */
static double each(struct asking *q, const struct expr *e)
{
    const bool all = e->what == EACH_ALL || e->what == EACH_ALL_IN || e->what == EACH_ALL_OUT;
    const bool ins = e->what != EACH_ALL_OUT && e->what != EACH_ANY_OUT, outs = e->what != EACH_ALL_IN && e->what != EACH_ANY_IN;

    for (uint32_t i = ins ? 0 : q->n->n_in; i < q->n->n_in + (outs ? q->n->n_out : 0); i++) {
        q->t_index = i < q->n->n_in ? i : i - q->n->n_in;
        q->t = i < q->n->n_in ? input(q, i) : q->n->out[i - q->n->n_in];
        if (q->t && (rules_value(q, e->a) != 0) != all)
            return !all;
    }
    return all;
}

static double binary(struct asking *q, const struct expr *e)
{
    const double a = rules_value(q, e->a);
    double b;

    if (e->what == BIN_OR && a != 0)
        return 1;
    if (e->what == BIN_AND && a == 0)
        return 0;
    b = rules_value(q, e->b);
    switch ((enum binary)e->what) {
    case BIN_OR:
    case BIN_AND: return b != 0;
    case BIN_EQ: return a == b;
    case BIN_NE: return a != b;
    case BIN_LT: return a < b;
    case BIN_LE: return a <= b;
    case BIN_GT: return a > b;
    case BIN_GE: return a >= b;
    case BIN_ADD: return a + b;
    case BIN_SUB: return a - b;
    case BIN_MUL: return a * b;
    case BIN_REM: return b != 0 ? fmod(a, b) : a;
    }
    return 0;
}

int rules_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* NaN, which large products come to, is in no set. */
static bool is_member(const struct rules_set *s, double value)
{
    return !isnan(value) && bsearch(&value, s->members, s->n, sizeof *s->members, rules_by_value);
}

double rules_value(struct asking *q, const struct expr *e)
{
    switch (e->kind) {
    case EXPR_NUMBER: return e->number;
    case EXPR_NODE: return node_fact(q, (enum node_fact)e->what);
    case EXPR_OPTION: return option(q->n, e->name);
    case EXPR_TENSOR: return tensor_fact(q, e);
    case EXPR_SHAPES: return shapes(q, e);
    case EXPR_NOT: return rules_value(q, e->a) == 0;
    case EXPR_NEGATE: return -rules_value(q, e->a);
    case EXPR_BINARY: return binary(q, e);
    case EXPR_EACH: return each(q, e);
    case EXPR_IN: return is_member(e->set, rules_value(q, e->a));
    }
    return 0;
}

/* ---- messages ---- */

static void append(char *out, size_t size, const char *text)
{
    const size_t n = strlen(out);

    snprintf(out + n, size - n, "%s", text);
}

static void append_shape(char *out, size_t size, const struct tensor *t, const char *between)
{
    char dim[16];

    for (int32_t i = 0; i < t->rank; i++) {
        snprintf(dim, sizeof dim, "%s%d", i ? between : "", t->dim[i]);
        append(out, size, dim);
    }
}

static void append_value(struct asking *q, const struct expr *e, char *out, size_t size)
{
    const struct tensor *t = e->kind == EXPR_TENSOR ? at(q, e->x) : NULL;
    const bool reads_type = e->kind == EXPR_TENSOR && (e->what == TENSOR_TYPE || e->what == TENSOR_READER_TYPE);
    char number[32];

    if (reads_type)
        append(out, size, t ? type_name((enum tensor_type)rules_value(q, e)) : "NOTYPE");
    else if (e->kind == EXPR_TENSOR && e->what >= TENSOR_SHAPE && !t)
        return;
    else if (e->kind == EXPR_TENSOR && (e->what == TENSOR_SHAPE || e->what == TENSOR_EXTENTS))
        append_shape(out, size, t, e->what == TENSOR_SHAPE ? "," : "x");
    else if (e->kind == EXPR_TENSOR && e->what == TENSOR_NAME)
        append(out, size, t->name);
    else if (e->kind == EXPR_NODE && e->what == NODE_OP)
        append(out, size, q->n->name);
    else if (e->kind == EXPR_NODE && e->what == NODE_CALLED)
        append(out, size, rules_called(q->n));
    else {
        snprintf(number, sizeof number, "%.10g", rules_value(q, e));
        append(out, size, number);
    }
}

void rules_fill(struct asking *q, const struct message_piece *m, char *out, size_t size)
{
    *out = '\0';
    for (; m; m = m->next) {
        append(out, size, m->text);
        if (m->fill)
            append_value(q, m->fill, out, size);
    }
}
