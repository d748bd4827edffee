/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan.h - a small plan for tests: dispatches as compile would leave them, and what gl_plan_make makes of these. */
#pragma once

#include "lib/gl/plan/draft.h"
#include "lib/testing/test.h"

/* Up, one operation over two nodes that reads its input and a constant through images, down. Its fourth operand is in the second of
 * two textures, which nobody writes here. */
struct test_plan {
    struct node nodes[3];
    struct tensor x, y, other;
    struct tensor *inputs[2], *outputs[1];
    struct graph graph;
    struct partition part;
    struct gl_dispatch d[3];
    struct gl_transfer up, down;
    struct gl_program program;
    struct gl_program *programs[1];
    struct ir_op op;
    const struct node *of_op[2];
    int32_t numbers[8];
    struct gl_plan_texture textures[2];
    struct gl_draft draft;
};

/* The range of x among the values, which two bindings have. */
extern const struct gl_range test_plan_x;

/* The same one each time, as it was at first. */
struct test_plan *test_plan_begin(void);

/* Binding 5 of dispatch 1 reads the constants of its binding 1 as a copy in a texture. */
void test_plan_copy(struct test_plan *f);

/* The same, in four of them. */
void test_plan_copy_four(struct test_plan *f);

/* A plan in memory of its own (malloc), of exactly its size; whoever made it is gone. */
struct gl_plan *test_plan_make(struct test_plan *f);

/* Element i of a part. */
void *test_plan_element(struct gl_plan *p, enum gl_plan_part part, uint32_t i);

/* What damage writes over a number or an offset of a plan. */
struct test_damage {
    void *field;
    uint64_t value;
};

/* Each of damage[n] alone, to fields of `bytes` bytes, is found by gl_plan_check, and nothing without it. */
void test_plan_finds(struct gl_plan *p, const struct test_damage *damage, size_t n, size_t bytes);

/* Hash of the plan's program. */
#define TEST_PLAN_HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
