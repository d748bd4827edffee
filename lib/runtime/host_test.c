/* SPDX-License-Identifier: Apache-2.0 */
/* host_test.c - a runtime that errs on command, in a process of its own: every end of it is one sentence, and leaves nothing. */
#include "lib/runtime/host.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/testing/test.h"

/* ---- the runtime: the output is the input, doubled; the option `do` says how it errs, and where ---- */

enum { LARGE = 600000 };

static bool does(const struct runtime_host *h, const char *what)
{
    char word[64];

    return !strcmp(runtime_option(h->shared->job.options, "do", word, sizeof word), what);
}

static enum status err_on_purpose(struct runtime_host *h, const char *where, struct err *err)
{
    static const char *const how[] = {"crash", "abort", "exit", "hang", "fail", "stop"};
    char word[64];
    int i = 0;

    runtime_call(h, where);
    for (; i < 6; i++) {
        snprintf(word, sizeof word, "%s in %s", how[i], where);
        if (does(h, word))
            break;
    }
    if (i < 6)
        fprintf(stderr, "a line\nthe last words\n");
    if (i == 0) {
        signal(SIGSEGV, SIG_DFL); /* sanitizers have a handler */
        raise(SIGSEGV);
    }
    if (i == 1)
        abort();
    if (i == 2)
        exit(7);
    if (i == 3)
        sleep(1000);
    if (i == 5)
        raise(SIGSTOP);
    return i == 4 ? err_set(err, ST_FAILED, "%s says no", where) : ST_OK;
}

static enum status test_open(struct runtime_host *h, struct err *err)
{
    snprintf(h->shared->facts.version, sizeof h->shared->facts.version, "1.0");
    if (does(h, "endless text"))
        memset(&h->shared->facts, 'x', sizeof h->shared->facts);
    return err_on_purpose(h, "open", err);
}

static enum status test_compile(struct runtime_host *h, struct err *err)
{
    if (does(h, "read the model") && memcmp(h->model, "model", 5) != 0)
        return err_set(err, ST_FAILED, "another model");
    if (does(h, "environment"))
        snprintf(h->shared->facts.used, sizeof h->shared->facts.used, "%s %s", getenv("HOST_TEST"), getenv("HOME") ? "HOME" : "");
    return err_on_purpose(h, "compile", err);
}

/* As a library does it: the input is written to its own memory, and read from there. */
static enum status copy(struct runtime_host *h, struct err *err)
{
    static char its[LARGE];
    const uint64_t begin = clock_ns();
    uint64_t written;
    enum status st;

    memcpy(its, (const char *)h->shared + h->inputs[0].offset, sizeof its);
    written = clock_ns();
    st = runtime_put(h, 0, its, sizeof its, h->outputs[0].dim, 1, err);
    h->shared->times = (struct runtime_times){written - begin, 0, clock_ns() - written};
    return st;
}

static enum status test_run(struct runtime_host *h, struct err *err)
{
    float y[4];
    const float *x = (const float *)((const char *)h->shared + h->inputs[0].offset);
    enum status st = does(h, "copy") ? ST_LATER : err_on_purpose(h, "run", err);

    if (st == ST_LATER)
        return copy(h, err);
    for (int i = 0; i < 4; i++)
        y[i] = 2 * x[i];
    h->shared->times = (struct runtime_times){1, 2, 3};
    if (h->profiling)
        runtime_note(h, "DOUBLE", 0, false, 5);
    if (st || (st = runtime_put(h, 0, y, does(h, "short output") ? 8 : 16, (const int32_t[]){4}, 1, err)) ||
        h->shared->job.n_outputs < 2)
        return st;
    st = runtime_put(h, 1, y, 8, (const int32_t[]){1, 2}, 2, err);
    if (does(h, "lie about the size"))
        h->outputs[1].bytes = 1 << 30, h->outputs[1].dim[0] = 1 << 27;
    if (does(h, "lie about the place"))
        h->outputs[1].offset = UINT64_MAX - 4;
    if (does(h, "lie about the rank"))
        h->outputs[1].rank = 1000;
    if (does(h, "lie about the status"))
        return (enum status)99;
    return st;
}

static enum status test_reset(struct runtime_host *h, struct err *err)
{
    return err_on_purpose(h, "reset", err);
}

static const struct runtime runtime = {"test", NULL, test_open, test_compile, test_run, test_reset};

/* ---- helpers ---- */

static enum status start(const char *what, double deadline_s, uint32_t n_outputs, struct host **out, struct err *err)
{
    static const char *const environment[] = {"HOST_TEST=set", NULL};
    const struct host_options o = {&runtime, deadline_s, environment};
    struct runtime_job job = {.model_bytes = 5, .n_inputs = 1, .n_outputs = n_outputs};
    const struct runtime_tensor t = {"t", TYPE_FLOAT32, 1, {4}, false, 0, 16}, dynamic = {"d", TYPE_FLOAT32, .dynamic = true};

    snprintf(job.options, sizeof job.options, "do=%s\n", what);
    return host_start(&o, &job, (const struct runtime_tensor[]){t, t, dynamic}, "model", out, err);
}

/* One input and one output, each of LARGE bytes. */
static enum status start_large(const char *what, double deadline_s, struct host **out, struct err *err)
{
    const struct host_options o = {&runtime, deadline_s, NULL};
    struct runtime_job job = {.model_bytes = 5, .n_inputs = 1, .n_outputs = 1};
    const struct runtime_tensor t = {"t", TYPE_FLOAT32, 1, {LARGE / 4}, false, 0, LARGE};

    snprintf(job.options, sizeof job.options, "do=%s\n", what);
    return host_start(&o, &job, (const struct runtime_tensor[]){t, t}, "model", out, err);
}

static uint32_t n_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    uint32_t n = 0;

    while (d && readdir(d))
        n++;
    closedir(d);
    return n;
}

static void check_end(enum status st, const struct err *err, const char *text)
{
    assert_int_equal(st, ST_FAILED);
    if (!strstr(err->msg, text))
        fail_msg("'%s' is not in '%s'", text, err->msg);
    assert_null(strchr(err->msg, '\n'));
}

/* ---- tests ---- */

static void runs_and_measures(void **state)
{
    struct host *h;
    struct err err;
    struct runtime_event e;

    (void)state;
    TEST_OK(start("read the model", 10, 1, &h, &err), err);
    for (int i = 0; i < 4; i++)
        ((float *)host_input(h, 0))[i] = (float)i;
    TEST_OK(host_run(h, false, &err), err);
    assert_int_equal(host_n_events(h), 0);
    for (int i = 0; i < 4; i++)
        assert_true(((float *)host_output(h, 0))[i] == (float)(2 * i));
    assert_int_equal(host_times(h).run_ns, 2);
    TEST_OK(host_run(h, true, &err), err);
    assert_int_equal(host_n_events(h), 1);
    host_event(h, 0, &e);
    assert_string_equal(e.name, "DOUBLE");
    TEST_OK(host_reset(h, &err), err);
    assert_true(host_memory(h) > 0);
    assert_string_equal(host_facts(h)->version, "1.0");
    host_free(h);
    TEST_OK(start("environment", 10, 1, &h, &err), err);
    assert_string_equal(host_facts(h)->used, "set HOME");
    host_free(h);
}

static void reads_outputs_that_grow(void **state)
{
    struct host *h;
    struct err err;
    struct runtime_tensor shape;
    float got[2] = {0};

    (void)state;
    TEST_OK(start("", 10, 2, &h, &err), err);
    assert_null(host_output(h, 1));
    ((float *)host_input(h, 0))[1] = 4;
    for (int i = 0; i < 3; i++) {
        TEST_OK(host_run(h, false, &err), err);
        TEST_OK(host_output_shape(h, 1, &shape, &err), err);
        assert_true(shape.rank == 2 && shape.dim[1] == 2 && shape.bytes == 8);
        TEST_OK(host_output_read(h, 1, &shape, got, &err), err);
        assert_true(got[1] == 8);
    }
    host_free(h);
}

static void tells_every_end(void **state)
{
    static const struct {
        const char *what, *text;
    } ends[] = {{"crash in %s", "test ended by SIGSEGV (11) in %s(); its last words: a line / the last words"},
                {"abort in %s", "test ended by SIGABRT (6) in %s(); its last words: a line / the last words"},
                {"exit in %s", "test ended the process with status 7 in %s(); its last words: a line / the last words"},
                {"hang in %s", "test gave no answer in 0.2 s in %s(); its last words: a line / the last words"},
                {"stop in %s", "test gave no answer in 0.2 s in %s(); its last words: a line / the last words"},
                {"fail in %s", "test: %s says no"}};
    static const char *const where[] = {"open", "compile", "run", "reset"};
    const uint32_t files = n_files();

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int k = 0; k < 4; k++) {
            struct host *h;
            struct err err;
            char what[64], text[160];
            enum status st;

            snprintf(what, sizeof what, ends[i].what, where[k]);
            snprintf(text, sizeof text, ends[i].text, where[k]);
            st = start(what, strstr(what, "hang") || strstr(what, "stop") ? 0.2 : 10, 1, &h, &err);
            if (k >= 2) {
                TEST_OK(st, err);
                st = k == 2 ? host_run(h, false, &err) : host_reset(h, &err);
            }
            check_end(st, &err, text);
            if (k >= 2 && !strstr(what, "fail"))
                check_end(host_run(h, false, &err), &err, text); /* and it stays so */
            host_free(h);
        }
    assert_int_equal(n_files(), files);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0); /* no process is left */
}

static void checks_what_the_host_claims(void **state)
{
    static const char *const lies[] = {"lie about the size", "lie about the place", "lie about the rank"};
    struct runtime_tensor shape;
    struct host *h;
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        TEST_OK(start(lies[i], 10, 2, &h, &err), err);
        TEST_OK(host_run(h, false, &err), err);
        check_end(host_output_shape(h, 1, &shape, &err), &err, "test: output 1");
        host_free(h);
    }
    TEST_OK(start("lie about the status", 10, 2, &h, &err), err);
    check_end(host_run(h, false, &err), &err, "test: its host gives an impossible answer");
    host_free(h);
    TEST_OK(start("short output", 10, 1, &h, &err), err);
    check_end(host_run(h, false, &err), &err, "output 0 \"t\" has 8 bytes, and 16 by the model's shapes");
    host_free(h);
    TEST_OK(start("endless text", 10, 1, &h, &err), err);
    assert_int_equal(strlen(host_facts(h)->left), sizeof host_facts(h)->left - 1);
    host_free(h);
}

/* Killed at any time, from before it starts until it runs: always one sentence. The seed is fixed. */
static void survives_kills(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int i = 0; i < 100; i++) {
        struct host *h;
        struct err err = {""};
        enum status st;
        pid_t killer = fork();

        if (!killer) { /* of all its brothers, which it does not know, the hosts have a process group of their own */
            const pid_t parent = getppid();
            char path[64];

            usleep((useconds_t)(test_random(&random) % 4000) + (useconds_t)i);
            snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
            FILE *f = fopen(path, "r");
            for (int pid; f && fscanf(f, "%d", &pid) == 1;)
                if (pid != getpid())
                    kill(pid, i % 10 ? SIGKILL : SIGSTOP);
            _exit(0);
        }
        test_random(&random);
        st = start("", 0.3, 1, &h, &err);
        for (int k = 0; k < 300 && !st; k++)
            st = host_run(h, false, &err);
        if (st)
            assert_true(*err.msg && !strchr(err.msg, '\n') && (strstr(err.msg, "SIGKILL") || strstr(err.msg, "no answer")));
        host_free(h);
        waitpid(killer, NULL, 0);
    }
    assert_true(waitpid(-1, NULL, WNOHANG) < 0);
}

static int compare_times(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* HOST_TEST_RUNS=N: prints how long N runs take, less the times that the host measured inside. */
static void hands_over(void **state)
{
    const uint32_t n = getenv("HOST_TEST_RUNS") ? (uint32_t)strtoul(getenv("HOST_TEST_RUNS"), NULL, 10) : 3;
    const uint32_t half = n / 2, most = n * 9 / 10;
    uint64_t *ns = calloc(n + 1, sizeof *ns);
    struct host *h;
    struct err err;

    (void)state;
    assert_non_null(ns);
    TEST_OK(start_large("copy", 10, &h, &err), err);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t begin = clock_ns();
        struct runtime_times t;

        TEST_OK(host_run(h, false, &err), err);
        ns[i] = clock_ns() - begin;
        t = host_times(h);
        assert_true(t.write_ns + t.run_ns + t.read_ns <= ns[i]);
        ns[i] -= t.write_ns + t.run_ns + t.read_ns;
    }
    qsort(ns, n, sizeof *ns, compare_times);
    if (getenv("HOST_TEST_RUNS"))
        printf("Handing over, %u runs with %d bytes of inputs: median %.1f us, 90 %% below %.1f us\n", n, LARGE,
               (double)ns[half] / 1e3, (double)ns[most] / 1e3);
    free(ns);
    host_free(h);
}

static void checks_libraries(void **state)
{
    char sha256[65];
    struct err err;
    const unsigned char other[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1, [16] = 3, [18] = 0xf3, [19] = 0x7f};
    char path[] = "/tmp/host_test.XXXXXX";
    const int fd = mkstemp(path);

    (void)state;
    TEST_OK(host_check_library("lib", "/proc/self/exe", sha256, &err), err);
    assert_int_equal(strlen(sha256), 64);
    assert_int_equal(host_check_library("lib", "/nowhere", sha256, &err), ST_IO);
    assert_int_equal(host_check_library("lib", "/tmp", sha256, &err), ST_IO);
    assert_int_equal(host_check_library("lib", __FILE__, sha256, &err), access(__FILE__, R_OK) ? ST_IO : ST_UNSUPPORTED);
    assert_int_equal(write(fd, other, sizeof other), sizeof other);
    assert_int_equal(host_check_library("lib", path, sha256, &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "for another machine"));
    close(fd);
    unlink(path);
}

static void reads_options(void **state)
{
    char value[32];

    (void)state;
    assert_string_equal(runtime_option("a=1\nab=2\na=3\n", "a", value, sizeof value), "3");
    assert_string_equal(runtime_option("a=1\nab=2\na=3\n", "b", value, sizeof value), "");
    assert_string_equal(runtime_option("key=a=b", "key", value, sizeof value), "a=b");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_and_measures), cmocka_unit_test(reads_outputs_that_grow),
        cmocka_unit_test(tells_every_end),   cmocka_unit_test(survives_kills),
        cmocka_unit_test(checks_libraries),  cmocka_unit_test(checks_what_the_host_claims),
        cmocka_unit_test(reads_options),     cmocka_unit_test(hands_over),
    };

    host_serve(argc, argv, &runtime);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
