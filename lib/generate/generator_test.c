/* SPDX-License-Identifier: Apache-2.0 */
/* generator_test.c - greedy tokens of a small language model: in chunks and one by one, by every kind of kernels, and what is
 * refused. */
#include "lib/generate/generator.h"

#include "bench/models/language.h"
#include "lib/gl/testing/test_gpu.h"
#include "lib/testing/test_model.h"

#include <string.h>

enum { PROMPT = 40, MADE = 256 };

static struct loaded language_of(struct language_form form)
{
    struct builder b;

    builder_init(&b, "language");
    language_model_of(&b, &form);
    return load(&b);
}

static struct loaded language(void)
{
    return language_of((struct language_form){TYPE_INT32, TYPE_FLOAT32, TYPE_NONE});
}

static struct generator *open_generator(const struct model *m, enum cpu_mode mode, struct delegate *d)
{
    const struct generator_options o = {"prefill", "decode", {.num_threads = 1, .mode = mode, .delegates = {d}}};
    struct generator *g;
    struct err err = {""};

    TEST_OK(generator_new(m, &o, &g, &err), err);
    return g;
}

/* A session of decode alone, which is the primary subgraph. */
static struct session *open_decode(const struct model *m)
{
    struct session_options opt = {.num_threads = 1, .mode = CPU_REFERENCE};
    struct session *s;
    struct err err = {""};

    TEST_OK(session_new(m, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

static void expect_logits(const struct session *s, const struct generator *g)
{
    for (uint32_t i = 0; i < LANGUAGE_VOCABULARY; i++)
        assert_float_equal(((const float *)session_output(s, 4)->data)[i], generator_logit(g, i), 0);
}

/* By chunks of prefill, or each token by decode. */
static void read_prompt(struct generator *g, bool by_chunks)
{
    int32_t prompt[PROMPT];
    struct err err = {""};

    for (int32_t i = 0; i < PROMPT; i++)
        prompt[i] = i * 37 % LANGUAGE_VOCABULARY;
    TEST_OK(generator_begin(g, &err), err);
    if (by_chunks)
        TEST_OK(generator_prefill(g, prompt, PROMPT, &err), err);
    for (int32_t i = by_chunks ? PROMPT - 1 : 0; i < PROMPT; i++)
        TEST_OK(generator_decode(g, prompt[i], &err), err);
    assert_int_equal(generator_position(g), PROMPT);
}

static void generate(struct generator *g, int32_t *out, int32_t n)
{
    struct err err = {""};

    for (int32_t i = 0; i < n; i++) {
        out[i] = generator_greedy(g);
        if (i + 1 < n)
            TEST_OK(generator_decode(g, out[i], &err), err);
    }
}

static void assert_same_tokens(struct generator *a, bool a_by_chunks, struct generator *b)
{
    int32_t of_a[MADE], of_b[MADE];

    read_prompt(a, a_by_chunks);
    generate(a, of_a, MADE);
    read_prompt(b, true);
    generate(b, of_b, MADE);
    assert_memory_equal(of_a, of_b, sizeof of_a);
}

/* Ends are lent to two homes in turn, so that a state that went to the wrong one would show. */
static void chunks_and_single_tokens_agree(void **state)
{
    struct loaded l = language();
    struct generator *g = open_generator(l.model, CPU_REFERENCE, NULL);
    int32_t by_chunks[MADE], one_by_one[MADE], again[MADE], kinds = 0;
    struct generator_facts facts;

    (void)state;
    read_prompt(g, true);
    generate(g, by_chunks, MADE);
    read_prompt(g, false);
    generate(g, one_by_one, MADE);
    read_prompt(g, true);
    generate(g, again, MADE);
    assert_memory_equal(by_chunks, one_by_one, sizeof by_chunks);
    assert_memory_equal(by_chunks, again, sizeof by_chunks);
    for (int32_t i = 1; i < MADE; i++)
        kinds += by_chunks[i] != by_chunks[i - 1];
    assert_true(kinds > MADE / 4); /* the model does not repeat one token */
    generator_facts(g, &facts);
    assert_int_equal(facts.chunk, LANGUAGE_CHUNK);
    assert_int_equal(facts.capacity, LANGUAGE_CAPACITY);
    assert_int_equal(facts.vocabulary, LANGUAGE_VOCABULARY);
    assert_int_equal(facts.n_states, 4);
    assert_int_equal(facts.n_on_device, 0);
    generator_free(g);
    unload(&l);
}

static void fast_kernels_make_the_same_tokens(void **state)
{
    struct loaded l = language();
    struct generator *reference = open_generator(l.model, CPU_REFERENCE, NULL), *fast = open_generator(l.model, CPU_FAST, NULL);
    int32_t expected[MADE], got[MADE];

    (void)state;
    read_prompt(reference, true);
    generate(reference, expected, MADE);
    read_prompt(fast, true);
    generate(fast, got, MADE);
    assert_memory_equal(expected, got, sizeof got);
    generator_free(fast);
    generator_free(reference);
    unload(&l);
}

/* A mask says what the model else finds by positions; a wrong column of it would make other tokens. */
static void other_forms_make_the_same_tokens(void **state)
{
    static const struct language_form forms[] = {
        {TYPE_INT64, TYPE_FLOAT32, TYPE_NONE}, {TYPE_INT32, TYPE_FLOAT32, TYPE_FLOAT32}, {TYPE_INT64, TYPE_FLOAT32, TYPE_BOOL}};
    struct loaded plain = language();
    struct generator *expected = open_generator(plain.model, CPU_REFERENCE, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct loaded l = language_of(forms[i]);
        struct generator *g = open_generator(l.model, CPU_REFERENCE, NULL);
        struct generator_facts facts;

        assert_same_tokens(expected, true, g);
        assert_same_tokens(expected, false, g);
        generator_facts(g, &facts);
        assert_int_equal(facts.capacity, LANGUAGE_CAPACITY);
        assert_int_equal(facts.n_states, 4);
        generator_free(g);
        unload(&l);
    }
    generator_free(expected);
    unload(&plain);
}

/* A mask of more columns than the state has rows: the same tokens, up to the state's end, and not one more. */
static void the_state_bounds_a_wider_mask(void **state)
{
    struct loaded plain = language(), l = language_of((struct language_form){TYPE_INT32, TYPE_FLOAT32, TYPE_FLOAT32, 80});
    struct generator *expected = open_generator(plain.model, CPU_REFERENCE, NULL);
    struct generator *g = open_generator(l.model, CPU_REFERENCE, NULL);
    struct generator_facts facts;
    struct err err = {""};
    enum status st;

    (void)state;
    generator_facts(g, &facts);
    assert_int_equal(facts.capacity, LANGUAGE_CAPACITY);
    assert_int_equal(facts.masked, LANGUAGE_CAPACITY + 80);
    assert_same_tokens(expected, true, g);
    while (generator_position(g) < LANGUAGE_CAPACITY)
        TEST_OK(generator_decode(g, 1, &err), err);
    st = generator_decode(g, 1, &err);
    assert_int_equal(st, ST_USAGE);
    generator_free(g);
    generator_free(expected);
    unload(&l);
    unload(&plain);
}

/* Of bytes, whose zero is their zero point: a state of 0 would be -0.15. */
static void the_state_may_be_quantized(void **state)
{
    struct loaded l = language_of((struct language_form){TYPE_INT32, TYPE_INT8, TYPE_NONE});
    struct generator *reference = open_generator(l.model, CPU_REFERENCE, NULL), *fast = open_generator(l.model, CPU_FAST, NULL);
    struct session *s = open_decode(l.model);
    struct err err = {""};

    (void)state;
    TEST_OK(generator_decode(fast, 7, &err), err);
    TEST_OK(generator_last_inputs(fast, s, &err), err);
    for (size_t i = 0; i < session_input(s, 2)->bytes; i++)
        assert_int_equal(((const int8_t *)session_input(s, 2)->data)[i], 5);
    assert_same_tokens(reference, false, reference);
    assert_same_tokens(reference, true, fast);
    session_free(s);
    generator_free(fast);
    generator_free(reference);
    unload(&l);
}

/* The state stays on the device: a run moves tokens, positions and logits alone. */
static void the_gpu_keeps_the_state(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = language();
    struct generator *reference = open_generator(l.model, CPU_REFERENCE, NULL), *gpu = open_generator(l.model, CPU_FAST, d);
    int32_t expected[MADE], got[MADE];
    struct generator_facts facts;
    struct err err = {""};

    (void)state;
    generator_facts(gpu, &facts);
    assert_int_equal(facts.n_on_device, 4);
    read_prompt(reference, true);
    generate(reference, expected, MADE);
    read_prompt(gpu, true);
    generate(gpu, got, MADE);
    assert_memory_equal(expected, got, sizeof got);
    d->traffic.written = d->traffic.read = 0;
    TEST_OK(generator_decode(gpu, 1, &err), err);
    assert_true(d->traffic.written <= 64);
    assert_true(d->traffic.read <= LANGUAGE_VOCABULARY * 4);
    generator_free(gpu);
    generator_free(reference);
    delegate_close(d);
    unload(&l);
}

/* A tensor of the state that a node of the CPU writes or reads lies in host memory, where the next partition reads it. */
static void the_gpu_takes_some_nodes(void **state)
{
    static const char *const kept[] = {"DYNAMIC_UPDATE_SLICE", "MUL", "BATCH_MATMUL,SOFTMAX"};
    static const uint32_t on_device[] = {0, 2, 0};
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = language();
    struct generator *reference = open_generator(l.model, CPU_REFERENCE, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const struct generator_options o = {
            "prefill", "decode", {.num_threads = 1, .mode = CPU_FAST, .delegates = {d}, .partition = {.cpu_ops = kept[i]}}};
        struct generator_facts facts;
        struct generator *g;
        struct err err = {""};

        TEST_OK(generator_new(l.model, &o, &g, &err), err);
        generator_facts(g, &facts);
        assert_true(session_partitioning(generator_decode_session(g))->n_parts > 0);
        assert_int_equal(facts.n_on_device, on_device[i]);
        assert_same_tokens(reference, true, g);
        generator_free(g);
    }
    generator_free(reference);
    delegate_close(d);
    unload(&l);
}

/* A last chunk that would not fit in the state is read token by token, and nothing is read beyond its room. */
static void the_room_is_kept(void **state)
{
    struct loaded l = language();
    struct generator *g = open_generator(l.model, CPU_FAST, NULL);
    int32_t tokens[LANGUAGE_CAPACITY + 1] = {0};
    struct err err = {""};

    (void)state;
    assert_int_equal(generator_prefill(g, tokens, LANGUAGE_CAPACITY + 1, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "room for 320 tokens; 321 more do not fit behind 0"));
    TEST_OK(generator_prefill(g, tokens, LANGUAGE_CAPACITY - 3, &err), err);
    assert_int_equal(generator_position(g), LANGUAGE_CAPACITY - 3);
    TEST_OK(generator_prefill(g, tokens, 3, &err), err);
    assert_int_equal(generator_decode(g, 0, &err), ST_USAGE);
    generator_free(g);
    unload(&l);
}

static void other_signatures_are_refused(void **state)
{
    static const struct {
        const char *prefill, *decode, *message;
    } cases[] = {{"prefill", "generate", "no signature \"generate\""},
                 {"prefill", "prefill", "reads 16 tokens a run, expected one"},
                 {"decode", "decode", NULL}};
    struct loaded l = language();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct generator_options o = {cases[i].prefill, cases[i].decode, {.num_threads = 1}};
        struct generator *g;
        struct err err = {""};

        if (!cases[i].message) { /* the same twice reads the prompt token by token */
            TEST_OK(generator_new(l.model, &o, &g, &err), err);
            generator_free(g);
            continue;
        }
        assert_int_equal(generator_new(l.model, &o, &g, &err), ST_USAGE);
        assert_null(g);
        if (!strstr(err.msg, cases[i].message))
            fail_msg("%s", err.msg);
    }
    unload(&l);
}

/* Its one tensor would get two homes, of which the second alone is written. */
static void a_tensor_is_one_state(void **state)
{
    struct loaded l = language();
    const struct model_signature *s = l.model->signatures;
    const struct generator_options o = {"prefill", "decode", {.num_threads = 1}};
    struct generator *g;
    struct err err = {""};

    (void)state;
    for (uint32_t i = 1; i < s->n_outputs; i++)
        if (!strcmp(s->output_names[i], "kv_cache_v_0"))
            memcpy((void *)&s->output_tensors[i], &s->output_tensors[0], sizeof s->output_tensors[i]);
    assert_int_equal(generator_new(l.model, &o, &g, &err), ST_USAGE);
    assert_string_equal(err.msg, "signature \"decode\": state \"kv_cache_v_0\" shares a tensor with another");
    unload(&l);
}

/* Against a session of decode whose outputs are copied to its inputs. */
static void the_state_is_handed_on(void **state)
{
    struct loaded l = language();
    struct generator *g = open_generator(l.model, CPU_REFERENCE, NULL);
    struct session *s = open_decode(l.model);
    struct err err = {""};

    (void)state;
    for (int32_t i = 0; i < PROMPT; i++) {
        const int32_t token = i * 37 % LANGUAGE_VOCABULARY;

        TEST_OK(session_set_input(s, 0, &token, sizeof token, &err), err);
        TEST_OK(session_set_input(s, 1, &i, sizeof i, &err), err);
        TEST_OK(session_run(s, &err), err);
        for (uint32_t k = 0; k < 4; k++)
            TEST_OK(session_set_input(s, 2 + k, session_output(s, k)->data, session_output(s, k)->bytes, &err), err);
    }
    read_prompt(g, true);
    expect_logits(s, g);
    session_free(s);
    generator_free(g);
    unload(&l);
}

/* A session that gets the inputs of the last step makes the same logits. */
static void a_step_can_be_repeated(void **state)
{
    struct loaded l = language();
    struct generator *g = open_generator(l.model, CPU_REFERENCE, NULL);
    struct session *s = open_decode(l.model);
    struct err err = {""};

    (void)state;
    assert_int_equal(generator_last_inputs(g, s, &err), ST_USAGE);
    read_prompt(g, true);
    TEST_OK(generator_decode(g, 5, &err), err);
    TEST_OK(generator_last_inputs(g, s, &err), err);
    TEST_OK(session_run(s, &err), err);
    expect_logits(s, g);
    assert_memory_not_equal(session_input(s, 2)->data, session_output(s, 0)->data, session_output(s, 0)->bytes);
    session_free(s);
    generator_free(g);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_is_handed_on),
        cmocka_unit_test(chunks_and_single_tokens_agree),
        cmocka_unit_test(fast_kernels_make_the_same_tokens),
        cmocka_unit_test(other_forms_make_the_same_tokens),
        cmocka_unit_test(the_state_may_be_quantized),
        cmocka_unit_test(the_state_bounds_a_wider_mask),
        cmocka_unit_test(the_gpu_keeps_the_state),
        cmocka_unit_test(the_gpu_takes_some_nodes),
        cmocka_unit_test(the_room_is_kept),
        cmocka_unit_test(other_signatures_are_refused),
        cmocka_unit_test(a_tensor_is_one_state),
        cmocka_unit_test(a_step_can_be_repeated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
