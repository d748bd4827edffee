/* SPDX-License-Identifier: Apache-2.0 */
/* lane_test.c - single elements of a vector that are broadcast are read where they lie, against the CPU. */
#include "lib/gl/testing/test_session.h"

#define LONG 11

/* y = image * |x|[at], for each place; one of the elements is also an output itself, or read where it is not broadcast. */
struct lane_case {
    enum tensor_type type;
    enum { BROADCAST, OUTPUT, LARGEST } also; /* what else becomes of the first element */
    bool dynamic_batch;
    uint32_t copies;
};

static const int32_t places[] = {5, 0, 3, 4, 10};
enum { PLACES = sizeof places / sizeof *places };

static int32_t element(struct builder *b, const struct lane_case *c, int32_t v, int32_t at)
{
    const int32_t s = build_tensor(b, "s", c->type, SHAPE(1));

    build_op(b, BUILTIN_SLICE, 1, NULL,
             INDICES(v, build_const(b, "begin", TYPE_INT32, SHAPE(1), &at),
                     build_const(b, "size", TYPE_INT32, SHAPE(1), (int32_t[]){1})),
             INDICES(s));
    return s;
}

static uint32_t build(struct builder *b, const struct lane_case *c)
{
    int32_t out[PLACES + 1], s[PLACES], x, v, image;
    uint32_t n = PLACES;

    builder_init(b, "lanes");
    x = build_tensor(b, "x", c->type, SHAPE(LONG));
    image = build_tensor(b, "image", c->type, SHAPE(1, 3, 2, 6));
    v = build_tensor(b, "v", c->type, SHAPE(LONG));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(v));
    for (uint32_t i = 0; i < PLACES; i++) {
        s[i] = element(b, c, v, places[i]);
        out[i] = build_tensor(b, "y", c->type, SHAPE(1, 3, 2, 6));
        build_op(b, BUILTIN_MUL, 1, NULL, INDICES(image, s[i]), INDICES(out[i]));
    }
    if (c->also == OUTPUT)
        out[n++] = s[0];
    if (c->also == LARGEST) {
        out[n++] = build_tensor(b, "largest", c->type, SHAPE(1));
        build_op(b, BUILTIN_REDUCE_MAX, 1, &(struct opt_reducer){.keep_dims = true},
                 INDICES(s[0], build_const(b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){0})), INDICES(out[n - 1]));
    }
    build_inputs(b, INDICES(x, image));
    build_outputs(b, out, n);
    return 1 + 2 * PLACES + (c->also == LARGEST);
}

static void fill(struct session *s)
{
    for (uint32_t i = 0; i < session_n_inputs(s); i++) {
        const struct tensor *t = session_input(s, i);

        for (int32_t k = 0; k < (int32_t)(t->bytes / 4); k++)
            if (t->type == TYPE_INT32)
                ((int32_t *)t->data)[k] = 3 * k - 7;
            else
                ((float *)t->data)[k] = (float)(3 * k - 7);
    }
}

static void lanes_are_read_where_they_lie(void **state)
{
    static const struct lane_case cases[] = {
        {TYPE_FLOAT32, BROADCAST, .copies = 0},
        {TYPE_INT32, BROADCAST, .copies = 0},
        {TYPE_FLOAT32, OUTPUT, .copies = 1},
        {TYPE_FLOAT32, LARGEST, .copies = 1},
        {TYPE_FLOAT32, BROADCAST, .dynamic_batch = true, .copies = PLACES},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct profile_row *rows;
        struct test_pair p;
        struct builder b;
        struct err err;
        const uint32_t nodes = build(&b, &cases[i]);
        uint32_t copies = 0;
        size_t n;

        p = test_pair_start(&b, (struct gpu_options){.device = -1, .dynamic_batch = cases[i].dynamic_batch}, nodes);
        test_pair_run(&p, fill);
        test_pair_same(&p);
        TEST_OK(session_profile(p.gpu, &rows, &n, &err), err);
        for (size_t k = 0; k < n; k++)
            copies += *rows[k].why_copy != '\0';
        if (copies != cases[i].copies)
            fail_msg("case %zu: %u dispatches only copy, %u expected", i, copies, cases[i].copies);
        test_pair_stop(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_are_read_where_they_lie)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
