/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_test.c - the delegate "xnnpack" on every case of every operator: what it takes it computes as the CPU's kernels do.
 *
 * A build without XNNPACK says so, and has nothing else to show. */
#include "bench/opcheck/compare.h"
#include "bench/opcheck/gpu_special.h"
#include "bench/opcheck/op_cases.h"
#include "bench/opcheck/variant.h"
#include "lib/testing/test.h"

#include <string.h>

static struct err err;

/* Sums in another order; its exponential is a polynomial. */
#define TOL 2e-5

/* Operators whose cases it must have taken at least that often: a delegate that takes nothing is wrong nowhere. Several threads
 * take seven of FULLY_CONNECTED where the library splits no others rightly (xnnpack_split_unit). */
static const struct {
    const char *op;
    uint32_t least;
} takes[] = {{"ABS", 1},
             {"ADD", 30},
             {"AVERAGE_POOL_2D", 10},
             {"CEIL", 1},
             {"CONV_2D", 25},
             {"DEPTHWISE_CONV_2D", 20},
             {"DEPTH_TO_SPACE", 2},
             {"DEQUANTIZE", 3},
             {"DIV", 15},
             {"ELU", 3},
             {"EXPAND_DIMS", 2},
             {"FLOOR", 1},
             {"FULLY_CONNECTED", 15},
             {"HARD_SWISH", 2},
             {"LEAKY_RELU", 3},
             {"LOGISTIC", 5},
             {"MAXIMUM", 10},
             {"MAX_POOL_2D", 15},
             {"MEAN", 5},
             {"MINIMUM", 10},
             {"MUL", 30},
             {"NEG", 1},
             {"PAD", 10},
             {"PRELU", 2},
             {"QUANTIZE", 3},
             {"RELU", 3},
             {"RELU6", 3},
             {"RELU_N1_TO_1", 3},
             {"RESHAPE", 10},
             {"RESIZE_BILINEAR", 15},
             {"ROUND", 1},
             {"SOFTMAX", 5},
             {"SQRT", 1},
             {"SQUARE", 1},
             {"SQUARED_DIFFERENCE", 8},
             {"SQUEEZE", 2},
             {"SUB", 30},
             {"TRANSPOSE_CONV", 12}};

struct tally {
    struct delegate *d;
    int num_threads;
    uint32_t taken, failed, by_op[512];
};

static void hold(struct tally *t, const struct case_ref *ref, const struct case_model *m)
{
    const struct case_how by = {.mode = CPU_REFERENCE, .num_threads = t->num_threads, .delegate = t->d},
                          plain = {.mode = CPU_REFERENCE, .num_threads = 1};
    const struct tolerance tol = {.tol = ref->c->tol > TOL ? ref->c->tol : TOL,
                                  .steps = 1,
                                  .typical = ref->c->typical,
                                  .per_element = case_has_extremes(ref->c)};
    struct case_outputs got = {0}, want = {0};
    struct reason why = {0};
    char text[512] = "";
    const enum status st = case_run(m, ref->c->runs, &by, &got, &why, NULL, &err);
    struct err plain_err;

    /* Refused; or it can be run nowhere. */
    if ((!st && !got.n && why.text[0]) || (case_run(m, ref->c->runs, &plain, &want, NULL, NULL, &plain_err) && st)) {
        case_outputs_free(&want);
        return;
    }
    if (st || !compare_outputs(&got, &want, tol, text, sizeof text)) {
        print_error("%s \"%s\": %s\n", ref->op->name, ref->c->name, st ? err.msg : text);
        t->failed++;
    }
    t->taken++;
    t->by_op[ref->op - op_table]++;
    case_outputs_free(&got);
    case_outputs_free(&want);
}

static void hold_list(struct tally *t, struct case_ref *ref, const struct op_case *cases)
{
    for (ref->c = cases; ref->c->name; ref->c++, ref->n++) {
        struct case_model m = {0};

        /* What minima and maxima make of NaN is anybody's business. */
        if (ref->c->fails || ref->c->large || case_has_specials(ref->c))
            continue;
        assert_int_equal(case_model_init(&m, ref, 0, &err), ST_OK);
        hold(t, ref, &m);
        case_model_fini(&m);
    }
}

static void hold_all(struct tally *t)
{
    for (size_t i = 0; i < op_table_n; i++) {
        struct case_ref ref = {.op = &op_table[i], .kernel = op_cases[i].kernel};
        struct arena arena = {0};
        const struct op_case *variants = variants_new(op_cases[i].cases, &arena);

        assert_non_null(variants);
        hold_list(t, &ref, op_cases[i].cases);
        ref.is_variant = true;
        hold_list(t, &ref, variants);
        arena_free(&arena);
    }
}

static bool open_it(struct delegate **d)
{
    const struct delegate_type *type = delegate_find("xnnpack");
    enum status st;

    assert_non_null(type);
    if (!(st = type->open("", d, &err)))
        return true;
    assert_int_equal(st, ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "XNNPACK"));
    print_message("NOT RUN (xnnpack): %s\n", err.msg);
    return false;
}

static void test_opens_or_says_why_not(void **state)
{
    struct delegate *d;

    (void)state;
    if (!open_it(&d))
        return;
    assert_non_null(strstr(d->device, "libxnnpack "));
    delegate_close(d);
}

/* What some versions compute wrongly on AMD's first Zen, by several threads (lib/delegates/xnnpack/xnnpack_net.h). */
static bool splits_wrongly(int32_t builtin)
{
#ifdef __x86_64__
    return builtin == BUILTIN_FULLY_CONNECTED && __builtin_cpu_is("znver1");
#else
    return builtin < 0;
#endif
}

static void test_computes_what_the_cpu_does(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        struct tally t = {.num_threads = threads};

        if (!open_it(&t.d))
            test_no_package("xnnpack", "libxnnpack-dev");
        hold_all(&t);
        delegate_close(t.d);
        print_message("%d threads: %u cases on XNNPACK\n", threads, t.taken);
        assert_int_equal(t.failed, 0);
        for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
            for (size_t k = 0; k < op_table_n; k++)
                if (!strcmp(op_table[k].name, takes[i].op) &&
                    t.by_op[k] < (threads > 1 && splits_wrongly(op_table[k].builtin) ? 7 : takes[i].least))
                    fail_msg("%s: %u cases on XNNPACK", takes[i].op, t.by_op[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opens_or_says_why_not),
        cmocka_unit_test(test_computes_what_the_cpu_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
