/* SPDX-License-Identifier: Apache-2.0 */
/* test_whole_model.c - see test_whole_model.h */
#include "lib/testing/test_whole_model.h"

#include "lib/session/session.h"

void test_open_chain(struct test_whole *w)
{
    struct builder b;
    struct err err;

    *w = (struct test_whole){0};
    build_chain(&b);
    w->s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true}, &w->l);
    for (int i = 0; i < LEN; i++)
        ((float *)session_input(w->s, 0)->data)[i] = (float)i - 2;
    TEST_OK(session_run(w->s, &err), err);
}

void test_close_whole(struct test_whole *w)
{
    session_free(w->s);
    unload(&w->l);
    arena_free(&w->a);
}
