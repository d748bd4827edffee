/* SPDX-License-Identifier: Apache-2.0 */
/* generator.c - see generator.h */
#include "lib/generate/generator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/aligned.h"
#include "lib/tensor/real_values.h"

enum { ABSENT = UINT32_MAX };

/* One tensor of the state, as input and output of both sessions, and its two homes. */
struct state {
    uint32_t in[2], out[2];      /* [prefill, decode] indices of inputs and outputs */
    const struct tensor *tensor; /* of decode, as input */
    void *host[2];               /* NULL: on the device */
    uint32_t device[2];          /* buffers of the delegate; 0: in host memory */
};

/* One signature with its session. */
struct phase {
    const struct model_signature *signature;
    struct session *session;
    uint32_t tokens, positions, mask; /* indices of inputs, or ABSENT */
    uint32_t n;                       /* tokens of a run */
};

enum { PREFILL, DECODE, PHASES };

struct generator {
    struct phase phases[PHASES];
    struct state *states;
    uint32_t n_states;
    uint32_t logits; /* output of decode */
    struct delegate *device;
    uint32_t capacity, masked, position;
    uint32_t now;        /* which home of the state is up to date */
    bool prefilled_last; /* the last token was read by prefill */
};

/* ---- the meaning of inputs and outputs ---- */

static const char *const token_names[] = {"tokens", "token_ids", "input_ids", NULL};
static const char *const position_names[] = {"input_pos", "positions", "position_ids", NULL};
static const char *const mask_names[] = {"mask", "attention_mask", NULL};

/* The session's index of the tensor that the signature has at `i`; a session lists the subgraph's inputs. */
static uint32_t index_of(const struct phase *p, bool output, uint32_t tensor)
{
    const struct graph *g = session_graph(p->session);
    struct tensor *const *list = output ? g->outputs : g->inputs;

    for (uint32_t i = 0; i < (output ? g->n_outputs : g->n_inputs); i++)
        if (list[i] && list[i]->index == tensor)
            return i;
    return ABSENT;
}

static uint32_t named(const struct phase *p, bool output, const char *name)
{
    const struct model_signature *s = p->signature;
    const char **names = output ? s->output_names : s->input_names;

    for (uint32_t i = 0; i < (output ? s->n_outputs : s->n_inputs); i++)
        if (!strcmp(names[i], name))
            return index_of(p, output, output ? s->output_tensors[i] : s->input_tensors[i]);
    return ABSENT;
}

static uint32_t first_named(const struct phase *p, const char *const *names)
{
    uint32_t i = ABSENT;

    for (; *names && i == ABSENT; names++)
        i = named(p, false, *names);
    return i;
}

static enum status find_signature(const struct model *m, const char *key, struct phase *p, struct err *err)
{
    for (uint32_t i = 0; i < m->n_signatures; i++)
        if (!strcmp(m->signatures[i].key, key))
            p->signature = &m->signatures[i];
    return p->signature ? ST_OK : err_set(err, ST_USAGE, "the model has no signature \"%.100s\"", key);
}

static bool is_whole_number(const struct tensor *t)
{
    return t->type == TYPE_INT32 || t->type == TYPE_INT64;
}

static enum status find_roles(struct phase *p, struct err *err)
{
    const struct tensor *t, *at;

    p->tokens = first_named(p, token_names);
    p->positions = first_named(p, position_names);
    p->mask = first_named(p, mask_names);
    if (p->tokens == ABSENT)
        return err_set(err, ST_USAGE, "signature \"%.100s\" has no input \"tokens\", \"token_ids\" or \"input_ids\"",
                       p->signature->key);
    t = session_input(p->session, p->tokens);
    at = p->positions == ABSENT ? t : session_input(p->session, p->positions);
    p->n = (uint32_t)tensor_elems(t);
    if (!is_whole_number(t) || !is_whole_number(at) || !p->n || tensor_elems(t) > INT32_MAX || tensor_elems(at) != p->n)
        return err_set(err, ST_USAGE,
                       "signature \"%.100s\": tokens are %s and positions %s, expected whole numbers, as many of both",
                       p->signature->key, TENSOR_TEXT(t), TENSOR_TEXT(at));
    return ST_OK;
}

static bool alike(const struct tensor *a, const struct tensor *b)
{
    return a && b && a->type == b->type && a->rank == b->rank && !memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim);
}

static const struct tensor *end_of(const struct phase *p, bool output, uint32_t i)
{
    return i == ABSENT ? NULL : output ? session_output(p->session, i) : session_input(p->session, i);
}

static enum status add_state(struct generator *g, const char *name, uint32_t in, struct err *err)
{
    struct phase *decode = &g->phases[DECODE], *prefill = &g->phases[PREFILL];
    struct state s = {{named(prefill, false, name), in}, {named(prefill, true, name), named(decode, true, name)}, NULL, {0}, {0}};
    const struct tensor *t = s.tensor = end_of(decode, false, in);

    if (!alike(t, end_of(decode, true, s.out[DECODE])))
        return err_set(
            err, ST_USAGE,
            "signature \"%.100s\": input \"%.100s\" (%s) is none of tokens, positions and mask, and no output of the same "
            "name, type and shape makes it a state",
            decode->signature->key, name, TENSOR_TEXT(t));
    if (!alike(t, end_of(prefill, false, s.in[PREFILL])) || !alike(t, end_of(prefill, true, s.out[PREFILL])))
        return err_set(err, ST_USAGE,
                       "signature \"%.100s\" has no input and output \"%.100s\" of %s, which are a state of \"%.100s\"",
                       prefill->signature->key, name, TENSOR_TEXT(t), decode->signature->key);
    for (uint32_t k = 0; k < g->n_states; k++)
        for (uint32_t i = 0; i < PHASES; i++)
            if (g->states[k].in[i] == s.in[i] || g->states[k].out[i] == s.out[i])
                return err_set(err, ST_USAGE, "signature \"%.100s\": state \"%.100s\" shares a tensor with another",
                               g->phases[i].signature->key, name);
    g->states[g->n_states++] = s;
    return ST_OK;
}

static bool has_role(const struct phase *p, uint32_t i)
{
    return i == p->tokens || i == p->positions || i == p->mask;
}

static enum status find_states(struct generator *g, struct err *err)
{
    const struct phase *decode = &g->phases[DECODE], *prefill = &g->phases[PREFILL];
    const struct model_signature *s = decode->signature;
    enum status st = ST_OK;

    g->states = calloc((size_t)s->n_inputs + 1, sizeof *g->states);
    if (!g->states)
        return err_set(err, ST_NOMEM, "out of memory for the state of %u inputs", s->n_inputs);
    for (uint32_t i = 0; i < s->n_inputs && !st; i++) {
        const uint32_t in = index_of(decode, false, s->input_tensors[i]);

        if (in != ABSENT && !has_role(decode, in))
            st = add_state(g, s->input_names[i], in, err);
    }
    for (uint32_t i = 0; i < prefill->signature->n_inputs && !st; i++) {
        const uint32_t in = index_of(prefill, false, prefill->signature->input_tensors[i]);
        bool known = in == ABSENT || has_role(prefill, in);

        for (uint32_t k = 0; k < g->n_states && !known; k++)
            known = g->states[k].in[PREFILL] == in;
        if (!known)
            st = err_set(err, ST_USAGE, "signature \"%.100s\": input \"%.100s\" has no meaning that is known here",
                         prefill->signature->key, prefill->signature->input_names[i]);
    }
    if (!st && !g->n_states)
        st = err_set(err, ST_USAGE, "signature \"%.100s\" has no state: no input is an output of the same name, too", s->key);
    return st;
}

static enum status find_logits(struct generator *g, struct err *err)
{
    const struct phase *decode = &g->phases[DECODE];
    const struct model_signature *s = decode->signature;
    uint32_t found = 0;

    for (uint32_t i = 0; i < s->n_outputs; i++) {
        const uint32_t out = index_of(decode, true, s->output_tensors[i]);
        bool is_state = false;

        for (uint32_t k = 0; k < g->n_states; k++)
            is_state |= g->states[k].out[DECODE] == out;
        if (is_state)
            continue;
        g->logits = out;
        found++;
    }
    if (found != 1 || g->logits == ABSENT)
        return err_set(err, ST_USAGE, "signature \"%.100s\" has %u outputs that are no state, expected one: the logits", s->key,
                       found);
    return ST_OK;
}

static enum status check_logits(const struct generator *g, struct err *err)
{
    const struct tensor *t = session_output(g->phases[DECODE].session, g->logits);

    if (t->rank < 1 || t->dim[t->rank - 1] < 1 || type_is_complex(t->type) || !type_bits(t->type) || !t->bytes)
        return err_set(err, ST_USAGE, "logits are %s, expected a row of numbers", TENSOR_TEXT(t));
    return ST_OK;
}

/* A mask may have more columns than the state has rows, which then bound the tokens: a write beyond them would be moved to the last
 * row without a word. */
static enum status find_capacity(struct generator *g, struct err *err)
{
    for (uint32_t i = 0; i < PHASES; i++) {
        const struct phase *p = &g->phases[i];
        const struct tensor *t = end_of(p, false, p->mask);

        if (!t)
            continue;
        if (t->rank < 1 || (t->type != TYPE_BOOL && t->type != TYPE_FLOAT32) || tensor_elems(t) % p->n ||
            tensor_elems(t) / p->n != (uint32_t)t->dim[t->rank - 1] || (g->masked && tensor_elems(t) / p->n != g->masked))
            return err_set(err, ST_USAGE,
                           "signature \"%.100s\": the mask is %s, expected BOOL or FLOAT32 with a row for each of %u tokens",
                           p->signature->key, TENSOR_TEXT(t), p->n);
        g->masked = (uint32_t)t->dim[t->rank - 1];
    }
    for (uint32_t i = 0; i < g->n_states; i++)
        for (int32_t k = 0; k < g->states[i].tensor->rank; k++)
            if ((uint32_t)g->states[i].tensor->dim[k] > g->capacity)
                g->capacity = (uint32_t)g->states[i].tensor->dim[k];
    if (g->masked && g->masked < g->capacity)
        g->capacity = g->masked;
    return ST_OK;
}

/* ---- the homes of the state ---- */

/* Bind the state's homes for the next run of a phase: it reads the one that is up to date, and writes the other. */
static enum status bind_state(const struct generator *g, uint32_t side, const struct state *s, uint32_t now, struct err *err)
{
    struct session *to = g->phases[side].session;
    struct delegate_buffer b = {.id = s->device[now], .bytes = delegate_dense_bytes(s->tensor), .layout = DELEGATE_DENSE};
    enum status st;

    if (!b.id) {
        st = session_lend_input(to, s->in[side], s->host[now], err);
        return st ? st : session_lend_output(to, s->out[side], s->host[!now], err);
    }
    if ((st = session_bind_input(to, s->in[side], &b, err)))
        return st;
    b.id = s->device[!now];
    return session_bind_output(to, s->out[side], &b, err);
}

static void unbind(const struct generator *g, struct state *s)
{
    for (uint32_t i = 0; i < PHASES; i++) {
        (void)session_bind_input(g->phases[i].session, s->in[i], NULL, NULL);
        (void)session_bind_output(g->phases[i].session, s->out[i], NULL, NULL);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (s->device[i])
            g->device->ops->buffer_free(g->device, s->device[i]);
        s->device[i] = 0;
    }
}

/* Whether both sessions take the state in buffers of the device; else it goes to host memory. */
static enum status try_device(struct generator *g, struct state *s, struct err *err)
{
    struct err why;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < 2 && !st; i++)
        st = g->device->ops->buffer_new(g->device, delegate_dense_bytes(s->tensor), &s->device[i], err);
    if (st)
        return st;
    for (uint32_t i = 0; i < PHASES && !st; i++)
        st = bind_state(g, i, s, 0, &why);
    if (!st)
        return ST_OK;
    unbind(g, s);
    return st == ST_UNSUPPORTED ? ST_OK : err_set(err, st, "%s", why.msg);
}

static enum status make_homes(struct generator *g, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < g->n_states && !st; i++) {
        struct state *s = &g->states[i];

        if (g->device)
            st = try_device(g, s, err);
        for (uint32_t k = 0; k < 2 && !st && !s->device[0]; k++)
            if (!(s->host[k] = aligned_new(VECTOR_ALIGN, s->tensor->bytes + VECTOR_ALIGN)))
                st = err_set(err, ST_NOMEM, "out of memory for %zu bytes of state", s->tensor->bytes);
    }
    return st;
}

/* ---- open and close ---- */

/* Lent ends have no memory in the session's own plan. */
static enum status lend_states(struct generator *g, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < g->n_states && !st; i++)
        for (uint32_t k = 0; k < PHASES && !st; k++) {
            st = session_lend_input(g->phases[k].session, g->states[i].in[k], NULL, err);
            st = st ? st : session_lend_output(g->phases[k].session, g->states[i].out[k], NULL, err);
        }
    return st;
}

static enum status open_phase(const struct model *m, const struct session_options *o, struct phase *p, struct err *err)
{
    struct session_options opt = *o;
    enum status st;

    opt.subgraph = p->signature->subgraph;
    st = session_new(m, &opt, &p->session, err);
    return st ? st : find_roles(p, err);
}

static enum status open_all(struct generator *g, const struct model *m, const struct generator_options *o, struct err *err)
{
    enum status st;

    if ((st = find_signature(m, o->prefill, &g->phases[PREFILL], err)) ||
        (st = find_signature(m, o->decode, &g->phases[DECODE], err)) ||
        (st = open_phase(m, &o->session, &g->phases[PREFILL], err)) || (st = open_phase(m, &o->session, &g->phases[DECODE], err)))
        return st;
    if (g->phases[DECODE].n != 1)
        return err_set(err, ST_USAGE, "signature \"%.100s\" reads %u tokens a run, expected one: decode", o->decode,
                       g->phases[DECODE].n);
    if ((st = find_states(g, err)) || (st = find_logits(g, err)) || (st = find_capacity(g, err)) || (st = lend_states(g, err)) ||
        (st = session_prepare(g->phases[PREFILL].session, err)) || (st = session_prepare(g->phases[DECODE].session, err)) ||
        (st = check_logits(g, err)))
        return st;
    if (o->session.delegates[0] && o->session.delegates[0]->ops->buffer_new)
        g->device = o->session.delegates[0];
    return make_homes(g, err);
}

enum status generator_new(const struct model *m, const struct generator_options *o, struct generator **out, struct err *err)
{
    struct generator *g = calloc(1, sizeof *g);
    enum status st = g ? open_all(g, m, o, err) : err_set(err, ST_NOMEM, "out of memory");

    if (!st)
        st = generator_begin(g, err);
    *out = st ? NULL : g;
    if (st)
        generator_free(g);
    return st;
}

void generator_free(struct generator *g)
{
    if (!g)
        return;
    for (uint32_t i = 0; i < g->n_states; i++)
        if (g->states[i].device[0])
            unbind(g, &g->states[i]);
    for (uint32_t i = 0; i < PHASES; i++)
        session_free(g->phases[i].session);
    for (uint32_t i = 0; i < g->n_states; i++) {
        free(g->states[i].host[0]);
        free(g->states[i].host[1]);
    }
    free(g->states);
    free(g);
}

static const struct tensor *logits_of(const struct generator *g)
{
    return session_output(g->phases[DECODE].session, g->logits);
}

static uint32_t vocabulary(const struct generator *g)
{
    const struct tensor *t = logits_of(g);

    return (uint32_t)t->dim[t->rank - 1];
}

void generator_facts(const struct generator *g, struct generator_facts *out)
{
    *out = (struct generator_facts){.chunk = g->phases[PREFILL].n,
                                    .capacity = g->capacity,
                                    .masked = g->masked,
                                    .vocabulary = vocabulary(g),
                                    .n_states = g->n_states};
    for (uint32_t i = 0; i < g->n_states; i++) {
        out->n_on_device += g->states[i].device[0] != 0;
        out->state_bytes += g->states[i].tensor->bytes;
    }
}

struct session *generator_prefill_session(const struct generator *g)
{
    return g->phases[PREFILL].session;
}

struct session *generator_decode_session(const struct generator *g)
{
    return g->phases[DECODE].session;
}

/* ---- runs ---- */

static enum status clear(const struct generator *g, const struct state *s, struct err *err)
{
    struct tensor zeros = *s->tensor;
    enum status st = ST_OK;

    zeros.data = s->host[0] ? s->host[0] : aligned_new(VECTOR_ALIGN, zeros.bytes + VECTOR_ALIGN);
    if (!zeros.data)
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes of state", zeros.bytes);
    tensor_reset(&zeros);
    if (s->host[0])
        memcpy(s->host[1], s->host[0], zeros.bytes);
    for (uint32_t i = 0; i < 2 && !st && !s->host[0]; i++)
        st = g->device->ops->buffer_write(g->device, s->device[i], zeros.data, zeros.bytes, err);
    if (!s->host[0])
        free(zeros.data);
    return st;
}

enum status generator_begin(struct generator *g, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < g->n_states && !st; i++)
        st = clear(g, &g->states[i], err);
    g->position = g->now = 0;
    g->prefilled_last = false;
    return st;
}

static void put_number(const struct tensor *t, uint32_t i, int32_t value)
{
    if (t->type == TYPE_INT64)
        ((int64_t *)t->data)[i] = value;
    else
        ((int32_t *)t->data)[i] = value;
}

static void put_mask(const struct tensor *t, uint32_t row, uint32_t columns, uint32_t position)
{
    for (uint32_t i = 0; i < columns; i++) {
        const bool sees = i <= position;

        if (t->type == TYPE_BOOL)
            ((bool *)t->data)[(size_t)row * columns + i] = sees;
        else
            ((float *)t->data)[(size_t)row * columns + i] = sees ? 0 : -1e9f;
    }
}

/* Run one phase on n tokens at `position`; what is left of its tokens is padding. */
static enum status run(struct generator *g, uint32_t side, const int32_t *tokens, uint32_t n, uint32_t position, struct err *err)
{
    const struct phase *p = &g->phases[side];
    enum status st = ST_OK;

    for (uint32_t i = 0; i < p->n; i++) {
        put_number(end_of(p, false, p->tokens), i, i < n ? tokens[i] : 0);
        if (p->positions != ABSENT)
            put_number(end_of(p, false, p->positions), i, (int32_t)(position + i));
        if (p->mask != ABSENT)
            put_mask(end_of(p, false, p->mask), i, g->masked, position + i);
    }
    for (uint32_t i = 0; i < g->n_states && !st; i++)
        st = bind_state(g, side, &g->states[i], g->now, err);
    if (st || (st = session_run(p->session, err)))
        return st;
    g->now = !g->now;
    g->position = position + n;
    g->prefilled_last = side == PREFILL;
    return ST_OK;
}

static enum status check_room(const struct generator *g, uint32_t n, struct err *err)
{
    if (n > g->capacity - g->position)
        return err_set(err, ST_USAGE, "the state has room for %u tokens; %u more do not fit behind %u", g->capacity, n,
                       g->position);
    return ST_OK;
}

enum status generator_prefill(struct generator *g, const int32_t *tokens, uint32_t n, struct err *err)
{
    const uint32_t chunk = g->phases[PREFILL].n;
    enum status st = check_room(g, n, err);

    while (n && !st) {
        const uint32_t take = n < chunk ? n : chunk;
        const bool fits = chunk <= g->capacity - g->position;

        st = fits ? run(g, PREFILL, tokens, take, g->position, err) : run(g, DECODE, tokens, 1, g->position, err);
        tokens += fits ? take : 1;
        n -= fits ? take : 1;
    }
    return st;
}

enum status generator_decode(struct generator *g, int32_t token, struct err *err)
{
    const uint32_t position = g->position - g->prefilled_last;
    enum status st = position < g->capacity ? ST_OK : check_room(g, 1, err);

    return st ? st : run(g, DECODE, &token, 1, position, err);
}

uint32_t generator_position(const struct generator *g)
{
    return g->position;
}

double generator_logit(const struct generator *g, uint32_t i)
{
    const struct tensor *t = logits_of(g);

    return real_value(t, tensor_elems(t) - vocabulary(g) + i);
}

int32_t generator_greedy(const struct generator *g)
{
    int32_t best = 0;
    double most = -INFINITY;

    for (uint32_t i = 0; i < vocabulary(g); i++) {
        const double v = generator_logit(g, i);

        if (v > most) {
            most = v;
            best = (int32_t)i;
        }
    }
    return best;
}

enum status generator_last_inputs(const struct generator *g, struct session *to, struct err *err)
{
    const struct phase *p = &g->phases[DECODE];
    const uint32_t plain[] = {p->tokens, p->positions, p->mask};
    enum status st = ST_OK;

    if (!g->position || g->prefilled_last)
        return err_set(err, ST_USAGE, "no token was decoded yet");
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i] != ABSENT)
            memcpy(session_input(to, plain[i])->data, end_of(p, false, plain[i])->data, end_of(p, false, plain[i])->bytes);
    for (uint32_t i = 0; i < g->n_states && !st; i++) {
        const struct state *s = &g->states[i];
        struct tensor *t = session_input(to, s->in[DECODE]);

        /* The run read the home that is out of date now. */
        if (s->host[0])
            memcpy(t->data, s->host[!g->now], t->bytes);
        else
            st = g->device->ops->buffer_read(g->device, s->device[!g->now], t->data, t->bytes, err);
    }
    return st;
}
