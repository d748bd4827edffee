// SPDX-License-Identifier: Apache-2.0
// recurrent.comp - RNN and LSTM cells. A workgroup walks through the times of one batch: the products with what it put out last,
// gate by gate and four cells at a time; the cells; the projection. States stay in shared memory on the way. With STEP only the
// cells, of one time, once the sums are there.

vec4 sigmoid(vec4 v)
{
    return 1.0 / (1.0 + exp(-v));
}

// exp overflows long before tanh differs from +-1.
vec4 bounded_tanh(vec4 v)
{
    return tanh(clamp(v, vec4(-20.0), vec4(20.0)));
}

vec4 clipped(vec4 v, float limit)
{
    return limit > 0.0 ? clamp(v, vec4(-limit), vec4(limit)) : v;
}

#ifdef STEP
ivec3 at; // batch, row and column

#define VECTOR(i) LOAD(v, 0, 0, 0, i)

// The sums of inputs and recurrent products are in x; c is the state that the peepholes see.
vec4 sum_at(int i)
{
    PRECISE vec4 sum = LOAD(x, at.x, at.y, at.z, i);

#ifdef PEEPHOLES
    if (i / CELL_S != GATE_NEW) {
        PRECISE vec4 product = VECTOR(PEEPHOLES_AT + i) * LOAD(c, at.x, at.y, at.z, i % CELL_S);

        sum = sum + product;
    }
#endif
    return sum;
}
#else
shared vec4 h[OUT_ROOM];
shared vec4 gates[GATES_ROOM];
#ifdef LSTM
shared vec4 c[CELL_ROOM];
#endif
#ifdef PROJECTION
shared vec4 hidden[CELL_ROOM];
#endif

#define sum_at(i) gates[i]
#define VECTOR(i) LOADW(w, i)

// What others write is there to be read, and what they read may be written.
void sync()
{
    memoryBarrierShared();
    barrier();
}
#endif

#if defined(LSTM) && defined(NORM) && defined(IN_ORDER)
// Cell by cell, each operation rounded.
vec4 norm(int k, int s)
{
    PRECISE float sum = 0.0, squares = 0.0;

    for (int i = 0; i < CELL_S; i++)
        for (int lane = 0; lane < 4 && 4 * i + lane < N_CELL; lane++)
            sum = sum + sum_at(k * CELL_S + i)[lane];

    PRECISE float mean = sum / float(N_CELL);

    for (int i = 0; i < CELL_S; i++)
        for (int lane = 0; lane < 4 && 4 * i + lane < N_CELL; lane++) {
            PRECISE float v = sum_at(k * CELL_S + i)[lane] - mean, square = v * v;

            squares = squares + square;
        }

    PRECISE float variance = squares / float(N_CELL) + 1e-8;
    PRECISE float inverse = 1.0 / sqrt(variance);
    PRECISE vec4 unit = (sum_at(k * CELL_S + s) - mean) * inverse;
    PRECISE vec4 scaled = unit * VECTOR(NORM_AT + k * CELL_S + s);

    return scaled + VECTOR(NORM_BIAS_AT + k * CELL_S + s);
}
#endif

#ifdef LSTM
// Of lanes beyond the last cell the sums are zero, and so are the factors of the norm.
vec4 gate(int k, int s)
{
#if defined(NORM) && defined(IN_ORDER)
    return norm(k, s);
#elif defined(NORM)
    float sum = 0.0, squares = 0.0, mean;

    for (int i = 0; i < CELL_S; i++)
        sum += dot(sum_at(k * CELL_S + i), vec4(1.0));
    mean = sum / float(N_CELL);
    for (int i = 0; i < CELL_S; i++) {
        vec4 v = mix(vec4(0.0), sum_at(k * CELL_S + i) - mean, lessThan(4 * i + ivec4(0, 1, 2, 3), ivec4(N_CELL)));

        squares += dot(v, v);
    }
    return (sum_at(k * CELL_S + s) - mean) / sqrt(squares / float(N_CELL) + 1e-8) * VECTOR(NORM_AT + k * CELL_S + s) +
           VECTOR(NORM_BIAS_AT + k * CELL_S + s);
#else
    return sum_at(k * CELL_S + s);
#endif
}

vec4 new_state(int s, vec4 old)
{
    vec4 forget = sigmoid(gate(GATE_FORGET, s));
#ifdef COUPLED
    vec4 input_gate = 1.0 - forget;
#else
    vec4 input_gate = sigmoid(gate(GATE_INPUT, s));
#endif

    PRECISE vec4 kept = forget * old, added = ACTIVATION(gate(GATE_NEW, s)) * input_gate;
    PRECISE vec4 state = kept + added;

    return clipped(state, CELL_CLIP);
}

vec4 result(int s, vec4 state)
{
#ifdef KEEPS_GATE
    return sigmoid(gate(GATE_OUTPUT, s)) * gate(GATE_NEW, s);
#else
    return sigmoid(gate(GATE_OUTPUT, s)) * ACTIVATION(state);
#endif
}
#endif

#ifdef STEP
void run(int b, int h, int w, int s)
{
    at = ivec3(b, h, w);

    vec4 state = LOAD(c, b, h, w, s);

#ifdef MAKES_STATE
    state = new_state(s, state);
    STORE(state, b, h, w, s, state);
#endif
#ifdef MAKES_RESULT
    STORE(y, b, h, w, s, result(s, state));
#endif
}

void main()
{
    READ_UNIFORMS
    ivec3 g = INVOCATION;
    int b = g.z / GRID_S;

    if (g.x < GRID_W && g.y < GRID_H && b < GRID_B)
        run(b, g.y, g.x, g.z - b * GRID_S);
}
#else
#define AT 0, BATCH_MAJOR != 0 ? batch : t, BATCH_MAJOR != 0 ? t : batch

void put_out(int batch, int t, int s, vec4 v)
{
    h[s] = v;
    STORE(y, AT, s, v);
}

void add_products(int batch, int t, int lane)
{
    for (int i = lane; i < GATES_S; i += LANES) {
        vec4 sum = LOAD(x, AT, i);
        int from = i * OUT_S * 4;

        for (int j = 0; j < OUT_S; j++) {
            vec4 v = h[j];

            sum += LOADW(w, from) * v.x + LOADW(w, from + 1) * v.y + LOADW(w, from + 2) * v.z + LOADW(w, from + 3) * v.w;
            from += 4;
        }
#ifdef PEEPHOLES
        if (i < GATE_NEW * CELL_S)
            sum += VECTOR(PEEPHOLES_AT + i) * c[i % CELL_S];
#endif
        gates[i] = sum;
    }
}

#ifdef LSTM
// The output gate's peephole sees the new state.
void make_states(int lane)
{
    for (int s = lane; s < CELL_S; s += LANES) {
        vec4 state = new_state(s, c[s]);

        c[s] = state;
#ifdef PEEPHOLES
        gates[GATE_OUTPUT * CELL_S + s] += VECTOR(PEEPHOLES_AT + GATE_OUTPUT * CELL_S + s) * state;
#endif
    }
#ifdef NORM
    sync();
#endif
}
#endif

#ifdef PROJECTION
void project(int batch, int t, int lane)
{
    for (int s = lane; s < OUT_S; s += LANES) {
        vec4 sum = LOADW(w, PROJECTION_BIAS_AT + s);
        int from = PROJECTION_AT + s * CELL_S * 4;

        for (int j = 0; j < CELL_S; j++) {
            vec4 v = hidden[j];

            sum += LOADW(w, from) * v.x + LOADW(w, from + 1) * v.y + LOADW(w, from + 2) * v.z + LOADW(w, from + 3) * v.w;
            from += 4;
        }
        put_out(batch, t, s, clipped(sum, PROJECTION_CLIP));
    }
}
#endif

void put_out_all(int batch, int t, int lane)
{
    for (int s = lane; s < CELL_S; s += LANES) {
#ifdef LSTM
        vec4 v = result(s, c[s]);
#else
        vec4 v = ACTIVATION(gates[s]);
#endif

#ifdef PROJECTION
        hidden[s] = v;
#else
        put_out(batch, t, s, v);
#endif
    }
#ifdef PROJECTION
    sync();
    project(batch, t, lane);
#endif
}

void main()
{
    READ_UNIFORMS
    int lane = int(gl_LocalInvocationID.x), batch = int(gl_WorkGroupID.y);

    for (int s = lane; s < OUT_S; s += LANES)
        h[s] = LOAD(h0, 0, 0, batch, s);
#ifdef LSTM
    for (int s = lane; s < CELL_S; s += LANES)
        c[s] = LOAD(c0, 0, 0, batch, s);
#endif
    sync();
    for (int i = 0; i < TIMES; i++) {
        int t = BACKWARD != 0 ? TIMES - 1 - i : i;

        add_products(batch, t, lane);
        sync();
#ifdef LSTM
        make_states(lane);
#endif
        put_out_all(batch, t, lane);
        sync();
    }
#ifdef LSTM
    for (int s = lane; s < CELL_S; s += LANES)
        STORE(state, 0, 0, batch, s, c[s]);
#endif
}
#endif
