/* SPDX-License-Identifier: Apache-2.0 */
/* delegation_test.c - sessions with several delegates, with delegates that break the rules, and with drivers that refuse. */
#include "lib/testing/test_delegate.h"

static struct loaded l;
static struct err err;

static int set_up(void **state)
{
    (void)state;
    err = (struct err){""};
    l = load_chain();
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    unload(&l);
    return 0;
}

static struct session *open_with(struct session_options opt)
{
    struct session *s;

    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    return s;
}

static void expect_runs(struct session *s, float start)
{
    float *x = session_input(s, 0)->data;
    const float *y = session_output(s, 0)->data;

    for (int i = 0; i < LEN; i++)
        x[i] = start + (float)i;
    TEST_OK(session_run(s, &err), err);
    for (int i = 0; i < LEN; i++)
        assert_float_equal(y[i], -x[i] - (x[i] < 0 ? -x[i] : x[i]), 0);
}

static uint32_t parts_of(const struct session *s, const struct fake *f)
{
    const struct partitioning *p = session_partitioning(s);
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_parts; i++)
        n += p->parts[i].delegate == &f->base;
    return n;
}

/* NEG a, ABS b, NEG c, ADD y: each of the 16 ways to give the operators to two delegates and the CPU, the first having the choice.
 */
static void two_delegates_share_a_graph(void **state)
{
    static const char *const sets[] = {"", " NEG ", " ABS ", " NEG ABS ", " ADD ", " NEG ADD ", " ABS ADD ", " NEG ABS ADD "};

    (void)state;
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) {
            struct fake first = fake_delegate(sets[a]), second = fake_delegate(sets[b]);
            struct session *s = open_with((struct session_options){.delegates = {&first.base, &second.base}});
            const struct partitioning *p;

            TEST_OK(session_prepare(s, &err), err);
            p = session_partitioning(s);
            for (uint32_t i = 0; i < 4; i++) {
                const struct node *n = &session_graph(s)->nodes[i];
                char name[64];
                struct delegate *want;

                snprintf(name, sizeof name, " %s ", n->name);
                want = strstr(sets[a], name) ? &first.base : strstr(sets[b], name) ? &second.base : NULL;
                assert_ptr_equal(p->part_of[i] < 0 ? NULL : p->parts[p->part_of[i]].delegate, want);
            }
            assert_int_equal(first.inited, parts_of(s, &first));
            assert_int_equal(second.inited, parts_of(s, &second));
            assert_int_equal(first.prepared, first.inited > 0);
            assert_int_equal(second.prepared, second.inited > 0);
            expect_runs(s, -2);
            session_free(s);
            assert_int_equal(first.freed, first.inited);
            assert_int_equal(second.freed, second.inited);
        }
}

/* Rows of a profile name the delegate that did the work. */
static void profiles_name_the_delegate(void **state)
{
    struct fake first = fake_delegate(" ABS "), second = fake_delegate(" ADD ");
    struct session *s = open_with((struct session_options){.delegates = {&first.base, &second.base}});
    const struct profile_row *rows;
    size_t n;

    (void)state;
    TEST_OK(session_prepare(s, &err), err);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    assert_int_equal(n, 4);
    assert_null(rows[0].delegate);
    assert_ptr_equal(rows[1].delegate, &first.base);
    assert_null(rows[2].delegate);
    assert_ptr_equal(rows[3].delegate, &second.base);
    session_free(s);
}

/* What a driver refuses goes back to the CPU, even where another delegate would have taken it; all the rest stays. */
static void refused_nodes_go_back(void **state)
{
    struct fake first = fake_delegate(" NEG ABS "), second = fake_delegate(" ABS ADD ");
    struct session *s = open_with((struct session_options){.delegates = {&first.base, &second.base}});
    const struct partitioning *p;

    (void)state;
    first.refuses = "ABS";
    second.refuses = "ADD";
    for (int round = 0; round < 2; round++) { /* prepared again: asked again */
        TEST_OK(session_prepare(s, &err), err);
        p = session_partitioning(s);
        assert_int_equal(p->n_delegated, 2);
        assert_int_equal(p->part_of[1], -1);
        assert_int_equal(p->reasons[1].code, REASON_DRIVER);
        assert_string_equal(p->reasons[1].text, "no driver takes it");
        assert_int_equal(p->reasons[3].code, REASON_DRIVER);
        expect_runs(s, -3);
    }
    session_free(s);
    assert_int_equal(first.freed, first.inited);
    assert_int_equal(second.freed, second.inited);
}

static enum status claim_nothing(struct delegate *d, const struct graph *g, struct claim *claims, struct err *e)
{
    (void)d, (void)g, (void)claims, (void)e;
    return ST_OK;
}

static void bad_answers_end_the_call(void **state)
{
    struct delegate_ops ops = fake_ops;
    struct fake mute = fake_delegate("");
    struct session *s = open_with((struct session_options){.delegates = {&mute.base}});

    (void)state;
    ops.claim = claim_nothing;
    mute.base.ops = &ops;
    assert_int_equal(session_prepare(s, &err), ST_FAILED);
    assert_string_equal(err.msg, "delegate fake neither claims nor refuses node 0 NEG");
    mute.base.ops = &fake_ops;
    TEST_OK(session_prepare(s, &err), err);
    expect_runs(s, 1);
    session_free(s);
}

/* A failing init leaves no kernel behind, of no delegate. */
static void failures_free_all_kernels(void **state)
{
    struct fake first = fake_delegate(" NEG "), second = fake_delegate(" ADD ");
    struct session *s = open_with((struct session_options){.delegates = {&first.base, &second.base}});

    (void)state;
    second.fail_init = true;
    assert_int_equal(session_prepare(s, &err), ST_FAILED);
    assert_int_equal(first.inited, 2);
    assert_int_equal(first.freed, 2);
    assert_false(session_prepared(s));
    session_free(s);
}

/* Another shape: all is asked and made anew. */
static void resized_sessions_are_prepared_again(void **state)
{
    struct fake fake = fake_delegate(" NEG ADD ");
    struct session *s = open_with((struct session_options){.delegates = {&fake.base}});

    (void)state;
    TEST_OK(session_prepare(s, &err), err);
    expect_runs(s, -1);
    TEST_OK(session_resize_input(s, 0, (int32_t[]){2, LEN}, 2, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    assert_int_equal(fake.prepared, 2);
    assert_int_equal(session_output(s, 0)->rank, 2);
    expect_runs(s, -4);
    session_free(s);
    assert_int_equal(fake.freed, fake.inited);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_delegates_share_a_graph), TEST(profiles_name_the_delegate), TEST(refused_nodes_go_back),
        TEST(bad_answers_end_the_call),    TEST(failures_free_all_kernels),  TEST(resized_sessions_are_prepared_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
