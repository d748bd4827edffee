/* SPDX-License-Identifier: Apache-2.0 */
/* rules_test.c - the format of rule sets, what it refuses, and facts that the built-in sets know. */
#include "lib/coverage/coverage.h"
#include "lib/rules/rules.h"
#include "lib/testing/test.h"
#include "lib/testing/test_model.h"

#include "schema/options.h"

static struct err err;

/* ---- the format ---- */

static enum status read(const char *text, struct rules **out)
{
    return rules_parse(text, strlen(text), "file", out, &err);
}

static void refused(const char *text, const char *message)
{
    struct rules *r;

    assert_int_equal(read(text, &r), ST_USAGE);
    assert_null(r);
    if (!strstr(err.msg, message))
        fail_msg("\"%s\" says \"%s\", not \"%s\"", text, err.msg, message);
}

static void what_is_no_rule_set(void **state)
{
    (void)state;
    refused("", "file:0: nothing in it");
    refused("op ADD\n", "file:1: a file of rules begins with: rules NAME");
    refused("rules a\nno DRIVER: x\n", "file:2: a row stands before any section");
    refused("rules a\nop SUMMA\n", "there is no operator SUMMA");
    refused("rules a\nop ADD\nno NOTHING: x\n", "file:3: \"NOTHING\" is no reason code");
    refused("rules a\nop ADD\nno DRIVER if version > : x\n", "an operand is missing before \": x\"");
    refused("rules a\nop ADD\nno DRIVER if in0.colour == 1: x\n", "a tensor has no \"colour\"");
    refused("rules a\nop ADD\nno DRIVER if in0.shape == 1: x\n", "\"shape\" is for messages");
    refused("rules a\nop ADD\nno DRIVER if t.rank == 1: x\n", "t stands for a tensor within all(...)");
    refused("rules a\nop ADD\nno DRIVER if all(any(t.rank == 1)): x\n", "any(...) stands within another one");
    refused("rules a\nop ADD\nno DRIVER if in0.type in nothing: x\n", "no set is named \"nothing\"");
    refused("rules a\nop ADD\nno DRIVER: {version\n", "a { in a message has no }");
    refused("rules a\nop ADD\nno DRIVER version\n", "\": MESSAGE\" is missing before \"version\"");
    refused("rules a\nop ADD\nyes if version > 1 2\n", "\"2\" is too much");
    refused("rules a\nset s = FLOAT32 red\n", "\"red\" is neither a type nor an operator nor a number");
    refused("rules a\nwithin ../b\n", "within takes one built-in rule set");
    refused("rules a\nother\nwithin tflite-gl\n", "within takes one built-in rule set");
    refused("rules a\nlog loud\n", "log is now, 2019 or drift");
    refused("rules a\npartitions 0\n", "partitions takes a number from 1 to 1000");
    refused("rules a\ntitle b\ntitle c\n", "file:3: \"title\" stands here a second time");
    refused("rules a\nset s = 1\nset s = 2\n", "file:3: \"s\" has a meaning already");
    refused("rules a\nlet x = 1\nlet x = 2\n", "file:3: \"x\" has a meaning already");
    refused("rules a\nlet version = 1\n", "\"version\" has a meaning already");
    refused("rules a\nlet in7 = 1\n", "\"in7\" has a meaning already");
    refused("rules a\nlet FLOAT32 = 1\n", "\"FLOAT32\" has a meaning already");
    refused("rules a\nlet x = opt.strides\n", "no operator has an option \"strides\" that is a number");
    refused("rules a\nlet x = 9007199254740993\n", "9007199254740993 is above 9007199254740992, the largest number");
    refused("rules a\nset s = -99999999999999999999999\n", "99999999999999999999999 is above 9007199254740992");
    refused("rules a\nset s = 1-\n", "\"1-\" is neither a type nor an operator nor a number");
}

static void limits_of_a_rule_set(void **state)
{
    static char text[RULES_MAX_BYTES + 2];
    struct rules *r;
    char deep[512] = "rules a\nop ADD\nno DRIVER if ", line[128];

    (void)state;
    for (int i = 0; i < 60; i++)
        strcat(deep, "(");
    refused(deep, "nested more than 48 deep");
    strcpy(text, "rules a\nlet a0 = version\n");
    for (int i = 0; i < 40; i++) {
        snprintf(line, sizeof line, "let a%d = a%d + a%d\n", i + 1, i, i);
        strcat(text, line);
    }
    refused(text, "an expression takes more than 512 steps");
    strcpy(text, "rules a\nlet x = 0+0+0+0+0+0+0+0+0+0+0+0+0+0+0+0+0+0+0+0\nevery\n");
    for (char *end = text + strlen(text), *last = end + 16 * 2000; end < last;)
        end = stpcpy(end, "no DRIVER if x:\n");
    refused(text, "file:1684: the rows up to here take more than 65536 steps");
    strcpy(text, "rules a\n");
    for (int i = 0, n = 8; i <= 1024; i++)
        n += sprintf(text + n, i % 2 ? "let a%d = 1\n" : "set a%d = 1\n", i);
    refused(text, "file:1026: more than 1024 names of sets and expressions");
    memset(text, ' ', sizeof text);
    assert_int_equal(rules_parse(text, sizeof text, "file", &r, &err), ST_UNSUPPORTED);
    assert_null(r);
    assert_int_equal(rules_parse("rules a\0\n", 9, "file", &r, &err), ST_USAGE);
    assert_string_equal(err.msg, "file:1: a byte of 0");
    assert_int_equal(rules_open("testdata/no such file", &r, &err), ST_USAGE);
    assert_string_equal(
        err.msg, "testdata/no such file is neither a built-in rule set nor a file that can be read: No such file or directory");
}

/* ---- answers about one node ---- */

static struct loaded l;
static struct coverage c;

/* One operator on inputs of these shapes: c0 of them, from the last on, are constants. */
struct shape {
    enum tensor_type type;
    int32_t rank, dim[5];
    const void *data; /* of a constant */
};

static void build_one(enum builtin op, int32_t version, const void *opt, const struct shape *in, uint32_t n_in,
                      const struct shape *out)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    int32_t inputs[4], running[4], y;
    uint32_t n = 0;
    struct builder b;

    builder_init(&b, "one");
    for (uint32_t i = 0; i < n_in; i++) {
        inputs[i] = in[i].data ? build_const(&b, names[i], in[i].type, in[i].dim, in[i].rank, in[i].data)
                               : build_tensor(&b, names[i], in[i].type, in[i].dim, in[i].rank);
        if (!in[i].data)
            running[n++] = inputs[i];
    }
    y = build_tensor(&b, "y", out->type, out->dim, out->rank);
    build_op(&b, op, version, opt, inputs, n_in, INDICES(y));
    build_inputs(&b, running, n);
    build_outputs(&b, INDICES(y));
    l = load(&b);
}

/* What a set, by name or as text, says of the last node. */
static struct verdict ask_set(const char *name)
{
    struct verdict v;
    struct rules *r;

    if (strchr(name, '\n'))
        TEST_OK(read(name, &r), err);
    else
        TEST_OK(rules_open(name, &r, &err), err);
    TEST_OK(coverage_of_rules(l.model, 0, r, &(struct partition_options){0}, NULL, &c, &err), err);
    v = c.verdicts[c.n_verdicts - 1];
    coverage_free(&c);
    rules_free(r);
    return v;
}

static void says(const char *set, enum rules_answer answer, const char *why)
{
    const struct verdict v = ask_set(set);

    if (v.answer != answer || strcmp(v.why.text, why) != 0)
        fail_msg("%s says %s: \"%s\", not %s: \"%s\"", set, rules_answer_name(v.answer), v.why.text, rules_answer_name(answer),
                 why);
    assert_int_equal(v.covered, answer == RULES_YES);
    assert_int_equal(v.partition, answer == RULES_NO ? -1 : 0);
}

#define IN(...) (const struct shape[]){__VA_ARGS__}, (uint32_t)(sizeof((struct shape[]){__VA_ARGS__}) / sizeof(struct shape))
#define F32(...)                                                                                                                   \
    {                                                                                                                              \
        TYPE_FLOAT32, (int32_t)(sizeof((int32_t[]){__VA_ARGS__}) / 4), {__VA_ARGS__}, NULL                                         \
    }
#define OUT(...) &(const struct shape)F32(__VA_ARGS__)

static int end_model(void **state)
{
    (void)state;
    unload(&l);
    l = (struct loaded){0};
    return 0;
}

static void rows_and_numbers(void **state)
{
    (void)state;
    build_one(BUILTIN_ADD, 2, NULL, IN(F32(1, 4), F32(2, 4)), OUT(2, 4));
    says("rules a\nop ADD\n", RULES_YES, "");
    says("rules a\nop SUB\n", RULES_YES, ""); /* no section `other`: nothing is said of it */
    says("rules a\nother\nno DRIVER: {op}\n", RULES_NO, "ADD");
    says("rules a\nop ADD\nno DRIVER if version > 1: version {version} of {op}\n", RULES_NO, "version 2 of ADD");
    says("rules a\nop ADD\nno DRIVER unless same_shape(in0, in1): [{in0.shape}] and {in1.extents}\n", RULES_NO, "[1,4] and 2x4");
    says("rules a\nop ADD\nno DRIVER unless broadcasts(in0, in1): x\n", RULES_YES, "");
    says("rules a\nop ADD\nno DRIVER if any(t.dim(-2) == 2): {t.name} {t.type} {t.index}\n", RULES_NO, "b FLOAT32 1");
    says("rules a\nop ADD\nno DRIVER if all_out(t.dim(0) == 2) and not any_in(t.const): {out0.elems}\n", RULES_NO, "8");
    says("rules a\nset s = 7 FLOAT32\nop ADD\nno DRIVER if in0.type in s: {in0.rank * 3 + -1} {7 % 4}\n", RULES_NO, "5 3");
    says("rules a\nlet two = inputs == 2 and outputs == 1\nop ADD\nno DRIVER if two: {runtime_inputs}{const_inputs}\n", RULES_NO,
         "20");
    says("rules a\nop ADD\nno DRIVER if in2.present or in2.rank > 0 or in7.elems > 0: x\n", RULES_YES, "");
    says("rules a\nop ADD\nyes if version == 2\nno DRIVER: x\nevery\ncrash DRIVER if version == 2: late\n", RULES_CRASH, "late");
    says("rules a\nfirst\nincorrect DRIVER if 1: early\nop ADD\nno DRIVER: x\n", RULES_INCORRECT, "early");
    says("rules a\nop ADD\npartial DRIVER: x\n", RULES_YES, "");
}

static void options_by_name(void **state)
{
    (void)state;
    build_one(BUILTIN_SOFTMAX, 1, &(struct opt_softmax){.beta = 0.5f}, IN(F32(1, 4)), OUT(1, 4));
    says("rules a\nop SOFTMAX\nno DRIVER if opt.beta < 1 and opt.stride_height == 0: {opt.beta}\n", RULES_NO, "0.5");
    says("tflite-gpu", RULES_NO, "Softmax.beta != 1 is not supported.");
    says("tflite-gpu-2019", RULES_YES, "");
}

/* Facts about TFLite's delegate, one small model each. */
static void known_of_additions(void **state)
{
    (void)state;
    build_one(BUILTIN_ADD, 1, NULL, IN(F32(3, 4), F32(1, 2, 3, 4)), OUT(1, 2, 3, 4));
    says("tflite-gpu", RULES_NO, "Doesn't support broadcasting - input0: [3,4], input1: [1,2,3,4]");
    says("tflite-gpu-2019", RULES_YES, "");
    end_model(NULL);
    build_one(BUILTIN_ADD, 3, NULL, IN(F32(1, 4), F32(1, 4)), OUT(1, 4));
    says("tflite-gpu", RULES_NO, "Max version supported: 2. Requested version 3.");
    says("tflite-gpu-2019", RULES_NO, "Max version supported: 1. Requested version 3.");
    end_model(NULL);
    build_one(BUILTIN_ADD, 1, NULL, IN(F32(1, 1, 1, 2, 4), F32(1, 1, 1, 2, 4)), OUT(1, 1, 1, 2, 4));
    says("tflite-gpu", RULES_NO, "OP is supported, but tensor type/shape isn't compatible.");
}

static void known_of_splits(void **state)
{
    static const int32_t axis = 1;

    (void)state;
    build_one(BUILTIN_SPLIT, 1, &(struct opt_split){.num_splits = 1}, IN({TYPE_INT32, 0, {0}, &axis}, F32(1, 4)), OUT(1, 4));
    says("tflite-gpu-cl", RULES_YES, "");
    says("tflite-gpu", RULES_NO, "Operation is not supported.");
    says("tflite-gl", RULES_NO, "Operation is not supported.");
}

static void known_of_failures(void **state)
{
    static const int32_t axes = 1, indices[2] = {0, 1};

    (void)state;
    build_one(BUILTIN_SUM, 1, NULL, IN(F32(1, 4, 4, 8), {TYPE_INT32, 1, {1}, &axes}), OUT(1, 4, 8));
    says("tflite-gpu", RULES_YES, "");
    says("tflite-gl", RULES_CRASH, "No shader implementation for reduce_sum");
    end_model(NULL);
    build_one(BUILTIN_CUMSUM, 1, &(struct opt_cumsum){.exclusive = true}, IN(F32(1, 4), {TYPE_INT32, 0, {0}, &axes}), OUT(1, 4));
    says("tflite-gpu", RULES_INCORRECT, "exclusive and reverse are not read: the sums are those of neither");
    end_model(NULL);
    build_one(BUILTIN_GATHER, 1, NULL, IN({TYPE_FLOAT32, 2, {2, 2}, (const float[4]){1}}, {TYPE_INT32, 1, {2}, NULL}), OUT(2, 2));
    says("tflite-gpu", RULES_CRASH, "GATHER: ReadNonConstantTensor: value is a constant tensor: 0");
    end_model(NULL);
    build_one(BUILTIN_GATHER, 1, NULL, IN(F32(2, 2), {TYPE_INT32, 2, {1, 2}, indices}), OUT(1, 2, 2));
    says("tflite-gpu", RULES_NO, "Only support 1D indices");
}

static void known_of_batches(void **state)
{
    (void)state;
    build_one(BUILTIN_RELU, 1, NULL, IN(F32(2, 4)), OUT(2, 4));
    says("tflite-gpu", RULES_YES, "");
    says("tflite-gpu-2021", RULES_YES, "");
    says("tflite-gl", RULES_CRASH, "FromTensorConverter: Batch size != 1 is not supported.");
}

static void known_of_types(void **state)
{
    (void)state;
    build_one(BUILTIN_ADD, 1, NULL, IN({TYPE_INT32, 1, {4}, NULL}, {TYPE_INT32, 1, {4}, NULL}),
              &(const struct shape){TYPE_INT32, 1, {4}, NULL});
    says("tflite-gpu", RULES_NO, "OP is supported, but tensor type/shape isn't compatible.");
    end_model(NULL);
    build_one(BUILTIN_SQUEEZE, 1, NULL, IN(F32(1, 4)), OUT(4));
    says("tflite-gpu", RULES_NO, "Operation is not supported.");
}

/* Facts about ML Drift. */
static void known_of_ml_drift(void **state)
{
    (void)state;
    build_one(BUILTIN_ADD, 1, NULL, IN({TYPE_INT32, 1, {4}, NULL}, {TYPE_INT32, 1, {4}, NULL}),
              &(const struct shape){TYPE_INT32, 1, {4}, NULL});
    says("ml-drift", RULES_YES, "");
    says("ml-drift-ir", RULES_YES, "");
    end_model(NULL);
    build_one(BUILTIN_EQUAL, 1, NULL, IN(F32(1, 4), F32(1, 4)), &(const struct shape){TYPE_BOOL, 2, {1, 4}, NULL});
    says("tflite-gpu", RULES_NO, "Not supported logical op case");
    says("ml-drift", RULES_YES, "");
    end_model(NULL);
    build_one(BUILTIN_ADD, 1, NULL, IN(F32(1, 1, 1, 2, 4), F32(1, 1, 1, 2, 4)), OUT(1, 1, 1, 2, 4));
    says("ml-drift", RULES_NO, "Tensor dimensions must be less than 5. a");
    end_model(NULL);
    build_one(BUILTIN_RELU_0_TO_1, 1, NULL, IN(F32(1, 4)), OUT(1, 4));
    says("ml-drift", RULES_NO, "Not supported op RELU_0_TO_1");
    says("ml-drift-ir", RULES_NO, "Operation is not supported.");
    end_model(NULL);
    build_one(BUILTIN_RELU, 1, NULL, IN({TYPE_INT64, 2, {1, 4}, NULL}), &(const struct shape){TYPE_INT64, 2, {1, 4}, NULL});
    says("ml-drift", RULES_NO, "Tensor type(INT64) is not supported. a");
    says("ml-drift-ir", RULES_NO, "Unsupported dtype for inputs[0]: 4");
    end_model(NULL);
    build_one(BUILTIN_SOFTMAX, 3, &(struct opt_softmax){.beta = 1}, IN(F32(1, 4)), OUT(1, 4));
    says("ml-drift", RULES_YES, "");
    says("ml-drift-ir", RULES_NO, "Unsupported version: 3");
}

/* The IR path computes what a window leaves: 5 rows of 9 at stride 2 with SAME, 4 with VALID. */
static void known_of_windows(void **state)
{
    static const float weights[4 * 3 * 3 * 2];
    struct opt_conv_2d opt = {.padding = PAD_SAME, .stride_height = 2, .stride_width = 2};

    (void)state;
    opt.dilation_height_factor = opt.dilation_width_factor = 1;
    build_one(BUILTIN_CONV_2D, 1, &opt, IN(F32(1, 9, 9, 2), {TYPE_FLOAT32, 4, {4, 3, 3, 2}, weights}), OUT(1, 5, 5, 4));
    says("ml-drift-ir", RULES_YES, "");
    end_model(NULL);
    opt.padding = PAD_VALID;
    build_one(BUILTIN_CONV_2D, 1, &opt, IN(F32(1, 9, 9, 2), {TYPE_FLOAT32, 4, {4, 3, 3, 2}, weights}), OUT(1, 4, 4, 4));
    says("ml-drift-ir", RULES_YES, "");
    says("rules a\nwithin ml-drift\nop CONV_2D\nno DRIVER if out0.dim(1) * opt.stride_height != 8: x\n", RULES_YES, "");
}

/* A set within another sees through what that one sees through. */
static void known_of_halves(void **state)
{
    static const uint16_t halves[16 * 4];
    struct builder b;
    int32_t x, w, wide, y;

    (void)state;
    builder_init(&b, "halves");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    w = build_const(&b, "w", TYPE_FLOAT16, SHAPE(16, 4), halves);
    wide = build_tensor(&b, "wide", TYPE_FLOAT32, SHAPE(16, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 16));
    build_op(&b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(x, wide, -1), INDICES(y));
    build_op(&b, BUILTIN_DEQUANTIZE, 1, NULL, INDICES(w), INDICES(wide));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load(&b);
    says("tflite-gpu", RULES_YES, "");
    says("tflite-gl", RULES_YES, "");
    says("rules a\nwithin tflite-gpu\nop FULLY_CONNECTED\nno DRIVER: x\n", RULES_NO, "x");
    says("rules a\nwithin tflite-gpu\nop FULLY_CONNECTED\ncrash DRIVER unless in1.const: {in1.type}\n", RULES_YES, "");
}

/* What a set's base takes only where all else is taken is held against the set's own rows, too. */
static void known_of_what_waits(void **state)
{
    static const uint16_t halves[4];
    struct builder b;
    int32_t x, w, r, y;

    (void)state;
    builder_init(&b, "waits");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    w = build_const(&b, "w", TYPE_FLOAT16, SHAPE(1, 4), halves);
    r = build_tensor(&b, "r", TYPE_FLOAT32, SHAPE(1, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 4));
    build_op(&b, BUILTIN_RELU, 1, NULL, INDICES(x), INDICES(r));
    build_op(&b, BUILTIN_DEQUANTIZE, 1, NULL, INDICES(w), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(r, y));
    l = load(&b);
    says("tflite-gpu-2021", RULES_YES, "");
    says("rules a\nwithin tflite-gpu-2021\nop DEQUANTIZE\nno DRIVER: own\n", RULES_NO, "own");
    says("rules a\nwithin tflite-gpu-2021\nop DEQUANTIZE\ncrash DRIVER: own\n", RULES_CRASH, "own");
    says("rules a\nwithin tflite-gpu-2021\nop DEQUANTIZE\ncrash DRIVER: own\nop RELU\nno DRIVER: x\n", RULES_NO, "");
}

/* ---- partitions ---- */

/* x -> EXP -> TANH -> EXP -> EXP -> y: what is handed over is the largest partition, in 2019 the first. */
static void build_chain_of_four(void)
{
    static const enum builtin ops[] = {BUILTIN_RELU, BUILTIN_ROUND, BUILTIN_RELU, BUILTIN_RELU};
    static const char *const names[] = {"t1", "t2", "t3", "y"};
    struct builder b;
    int32_t t, next;

    builder_init(&b, "chain");
    t = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    build_inputs(&b, INDICES(t));
    for (int i = 0; i < 4; i++, t = next) {
        next = build_tensor(&b, names[i], TYPE_FLOAT32, SHAPE(1, 4));
        build_op(&b, ops[i], 1, NULL, INDICES(t), INDICES(next));
    }
    build_outputs(&b, INDICES(t));
    l = load(&b);
}

static void count(const char *set, int32_t max_partitions, uint32_t delegated, uint32_t covered)
{
    struct rules *r;

    TEST_OK(rules_open(set, &r, &err), err);
    TEST_OK(coverage_of_rules(l.model, 0, r, &(struct partition_options){.max_partitions = max_partitions}, NULL, &c, &err), err);
    assert_int_equal(c.parts.n_delegated, delegated);
    assert_int_equal(c.covered, covered);
    assert_int_equal(c.verdicts[1].answer, RULES_NO);
    coverage_free(&c);
    rules_free(r);
}

static void what_is_handed_over(void **state)
{
    (void)state;
    build_chain_of_four();
    count("tflite-gpu", 0, 2, 2);
    count("tflite-gpu", 8, 3, 3);
    count("tflite-gpu-2019", 0, 1, 1);
}

/* Every name opens, under its own name. */
static void built_in_sets(void **state)
{
    struct rules *r;
    int n = 0;

    (void)state;
    for (const char *const *name = rules_names(); *name; name++, n++) {
        TEST_OK(rules_open(*name, &r, &err), err);
        assert_string_equal(r->name, *name);
        assert_true(r->title != r->name);
        rules_free(r);
    }
    assert_int_equal(n, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_rule_set),
        cmocka_unit_test(limits_of_a_rule_set),
        cmocka_unit_test_teardown(rows_and_numbers, end_model),
        cmocka_unit_test_teardown(options_by_name, end_model),
        cmocka_unit_test_teardown(known_of_additions, end_model),
        cmocka_unit_test_teardown(known_of_splits, end_model),
        cmocka_unit_test_teardown(known_of_failures, end_model),
        cmocka_unit_test_teardown(known_of_batches, end_model),
        cmocka_unit_test_teardown(known_of_types, end_model),
        cmocka_unit_test_teardown(known_of_ml_drift, end_model),
        cmocka_unit_test_teardown(known_of_windows, end_model),
        cmocka_unit_test_teardown(known_of_halves, end_model),
        cmocka_unit_test_teardown(known_of_what_waits, end_model),
        cmocka_unit_test_teardown(what_is_handed_over, end_model),
        cmocka_unit_test(built_in_sets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
