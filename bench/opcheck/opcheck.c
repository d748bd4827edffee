/* SPDX-License-Identifier: Apache-2.0 */
/* opcheck.c - checks every operator's cases: CPU against golden outputs, GPU against CPU. */
#include "bench/opcheck/opcheck.h"

#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "bench/opcheck/check_gpu.h"
#include "bench/opcheck/conformance.h"
#include "bench/opcheck/export.h"
#include "bench/opcheck/op_cases.h"
#include "bench/opcheck/variant.h"
#include "lib/base/flag.h"
#include "lib/base/threads.h"
#include "lib/testing/require_gpu.h"

static const char help[] =
    "usage: opcheck [flags]\n"
    "Runs the test cases of every operator: compares the CPU with golden outputs, and the GPU with the CPU.\n"
    "  --op=NAME     run this operator or kernel alone; several with commas between\n"
    "  --case=TEXT   run the cases alone whose name contains this text\n"
    "  --share=K/N   run every Nth operator, from the Kth (1 to N) on: for N processes that share the work\n"
    "  --seed=N      draw other random content; 0 (default) is that of the golden outputs,\n"
    "                and large cases run with 1 and 2, too\n"
    "  --cpu, --gpu  check one of them alone\n"
    "  --modes=LIST  run the GPU in these modes: all (default) of default, buffer, least, checked, texture,\n"
    "                fetched, copied, halves, exact, variants; texture, fetched, copied and halves\n"
    "                (--gpu_precision=fp16, fp16_sum32) run one case of each operator, unless they are named:\n"
    "                all,texture,fetched,copied,halves;\n"
    "                emulated runs only if it is named: halves by emulated 16-bit types;\n"
    "                turns is all, but by turns: a case has some of buffer, least, checked, variants and the\n"
    "                second precision of default, an operator texture, fetched and copied in one,\n"
    "                and large cases one seed;\n"
    "                default,turns: that mode alone\n"
    "  --record      write the list of cases that the GPU takes (testdata/gpu), and exit\n"
    "  --record_faults  write the list of cases that fail on this driver, and exit\n"
    "  --refusals    count the 8- and 16-bit tensors that the GPU refuses in each mode, compare the counts with\n"
    "                testdata/gpu/refusals.txt (with --record: write that file), check that GPU and CPU refuse\n"
    "                with the same words, and exit\n"
    "  --list        print the cases, and exit\n"
    "  --export=DIR  write the cases to this folder as .tflite files with inputs, and exit\n"
    "  --conformance=DIR  run the random cases in this folder instead (testdata/conformance)\n"
    "  --golden=DIR  read the golden outputs from this folder (testdata/golden)\n"
    "  --compile_only  compile each case on the GPU in the wanted modes, and run none: for drivers without their\n"
    "                hardware\n"
    "  --dump_shaders=DIR  write every shader to this folder before it is compiled\n"
    "  --accuracy    print the distance of each operator from the CPU, and the limit\n"
    "  --time        print the median time of each case\n"
    "  --verbose     print the cases that pass, too\n"
    "  --device=N    use this GPU of benchmark_model --list_gpus, fail without it; default: the best\n"
    "REQUIRE_GPU=1 in the environment: fail without a GPU\n";

struct args {
    const char *op, *name, *export_dir, *golden_dir, *conformance_dir, *modes;
    bool list, cpu, gpu, accuracy, refusals;
    unsigned share, shares; /* 0: all of it */
    uint32_t matched;       /* cases */
    struct check check;
};

static const struct case_ref *running; /* for the crash message */
static struct sigaction old_action[NSIG];

static void say(const char *s)
{
    ssize_t unused = write(STDERR_FILENO, s, strlen(s));

    (void)unused;
}

/* Names the case, then lets the signal do what it did before (a core). */
static void on_crash(int sig)
{
    say("opcheck: crashed in ");
    say(running ? running->op->name : "no case");
    say(running ? " \"" : "");
    say(running ? running->c->name : "");
    say(running ? "\"\n" : "\n");
    sigaction(sig, &old_action[sig], NULL);
}

/* Sanitizers look for these, a shared one from outside. Ending by a signal, they let on_crash name the case. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "abort_on_error=1";
}

const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

static void catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction a = {.sa_handler = on_crash};

    setvbuf(stdout, NULL, _IOLBF, 0); /* so that a crash loses no line */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &a, &old_action[signals[i]]);
}

static bool read_share(const char *text, struct args *a)
{
    int end = 0;

    return sscanf(text, "%u/%u%n", &a->share, &a->shares, &end) == 2 && !text[end] && a->share >= 1 && a->share <= a->shares;
}

static bool read_device(const char *text, struct args *a)
{
    int64_t n;

    if (!flag_read_int(text, 0, INT32_MAX, &n)) {
        fprintf(stderr, "opcheck: --device=%s is no number from 0 to %d\n", text, INT32_MAX);
        return false;
    }
    a->check.gpus.device = (int)n;
    return true;
}

/* What flags mean together. False: they contradict each other, or name nothing. */
static bool settle(struct args *a)
{
    if (a->op && !*a->op)
        return false;
    if (a->check.compile_only && (a->cpu || a->check.recording || a->check.recording_faults || a->check.time || a->accuracy))
        return false;
    if (a->check.recording || a->check.recording_faults || a->check.compile_only)
        a->gpu = !a->cpu;
    a->check.cpu = a->cpu || !a->gpu;
    a->check.gpu = a->gpu || !a->cpu;
    /* A record of some cases, or of other content, would be none. */
    if ((a->check.recording || a->check.recording_faults) && (a->cpu || a->name || a->check.seed || a->shares))
        return false;
    /* Those cases are kept by names, not by rows. */
    if (a->shares && a->conformance_dir)
        return false;
    return true;
}

static bool parse_args(int argc, char **argv, struct args *a)
{
    static const struct option flags[] = {
        {"op", 1, NULL, 'o'},
        {"case", 1, NULL, 'c'},
        {"share", 1, NULL, 'p'},
        {"seed", 1, NULL, 's'},
        {"cpu", 0, NULL, 'C'},
        {"gpu", 0, NULL, 'G'},
        {"list", 0, NULL, 'l'},
        {"export", 1, NULL, 'e'},
        {"golden", 1, NULL, 'g'},
        {"conformance", 1, NULL, 'f'},
        {"time", 0, NULL, 't'},
        {"verbose", 0, NULL, 'v'},
        {"modes", 1, NULL, 'm'},
        {"record", 0, NULL, 'r'},
        {"record_faults", 0, NULL, 'R'},
        {"help", 0, NULL, 'h'},
        {"accuracy", 0, NULL, 'a'},
        {"refusals", 0, NULL, 'u'},
        {"device", 1, NULL, 'd'},
        {"compile_only", 0, NULL, 'O'},
        {"dump_shaders", 1, NULL, 'D'},
        {0},
    };
    bool ok = true;
    char *end;
    int f;

    while (ok && (f = getopt_long(argc, argv, "", flags, NULL)) != -1)
        switch (f) {
        case 'o': a->op = optarg; break;
        case 'c': a->name = optarg; break;
        case 'p': ok = read_share(optarg, a); break;
        case 's':
            a->check.seed = strtoull(optarg, &end, 0);
            ok = end != optarg && !*end;
            break;
        case 'd': ok = read_device(optarg, a); break;
        case 'C': a->cpu = true; break;
        case 'O': a->check.compile_only = a->check.gpus.trust_fp16 = true; break;
        case 'D': a->check.gpus.dump_shaders = optarg; break;
        case 'G': a->gpu = true; break;
        case 'l': a->list = true; break;
        case 'e': a->export_dir = optarg; break;
        case 'f': a->conformance_dir = optarg; break;
        case 'g': a->golden_dir = optarg; break;
        case 't': a->check.time = true; break;
        case 'v': a->check.verbose = true; break;
        case 'm': a->modes = optarg; break;
        case 'r': a->check.recording = true; break;
        case 'R': a->check.recording_faults = true; break;
        case 'a': a->accuracy = true; break;
        case 'u': a->refusals = a->gpu = true; break;
        case 'h': exit(fputs(help, stdout) < 0 || fflush(stdout) ? 4 : 0);
        default: return false;
        }
    return ok && optind == argc && settle(a) && gpus_choose(&a->check.gpus, a->modes ? a->modes : "all");
}

/* True where `list` (names with commas between) has `name`, in either case of letters; an empty list has everything. */
static bool in_list(const char *list, const char *name)
{
    size_t n = strlen(name);

    if (!list || !*list)
        return true;
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (!strncasecmp(p, name, n) && (p[n] == ',' || !p[n]))
            return true;
    return false;
}

/* Golden outputs are found by name. */
static bool is_duplicate(const struct op_case *cases, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(cases[i].name, cases[n].name))
            return true;
    return false;
}

/* The goldens' seed and others; so that a failure can be repeated, they are always the same. */
static const uint64_t large_seeds[] = {0, 1, 2};

/* A large case has no use for a GPU, so that it is skipped where the CPU is not to be checked. By turns it has one seed. */
static void check_large(struct args *a, const struct case_ref *ref, const struct golden *golden)
{
    const size_t n = sizeof large_seeds / sizeof *large_seeds;
    struct check *k = &a->check;

    if (!k->cpu)
        return;
    if (k->seed) {
        check_case(k, ref, golden);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (k->gpus.turns && i != ref->n % n) {
            k->seeds_passed_over++;
            continue;
        }
        k->seed = large_seeds[i];
        check_case(k, ref, golden);
    }
    k->seed = 0;
}

static enum status visit_case(struct args *a, const struct case_ref *ref, const struct golden *golden, FILE *manifest,
                              struct err *err)
{
    if (a->list) {
        printf("%s\t%s\t%s\n", ref->op->name, ref->kernel, ref->c->name);
        return ST_OK;
    }
    if (manifest) {
        enum status st = export_case(a->export_dir, manifest, ref, a->check.seed, err);

        return st ? err_prefix(err, st, "%s \"%s\"", ref->op->name, ref->c->name) : ST_OK;
    }
    running = ref;
    if (ref->c->large)
        check_large(a, ref, golden);
    else
        check_case(&a->check, ref, golden);
    running = NULL;
    return ST_OK;
}

/* Goes on with ref->n, which numbers the cases of a row, variants behind. */
static enum status visit_list(struct args *a, const struct op_case *cases, struct case_ref *ref, const struct golden *golden,
                              FILE *manifest, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; !st && cases[i].name; i++, ref->n++) {
        ref->c = &cases[i];
        if (a->name && !strstr(ref->c->name, a->name))
            continue;
        a->matched++;
        if (is_duplicate(cases, i)) {
            printf("FAIL %s \"%s\": two cases have this name\n", ref->op->name, ref->c->name);
            a->check.count[CHECK_FAIL]++;
            continue;
        }
        st = visit_case(a, ref, golden, manifest, err);
    }
    return st;
}

static enum status visit_row(struct args *a, size_t row, FILE *manifest, struct err *err)
{
    struct case_ref ref = {.op = &op_table[row], .kernel = op_cases[row].kernel};
    struct arena arena = {0};
    const struct op_case *variants = variants_new(op_cases[row].cases, &arena);
    struct golden golden = {0};
    const char *path = arena_printf(&arena, "%s/%s.txt", a->golden_dir, ref.kernel);
    enum status st = variants && path ? ST_OK : err_set(err, ST_NOMEM, "%s: out of memory for its cases", ref.kernel);

    if (!st)
        st = golden_open(path, &golden, err);
    if (!st)
        st = visit_list(a, op_cases[row].cases, &ref, &golden, manifest, err);
    ref.is_variant = true;
    if (!st)
        st = visit_list(a, variants, &ref, &golden, manifest, err);
    golden_close(&golden);
    arena_free(&arena);
    return st;
}

static void visit_conformance(void *user, const struct case_ref *ref, const struct golden *golden, const struct case_model *m,
                              const struct err *bad)
{
    struct args *a = user;

    if (!in_list(a->op, ref->op->name) || (a->name && !strstr(ref->c->name, a->name)))
        return;
    a->matched++;
    running = ref;
    if (bad)
        check_failed(&a->check, ref, bad->msg);
    else
        check_model(&a->check, ref, golden, m);
    running = NULL;
}

static bool is_chosen(const struct args *a, size_t row)
{
    return (!a->shares || row % a->shares == a->share - 1) &&
           (in_list(a->op, op_table[row].name) || in_list(a->op, op_cases[row].kernel));
}

static bool is_any_chosen(const struct args *a)
{
    for (size_t i = 0; i < op_table_n; i++)
        if (is_chosen(a, i))
            return true;
    return false;
}

static enum status visit_all(struct args *a, struct err *err)
{
    /* Not every operator has kept cases: then there is none to record. */
    const bool may_be_none = a->conformance_dir && (a->check.recording || a->check.recording_faults) && is_any_chosen(a);
    FILE *manifest = NULL;
    enum status st = a->export_dir ? export_open(a->export_dir, &manifest, err) : ST_OK;

    if (a->conformance_dir)
        st = conformance_visit(a->conformance_dir, visit_conformance, a, err);
    for (size_t i = 0; !st && !a->conformance_dir && i < op_table_n; i++)
        if (is_chosen(a, i))
            st = visit_row(a, i, manifest, err);
    if (!st && !a->matched && !may_be_none)
        st = err_set(err, ST_USAGE, "no operator, kernel or case is called so%s; --list prints them",
                     a->conformance_dir ? " among the kept ones" : "");
    if (manifest && fclose(manifest) && !st)
        st = err_set(err, ST_IO, "%s/manifest.tsv: not written", a->export_dir);
    return st;
}

/* The tables of what is on record stand in testdata/gpu: cases.txt and conformance.txt of any device, DRIVER_cases.txt and so
 * on of a driver's own faults. */
static enum status open_records(struct args *a, struct err *err)
{
    static char path[sizeof a->check.gpus.driver + 64];
    struct check *k = &a->check;
    const char *what = a->conformance_dir ? "conformance" : "cases", *driver = k->gpus.driver[0] ? k->gpus.driver : "none";
    enum status st;

    snprintf(path, sizeof path, "testdata/gpu/%s_%s.txt", driver, what);
    st = gpu_record_open(a->conformance_dir ? "testdata/gpu/conformance.txt" : "testdata/gpu/cases.txt", &k->record, err);
    if (!st && k->gpu && !k->recording && !k->record.n)
        return err_set(err, ST_USAGE, "%s has no entries; opcheck runs in the folder that has testdata", k->record.path);
    return st ? st : gpu_record_open(path, &k->faults, err);
}

/* What was not met has no case; with --record that is what goes. */
static enum status finish_records(struct args *a, struct err *err)
{
    struct check *k = &a->check;
    const char **ops = calloc(op_table_n + 1, sizeof *ops);
    enum status st = ops ? ST_OK : err_set(err, ST_NOMEM, "out of memory");
    size_t n = 0;

    for (size_t i = 0; ops && i < op_table_n; i++)
        if (is_chosen(a, i))
            ops[n++] = op_table[i].name;
    if (!st && k->recording)
        st = gpu_record_save(&k->record, &k->now, ops, n, err);
    else if (!st && k->recording_faults)
        st = gpu_record_save(&k->faults, &k->now, ops, n, err);
    else if (!st && !a->name && !k->seed && k->gpu)
        check_gpu_finish(k, ops, n, !a->op && !a->shares);
    if (!st && !k->recording && !k->recording_faults && !a->op && !a->name && !k->seed && !a->conformance_dir)
        k->count[CHECK_FAIL] += variant_coverage_print(&k->gpus, !a->shares);
    free(ops);
    return st;
}

static void open_gpu(struct check *k)
{
    gpus_open(&k->gpus);
    if (!k->gpus.none.msg[0]) {
        printf("GPU: %s\n", gpus_device(&k->gpus));
        return;
    }
    printf("%s%s\n", gpu_is_required() ? "FAIL REQUIRE_GPU is set: " : k->gpus.device >= 0 ? "FAIL " : "", k->gpus.none.msg);
    if (gpu_is_required() || k->gpus.device >= 0)
        k->count[CHECK_FAIL]++;
}

/* The judges alone, which need no device. */
static enum status begin_refusals(struct check *k, struct err *err)
{
    memset(k->gpus.wanted, 0, sizeof k->gpus.wanted);
    gpus_open(&k->gpus);
    k->refusals = refusals_new();
    return k->refusals ? ST_OK : err_set(err, ST_NOMEM, "out of memory");
}

static void say_turns(const struct gpus *g)
{
    const char *open = "NOT RUN (modes): what is another mode's turn, cases in one precision:";

    for (int mode = 0; mode < GPU_MODES; mode++)
        if (g->passed_over[mode]) {
            printf("%s %s %u", open, gpu_mode_names[mode], g->passed_over[mode]);
            open = ",";
        }
    if (*open == ',')
        putchar('\n');
}

/* scripts/test/check.sh reads the last line and those with NOT RUN. */
static void sum_up(const struct check *k)
{
    if (k->gpu && k->gpus.none.msg[0])
        printf("NOT RUN (gpu): what the record says was checked, nothing ran: %s\n", k->gpus.none.msg);
    if (k->compile_only)
        puts("NOT RUN (results): --compile_only compiles and compares nothing, and takes 16-bit floats for right without a probe");
    if (k->gpu && k->gpus.left_out[0])
        printf("NOT RUN (modes): %s\n", k->gpus.left_out);
    if (k->gpu && !k->gpus.none.msg[0] && k->gpus.turns)
        say_turns(&k->gpus);
    if (k->seeds_passed_over)
        printf("NOT RUN (seeds): large cases once more with another of their three seeds: %u\n", k->seeds_passed_over);
    printf("%u refused by the GPU as on record, %u left open\n", k->count[CHECK_REFUSED], k->count[CHECK_OPEN]);
    printf("%u passed, %u failed, %u skipped\n", k->count[CHECK_PASS], k->count[CHECK_FAIL], k->count[CHECK_SKIP]);
}

int main(int argc, char **argv)
{
    struct args a = {.golden_dir = "testdata/golden", .check.gpus.device = -1};
    struct check *k = &a.check;
    struct err err = {{0}};
    enum status st;
    bool runs, same = false;
    int code;

    if (!parse_args(argc, argv, &a)) {
        fputs(help, stderr);
        return status_exit_code(ST_USAGE);
    }
    runs = !a.list && !a.export_dir;
    if (runs)
        catch_crashes();
    if (runs && k->gpu && !a.refusals)
        open_gpu(k);
    st = a.refusals ? begin_refusals(k, &err) : runs ? open_records(&a, &err) : ST_OK;
    if (!st && a.accuracy)
        st = accuracy_met_new(&k->accuracy, &err);
    if (!st)
        st = visit_all(&a, &err);
    if (!st && a.accuracy)
        accuracy_print(&k->accuracy);
    if (!st && a.refusals && !(st = refusals_hold(k->refusals, k->recording, &same, &err)))
        k->count[CHECK_FAIL] += !same;
    else if (!st && runs)
        st = finish_records(&a, &err);
    if (st)
        fprintf(stderr, "opcheck: %s\n", err.msg);
    else if (a.refusals)
        printf("%u passed, %u failed\n", (unsigned)k->count[CHECK_PASS] + same, (unsigned)k->count[CHECK_FAIL]);
    else if (k->recording || k->recording_faults)
        printf("%s: %u cases written\n", k->recording ? k->record.path : k->faults.path, k->now.n);
    else if (runs)
        sum_up(k);
    check_close(k);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("opcheck: standard output cannot be written\n", stderr);
        return status_exit_code(ST_FAILED);
    }
    code = st ? status_exit_code(st) : k->count[CHECK_FAIL] > 0 && !k->recording_faults;
    if (threads_left())
        _exit(code);
    return code;
}
