/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent_define.c - what the templates of recurrent cells ask of a cell by names. */
#include "kernels_gl/recurrent/recurrent.h"

#include <stdio.h>

#include "lib/gl/codegen/shader.h"

static const char *activation_text(enum activation act)
{
    switch (act) {
    case ACT_RELU: return "max(v, vec4(0.0))";
    case ACT_RELU6: return "clamp(v, vec4(0.0), vec4(6.0))";
    case ACT_RELU_N1_TO_1: return "clamp(v, vec4(-1.0), vec4(1.0))";
    case ACT_TANH: return "bounded_tanh(v)";
    case ACT_SIGMOID: return "sigmoid(v)";
    case ACT_SIGN_BIT: return "mix(vec4(0.0), vec4(1.0), lessThan(floatBitsToInt(v), ivec4(0)))";
    default: return "(v)";
    }
}

void recurrent_define(struct gl_shader *p, const struct walk *w)
{
    const struct cell *c = w->cell;

    gl_define_text(p, "ACTIVATION(v)", activation_text(c->activation));
    gl_param(p, "CELL_S", cell_slices(c->n_cell));
    gl_param(p, "N_CELL", c->n_cell);
    if (!c->lstm)
        return;
    gl_define(p, "LSTM", 1);
    gl_param(p, "GATE_INPUT", cell_gate(c, CELL_INPUT));
    gl_param(p, "GATE_FORGET", cell_gate(c, CELL_FORGET));
    gl_param(p, "GATE_NEW", cell_gate(c, CELL_NEW));
    gl_param(p, "GATE_OUTPUT", cell_gate(c, CELL_OUTPUT));
    gl_param_float(p, "CELL_CLIP", c->cell_clip);
    if (!c->input[CELL_INPUT])
        gl_define(p, "COUPLED", 1);
    if (c->activation == ACT_NONE) /* then TFLite multiplies by the gate, not by the state */
        gl_define(p, "KEEPS_GATE", 1);
    if (c->peephole[CELL_OUTPUT])
        gl_define(p, "PEEPHOLES", 1);
    if (c->norm[CELL_OUTPUT])
        gl_define(p, "NORM", 1);
}
