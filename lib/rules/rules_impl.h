/* SPDX-License-Identifier: Apache-2.0 */
/* rules_impl.h - a rule set as its reader leaves it and its evaluation finds it: rows, and expressions as trees.
 *
 * All of it lies in the arena of the struct rules. Expressions compute with doubles, which hold every number that a model can have
 * of this kind (dimensions, counts below 2^53, codes) exactly; a truth value is 0 or 1. */
#ifndef DELEGAUGE_RULES_IMPL_H
#define DELEGAUGE_RULES_IMPL_H

#include "lib/rules/rules.h"

/* Bounds on any file, so that neither reading nor asking can be made slow: the nesting of expressions, the steps of one expression
 * with its names put in place, the steps of all rows together, and the names of `let` and `set`. Doubles hold whole numbers exactly
 * up to RULES_MAX_NUMBER. */
enum { RULES_MAX_DEPTH = 48, RULES_MAX_STEPS = 512, RULES_MAX_ROW_STEPS = 1 << 16, RULES_MAX_NAMES = 1024 };
#define RULES_MAX_NUMBER (UINT64_C(1) << 53)

enum expr_kind {
    EXPR_NUMBER, /* number */
    EXPR_NODE,   /* enum node_fact */
    EXPR_OPTION, /* name: a field of the operator's option table */
    EXPR_TENSOR, /* enum tensor_fact, of x; a: its index, if it takes one */
    EXPR_SHAPES, /* enum shape_relation, of x and y */
    EXPR_NOT,
    EXPR_NEGATE,
    EXPR_BINARY, /* enum binary; a, b */
    EXPR_IN,     /* a, set */
    EXPR_EACH    /* enum each; a */
};

enum binary { BIN_OR, BIN_AND, BIN_EQ, BIN_NE, BIN_LT, BIN_LE, BIN_GT, BIN_GE, BIN_ADD, BIN_SUB, BIN_MUL, BIN_REM };
enum each { EACH_ALL, EACH_ANY, EACH_ALL_IN, EACH_ANY_IN, EACH_ALL_OUT, EACH_ANY_OUT };
enum shape_relation { SHAPES_SAME, SHAPES_BROADCAST, SHAPES_ONE_TENSOR };

enum node_fact {
    NODE_OP,
    NODE_VERSION,
    NODE_INPUTS,
    NODE_OUTPUTS,
    NODE_RUNTIME_INPUTS,
    NODE_CONST_INPUTS,
    NODE_DYNAMIC_TENSOR,
    NODE_CALLED, /* for messages alone */
    NODE_FACTS
};

enum tensor_fact {
    TENSOR_PRESENT,
    TENSOR_TYPE,
    TENSOR_RANK,
    TENSOR_ELEMS,
    TENSOR_CONST,
    TENSOR_RUNTIME,
    TENSOR_ARENA,
    TENSOR_VARIABLE,
    TENSOR_SCALES,
    TENSOR_AXIS,
    TENSOR_SPARSE,
    TENSOR_READERS,
    TENSOR_READER,
    TENSOR_READER_TYPE,
    TENSOR_WRITER,
    TENSOR_INDEX,
    TENSOR_NUMBER,
    TENSOR_DIM, /* from here on facts take an index */
    TENSOR_VALUE,
    TENSOR_SHAPE, /* from here on facts are for messages alone */
    TENSOR_EXTENTS,
    TENSOR_NAME,
    TENSOR_FACTS
};

/* A tensor of the node: input or output `index`, or the one that all(), any() and so on look at. */
struct tensor_ref {
    enum { REF_IN, REF_OUT, REF_EACH } side;
    uint32_t index;
};

struct rules_set {
    const char *name;
    double *members; /* [n], sorted */
    uint32_t n;
    struct rules_set *next;
};

struct expr {
    enum expr_kind kind;
    int what; /* value of the enum that belongs to `kind` */
    double number;
    const char *name;
    const struct rules_set *set;
    struct tensor_ref x, y;
    const struct expr *a, *b;
    uint32_t steps; /* steps of its evaluation at most, counting one tensor in EXPR_EACH */
};

struct rules_name { /* let NAME = EXPRESSION */
    const char *name;
    const struct expr *is;
    struct rules_name *next;
};

/* A text and then, but for the last piece, a number or word. */
struct message_piece {
    const char *text;
    const struct expr *fill; /* NULL: none */
    struct message_piece *next;
};

enum { ROW_YES = RULES_YES, ROW_NO = RULES_NO, ROW_INCORRECT = RULES_INCORRECT, ROW_CRASH = RULES_CRASH, ROW_PARTIAL };

struct rules_row {
    int answer; /* RULES_*, or ROW_PARTIAL: no if any other node is left to the CPU, else yes */
    enum reason_code code;
    const struct expr *when; /* NULL: always */
    bool unless;
    struct message_piece *message;
    struct rules_row *next;
};

enum section_kind { SECTION_FIRST, SECTION_OPS, SECTION_OTHER, SECTION_EVERY };

struct rules_section {
    enum section_kind kind;
    int32_t *ops;         /* [n_ops] builtin codes */
    const char **customs; /* [n_customs] names of custom operators */
    uint32_t n_ops, n_customs;
    struct rules_row *rows, **tail;
    struct rules_section *next;
};

struct rules_program {
    struct rules *base; /* set that this one narrows; NULL: none */
    bool sees_through;  /* a DEQUANTIZE of a FLOAT16 constant: its readers read the constant */
    struct rules_section *sections, **tail;
    struct rules_set *sets;
    struct rules_name *names;
};

/* State of reading a file. */
struct rules_reader {
    struct rules *rules;
    const char *file;
    uint32_t line;
    const char *at; /* within the line, which ends with '\0' */
    uint32_t depth;
    bool in_each, in_message;
    uint32_t row_steps, names; /* numbers so far */
    uint32_t settings;         /* settings that were read already, as bits */
    enum status st;            /* the first failure, which sticks */
    struct err *err;
};

/* Keep the first failure: "FILE:LINE: ...". Returns NULL. */
void *rules_fail(struct rules_reader *rd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Return n objects in the arena of the rules, or NULL with the failure kept. */
void *rules_room(struct rules_reader *rd, size_t n, size_t size);

/* Copy the word at rd->at into the arena: letters, digits, '_', and '.' and '-' if `more` has them. NULL if there is none, which is
 * no failure. Blanks before it are skipped. */
char *rules_word(struct rules_reader *rd, const char *more);

/* Look up the number of a name: a type ("FLOAT32") or an operator ("CONV_2D"); false if it is neither. */
bool rules_constant(const char *name, double *out);

/* Return true if a word means something in expressions before a file gives it a meaning. */
bool rules_word_is_taken(const char *word);

/* Read the digits that *at points to, and move *at behind them. False above RULES_MAX_NUMBER, with the failure kept. */
bool rules_number(struct rules_reader *rd, const char **at, double *out);

/* Read an expression from rd->at on; NULL with the failure kept. */
const struct expr *rules_expression(struct rules_reader *rd);

/* Facts about a tensor's uses. */
struct tensor_uses {
    uint32_t readers;
    const struct node *reader, *writer; /* the first one in execution order; NULL: none */
    bool known_early;                   /* TFLite knows the value when it makes the model ready */
};

/* A node that is being asked about. */
struct asking {
    const struct graph *g;
    const struct rules_program *program;
    const struct tensor_uses *uses; /* [g->n_tensors] */
    int64_t dynamic_tensor;         /* the first tensor of the graph whose shape only a run knows; -1: none */
    const struct node *n;
    const struct tensor *t; /* tensor that all() and any() look at, or looked at last */
    uint32_t t_index;       /* its place among inputs, or outputs */
};

double rules_value(struct asking *q, const struct expr *e);

/* Compare two doubles for sorting and finding; neither is NaN. */
int rules_by_value(const void *a, const void *b);

/* Return true if a tensor's content is in the file. A tensor computed at plan time is none of these. */
bool rules_is_const(const struct graph *g, const struct tensor *t);

/* Fill uses[g->n_tensors], which is zeroed. */
void rules_find_uses(const struct graph *g, struct tensor_uses *uses);

/* Return the index of the first tensor of q->g whose shape TFLite finds only while running, -1: there is none. */
int64_t rules_dynamic_tensor(const struct asking *q);

/* Return the name by which a composite or a custom operator is known, else "". */
const char *rules_called(const struct node *n);

/* Write the message with its numbers, cut if it does not fit. */
void rules_fill(struct asking *q, const struct message_piece *m, char *out, size_t size);

#endif
