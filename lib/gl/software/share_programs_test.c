/* SPDX-License-Identifier: Apache-2.0 */
/* share_programs_test.c - which operations do with the programs of others, and which have one of their own. */
#include "lib/gl/passes/choose.h"
#include "lib/gl/testing/test_passes.h"

static void sized_emit(struct gl_shader *p, const struct ir_op *o)
{
    (void)p;
    (void)o;
}

/* attr of `sized`: its work, also what it saves written out; that large tiles do not fit it, that it has another text, its shape.
 */
struct sized {
    uint32_t work;
    bool is_narrow, is_other;
    int shape;
};

static bool sized_fits(const struct ir_op *o, const struct gl_limits *lim)
{
    (void)lim;
    return !((const struct sized *)o->attr)->is_narrow;
}

static uint64_t sized_work(const struct ir_op *o)
{
    return ((const struct sized *)o->attr)->work;
}

static bool sized_is_written_alike(const struct ir_op *a, const struct ir_op *b)
{
    return ((const struct sized *)a->attr)->shape == ((const struct sized *)b->attr)->shape;
}

static uint64_t sized_costs(const struct ir_op *o)
{
    (void)o;
    return 50000;
}

static const struct gl_variant sized_variants[] = {
    {"large", sized_fits, sized_emit}, {"small", NULL, sized_emit}, {"written", sized_fits, sized_emit}};
static bool sized_alike(const struct ir_op *a, const struct ir_op *b)
{
    return ((const struct sized *)a->attr)->is_other == ((const struct sized *)b->attr)->is_other;
}

static const struct ir_sizes sizes_of_100 = {.large = &sized_variants[0],
                                             .small = &sized_variants[1],
                                             .written = &sized_variants[2],
                                             .has_same_text = sized_alike,
                                             .work = sized_work,
                                             .worth = 100,
                                             .compiling = 500 * 129,
                                             .is_written_alike = sized_is_written_alike,
                                             .saves = sized_work,
                                             .costs = sized_costs};
static const struct ir_kind sized = {.name = "sized", GL_VARIANTS(sized_variants), IR_TRAITS(.sizes = &sizes_of_100)};
static const struct ir_fn clamps = {"RELU", "a", NULL, .arity = 1, .clamp = IR_CLAMP_RELU};

static const struct gl_variant *sized_variant(char letter)
{
    return &sized_variants[letter == 'L' ? 0 : letter == 'W' || letter == 'w' ? 2 : 1];
}

/* One operation for each letter: of large or small tiles (L, S, and s where nothing else fits) or written out (W, and w of another
 * shape), of that work; what the letters are then. */
static void becomes(struct fixture *f, const char *are, const uint32_t *each, const char *become)
{
    struct ir_op *ops[8];

    f->limits.policy.row_groups = true;
    for (int i = 0; are[i]; i++) {
        ops[i] = op(f, &sized, value(f, big), output(f, value(f, big)));
        f->ir->n_outputs = 0;
        *(struct sized *)ops[i]->attr = (struct sized){each[i], are[i] == 's', .shape = are[i] == 'w'};
        ops[i]->variant = sized_variant(are[i]);
        if (i % 2) /* which makes no other program */
            assert_true(ir_apply(f->ir, ops[i], &clamps, NULL, NULL, IR_FLOAT));
    }
    run(f, "few programs");
    for (int i = 0; are[i]; i++)
        if (ops[i]->variant != sized_variant(become[i]))
            fail_msg("%s, %u ...: %d is %s", are, each[0], i, ops[i]->variant->name);
    f->ir->n_ops = 0;
}

static void one_size_computes_what_is_little(void **state)
{
    struct fixture *f = *state;

    becomes(f, "LLSS", (const uint32_t[]){49, 50, 10, 10}, "SSSS");
    becomes(f, "LLSS", (const uint32_t[]){50, 50, 10, 10}, "LLLL");
    becomes(f, "LLSs", (const uint32_t[]){50, 50, 10, 10}, "LLSS");
    becomes(f, "LLSS", (const uint32_t[]){50, 50, 50, 50}, "LLSS");
    becomes(f, "LL", (const uint32_t[]){1, 1}, "LL");
}

/* Its program costs what 100 save: those of one shape share it. */
static void layers_of_one_shape_are_written_out_together(void **state)
{
    struct fixture *f = *state;

    f->limits.policy.straight_code = true;
    becomes(f, "LLLL", (const uint32_t[]){25, 25, 25, 25}, "WWWW");
    becomes(f, "LLLL", (const uint32_t[]){25, 25, 25, 24}, "LLLL");
    becomes(f, "LLw", (const uint32_t[]){60, 60, 60}, "WWw");
    becomes(f, "SSs", (const uint32_t[]){60, 60, 60}, "WWS");
    becomes(f, "LWLL", (const uint32_t[]){10, 30, 10, 5}, "WWWW");
    becomes(f, "LWLL", (const uint32_t[]){10, 29, 10, 0}, "LLLL");
    becomes(f, "LwLL", (const uint32_t[]){20, 49, 20, 20}, "LLLL");
    becomes(f, "LwLL", (const uint32_t[]){20, 50, 20, 20}, "LwLL");
    becomes(f, "LwL", (const uint32_t[]){60, 49, 60}, "WwW"); /* no tiles are left */
    becomes(f, "wSS", (const uint32_t[]){49, 20, 20}, "SSS");
    becomes(f, "w", (const uint32_t[]){1}, "w");
    f->limits.policy.straight_code = false;
    becomes(f, "LLLL", (const uint32_t[]){25, 25, 25, 25}, "LLLL");
}

/* An operation with another function, or another text, has a program of its own. */
static void other_functions_are_other_programs(void **state)
{
    struct fixture *f = *state;

    f->limits.policy.row_groups = f->limits.policy.straight_code = true;
    for (int how = 0; how < 2; how++) {
        struct ir_op *ops[2];

        for (int i = 0; i < 2; i++) {
            ops[i] = op(f, &sized, value(f, big), output(f, value(f, big)));
            ops[i]->variant = &sized_variants[i];
            ((struct sized *)ops[i]->attr)->work = 60;
        }
        ((struct sized *)ops[1]->attr)->is_other = how;
        if (!how)
            assert_true(ir_apply(f->ir, ops[1], &relu, NULL, NULL, IR_FLOAT));
        run(f, "few programs");
        assert_ptr_equal(ops[0]->variant, &sized_variants[0]);
        assert_ptr_equal(ops[1]->variant, &sized_variants[1]);
        f->ir->n_ops = f->ir->n_outputs = 0;
    }
}

/* Where programs cost little, where they differ by numbers anyway, and where something is asked for of all. What tuning has picked
 * nothing for is computed as untuned. */
static void as_many_programs_as_pay(void **state)
{
    struct fixture *f = *state;
    const struct gl_pick picks[8] = {{0}};
    static struct gl_forced one = {.n = 1};
    struct gl_choice tuned = {.picks = picks}, forced = {.forced = &one}, picked = {.pick = {.variant = 1}};
    struct gl_choice *const choices[] = {&tuned, &forced, &picked};

    for (uint32_t n = 0; n < 10; n++) {
        const uint32_t i = n / 2, written = n % 2;
        struct ir_op *large = op(f, &sized, value(f, big), output(f, value(f, big)));
        struct ir_op *little = op(f, &sized, value(f, big), output(f, value(f, big)));

        large->variant = &sized_variants[0];
        little->variant = &sized_variants[1];
        ((struct sized *)large->attr)->work = ((struct sized *)little->attr)->work = 30 + 30 * written;
        f->limits.policy.straight_code = true;
        f->limits.policy.row_groups = i != 0;
        f->limits.policy.inline_uniforms = i == 1;
        f->ir->choice = i > 1 ? choices[i - 2] : NULL;
        run(f, "few programs");
        assert_ptr_equal(large->variant, &sized_variants[i == 2 ? 1 + written : 0]);
        f->ir->n_ops = f->ir->n_outputs = 0;
    }
}

/* What tuning has picked for one, here large tiles, changes nothing for others. */
static void what_is_picked_concerns_nobody_else(void **state)
{
    struct fixture *f = *state;
    static const struct gl_pick picks[][2] = {{{0}, {0}}, {{.own = true}, {0}}, {{.variant = 2}, {0}}, {{.reads = 1}, {0}}};
    static const int become[][2] = {{1, 1}, {0, 1}, {2, 1}, {1, 1}};
    struct node nodes[2] = {{.index = 0}, {.index = 1}};
    const struct node *lists[2] = {&nodes[0], &nodes[1]};

    f->limits.policy.row_groups = true;
    for (size_t i = 0; i < sizeof picks / sizeof *picks; i++) {
        struct gl_choice choice = {.picks = picks[i]};
        struct ir_op *ops[3];

        for (int k = 0; k < 3; k++) {
            ops[k] = op(f, &sized, value(f, big), output(f, value(f, big)));
            ((struct sized *)ops[k]->attr)->work = 30;
            ops[k]->variant = &sized_variants[k == 2];
            ops[k]->nodes = k < 2 ? &lists[k] : NULL;
            ops[k]->n_nodes = k < 2;
        }
        ops[0]->variant = &sized_variants[picks[i][0].variant];
        f->ir->choice = &choice;
        run(f, "few programs");
        f->ir->choice = NULL;
        for (int k = 0; k < 2; k++)
            assert_ptr_equal(ops[k]->variant, &sized_variants[become[i][k]]);
        f->ir->n_ops = f->ir->n_outputs = 0;
    }
}

/* One of small tiles with functions, a letter each: a sum with a value or with what it reads itself, another function, a clamp, as
 * in "f+r" or "x". */
static struct ir_op *summed(struct fixture *f, struct ir_shape shape, const char *functions)
{
    struct ir_op *o = op(f, &sized, value(f, shape), output(f, value(f, shape)));

    f->ir->n_outputs = 0;
    o->variant = &sized_variants[1];
    for (; *functions; functions++) {
        const struct ir_fn *fn = *functions == 'f' ? &relu : *functions == 'r' ? &clamps : &fn_sum;
        struct ir_value *const operands[3] = {NULL, *functions == '+' ? value(f, shape) : *functions == 'x' ? o->in[0] : NULL};

        assert_true(ir_apply(f->ir, o, fn, operands, NULL, IR_FLOAT));
    }
    return o;
}

/* "f0r": a sum with nothing before the clamp. */
static const char *functions_of(const struct ir_op *o, char *text)
{
    char *to = text;

    for (const struct ir_epilogue *e = o->epilogue; e; e = e->next)
        *to++ = e->is_idle ? '0' : e->fn == &relu ? 'f' : e->fn == &clamps ? 'r' : e->operand[1] == o->in[0] ? 'x' : '+';
    *to = '\0';
    return text;
}

/* Operations of one shape, functions of each; what they are then. */
static void sums(struct fixture *f, struct ir_shape shape, const char *const *are, const char *const *become)
{
    struct ir_op *ops[4];
    char text[8];

    f->limits.policy.row_groups = true;
    for (int i = 0; are[i]; i++)
        ops[i] = summed(f, shape, are[i]);
    run(f, "few programs");
    for (int i = 0; are[i]; i++) {
        assert_string_equal(functions_of(ops[i], text), become[i]);
        for (const struct ir_epilogue *e = ops[i]->epilogue; e; e = e->next)
            if (e->is_idle) {
                const struct ir_value *nothing = e->operand[1];

                assert_ptr_equal(e->fn, &fn_sum);
                assert_true(nothing->shape.c == (shape.c < 4 ? shape.c : 4) &&
                            ir_elems(nothing->shape) == (uint64_t)nothing->shape.c);
                for (int32_t c = 0; c < nothing->shape.c; c++)
                    assert_true(((const float *)nothing->data)[c] == 0);
            }
    }
    f->ir->n_ops = 0;
}
#define SUMS(shape, are, become) sums(f, shape, (const char *const[])are, (const char *const[])become)
#define LIST(...)                                                                                                                  \
    {                                                                                                                              \
        __VA_ARGS__, NULL                                                                                                          \
    }

/* 64 vectors an operation, of which 128 may have one for a program. */
static void little_adds_nothing_for_a_program(void **state)
{
    struct fixture *f = *state;
    const struct ir_shape batches = {2, 4, 4, 4}, three = {1, 8, 8, 3}, one = {1, 8, 8, 1}, larger = {1, 8, 8, 9};

    SUMS(big, LIST("", "r", "+r"), LIST("0", "0r", "+r"));
    SUMS(big, LIST("+", "", ""), LIST("+", "0", "0"));
    SUMS(big, LIST("f", "fr", "f+"), LIST("f0", "f0r", "f+"));
    SUMS(big, LIST("", "+", "f", "r"), LIST("0", "+", "f", "0r"));
    SUMS(three, LIST("", "+"), LIST("0", "+"));

    SUMS(big, LIST("", "", "", "+"), LIST("", "", "", "+"));
    SUMS(larger, LIST("", "+"), LIST("", "+"));
    SUMS(big, LIST("", "r"), LIST("", "r"));
    SUMS(big, LIST("f", "+"), LIST("f", "+"));
    SUMS(big, LIST("", "++"), LIST("", "++"));
    SUMS(big, LIST("", "+f"), LIST("", "+f"));
    SUMS(big, LIST("", "x"), LIST("", "x"));
    SUMS(big, LIST("", "+", "++"), LIST("0", "+", "++"));
    SUMS(one, LIST("", "+"), LIST("", "+"));
    SUMS(batches, LIST("", "+"), LIST("", "+"));
    f->limits.storage_blocks = 2; /* as many as it has without a sum */
    SUMS(big, LIST("", "+"), LIST("", "+"));
    f->limits.storage_blocks = 3;
    SUMS(big, LIST("", "+"), LIST("0", "+"));
    f->limits.policy.image_reads = true;
    f->limits.image_vectors = 63;
    SUMS(big, LIST("", "+"), LIST("", "+"));
    f->limits.image_vectors = 64;
    SUMS(big, LIST("", "+"), LIST("0", "+"));
    f->limits.policy.textures = true;
    SUMS(big, LIST("", "+"), LIST("", "+"));
    f->limits.policy = (struct gl_policy){.any_batch = true};
    SUMS(big, LIST("", "+"), LIST("", "+"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_size_computes_what_is_little),    TEST(layers_of_one_shape_are_written_out_together),
        TEST(other_functions_are_other_programs),  TEST(as_many_programs_as_pay),
        TEST(what_is_picked_concerns_nobody_else), TEST(little_adds_nothing_for_a_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
