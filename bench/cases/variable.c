/* SPDX-License-Identifier: Apache-2.0 */
/* variable.c - cases of VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE. */
#include "bench/cases/control.h"

static void build_unset(struct builder *b)
{
    int32_t x = control_vec(b, "x"), h = control_scalar(b, "handle", TYPE_RESOURCE), old = control_vec(b, "old"), y = control_vec(b, "y");

    build_op(b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", "v"}, NULL, 0, INDICES(h));
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(old));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(old, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* Two variables. One takes the shapes of [1,5] and [2,5] in turn, so that it is known only while running what is read. */
static void build_changing(struct builder *b)
{
    struct opt_var_handle v = {"", "changing"};
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, LEN)), h = control_scalar(b, "handle", TYPE_RESOURCE);
    int32_t one = build_tensor(b, "one", TYPE_FLOAT32, SHAPE(1, LEN)), both = build_tensor(b, "both", TYPE_FLOAT32, SHAPE(2, LEN));
    int32_t two = build_tensor(b, "two", TYPE_FLOAT32, SHAPE(2, LEN));

    build_op(b, BUILTIN_VAR_HANDLE, 1, &v, NULL, 0, INDICES(h));
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, x), NULL, 0);
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(one));
    build_op(b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 0}, INDICES(one, x), INDICES(both));
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, both), NULL, 0);
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(two));
    build_ends(b, INDICES(x), INDICES(two));
}

/* The file says [5] for a sum of 2 x 5 numbers: what is read the second time has not the shape that it was planned for. */
static void build_untrue(struct builder *b)
{
    control_sum(b, "untrue", build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, LEN)), 0);
}

const struct op_case var_handle_cases[] = {
    { "one run", .build = control_counter, .in = { F32(LEN) } },
    { "with an input", .opt = &(struct opt_var_handle){"", "v"}, .in = { F32(LEN) }, .out = { {TYPE_RESOURCE} }, .fails = "inputs" },
    { 0 }
};

const struct op_case read_variable_cases[] = {
    { "two runs", .build = control_counter, .runs = 2, .in = { F32(LEN) } },
    { "of two shapes", .build = build_changing, .runs = 2, .in = { F32(1, LEN) } },
    { "of another shape than the file says", .build = build_untrue, .runs = 2, .in = { F32(2, LEN) },
      .fails = "is now FLOAT32[2,5]; the file says FLOAT32[5]" },
    { "before it is set", .build = build_unset, .fails = "before anything is assigned", .in = { F32(LEN) } },
    { 0 }
};

const struct op_case assign_variable_cases[] = {
    { "two runs", .build = control_counter, .runs = 2, .in = { F32(LEN) } },
    { "no handle", .in = { F32(1), F32(LEN) }, .fails = "expected 2 and 0" },
    { 0 }
};
