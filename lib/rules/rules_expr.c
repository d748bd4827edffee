/* SPDX-License-Identifier: Apache-2.0 */
/* rules_expr.c - reads the expressions of rule sets: recursive descent, as deep and as long as the limits let it. */
#include <stdlib.h>
#include <string.h>

#include "lib/rules/rules_impl.h"
#include "schema/option_table.h"

static const char *const node_facts[NODE_FACTS] = {"op",           "version",        "inputs", "outputs", "runtime_inputs",
                                                   "const_inputs", "dynamic_tensor", "called"};
static const char *const tensor_facts[TENSOR_FACTS] = {
    "present", "type",   "rank",        "elems",  "const", "runtime", "arena", "variable", "scales", "axis",    "sparse",
    "readers", "reader", "reader_type", "writer", "index", "number",  "dim",   "value",    "shape",  "extents", "name"};
static const char *const each_names[] = {"all", "any", "all_in", "any_in", "all_out", "any_out"};
static const char *const relations[] = {"same_shape", "broadcasts", "same_tensor"};

static int find(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return (int)i;
    return -1;
}

#define FIND(names, name) find(names, sizeof(names) / sizeof *(names), name)

static void blanks(struct rules_reader *rd)
{
    rd->at += strspn(rd->at, " \t");
}

/* Takes a sign, or leaves it. */
static bool sign(struct rules_reader *rd, const char *text)
{
    blanks(rd);
    if (strncmp(rd->at, text, strlen(text)) != 0)
        return false;
    rd->at += strlen(text);
    return true;
}

static bool expect(struct rules_reader *rd, const char *text)
{
    return sign(rd, text) || rules_fail(rd, "\"%s\" is missing before \"%.20s\"", text, rd->at);
}

/* A word of the language, which no longer word begins with. */
static bool keyword(struct rules_reader *rd, const char *word)
{
    const size_t n = strlen(word);

    blanks(rd);
    if (strncmp(rd->at, word, n) != 0 ||
        strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", rd->at[n] ? rd->at[n] : ' '))
        return false;
    rd->at += n;
    return true;
}

static struct expr *make(struct rules_reader *rd, enum expr_kind kind, int what, const struct expr *a, const struct expr *b)
{
    struct expr *e = rules_room(rd, 1, sizeof *e);

    if (!e)
        return NULL;
    *e = (struct expr){.kind = kind, .what = what, .a = a, .b = b, .steps = 1 + (a ? a->steps : 0) + (b ? b->steps : 0)};
    if (e->steps > RULES_MAX_STEPS)
        return rules_fail(rd, "an expression takes more than %d steps", RULES_MAX_STEPS);
    return e;
}

static const struct expr *number(struct rules_reader *rd, double value)
{
    struct expr *e = make(rd, EXPR_NUMBER, 0, NULL, NULL);

    if (e)
        e->number = value;
    return e;
}

bool rules_number(struct rules_reader *rd, const char **at, double *out)
{
    const size_t digits = strspn(*at, "0123456789");
    char *end;
    const unsigned long long value = strtoull(*at, &end, 10); /* the largest there is where it is larger */

    if (value > RULES_MAX_NUMBER)
        return rules_fail(rd, "%.*s is above %llu, the largest number", digits > 40 ? 40 : (int)digits, *at,
                          (unsigned long long)RULES_MAX_NUMBER);
    *at = end;
    *out = (double)value;
    return true;
}

static const struct expr *read_or(struct rules_reader *rd);

const struct expr *rules_expression(struct rules_reader *rd)
{
    const struct expr *e;

    if (++rd->depth > RULES_MAX_DEPTH)
        return rules_fail(rd, "expressions are nested more than %d deep", RULES_MAX_DEPTH);
    e = read_or(rd);
    rd->depth--;
    return e;
}

/* "in0", "out2", "t"; leaves what is none of these. */
static bool is_tensor(const char *word, struct tensor_ref *out)
{
    const bool in = !strncmp(word, "in", 2), of_out = !strncmp(word, "out", 3);
    const char *digits = word + (in ? 2 : 3);

    if (!strcmp(word, "t")) {
        out->side = REF_EACH;
        return true;
    }
    if ((!in && !of_out) || !*digits || strlen(digits) > 2 || strspn(digits, "0123456789") != strlen(digits))
        return false;
    out->side = in ? REF_IN : REF_OUT;
    out->index = (uint32_t)strtoul(digits, NULL, 10);
    return true;
}

static bool tensor_ref(struct rules_reader *rd, const char *word, struct tensor_ref *out)
{
    if (!is_tensor(word, out))
        return false;
    if (out->side == REF_EACH && !rd->in_each && !rd->in_message)
        rules_fail(rd, "t stands for a tensor within all(...) and its like, and in messages");
    return true;
}

bool rules_word_is_taken(const char *word)
{
    static const char *const others[] = {"opt", "or", "and", "not", "in", "if", "unless"};
    struct tensor_ref x;
    double value;

    return (*word >= '0' && *word <= '9') || FIND(others, word) >= 0 || FIND(node_facts, word) >= 0 ||
           FIND(each_names, word) >= 0 || FIND(relations, word) >= 0 || is_tensor(word, &x) || rules_constant(word, &value);
}

static const struct expr *tensor_fact(struct rules_reader *rd, struct tensor_ref x)
{
    char *word = sign(rd, ".") ? rules_word(rd, "") : NULL;
    const int what = word ? FIND(tensor_facts, word) : -1;
    const struct expr *index = NULL;
    struct expr *e;

    if (what < 0)
        return rules_fail(rd, "a tensor has no \"%s\"", word ? word : "");
    if (what >= TENSOR_SHAPE && !rd->in_message)
        return rules_fail(rd, "\"%s\" is for messages", word);
    if ((what == TENSOR_DIM || what == TENSOR_VALUE) && (!expect(rd, "(") || !(index = rules_expression(rd)) || !expect(rd, ")")))
        return NULL;
    if ((e = make(rd, EXPR_TENSOR, what, index, NULL)))
        e->x = x;
    return e;
}

/* all(...) and its like: one within another would take the product of their steps. */
static const struct expr *each(struct rules_reader *rd, int what)
{
    const struct expr *a;

    if (rd->in_each)
        return rules_fail(rd, "%s(...) stands within another one", each_names[what]);
    rd->in_each = true;
    a = expect(rd, "(") ? rules_expression(rd) : NULL;
    rd->in_each = false;
    return a && expect(rd, ")") ? make(rd, EXPR_EACH, what, a, NULL) : NULL;
}

static const struct expr *relation(struct rules_reader *rd, int what)
{
    struct tensor_ref x, y;
    char *a = expect(rd, "(") ? rules_word(rd, "") : NULL, *b = a && expect(rd, ",") ? rules_word(rd, "") : NULL;
    struct expr *e;

    if (!b || !tensor_ref(rd, a, &x) || !tensor_ref(rd, b, &y))
        return rules_fail(rd, "%s takes two tensors, as %s(in0, in1)", relations[what], relations[what]);
    if (!expect(rd, ")") || !(e = make(rd, EXPR_SHAPES, what, NULL, NULL)))
        return NULL;
    e->x = x;
    e->y = y;
    return e;
}

/* A name given by `let` is the expression itself: trees share it. */
static const struct expr *given_name(struct rules_reader *rd, const char *word)
{
    double value;

    for (const struct rules_name *n = rd->rules->program->names; n; n = n->next)
        if (!strcmp(n->name, word))
            return n->is;
    if (rules_constant(word, &value))
        return number(rd, value);
    return rules_fail(rd, "\"%s\" is unknown", word);
}

/* An option of any operator that is a number. */
static bool is_option(const char *name)
{
    for (int kind = OPTIONS_NONE + 1; kind < OPTIONS_COUNT; kind++) {
        const struct options_table *table = options_table((enum options_kind)kind);

        for (uint16_t i = 0; table && i < table->n_fields; i++)
            if (table->fields[i].kind < FIELD_STRING && !strcmp(table->fields[i].name, name))
                return true;
    }
    return false;
}

static const struct expr *option(struct rules_reader *rd)
{
    struct expr *e;
    char *name = expect(rd, ".") ? rules_word(rd, "") : NULL;

    if (!name)
        return rules_fail(rd, "opt takes the name of an option, as opt.stride_height");
    if (!is_option(name))
        return rules_fail(rd, "no operator has an option \"%.60s\" that is a number", name);
    if ((e = make(rd, EXPR_OPTION, 0, NULL, NULL)))
        e->name = name;
    return e;
}

static const struct expr *primary(struct rules_reader *rd)
{
    struct tensor_ref x = {0};
    const struct expr *e;
    double value;
    char *word;
    int what;

    if (sign(rd, "("))
        return (e = rules_expression(rd)) && expect(rd, ")") ? e : NULL;
    if (*rd->at >= '0' && *rd->at <= '9')
        return rules_number(rd, &rd->at, &value) ? number(rd, value) : NULL;
    if (!(word = rules_word(rd, "")))
        return rules_fail(rd, "an operand is missing before \"%.20s\"", rd->at);
    if ((what = FIND(each_names, word)) >= 0)
        return each(rd, what);
    if ((what = FIND(relations, word)) >= 0)
        return relation(rd, what);
    what = FIND(node_facts, word);
    if (what == NODE_CALLED && !rd->in_message)
        return rules_fail(rd, "\"called\" is for messages");
    if (what >= 0)
        return make(rd, EXPR_NODE, what, NULL, NULL);
    if (!strcmp(word, "opt"))
        return option(rd);
    return tensor_ref(rd, word, &x) ? tensor_fact(rd, x) : given_name(rd, word);
}

static const struct expr *read_unary(struct rules_reader *rd)
{
    const struct expr *a;

    if (!sign(rd, "-"))
        return primary(rd);
    return (a = primary(rd)) ? make(rd, EXPR_NEGATE, 0, a, NULL) : NULL;
}

/* Operands joined by one of two signs, from left to right. */
static const struct expr *read_chain(struct rules_reader *rd, const struct expr *(*operand)(struct rules_reader *rd),
                                     const char *const signs[2], const int what[2])
{
    const struct expr *a = operand(rd), *b;

    while (a) {
        const int i = sign(rd, signs[0]) ? 0 : sign(rd, signs[1]) ? 1 : -1;

        if (i < 0)
            break;
        a = (b = operand(rd)) ? make(rd, EXPR_BINARY, what[i], a, b) : NULL;
    }
    return a;
}

static const struct expr *read_product(struct rules_reader *rd)
{
    return read_chain(rd, read_unary, (const char *const[]){"*", "%"}, (const int[]){BIN_MUL, BIN_REM});
}

static const struct expr *read_sum(struct rules_reader *rd)
{
    return read_chain(rd, read_product, (const char *const[]){"+", "-"}, (const int[]){BIN_ADD, BIN_SUB});
}

static const struct expr *in_set(struct rules_reader *rd, const struct expr *a)
{
    char *name = rules_word(rd, "");
    const struct rules_set *s = rd->rules->program->sets;
    struct expr *e;

    while (s && name && strcmp(s->name, name) != 0)
        s = s->next;
    if (!name || !s)
        return rules_fail(rd, "no set is named \"%s\"", name ? name : "");
    if ((e = make(rd, EXPR_IN, 0, a, NULL)))
        e->set = s;
    return e;
}

/* The longer signs first. */
static const struct expr *read_comparison(struct rules_reader *rd)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">"};
    static const enum binary kinds[] = {BIN_EQ, BIN_NE, BIN_LE, BIN_GE, BIN_LT, BIN_GT};
    const struct expr *a = read_sum(rd), *b;

    if (!a)
        return NULL;
    if (keyword(rd, "in"))
        return in_set(rd, a);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (sign(rd, signs[i]))
            return (b = read_sum(rd)) ? make(rd, EXPR_BINARY, (int)kinds[i], a, b) : NULL;
    return a;
}

static const struct expr *read_not(struct rules_reader *rd)
{
    bool negated = false;
    const struct expr *a;

    while (keyword(rd, "not"))
        negated = !negated;
    a = read_comparison(rd);
    return a && negated ? make(rd, EXPR_NOT, 0, a, NULL) : a;
}

static const struct expr *read_and(struct rules_reader *rd)
{
    const struct expr *a = read_not(rd), *b;

    while (a && keyword(rd, "and"))
        a = (b = read_not(rd)) ? make(rd, EXPR_BINARY, BIN_AND, a, b) : NULL;
    return a;
}

static const struct expr *read_or(struct rules_reader *rd)
{
    const struct expr *a = read_and(rd), *b;

    while (a && keyword(rd, "or"))
        a = (b = read_and(rd)) ? make(rd, EXPR_BINARY, BIN_OR, a, b) : NULL;
    return a;
}
