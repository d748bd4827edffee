/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent_define.c - what the templates of recurrent cells ask of a cell by names. */
#include "recurrent.h"

#include <stdio.h>

#include "../lib/gl/shader.h"

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

/* Defines NAME_IN_STEPS(v). */
static void define_steps(struct gl_shader *p, const char *name, const struct cell_steps *s)
{
    static const char *const parts[] = {"SCALE", "LEAST", "MOST", "SHIFT", "TO"};
    const float numbers[] = {s->scale, s->least, s->most, s->shift, s->to};
    char define[64], text[256];

    snprintf(define, sizeof define, "%s_IN_STEPS(v)", name);
    snprintf(text, sizeof text, "in_steps(v, %s_SCALE, %s_LEAST, %s_MOST, %s_SHIFT, %s_TO)", name, name, name, name, name);
    gl_define_text(p, define, s->scale > 0 ? text : "(v)");
    for (size_t i = 0; i < 5 && s->scale > 0; i++) {
        snprintf(define, sizeof define, "%s_%s", name, parts[i]);
        gl_param_float(p, define, numbers[i]);
    }
}

static void define_quantized(struct gl_shader *p, const struct cell *c)
{
    char name[16];

    define_steps(p, "STATE", &c->state);
    define_steps(p, "RESULT", c->projection ? &c->hidden : &c->output);
    if (c->projection)
        define_steps(p, "OUTPUT", &c->output);
    gl_define_text(p, "LIMIT_GATE(v)", c->gate_limit > 0 ? "clamp(v, vec4(-GATE_LIMIT), vec4(GATE_LIMIT))" : "(v)");
    if (!(c->gate_limit > 0))
        return;
    gl_define(p, "QUANTIZED", 1);
    gl_param_float(p, "GATE_LIMIT", c->gate_limit);
    for (int32_t k = 0; k < CELL_GATES; k++)
        if (cell_gate(c, k) >= 0) {
            snprintf(name, sizeof name, "SUM_LIMIT%d", cell_gate(c, k));
            gl_param_float(p, name, c->sum_limit[k]);
        }
    if (!c->input[CELL_INPUT])
        gl_param_float(p, "SUM_LIMIT3", 0);
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
    define_quantized(p, c);
    if (!c->input[CELL_INPUT])
        gl_define(p, "COUPLED", 1);
    if (c->activation == ACT_NONE) /* then TFLite multiplies by the gate, not by the state */
        gl_define(p, "KEEPS_GATE", 1);
    if (c->peephole[CELL_OUTPUT])
        gl_define(p, "PEEPHOLES", 1);
    if (c->norm[CELL_OUTPUT])
        gl_define(p, "NORM", 1);
}
