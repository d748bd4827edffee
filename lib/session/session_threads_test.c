/* SPDX-License-Identifier: Apache-2.0 */
/* session_threads_test.c - sessions of one model on several threads: each computes what it computes alone. Under the thread
 * sanitizer it sees what they share. */
#include "lib/session/session.h"
#include "lib/testing/test.h"
#include "lib/testing/test_delegate.h"

#include <pthread.h>
#include <stdlib.h>

enum { SESSIONS = 3, RUNS = 12, CHANNELS = 24 };

/* A convolution, whose weights the fast kernels pack, a product, and a sum with the input's own path. */
static struct loaded load_model(void)
{
    static float weights[CHANNELS * 3 * 3 * CHANNELS], square[CHANNELS * CHANNELS];
    struct builder b;
    int32_t x, y, conv, w, fc;

    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        weights[i] = (float)(i % 13) / 13 - 0.5f;
    for (size_t i = 0; i < sizeof square / sizeof *square; i++)
        square[i] = (float)(i % 7) / 7 - 0.5f;
    builder_init(&b, "convolution, product");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 8, 8, CHANNELS));
    conv = build_tensor(&b, "conv", TYPE_FLOAT32, SHAPE(1, 8, 8, CHANNELS));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(64, CHANNELS));
    w = build_const(&b, "w", TYPE_FLOAT32, SHAPE(CHANNELS, 3, 3, CHANNELS), weights);
    fc = build_const(&b, "fc", TYPE_FLOAT32, SHAPE(CHANNELS, CHANNELS), square);
    build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(x, w, -1), INDICES(conv));
    build_op(&b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(conv, fc, -1), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

struct worker {
    const struct model *model;
    int number;
    bool failed;
    float out[64 * CHANNELS];
};

/* What a thread does with a session of its own; cmocka is for the main thread. */
static void *work(void *arg)
{
    struct worker *w = arg;
    const struct session_options opt = {.num_threads = 1 + w->number % 2, .mode = w->number == 2 ? CPU_REFERENCE : CPU_FAST};
    struct session *s = NULL;
    struct err err;

    w->failed = session_new(w->model, &opt, &s, &err) || session_prepare(s, &err);
    for (int run = 0; run < RUNS && !w->failed; run++) {
        float *x = session_input(s, 0)->data;

        for (size_t i = 0; i < tensor_elems(session_input(s, 0)); i++)
            x[i] = (float)((i + (size_t)w->number) % 11) - 5;
        w->failed = session_run(s, &err) != ST_OK;
        w->failed |= run && memcmp((const char *)w->out, session_output(s, 0)->data, sizeof w->out) != 0;
        memcpy(w->out, session_output(s, 0)->data, sizeof w->out);
    }
    session_free(s);
    return NULL;
}

/* ---- tests ---- */

static void each_computes_what_it_does_alone(void **state)
{
    static struct worker alone[SESSIONS], together[SESSIONS];
    struct loaded l = load_model();
    pthread_t threads[SESSIONS];

    (void)state;
    for (int i = 0; i < SESSIONS; i++) {
        alone[i] = together[i] = (struct worker){.model = l.model, .number = i};
        work(&alone[i]);
        assert_false(alone[i].failed);
    }
    for (int i = 0; i < SESSIONS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &together[i]), 0);
    for (int i = 0; i < SESSIONS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SESSIONS; i++) {
        assert_false(together[i].failed);
        assert_memory_equal(together[i].out, alone[i].out, sizeof alone[i].out);
    }
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_computes_what_it_does_alone)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
