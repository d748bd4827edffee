/* SPDX-License-Identifier: Apache-2.0 */
/* cli_test.c - what the command line accepts, and what it says about the rest. */
#include "cmd/tool/cli.h"
#include "lib/testing/test.h"

struct options {
    bool use_gpu, full, help;
    int32_t num_runs, num_threads;
    double min_secs;
    const char *graph, *path, *level;
    enum { SLOW, FAST } mode;
};

#define ROW(flag_name, takes, field, def)                                                                                          \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct options, field), .value = def, .help = "help"                          \
    }

static const struct flag flags[] = {
    ROW("use_gpu", FLAG_TAKES_BOOL, use_gpu, "false"),
    ROW("full", FLAG_TAKES_BOOL, full, "true"),
    ROW("num_runs", FLAG_TAKES_INT(INT32_MIN, INT32_MAX), num_runs, "50"),
    ROW("num_threads", FLAG_TAKES_INT(-1, 1024), num_threads, "-1"),
    ROW("min_secs", FLAG_TAKES_NUMBER(0, 1e6), min_secs, "1"),
    ROW("graph", FLAG_TAKES_TEXT, graph, ""),
    ROW("mode", FLAG_TAKES_WORD("slow", "fast"), mode, "fast"),
    ROW("gpu_mode", FLAG_TAKES_BOOL, full, "true"),
    ROW("help", FLAG_TAKES_BOOL, help, "false"),
    {.name = "use_tpu", FLAG_TAKES_BOOL, .value = "false", .help = "help", .refused = "there is none"},
    {.name = "tpu_level", FLAG_TAKES_INT(0, 0), .value = "0", .help = "help", .refused = "there is none"},
    {.name = "path",
     FLAG_TAKES_TEXT,
     .offset = offsetof(struct options, path),
     .value = "",
     .help = "help",
     .repeats = true,
     .may_be_empty = true},
    {.name = "level", FLAG_TAKES_TEXT, .offset = offsetof(struct options, level), .value = "", .help = "help", .bare = "some"},
    {.name = "tpu_path", FLAG_TAKES_TEXT, .value = "", .help = "help", .refused = "there is none"},
    {0},
};

static struct cli cli;
static const char *operand; /* of the tool that PARSE is */
static struct options options;
static struct err err;

/* Parses the arguments given, up to a NULL. */
#define PARSE(...) parse((char *[]){"tool", ##__VA_ARGS__, NULL})

static enum status parse(char **argv)
{
    int argc = 0;

    while (argv[argc])
        argc++;
    cli = (struct cli){.tool = "tool", .summary = "test", .operand = operand};
    err.msg[0] = '\0';
    cli_add(&cli, flags, &options);
    return cli_parse(&cli, argc, argv, &err);
}

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(PARSE(), ST_OK);
    assert_false(options.use_gpu);
    assert_true(options.full);
    assert_int_equal(options.num_runs, 50);
    assert_int_equal(options.num_threads, -1);
    assert_true(options.min_secs == 1.0);
    assert_string_equal(options.graph, "");
    assert_int_equal(options.mode, FAST);
    assert_false(cli.rows[5].given);
}

static void every_form(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--graph=a=b.tflite", "--num_runs", "-3", "--use_gpu", "--no-full", "--min_secs", "0.25"), ST_OK);
    assert_string_equal(options.graph, "a=b.tflite");
    assert_int_equal(options.num_runs, -3);
    assert_true(options.use_gpu);
    assert_false(options.full);
    assert_true(options.min_secs == 0.25);
    assert_true(cli.rows[5].given && cli.rows[1].given && !cli.rows[3].given);
    assert_int_equal(PARSE("--use_gpu=1", "--full=false"), ST_OK);
    assert_true(options.use_gpu && !options.full);
    assert_int_equal(PARSE("--use_gpu", "true", "--full", "0", "--graph", "--odd"), ST_OK);
    assert_true(options.use_gpu && !options.full);
    assert_string_equal(options.graph, "--odd");
    assert_int_equal(PARSE("--num_runs=1", "--num_runs=2"), ST_OK);
    assert_int_equal(options.num_runs, 2);
}

static void refusals(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--num_run=3"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --num_run; did you mean --num_runs?");
    assert_int_equal(PARSE("-graph", "x"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag -graph; did you mean --graph?");
    assert_int_equal(PARSE("--completely_different"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --completely_different; tool --help=all lists them");
    assert_int_equal(PARSE("--no-graph"), ST_USAGE);
    assert_int_equal(PARSE("--no-full=1"), ST_USAGE);
    assert_string_equal(err.msg, "--no-full=1: a --no- flag takes no value");
    assert_int_equal(PARSE("model.tflite"), ST_USAGE);
    assert_string_equal(err.msg, "unexpected argument 'model.tflite': flags begin with --");
    assert_int_equal(PARSE("--use_gpu", "maybe"), ST_USAGE);
    assert_int_equal(PARSE("--"), ST_USAGE);
    assert_int_equal(PARSE("-"), ST_USAGE);
    assert_int_equal(PARSE(""), ST_USAGE);
    assert_int_equal(PARSE("--graph"), ST_USAGE);
    assert_string_equal(err.msg, "--graph needs a value: --graph=VALUE");
    assert_int_equal(PARSE("--graph=g", "--graph="), ST_USAGE);
    assert_string_equal(err.msg, "--graph=: the value is empty; to go without one, leave the flag out");
    assert_string_equal(options.graph, "g");
    assert_int_equal(PARSE("--graph", ""), ST_USAGE);
}

/* From elsewhere: what the command line gives stays, and a flag that repeats has the values of all calls, in its turns. */
static void taken_from_elsewhere(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--graph=g"), ST_OK);
    assert_int_equal(cli_take(&cli, "path", "a", &err), ST_OK);
    assert_int_equal(cli_take(&cli, "graph", "h", &err), ST_OK);
    assert_int_equal(cli_take(&cli, "full", "false", &err), ST_OK);
    assert_int_equal(cli_take(&cli, "path", "b", &err), ST_OK);
    assert_string_equal(options.path, "a\nb");
    assert_string_equal(options.graph, "g");
    assert_int_equal(cli.n_given, 4);
    assert_string_equal(cli_given(&cli, 1)->flag->name, "graph");
    assert_string_equal(cli_given(&cli, 2)->flag->name, "path");
    assert_string_equal(cli_given(&cli, 3)->flag->name, "full");
    assert_string_equal(cli_given(&cli, 4)->flag->name, "path");
    assert_null(cli_given(&cli, 0));
    assert_null(cli_given(&cli, 5));
    cli_free(&cli);
    assert_int_equal(PARSE("--path=own", "--graph=g", "--graph=h"), ST_OK);
    assert_int_equal(cli_take(&cli, "path", "a", &err), ST_OK);
    assert_string_equal(options.path, "own");
    assert_null(cli_given(&cli, 2)); /* the last counts */
    cli_free(&cli);
}

/* A line for each, and where it stood; of all others the last counts. */
static void several_values(void **state)
{
    char *many[CLI_MAX_REPEATS + 3] = {"tool"};

    (void)state;
    assert_int_equal(PARSE("--path=a", "--graph=g", "--path=", "--graph=h", "--path", "c"), ST_OK);
    assert_string_equal(options.path, "a\n\nc");
    assert_string_equal(options.graph, "h");
    assert_int_equal(cli_find(&cli, "path")->n_turns, 3);
    assert_int_equal(cli_find(&cli, "path")->turns[0], 1);
    assert_int_equal(cli_find(&cli, "path")->turns[1], 3);
    assert_int_equal(cli_find(&cli, "path")->turns[2], 5);
    cli_free(&cli);
    assert_int_equal(PARSE("--path=a\nb"), ST_USAGE); /* which would be two */
    assert_string_equal(err.msg, "--path: a value of several lines; the flag may stand several times");
    assert_int_equal(PARSE("--graph=a\nb"), ST_OK);
    cli_free(&cli);
    for (int i = 1; i < CLI_MAX_REPEATS + 2; i++)
        many[i] = "--path=m";
    assert_int_equal(parse(many), ST_USAGE);
    assert_string_equal(err.msg, "--path: there may be at most 8 of them");
    cli_free(&cli);
}

static void operands(void **state)
{
    char *many[CLI_MAX_OPERANDS + 3] = {"tool"};

    (void)state;
    operand = "MODEL";
    assert_int_equal(PARSE("a.tflite", "--num_runs", "3", "b=c", "--use_gpu", "--full", "d"), ST_OK);
    assert_int_equal(cli.n_operands, 3);
    assert_string_equal(cli.operands[0], "a.tflite");
    assert_string_equal(cli.operands[1], "b=c");
    assert_string_equal(cli.operands[2], "d");
    assert_true(options.use_gpu && options.full && options.num_runs == 3);
    assert_int_equal(PARSE(""), ST_USAGE);
    assert_int_equal(PARSE("-"), ST_USAGE);
    for (int i = 1; i < CLI_MAX_OPERANDS + 2; i++)
        many[i] = "m";
    assert_int_equal(parse(many), ST_USAGE);
    assert_string_equal(err.msg, "'m': there may be at most 256 arguments MODEL");
    many[CLI_MAX_OPERANDS + 1] = NULL;
    assert_int_equal(parse(many), ST_OK);
    operand = NULL;
}

static void short_help(void **state)
{
    (void)state;
    assert_int_equal(PARSE("-h"), ST_OK);
    assert_true(options.help);
    assert_int_equal(PARSE("--num_runs", "1", "-h", "--full=0"), ST_OK);
    assert_true(options.help && !options.full);
}

/* --gpu is the beginning of --gpu_mode, but not what was meant. */
static void hints_prefer_use(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--gpu"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --gpu; did you mean --use_gpu?");
    assert_int_equal(PARSE("--gpu=true"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --gpu; did you mean --use_gpu?");
    assert_int_equal(PARSE("--gpu_mod"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --gpu_mod; did you mean --gpu_mode?");
}

/* useGPU is spelled as use_gpu; a word of the table comes before spellings, and only with a flag that the tool has. */
static void hints_by_meaning(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--useGPU"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --useGPU; did you mean --use_gpu?");
    assert_int_equal(PARSE("--iterations=3"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --iterations; did you mean --num_runs?");
    assert_int_equal(PARSE("--model=m"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --model; did you mean --graph?");
    assert_int_equal(PARSE("--fp16"), ST_USAGE);
    assert_string_equal(err.msg, "unknown flag --fp16; tool --help=all lists them");
}

/* A value that may be left out does not take the next argument. */
static void bare_value(void **state)
{
    (void)state;
    operand = "MODEL";
    assert_int_equal(PARSE("--level", "high"), ST_OK);
    assert_string_equal(options.level, "some");
    assert_string_equal(cli.operands[0], "high");
    assert_int_equal(PARSE("--level=high"), ST_OK);
    assert_string_equal(options.level, "high");
    operand = NULL;
}

static void one_value_alone(void **state)
{
    char buf[CLI_VALUE_SIZE];

    (void)state;
    assert_int_equal(PARSE("--use_tpu=false", "--no-use_tpu", "--use_tpu=0", "--tpu_level=0", "--tpu_path="), ST_OK);
    assert_string_equal(cli_value(cli_find(&cli, "use_tpu"), buf), "0");
    assert_string_equal(cli_value(cli_find(&cli, "tpu_level"), buf), "0");
    assert_int_equal(PARSE("--use_tpu"), ST_USAGE);
    assert_string_equal(err.msg, "--use_tpu=true: nothing but false is taken here, since there is none");
    assert_int_equal(PARSE("--tpu_level=1"), ST_USAGE);
    assert_string_equal(err.msg, "--tpu_level=1: nothing but 0 is taken here, since there is none");
    assert_int_equal(PARSE("--tpu_path=x"), ST_USAGE);
    assert_string_equal(err.msg, "--tpu_path=x: nothing but \"\" is taken here, since there is none");
    assert_int_equal(PARSE("--tpu_level=none"), ST_USAGE);
    assert_null(cli_find(&cli, "tpu"));
}

static void numbers_are_strict(void **state)
{
    static char *const bad[] = {"--num_runs=",           "--num_runs=3x",  "--num_runs= 3",
                                "--num_runs=2147483648", "--num_runs=1e3", "--num_runs=99999999999999999999",
                                "--min_secs=nan",        "--min_secs=inf", "--min_secs=1s",
                                "--min_secs=",           "--use_gpu=yes",  "--use_gpu="};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(PARSE(bad[i]), ST_USAGE);
    assert_int_equal(PARSE("--num_runs=3x"), ST_USAGE);
    assert_string_equal(err.msg, "--num_runs=3x: expected a whole number from -2147483648 to 2147483647");
    assert_int_equal(PARSE("--min_secs=1e-3"), ST_OK);
}

static void bounds(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--num_threads=-1", "--num_threads=1024", "--min_secs=0", "--min_secs=1e6"), ST_OK);
    assert_int_equal(PARSE("--num_threads=-2"), ST_USAGE);
    assert_string_equal(err.msg, "--num_threads=-2: expected a whole number from -1 to 1024");
    assert_int_equal(PARSE("--min_secs=-1"), ST_USAGE);
    assert_string_equal(err.msg, "--min_secs=-1: expected a number from 0 to 1000000");
    assert_int_equal(PARSE("--mode=slow"), ST_OK);
    assert_int_equal(options.mode, SLOW);
    assert_int_equal(PARSE("--mode=slo"), ST_USAGE);
    assert_string_equal(err.msg, "--mode=slo: expected slow or fast");
}

static void values_as_text(void **state)
{
    char buf[CLI_VALUE_SIZE];

    (void)state;
    assert_int_equal(PARSE("--min_secs=0.5", "--graph=m"), ST_OK);
    assert_string_equal(cli_value(&cli.rows[0], buf), "0");
    assert_string_equal(cli_value(&cli.rows[3], buf), "-1");
    assert_string_equal(cli_value(&cli.rows[4], buf), "0.5");
    assert_string_equal(cli_value(&cli.rows[5], buf), "m");
    assert_string_equal(cli_value(&cli.rows[6], buf), "fast");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),         cmocka_unit_test(every_form),           cmocka_unit_test(refusals),
        cmocka_unit_test(operands),         cmocka_unit_test(short_help),           cmocka_unit_test(hints_prefer_use),
        cmocka_unit_test(one_value_alone),  cmocka_unit_test(numbers_are_strict),   cmocka_unit_test(bounds),
        cmocka_unit_test(values_as_text),   cmocka_unit_test(taken_from_elsewhere), cmocka_unit_test(several_values),
        cmocka_unit_test(hints_by_meaning), cmocka_unit_test(bare_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
