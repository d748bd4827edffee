/* SPDX-License-Identifier: Apache-2.0 */
/* variable.c - cases of VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE. */
#include "control.h"

static void build_unset(struct builder *b)
{
    int32_t x = control_vec(b, "x"), h = control_scalar(b, "handle", TYPE_RESOURCE), old = control_vec(b, "old"), y = control_vec(b, "y");

    build_op(b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", "v"}, NULL, 0, INDICES(h));
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(old));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(old, x), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

const struct op_case var_handle_cases[] = {
    { "one run", .build = control_counter, .in = { F32(LEN) } },
    { "with an input", .opt = &(struct opt_var_handle){"", "v"}, .in = { F32(LEN) }, .out = { {TYPE_RESOURCE} }, .fails = "inputs" },
    { 0 }
};

const struct op_case read_variable_cases[] = {
    { "two runs", .build = control_counter, .runs = 2, .in = { F32(LEN) } },
    { "before it is set", .build = build_unset, .fails = "before anything is assigned", .in = { F32(LEN) } },
    { 0 }
};

const struct op_case assign_variable_cases[] = {
    { "two runs", .build = control_counter, .runs = 2, .in = { F32(LEN) } },
    { "no handle", .in = { F32(1), F32(LEN) }, .fails = "expected 2 and 0" },
    { 0 }
};
