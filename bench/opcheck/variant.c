/* SPDX-License-Identifier: Apache-2.0 */
/* variant.c - cases made from cases. */
#include "bench/opcheck/variant.h"

#include <stdio.h>
#include <string.h>

#include "bench/opcheck/case_model.h"
#include "lib/gl/passes/choose.h"

#define FEW_ELEMS     5   /* enough for each of the special values that must appear */
#define MANY_ELEMS    350 /* golden outputs are text */
#define FEW_CONSTANTS 4

struct list {
    struct arena *arena;
    struct op_case *v;
    uint32_t n, room;
};

/* Whether `name` has one of the texts of `list`, which stand between bars. */
static bool has_one_of(const char *name, const char *list)
{
    char text[64];

    for (const char *p = list; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(p, "|"), p);
        if (strstr(name, text))
            return true;
    }
    return false;
}

/* A copy of `c` to be changed; NULL when memory runs out. */
static struct op_case *add(struct list *l, const struct op_case *c, const char *name)
{
    if (!name)
        return NULL;
    if (l->n + 1 >= l->room) {
        uint32_t room = 2 * l->room + 16;
        struct op_case *more = ARENA_ARRAY(l->arena, room, struct op_case);

        if (!more)
            return NULL;
        if (l->n)
            memcpy(more, l->v, l->n * sizeof *more);
        l->v = more;
        l->room = room;
    }
    l->v[l->n] = *c;
    l->v[l->n].name = name;
    l->v[l->n].no_golden |= has_one_of(name, c->skip_golden);
    l->v[l->n + 1] = (struct op_case){0};
    return &l->v[l->n++];
}

static size_t elems_of(const struct case_tensor *t)
{
    size_t n = 1;

    for (int32_t d = 0; d < t->rank; d++)
        n *= (size_t)t->dim[d];
    return n;
}

/* The shapes of a model that the case puts together are its own. */
static bool has_variants(const struct op_case *c)
{
    return !c->fails && !c->build && !c->large && c->in[0].type != TYPE_STRING;
}

static bool is_float(enum tensor_type t)
{
    return t == TYPE_FLOAT32 || t == TYPE_FLOAT16 || t == TYPE_BFLOAT16 || t == TYPE_FLOAT64 || t == TYPE_COMPLEX64;
}

/* An integer with a range of its own is an index or a divisor; in a whole model it may count the turns of a loop. */
static bool can_be_special(const struct op_case *c, const struct case_tensor *t)
{
    return t->fill == FILL_UNIFORM && !t->constant && !t->variable &&
           (is_float(t->type) || (type_is_integer(t->type) && !c->build && t->lo == 0 && t->hi == 0));
}

static size_t special_elems(const struct op_case *c)
{
    size_t n = 0;

    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if (can_be_special(c, &c->in[i]))
            n += elems_of(&c->in[i]);
    return n;
}

static bool is_special(const struct op_case *c)
{
    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if (c->in[i].fill == FILL_SPECIAL)
            return true;
    return false;
}

static bool same_types(const struct op_case *a, const struct op_case *b)
{
    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if (a->in[i].type != b->in[i].type)
            return false;
    return a->out[0].type == b->out[0].type;
}

/* True where another case of these types is the better one to vary: it has special values already, or comes first. */
static bool is_special_elsewhere(const struct op_case *cases, const struct op_case *c)
{
    for (const struct op_case *o = cases; o->name; o++)
        if (!o->fails && same_types(o, c) && o != c &&
            (is_special(o) || (o < c && special_elems(o) >= FEW_ELEMS && special_elems(o) <= MANY_ELEMS)))
            return true;
    return false;
}

static bool add_special(struct list *l, const struct op_case *cases, const struct op_case *c)
{
    size_t n = special_elems(c);
    struct op_case *v;

    /* Which integers NaN and infinities become in a hybrid kernel, is left open. */
    if (n < FEW_ELEMS || n > MANY_ELEMS || is_special(c) || case_is_hybrid(c) || is_special_elsewhere(cases, c))
        return true;
    if (!(v = add(l, c, arena_printf(l->arena, "%s, special values", c->name))))
        return false;
    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if (can_be_special(c, &c->in[i]))
            v->in[i].fill = FILL_SPECIAL;
    return true;
}

/* Which dimensions become 0 together with one that has `size` at place `d` of `rank`. */
enum together { ALONE, FROM_THE_FIRST, FROM_THE_LAST, TOGETHER_COUNT };

static bool goes_along(const struct case_tensor *t, int32_t d, const struct case_tensor *like, int32_t like_d, enum together how)
{
    int32_t place = how == FROM_THE_LAST ? like_d + t->rank - like->rank : like_d;

    return how != ALONE && t->type != TYPE_NONE && t->type != TYPE_STRING && !(t->fill == FILL_GIVEN && t->constant) &&
           d == place && t->dim[d] == like->dim[like_d];
}

static bool has_name(const struct list *l, const char *name)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (!strcmp(l->v[i].name, name))
            return true;
    return false;
}

static bool add_empty(struct list *l, const struct op_case *c, uint32_t input, int32_t dim, enum together how)
{
    struct op_case changed = *c;
    const char *name = "";

    for (uint32_t i = 0; name && i < CASE_INPUTS; i++)
        for (int32_t d = 0; name && d < c->in[i].rank; d++)
            if ((i == input && d == dim) || goes_along(&c->in[i], d, &c->in[input], dim, how)) {
                changed.in[i].dim[d] = 0;
                name = arena_printf(l->arena, "%s%s%u.%d", name, name[0] ? "+" : "", i, d);
            }
    if (name)
        name = arena_printf(l->arena, "%s, %s empty", c->name, name);
    return name && (has_name(l, name) || add(l, &changed, name));
}

static bool add_empties(struct list *l, const struct op_case *c)
{
    for (uint32_t i = 0; i < CASE_INPUTS; i++) {
        const struct case_tensor *t = &c->in[i];

        if (t->type == TYPE_NONE || t->type == TYPE_STRING || t->constant || t->variable)
            continue;
        for (int32_t d = 0; d < t->rank; d++)
            for (int how = ALONE; t->dim[d] && how < TOGETHER_COUNT; how++)
                if (!add_empty(l, c, i, d, (enum together)how))
                    return false;
    }
    return true;
}

static bool can_be_computed(const struct case_tensor *t)
{
    return t->constant && (is_float(t->type) || type_is_integer(t->type) || t->type == TYPE_BOOL);
}

static uint64_t constants(const struct op_case *c)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        mask |= (uint64_t)can_be_computed(&c->in[i]) << i;
    return mask;
}

static bool add_computed(struct list *l, const struct op_case *c, uint64_t mask)
{
    struct op_case changed = *c;
    const char *name = "";

    for (uint32_t i = 0; name && i < CASE_INPUTS; i++)
        if (mask >> i & 1) {
            changed.in[i].constant = false;
            name = arena_printf(l->arena, "%s%s%u", name, name[0] ? "+" : "", i);
        }
    if (name)
        name = arena_printf(l->arena, "%s, %s at run time", c->name, name);
    return add(l, &changed, name);
}

/* For the first case with these constants. Many are the weights of a recurrent cell, which come all together. */
static bool add_all_computed(struct list *l, const struct op_case *cases, const struct op_case *c)
{
    uint64_t mask = constants(c);

    for (const struct op_case *o = cases; o < c; o++)
        if (has_variants(o) && constants(o) == mask)
            return true;
    for (uint32_t i = 0; __builtin_popcountll(mask) <= FEW_CONSTANTS && i < CASE_INPUTS; i++)
        if (mask >> i & 1 && mask != (uint64_t)1 << i && !add_computed(l, c, (uint64_t)1 << i))
            return false;
    return !mask || add_computed(l, c, mask);
}

const struct op_case *variants_new(const struct op_case *cases, struct arena *a)
{
    struct list l = {.arena = a};
    uint32_t emptied = 0;

    for (const struct op_case *c = cases; c->name; c++) {
        if (!c->fails && !c->large && !add_special(&l, cases, c))
            return NULL;
        if (has_variants(c) && !add_all_computed(&l, cases, c))
            return NULL;
        if (has_variants(c) && !emptied) {
            uint32_t before = l.n;

            if (!add_empties(&l, c))
                return NULL;
            emptied = l.n - before;
        }
    }
    return l.v ? l.v : ARENA_NEW(a, struct op_case);
}

static bool is_all_wanted(const struct gpus *g)
{
    for (int mode = 0; mode < GPU_MODES; mode++)
        if (!g->wanted[mode] && mode != GPU_EMULATED)
            return false;
    return true;
}

uint32_t variant_coverage_print(const struct gpus *g, bool whole)
{
    const bool judged = !strcmp(g->driver, "llvmpipe");
    uint32_t n = 0;

    if (!is_all_wanted(g) || !g->met)
        return 0;
    for (size_t i = 0; gl_kinds[i]; i++)
        for (uint32_t v = 0; v < gl_kinds[i]->n_variants; v++) {
            const struct gl_variant *variant = &gl_kinds[i]->variants[v];
            const char *kind = gl_kinds[i]->name, *name = variant->name;

            if (g->met[gl_variant_row(gl_kinds[i], variant)])
                continue;
            n++;
            if (!judged)
                printf("%s%s|%s", n == 1 ? "NOT RUN (variants): which no case was computed by on this driver: " : ", ", kind, name);
            else if (whole)
                printf("FAIL %s|%s: no case runs this variant\n", kind, name);
            else
                printf("not run here: %s|%s\n", kind, name);
        }
    if (n && !judged)
        putchar('\n');
    return judged && whole ? n : 0;
}
