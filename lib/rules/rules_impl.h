/* SPDX-License-Identifier: Apache-2.0 */
/* rules_impl.h - a parsed rule set: rows of conditions and messages, with expressions as trees.
 *
 * All of it lies in the arena of the struct rules. Expressions are computed in double, which holds every number of a model that
 * occurs here (dimensions, counts below 2^53, codes) exactly. A truth value is 0 or 1. */
#pragma once

#include "lib/rules/rules.h"

/* Limits of any file, so that parsing and evaluation cannot be made slow: nesting of expressions, steps of one expression with its
 * names expanded, steps of all rows together, names defined by `let` and `set`. Doubles hold whole numbers exactly up to
 * RULES_MAX_NUMBER. */
enum { RULES_MAX_DEPTH = 48, RULES_MAX_STEPS = 512, RULES_MAX_ROW_STEPS = 1 << 16, RULES_MAX_NAMES = 1024 };
#define RULES_MAX_NUMBER (UINT64_C(1) << 53)

/* Kind of an expression; beside each, the members of struct expr that it uses. */
enum expr_kind {
    EXPR_NUMBER, /* number */
    EXPR_NODE,   /* what: enum node_fact */
    EXPR_OPTION, /* name: a field of the operator's option table */
    EXPR_TENSOR, /* what: enum tensor_fact; x: the tensor; a: an index, for facts that have one */
    EXPR_SHAPES, /* what: enum shape_relation; x, y */
    EXPR_NOT,    /* a */
    EXPR_NEGATE, /* a */
    EXPR_BINARY, /* what: enum binary; a, b */
    EXPR_IN,     /* a is a member of set */
    EXPR_EACH    /* what: enum each; a is evaluated for each tensor */
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
    NODE_CALLED, /* in messages only */
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
    TENSOR_DIM, /* from here on facts have an index */
    TENSOR_VALUE,
    TENSOR_SHAPE, /* from here on facts are in messages only */
    TENSOR_EXTENTS,
    TENSOR_NAME,
    TENSOR_FACTS
};

/* A tensor of the node: input or output `index`, or (REF_EACH) the present tensor of all(), any() and the like. */
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
    uint32_t steps; /* most steps of an evaluation; EXPR_EACH counts one tensor */
};

struct rules_name { /* let NAME = EXPRESSION */
    const char *name;
    const struct expr *is;
    struct rules_name *next;
};

/* A text and a number or word to follow it; the last piece is text alone. */
struct message_piece {
    const char *text;
    const struct expr *fill; /* NULL: none */
    struct message_piece *next;
};

enum { ROW_YES = RULES_YES, ROW_NO = RULES_NO, ROW_INCORRECT = RULES_INCORRECT, ROW_CRASH = RULES_CRASH, ROW_PARTIAL };

struct rules_row {
    int answer; /* RULES_*; ROW_PARTIAL: no if any other node stays on the CPU, else yes */
    enum reason_code code;
    const struct expr *when; /* NULL: always */
    bool unless;             /* the row applies if `when` is false */
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
    struct rules *base; /* set whose answers this one narrows; NULL: none */
    bool sees_through;  /* readers of a DEQUANTIZE of a FLOAT16 constant read the constant itself */
    struct rules_section *sections, **tail;
    struct rules_set *sets;
    struct rules_name *names;
};

/* State of the parser. */
struct rules_reader {
    struct rules *rules;
    const char *file;
    uint32_t line;
    const char *at; /* position in the line, which ends with '\0' */
    uint32_t depth;
    bool in_each, in_message;
    uint32_t row_steps, names; /* totals so far */
    uint32_t settings;         /* bits of the settings that were read already */
    enum status st;            /* first failure */
    struct err *err;
};

/* Record a failure as "FILE:LINE: ...", unless there was one before. Returns NULL. */
void *rules_fail(struct rules_reader *rd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Allocate n zeroed objects in the arena of the rules. Returns NULL, with the failure recorded, if memory runs out. */
void *rules_room(struct rules_reader *rd, size_t n, size_t size);

/* Skip blanks and copy the word at rd->at into the arena: letters, digits and '_', and '.' and '-' if `more` contains them. Returns
 * NULL if there is no word, which is no failure. */
char *rules_word(struct rules_reader *rd, const char *more);

/* Look up the number of a type ("FLOAT32") or an operator ("CONV_2D"). Returns false if `name` is neither. */
bool rules_constant(const char *name, double *out);

/* Return true if a word has a built-in meaning in expressions. */
bool rules_word_is_taken(const char *word);

/* Read the digits at *at and move *at behind them. Returns false, with the failure recorded, above RULES_MAX_NUMBER. */
bool rules_number(struct rules_reader *rd, const char **at, double *out);

/* Parse an expression from rd->at on. Returns NULL, with the failure recorded, if that fails. */
const struct expr *rules_expression(struct rules_reader *rd);

/* Users of a tensor. */
struct tensor_uses {
    uint32_t readers;
    const struct node *reader, *writer; /* first reader in execution order, writer; NULL: none */
    bool known_early;                   /* TFLite knows the value when it prepares the model */
};

/* State of an evaluation for one node. */
struct asking {
    const struct graph *g;
    const struct rules_program *program;
    const struct tensor_uses *uses; /* [g->n_tensors] */
    int64_t dynamic_tensor;         /* first tensor of the graph whose shape is known only while running; -1: none */
    const struct node *n;
    const struct tensor *t; /* tensor that all() or any() is at, or was at last */
    uint32_t t_index;       /* its index among the node's inputs or outputs */
};

/* Evaluate an expression for q->n. */
double rules_value(struct asking *q, const struct expr *e);

/* Compare two doubles, neither NaN, for qsort and bsearch. */
int rules_by_value(const void *a, const void *b);

/* Return true if a tensor's content is in the file; false if it was computed at plan time. */
bool rules_is_const(const struct graph *g, const struct tensor *t);

/* Fill uses[g->n_tensors], zeroed by the caller. */
void rules_find_uses(const struct graph *g, struct tensor_uses *uses);

/* Return the index of the first tensor of q->g whose shape TFLite finds only while running; -1: none. */
int64_t rules_dynamic_tensor(const struct asking *q);

/* Return the name of a composite or custom operator, else "". */
const char *rules_called(const struct node *n);

/* Write the message with its numbers to out[size], truncated if it does not fit. */
void rules_fill(struct asking *q, const struct message_piece *m, char *out, size_t size);
