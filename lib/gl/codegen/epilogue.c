/* SPDX-License-Identifier: Apache-2.0 */
/* epilogue.c - what fused functions make of a result before it is stored. */
#include "lib/gl/codegen/access.h"
#include "lib/gl/codegen/dedup_shaders.h"

#include <stdio.h>
#include <string.h>

/* What number `letter` of function k is called: an operand a, b, c or a parameter x, y, z, w. */
struct epilogue_name {
    char s[32];
};

static struct epilogue_name epilogue_name(int k, char letter)
{
    struct epilogue_name name;

    snprintf(name.s, sizeof name.s, "EPILOGUE%d_%c", k, letter);
    return name;
}

static void add_scalar(struct gl_shader *p, const char *name, const struct ir_value *v)
{
    if (v->type == IR_INT)
        gl_param(p, name, *(const int32_t *)v->data);
    else
        gl_param_float(p, name, *(const float *)v->data);
}

static struct gl_binding *binding_of(struct gl_shader *p, const struct ir_value *v)
{
    for (uint32_t i = 0; i < p->n_bind; i++)
        if (p->bind[i].bind == GL_BIND_INPUT && p->bind[i].value == v)
            return &p->bind[i];
    return NULL;
}

/* Binds a value that an epilogue reads, unless the kernel reads it already. */
static void bind_operand(struct gl_shader *p, const struct ir_value *v)
{
    struct gl_binding *b = binding_of(p, v);
    char name[16];

    if (!b) {
        snprintf(name, sizeof name, "operand%u", p->n_bind);
        gl_input(p, name, v);
        b = binding_of(p, v);
    }
    if (b)
        b->used |= 1u << ACCESS_LOADB;
}

/* What clamps the result last of all does so by two numbers, and whatever lacks such a function leaves that out (dedup_shaders.h):
 * layers that differ by it alone share a program. */
static bool clamps_by_numbers(const struct gl_shader *p)
{
    return p->op && p->op->out->type == IR_FLOAT && gl_binds_uniforms(p);
}

static bool is_last_clamp(const struct gl_shader *p, const struct ir_epilogue *e)
{
    return !e->next && e->fn->clamp && e->in == IR_FLOAT && !e->operand[0] && !e->back[0] && clamps_by_numbers(p);
}

static void add_clamp(struct gl_shader *p, const struct ir_clamp *c)
{
    gl_param_float(p, "LEAST_STORED", c->least);
    gl_param_float(p, "MOST_STORED", c->most);
}

void gl_bind_epilogues(struct gl_shader *p)
{
    uint8_t clamp = IR_CLAMP_NONE;
    int k = 0;

    for (const struct ir_epilogue *e = p->op ? p->op->epilogue : NULL; e; e = e->next, k++) {
        if (is_last_clamp(p, e)) {
            clamp = e->fn->clamp;
            continue;
        }
        for (uint32_t i = 0; i < e->fn->arity; i++)
            if (e->operand[i] && ir_is_scalar(e->operand[i]))
                add_scalar(p, epilogue_name(k, "ABC"[i]).s, e->operand[i]);
            else if (e->operand[i])
                bind_operand(p, e->operand[i]);
        for (int i = 0; i < 4 && e->fn->params; i++)
            gl_param_float(p, epilogue_name(k, "XYZW"[i]).s, e->p[i]);
    }
    if (clamps_by_numbers(p))
        add_clamp(p, &ir_clamps[clamp]);
}

static void define_helper(struct text *t, const struct ir_epilogue *list, const struct ir_epilogue *e)
{
    if (!e->fn->helper)
        return;
    while (list != e && (!list->fn->helper || strcmp(list->fn->helper, e->fn->helper) != 0))
        list = list->next;
    if (list == e)
        text_add(t, "%s", e->fn->helper);
}

/* [functions + 1] what the value is before each of them, and after the last. NULL: out of memory. */
static enum ir_type *types_between(const struct gl_shader *p)
{
    enum ir_type *types;
    size_t n = 1;

    for (const struct ir_epilogue *e = p->op->epilogue; e; e = e->next)
        n++;
    if (!(types = ARENA_ARRAY(p->arena, n, enum ir_type)))
        return NULL;
    types[0] = p->op->stores;
    n = 1;
    for (const struct ir_epilogue *e = p->op->epilogue; e; e = e->next)
        types[n++] = e->out;
    return types;
}

static void define_epilogue(struct text *t, const struct ir_epilogue *e, int k, const enum ir_type *types)
{
    static const char letters[] = "abc";

    text_add(t, "%s epilogue_%d(", gl_vec(e->out), k);
    for (uint32_t i = 0; i < e->fn->arity; i++)
        text_add(t, "%s%s %c", i ? ", " : "", gl_vec(e->operand[i] ? e->operand[i]->type : types[k - e->back[i]]), letters[i]);
    text_add(t, ") /* %s */\n{\n", e->fn->name);
    if (e->fn->params)
        text_add(t, "    vec4 p = vec4(%s, %s, %s, %s);\n", epilogue_name(k, 'X').s, epilogue_name(k, 'Y').s,
                 epilogue_name(k, 'Z').s, epilogue_name(k, 'W').s);
    text_add(t, "    PRECISE %s r = %s;\n    return %s;\n}\n", gl_vec(e->out), e->in == IR_INT ? e->fn->i : e->fn->f,
             e->in != IR_INT && e->fn->keeps_nan ? "KEEP_NAN(r, a)" : "r");
}

static void apply_epilogue(struct gl_shader *p, struct text *t, const struct ir_epilogue *e, int k)
{
    text_add(t, "    %s v%d = epilogue_%d(", gl_vec(e->out), k + 1, k);
    for (uint32_t i = 0; i < e->fn->arity; i++) {
        text_add(t, "%s", i ? ", " : "");
        if (!e->operand[i])
            text_add(t, "v%d", k - e->back[i]);
        else if (ir_is_scalar(e->operand[i]))
            text_add(t, "%s(%s)", gl_vec(e->operand[i]->type), epilogue_name(k, "ABC"[i]).s);
        else
            text_add(t, "loadb_%s(b, h, w, s)", binding_of(p, e->operand[i])->name);
    }
    text_add(t, ");\n");
}

void gl_define_epilogues(struct gl_shader *p, struct text *t)
{
    const struct ir_epilogue *list = p->op->epilogue;
    const enum ir_type *types = types_between(p);
    int k = 0;

    p->failed |= !types;
    for (const struct ir_epilogue *e = list; e && types && !is_last_clamp(p, e); e = e->next) {
        define_helper(t, list, e);
        define_epilogue(t, e, k++, types);
    }
}

/* Comparisons instead of clamp(), which may turn NaN into anything. */
static void apply_clamp(struct text *t, int k, bool left_out)
{
    text_add(t,
             "%s    PRECISE vec4 r = mix(mix(v%d, vec4(LEAST_STORED), lessThan(v%d, vec4(LEAST_STORED))), vec4(MOST_STORED), "
             "greaterThan(v%d, vec4(MOST_STORED))); vec4 v = KEEP_NAN(r, v%d);\n",
             left_out ? GL_LEFT_OUT : "", k, k, k, k);
}

void gl_apply_epilogues(struct gl_shader *p, struct text *t, const char *final)
{
    const struct ir_epilogue *e = p->op->epilogue;
    int k = 0;

    for (; e && !is_last_clamp(p, e); e = e->next)
        apply_epilogue(p, t, e, k++);
    if (clamps_by_numbers(p))
        apply_clamp(t, k, !e);
    if (!e)
        text_add(t, "%s    %s v = v%d;\n", clamps_by_numbers(p) ? GL_INSTEAD : "", final, k);
}
