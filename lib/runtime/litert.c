/* SPDX-License-Identifier: Apache-2.0 */
/* litert.c - LiteRT through its C interface: libLiteRt.so, 2.1.3 and later.
 *
 * Options: accelerator, as "gpu,cpu"; precision, as "fp32"; threads; plugin_dir, dispatch_dir, cache_dir; ID.KEY=VALUE for a line
 * of the options that LiteRT has under ID (gpu_options, xnnpack, intel_openvino); nodes, their number in the file; stateful=1 for
 * a model that keeps variables. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/hash64.h"
#include "lib/runtime/library.h"
#include "lib/runtime/litert_log.h"
#include "lib/runtime/runtime.h"

/* Handles are pointers, enums ints. Layouts are those that LiteRT asserts for 64 bits. */
struct any { /* LiteRtAny */
    int type;
    union {
        bool b;
        int64_t i;
        double r;
        const char *s;
        const void *p;
    } u;
};
enum { ANY_INT = 2, ANY_STRING = 8 };

struct env_option { /* LiteRtEnvOption */
    int tag;
    struct any value;
};
enum { ENV_PLUGIN_DIR = 0, ENV_DISPATCH_DIR = 1, ENV_CACHE_DIR = 18, ENV_RUNTIME_DIR = 22 };

struct layout {    /* LiteRtLayout */
    uint32_t rank; /* bits 0 to 6; bit 7: there are strides */
    int32_t dim[8];
    uint32_t stride[8];
};

struct ranked_type { /* LiteRtRankedTensorType */
    int element;     /* the numbers of enum tensor_type */
    struct layout layout;
};

struct metric { /* LiteRtMetric */
    const char *name;
    struct any value;
};

struct event { /* ProfiledEventData */
    const char *tag;
    int type;
    uint64_t begin_us, took_us;
    size_t memory[2][3];
    uint64_t node, more;
    int source;
};

_Static_assert(sizeof(struct layout) == 68 && sizeof(struct ranked_type) == 72, "as LiteRT has them");
_Static_assert(sizeof(void *) != 8 || (sizeof(struct any) == 16 && sizeof(struct metric) == 24 && sizeof(struct env_option) == 24 &&
                                       sizeof(struct event) == 104),
               "as LiteRT has them for 64 bits");

enum { ON_CPU = 1, ON_GPU = 2, ON_NPU = 4 };
enum { LOCK_READ, LOCK_WRITE };
enum { IN_HOST_MEMORY = 1 };

#define FUNCTIONS(X)                                                                                                               \
    X(1, int, CreateEnvironment, (int n, const struct env_option *options, void **env))                                            \
    X(0, int, GetNumAccelerators, (void *env, size_t *n))                                                                          \
    X(0, int, GetAccelerator, (void *env, size_t i, void **accelerator))                                                           \
    X(0, int, GetAcceleratorName, (void *accelerator, const char **name))                                                          \
    X(0, int, GetAcceleratorHardwareSupport, (void *accelerator, int *bits))                                                       \
    X(1, int, CreateModelFromBuffer, (void)) /* called through new_model */                                                        \
    X(0, int, CreateModelFromFd, (void))     /* never called: 2.1.6 is the first that has it */                                    \
    X(0, int, CreateGpuOptions, (void))      /* never called: 2.1.2 is the last that has it */                                     \
    X(1, int, GetNumModelSignatures, (void *model, size_t *n))                                                                     \
    X(1, int, GetModelSignature, (void *model, size_t i, void **signature))                                                        \
    X(1, int, GetNumSignatureInputs, (void *signature, size_t *n))                                                                 \
    X(1, int, GetNumSignatureOutputs, (void *signature, size_t *n))                                                                \
    X(1, int, GetSignatureInputName, (void *signature, size_t i, const char **name))                                               \
    X(1, int, GetSignatureOutputName, (void *signature, size_t i, const char **name))                                              \
    X(1, int, CreateOptions, (void **options))                                                                                     \
    X(1, int, SetOptionsHardwareAccelerators, (void *options, int bits))                                                           \
    X(1, int, CreateOpaqueOptions, (const char *id, void *payload, void (*destroy)(void *), void **opaque))                        \
    X(1, int, AddOpaqueOptions, (void *options, void *opaque)) /* takes it over */                                                 \
    X(1, int, CreateCompiledModel, (void *env, void *model, void *options, void **compiled))                                       \
    X(1, void, DestroyCompiledModel, (void *compiled))                                                                             \
    X(1, int, GetCompiledModelInputBufferRequirements, (void *compiled, size_t signature, size_t i, void **need))                  \
    X(1, int, GetCompiledModelOutputBufferRequirements, (void *compiled, size_t signature, size_t i, void **need))                 \
    X(1, int, GetCompiledModelOutputTensorLayouts, (void *compiled, size_t signature, size_t n, struct layout *l, bool update))    \
    X(1, int, GetTensorBufferRequirementsBufferSize, (void *need, size_t *bytes))                                                  \
    X(1, int, CreateManagedTensorBuffer, (void *env, int kind, const struct ranked_type *type, size_t bytes, void **buffer))       \
    X(1, int, CreateManagedTensorBufferFromRequirements, (void *env, const struct ranked_type *type, void *need, void **buffer))   \
    X(1, void, DestroyTensorBuffer, (void *buffer))                                                                                \
    X(1, int, GetTensorBufferPackedSize, (void *buffer, size_t *bytes))                                                            \
    X(1, int, LockTensorBuffer, (void *buffer, void **memory, int mode))                                                           \
    X(1, int, UnlockTensorBuffer, (void *buffer))                                                                                  \
    X(1, int, RunCompiledModel, (void *compiled, size_t signature, size_t n_in, void **in, size_t n_out, void **out))              \
    X(0, int, CompiledModelIsNonCpuFullyAccelerated, (void *compiled, bool *all)) /* since 2.3.0 */                                \
    X(0, int, CompiledModelResizeInputTensorNonStrict, (void *compiled, size_t signature, size_t i, const int *dim, size_t rank))  \
    X(0, int, CompiledModelGetErrorMessages, (void *compiled, char **text)) /* to be freed */                                      \
    X(0, int, CompiledModelStartMetricsCollection, (void *compiled, int detail))                                                   \
    X(0, int, CompiledModelStopMetricsCollection, (void *compiled, void *metrics))                                                 \
    X(0, int, CreateMetrics, (void **metrics))                                                                                     \
    X(0, int, GetNumMetrics, (void *metrics, int *n))                                                                              \
    X(0, int, GetMetric, (void *metrics, int i, struct metric *metric))                                                            \
    X(0, void, DestroyMetrics, (void *metrics))                                                                                    \
    X(0, int, CompiledModelGetProfiler, (void *compiled, void **profiler))                                                         \
    X(0, int, StartProfiler, (void *profiler))                                                                                     \
    X(0, int, StopProfiler, (void *profiler))                                                                                      \
    X(0, int, ResetProfiler, (void *profiler))                                                                                     \
    X(0, int, GetNumProfilerEvents, (void *profiler, int *n))                                                                      \
    X(0, int, GetProfilerEvents, (void *profiler, int n, struct event *events))

static struct {
    FUNCTIONS(LIBRARY_MEMBER)
} rt;
static const struct library_function functions[] = {FUNCTIONS(LIBRARY_ROW)};

/* A compiled model and its buffers: one for runs, one that notes events. */
struct compiled {
    void *handle, *profiler;
    void *in[RUNTIME_MAX_TENSORS], *out[RUNTIME_MAX_TENSORS]; /* in the signature's order */
};

static struct runtime_host *host;
static void *env, *model;
static size_t signature;
static uint32_t input_at[RUNTIME_MAX_TENSORS], output_at[RUNTIME_MAX_TENSORS]; /* which of the job's it is */
static struct compiled plain, profiled;
static int asked, offered;   /* accelerators */
static char cache_dir[4096]; /* for compiled programs; "": none */
static int32_t cached;       /* files in it, before */

static const char *status_name(int s)
{
    static const struct {
        int code;
        const char *name;
    } table[] = {{1, "invalid argument"},
                 {2, "no memory"},
                 {3, "runtime failure"},
                 {4, "missing input tensor"},
                 {5, "unsupported"},
                 {6, "not found"},
                 {7, "timeout"},
                 {8, "wrong version"},
                 {9, "unknown"},
                 {500, "file I/O"},
                 {501, "invalid flatbuffer"},
                 {502, "dynamic loading"},
                 {503, "serialization"},
                 {504, "compilation"},
                 {1000, "index out of range"},
                 {1002, "invalid graph"},
                 {4000, "runtime version"},
                 {4001, "compiler version"},
                 {5000, "no shape inference"},
                 {5001, "shape inference"}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == s)
            return table[i].name;
    return "without a name";
}

static enum status check(int s, const char *function, struct err *err)
{
    return s ? err_set(err, ST_FAILED, "%s() fails with status %d (%s)", function, s, status_name(s)) : ST_OK;
}

/* Names the call, makes it, and turns its status into ours. */
#define CALL(function, ...) (runtime_call(host, "LiteRt" #function), check(rt.function(__VA_ARGS__), "LiteRt" #function, err))

/* ---- the library and its accelerators ---- */

static int read_accelerators(const char *list)
{
    return (strstr(list, "cpu") ? ON_CPU : 0) | (strstr(list, "gpu") ? ON_GPU : 0) | (strstr(list, "npu") ? ON_NPU : 0);
}

static void write_accelerators(int bits, char *out, size_t size)
{
    snprintf(out, size, "%s%s%s%s%s", bits & ON_NPU ? "npu" : "", bits & ON_NPU && bits & ~ON_NPU ? ", " : "",
             bits & ON_GPU ? "gpu" : "", bits & ON_GPU && bits & ON_CPU ? ", " : "", bits & ON_CPU ? "cpu" : "");
}

static enum status list_accelerators(struct err *err)
{
    struct runtime_facts *f = &host->shared->facts;
    size_t n = 0, at = 0;
    enum status st = ST_OK;

    offered = ON_CPU | ON_GPU | ON_NPU; /* unless it tells */
    if (!rt.GetNumAccelerators || !rt.GetAccelerator || !rt.GetAcceleratorHardwareSupport || !rt.GetAcceleratorName)
        return ST_OK;
    if ((st = CALL(GetNumAccelerators, env, &n)))
        return st;
    offered = 0;
    for (size_t i = 0; i < n && !st; i++) {
        const char *name = "";
        char kinds[32];
        void *a;
        int bits = 0;

        if ((st = CALL(GetAccelerator, env, i, &a)) || (st = CALL(GetAcceleratorName, a, &name)) ||
            (st = CALL(GetAcceleratorHardwareSupport, a, &bits)))
            return st;
        offered |= bits;
        write_accelerators(bits, kinds, sizeof kinds);
        if (at < sizeof f->accelerators)
            at += (size_t)snprintf(f->accelerators + at, sizeof f->accelerators - at, "%s%s (%s)", at ? ", " : "", kinds, name);
    }
    return st;
}

static enum status new_environment(struct err *err)
{
    static char dirs[4][4096];
    static const struct {
        const char *key;
        int tag;
    } options[] = {{"plugin_dir", ENV_PLUGIN_DIR}, {"dispatch_dir", ENV_DISPATCH_DIR}, {"cache_dir", ENV_CACHE_DIR}};
    struct env_option list[4];
    char *slash;
    int n = 0;

    snprintf(dirs[0], sizeof dirs[0], "%s", host->shared->job.library);
    if ((slash = strrchr(dirs[0], '/')))
        *slash = '\0';
    list[n++] = (struct env_option){ENV_RUNTIME_DIR, {ANY_STRING, {.s = slash ? dirs[0] : "."}}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (*runtime_option(host->shared->job.options, options[i].key, dirs[1 + i], sizeof dirs[1 + i]))
            list[n++] = (struct env_option){options[i].tag, {ANY_STRING, {.s = dirs[1 + i]}}};
    return CALL(CreateEnvironment, n, list, &env);
}

static enum status litert_open(struct runtime_host *h, struct err *err)
{
    struct runtime_facts *f = &h->shared->facts;
    const uint64_t start = clock_ns();
    void *library;
    enum status st;

    host = h;
    runtime_call(h, "dlopen");
    if ((st = library_load(h->shared->job.library, &library, err)) ||
        (st = library_find(library, h->shared->job.library, "LiteRt", functions, sizeof functions / sizeof *functions, &rt, err)))
        return st;
    if (rt.CreateGpuOptions)
        return err_set(err, ST_UNSUPPORTED, "%.200s is older than LiteRT 2.1.3, whose options are of another kind",
                       h->shared->job.library);
    snprintf(f->version, sizeof f->version, "%s",
             rt.CompiledModelIsNonCpuFullyAccelerated ? "2.3.0 or later"
             : rt.CreateModelFromFd                   ? "2.1.6 or later, before 2.3.0"
                                                      : "2.1.3 to 2.1.5");
    st = new_environment(err);
    st = st ? st : list_accelerators(err);
    f->load_ns = clock_ns() - start;
    return st;
}

/* ---- options ---- */

struct payload {
    char text[4096];
    size_t n;
};

static void add_line(void *arg, const char *key, const char *value)
{
    struct payload *p = arg;

    if (p->n < sizeof p->text)
        p->n += (size_t)snprintf(p->text + p->n, sizeof p->text - p->n, "%s = %s\n", key, value);
}

/* A key may stand once, so that the user's takes the place of ours. */
static void add_default(struct payload *p, const char *section, const char *key, const char *value)
{
    char full[128], given[256];

    snprintf(full, sizeof full, "%s.%s", section, key);
    if (!*runtime_option(host->shared->job.options, full, given, sizeof given))
        add_line(p, key, value);
}

static enum status add_payload(void *options, const char *id, struct payload *p, struct err *err)
{
    char *text;
    void *opaque;
    enum status st;

    runtime_section(host->shared->job.options, id, add_line, p);
    if (p->n >= sizeof p->text)
        return err_set(err, ST_USAGE, "options of %s are longer than %zu bytes", id, sizeof p->text);
    if (!p->n)
        return ST_OK;
    if (!(text = strdup(p->text)))
        return err_set(err, ST_NOMEM, "out of memory");
    st = CALL(CreateOpaqueOptions, id, text, free, &opaque);
    return st ? st : CALL(AddOpaqueOptions, options, opaque);
}

/* In the folder LiteRT finds its programs by a key: of the model, of the library, and of the precision. */
static void add_cache(struct payload *p)
{
    const char *options = host->shared->job.options;
    char text[4200], precision[32], library[20];

    if (!*cache_dir)
        return;
    snprintf(text, sizeof text, "\"%s\"", cache_dir);
    add_default(p, "gpu_options", "serialization_dir", text);
    snprintf(text, sizeof text, "\"%016" PRIx64 "-%s-%s\"", hash64(host->model, host->shared->job.model_bytes),
             runtime_option(options, "library", library, sizeof library),
             runtime_option(options, "precision", precision, sizeof precision));
    add_default(p, "gpu_options", "model_cache_key", text);
}

static enum status add_gpu(void *options, struct err *err)
{
    static const char *const precisions[] = {"default", "fp16", "fp32", "fp16_sum32"};
    struct payload p = {"", 0};
    char word[32], number[8] = "2";

    runtime_option(host->shared->job.options, "precision", word, sizeof word);
    for (int i = 0; i < 4; i++)
        if (!strcmp(word, precisions[i]))
            snprintf(number, sizeof number, "%d", i);
    add_default(&p, "gpu_options", "precision", number);
    add_default(&p, "gpu_options", "wait_type", "1"); /* else a run only submits its work */
    add_cache(&p);
    return add_payload(options, "gpu_options", &p, err);
}

/* Kernels of the CPU are chosen under two names, and some versions want both. */
static enum status add_cpu(void *options, const char *id, struct err *err)
{
    struct payload p = {"", 0};
    char threads[16], mode[32];

    add_default(&p, id, "num_threads", runtime_option(host->shared->job.options, "threads", threads, sizeof threads));
    if (!strcmp(id, "cpu_delegate") && *runtime_option(host->shared->job.options, "xnnpack.kernel_mode", mode, sizeof mode))
        add_default(&p, id, "kernel_mode", mode);
    return add_payload(options, id, &p, err);
}

static bool is_own_section(const char *id)
{
    static const char *const own[] = {"gpu_options", "xnnpack", "cpu_delegate", "runtime_options_string", "env"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(own[i], id))
            return true;
    return false;
}

/* Options of vendors: every other word that has a point behind it, once. */
static enum status add_others(void *options, struct err *err)
{
    const char *all = host->shared->job.options;
    enum status st = ST_OK;

    for (const char *line = all; *line && !st; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t n = strcspn(line, ".=\n");
        struct payload p = {"", 0};
        const char *first = all;
        char id[64];

        if (line[n] != '.' || n >= sizeof id)
            continue;
        snprintf(id, sizeof id, "%.*s", (int)n, line);
        while (first < line && strncmp(first, line, n + 1) != 0)
            first += strcspn(first, "\n") + 1;
        if (first >= line && !is_own_section(id))
            st = add_payload(options, id, &p, err);
    }
    return st;
}

static enum status new_options(bool profiling, void **out, struct err *err)
{
    struct payload runtime = {"", 0};
    enum status st;

    add_default(&runtime, "runtime_options_string", "error_reporter_mode", "2"); /* its messages are kept, to be asked for */
    add_default(&runtime, "runtime_options_string", "enable_profiling", profiling ? "true" : "false");
    if ((st = CALL(CreateOptions, out)) || (st = CALL(SetOptionsHardwareAccelerators, *out, asked)) ||
        (asked & ON_GPU && (st = add_gpu(*out, err))) || (st = add_cpu(*out, "xnnpack", err)) ||
        (st = add_cpu(*out, "cpu_delegate", err)) || (st = add_payload(*out, "runtime_options_string", &runtime, err)))
        return st;
    return add_others(*out, err);
}

/* ---- the model ---- */

/* Since 2.1.6 the environment is the first argument of a function of the same name. */
static enum status new_model(struct err *err)
{
    const void *data = host->model;
    const size_t bytes = host->shared->job.model_bytes;

    runtime_call(host, "LiteRtCreateModelFromBuffer");
    return check(rt.CreateModelFromFd
                     ? ((int (*)(void *, const void *, size_t, void **))(void *)rt.CreateModelFromBuffer)(env, data, bytes, &model)
                     : ((int (*)(const void *, size_t, void **))(void *)rt.CreateModelFromBuffer)(data, bytes, &model),
                 "LiteRtCreateModelFromBuffer", err);
}

/* Which tensor of the job has that name; without a signature they have one order. */
static enum status find_tensor(const struct runtime_tensor *list, uint32_t n, uint32_t i, const char *name, uint32_t *at,
                               struct err *err)
{
    *at = i;
    if (host->shared->job.signature < 0)
        return ST_OK;
    for (*at = 0; *at < n; ++*at)
        if (!strncmp(list[*at].name, name, sizeof list->name - 1))
            return ST_OK;
    return err_set(err, ST_FAILED, "its signature has a tensor \"%.80s\", and the model's has not", name);
}

static enum status read_signature(struct err *err)
{
    const struct runtime_job *job = &host->shared->job;
    size_t n, n_in, n_out;
    void *s;
    enum status st;

    signature = job->signature < 0 ? 0 : (size_t)job->signature;
    if ((st = CALL(GetNumModelSignatures, model, &n)))
        return st;
    if (signature >= n)
        return err_set(err, ST_FAILED, "it knows %zu signatures, and the model has number %zu", n, signature);
    if ((st = CALL(GetModelSignature, model, signature, &s)) || (st = CALL(GetNumSignatureInputs, s, &n_in)) ||
        (st = CALL(GetNumSignatureOutputs, s, &n_out)))
        return st;
    if (n_in != job->n_inputs || n_out != job->n_outputs)
        return err_set(err, ST_FAILED, "it has %zu inputs and %zu outputs, and the model %u and %u", n_in, n_out, job->n_inputs,
                       job->n_outputs);
    for (uint32_t i = 0; i < n_in + n_out && !st; i++) {
        const bool in = i < n_in;
        const uint32_t k = in ? i : i - (uint32_t)n_in;
        const char *name;

        if ((st = in ? CALL(GetSignatureInputName, s, k, &name) : CALL(GetSignatureOutputName, s, k, &name)))
            break;
        st = in ? find_tensor(host->inputs, job->n_inputs, k, name, &input_at[k], err)
                : find_tensor(host->outputs, job->n_outputs, k, name, &output_at[k], err);
    }
    return st;
}

static bool same_shape(const struct layout *l, const struct runtime_tensor *t)
{
    return (l->rank & 127) == (uint32_t)t->rank && !memcmp(l->dim, t->dim, (size_t)t->rank * sizeof *t->dim);
}

/* Of a shape that LiteRT does not know it asks for 4 bytes and writes as many as it computes: then the buffer is ours to size. */
static enum status new_buffer(const struct runtime_tensor *t, void *need, bool known, void **out, struct err *err)
{
    struct ranked_type type = {.element = t->type, .layout.rank = (uint32_t)t->rank};
    size_t bytes;
    enum status st;

    memcpy(type.layout.dim, t->dim, (size_t)t->rank * sizeof *t->dim);
    if ((st = CALL(GetTensorBufferRequirementsBufferSize, need, &bytes)))
        return st;
    st = known && bytes >= t->bytes ? CALL(CreateManagedTensorBufferFromRequirements, env, &type, need, out)
                                    : CALL(CreateManagedTensorBuffer, env, IN_HOST_MEMORY, &type, t->bytes, out);
    if (st || (st = CALL(GetTensorBufferPackedSize, *out, &bytes)))
        return st;
    return bytes >= t->bytes ? ST_OK
                             : err_set(err, ST_FAILED, "its buffer for \"%.80s\" has %zu bytes, and the tensor %llu", t->name,
                                       bytes, (unsigned long long)t->bytes);
}

static enum status new_buffers(struct compiled *c, struct err *err)
{
    const struct runtime_job *job = &host->shared->job;
    struct layout *layouts = calloc((size_t)job->n_outputs + 1, sizeof *layouts);
    void *need;
    enum status st = ST_OK;

    if (!layouts)
        return err_set(err, ST_NOMEM, "out of memory");
    for (uint32_t i = 0; i < job->n_inputs && job->resized && !st; i++) {
        const struct runtime_tensor *t = &host->inputs[input_at[i]];

        if (!rt.CompiledModelResizeInputTensorNonStrict)
            st = err_set(err, ST_UNSUPPORTED, "the library has no function LiteRtCompiledModelResizeInputTensorNonStrict");
        else
            st = CALL(CompiledModelResizeInputTensorNonStrict, c->handle, signature, i, t->dim, (size_t)t->rank);
    }
    st = st ? st : CALL(GetCompiledModelOutputTensorLayouts, c->handle, signature, job->n_outputs, layouts, job->resized);
    for (uint32_t i = 0; i < job->n_inputs && !st; i++)
        if (!(st = CALL(GetCompiledModelInputBufferRequirements, c->handle, signature, i, &need)))
            st = new_buffer(&host->inputs[input_at[i]], need, true, &c->in[i], err);
    for (uint32_t i = 0; i < job->n_outputs && !st; i++)
        if (!(st = CALL(GetCompiledModelOutputBufferRequirements, c->handle, signature, i, &need)))
            st = new_buffer(&host->outputs[output_at[i]], need, same_shape(&layouts[i], &host->outputs[output_at[i]]), &c->out[i],
                            err);
    free(layouts);
    return st;
}

static enum status new_compiled(bool profiling, struct compiled *c, struct err *err)
{
    void *options;
    enum status st = new_options(profiling, &options, err);

    *c = (struct compiled){0};
    if (st || (st = CALL(CreateCompiledModel, env, model, options, &c->handle)))
        return st;
    return new_buffers(c, err);
}

/* ---- what the accelerators took ---- */

/* "29 operations will run on the GPU, and the remaining 2 operations will run on the CPU.", after a line for each kind that does
 * not; nothing where all do. An NPU's compiler tells in the log. */
static void count_taken(int32_t nodes)
{
    struct runtime_facts *f = &host->shared->facts;
    bool all = false;

    f->n_taken = -1;
    if (rt.CompiledModelIsNonCpuFullyAccelerated && !rt.CompiledModelIsNonCpuFullyAccelerated(plain.handle, &all) && all)
        f->n_taken = nodes;
    else if (asked & ON_NPU && offered & ON_NPU)
        f->n_taken = litert_log_selected();
    else if (asked & ON_GPU)
        f->n_taken = *f->left                                   ? litert_number_before(f->left, " operations will run on the GPU")
                     : rt.CompiledModelIsNonCpuFullyAccelerated ? 0
                                                                : nodes;
}

static void tell_left(struct runtime_facts *f)
{
    char *text = NULL;

    if (!rt.CompiledModelGetErrorMessages || rt.CompiledModelGetErrorMessages(plain.handle, &text) || !text)
        return;
    snprintf(f->left, sizeof f->left, "%s", text);
    free(text);
}

/* What the library says of nodes does not count those that are masked. */
static void tell_masked(struct runtime_facts *f, int32_t nodes)
{
    const int32_t masked = litert_log_masked();

    if (masked < 0)
        snprintf(f->refused, sizeof f->refused, "the library has no masks of nodes");
    f->n_taken = (*f->left ? litert_number_before(f->left, " operations will run on the GPU") : nodes) - masked;
    snprintf(f->used, sizeof f->used, "gpu, cpu");
}

static void tell_used(struct runtime_facts *f)
{
    const int beyond = asked & ~ON_CPU;
    char number[24], names[32];
    const int32_t nodes = (int32_t)strtol(runtime_option(host->shared->job.options, "nodes", number, sizeof number), NULL, 10);

    f->n_taken = nodes;
    tell_left(f);
    if (host->shared->job.n_masked) {
        tell_masked(f, nodes);
        return;
    }
    if (beyond)
        count_taken(nodes);
    write_accelerators(f->n_taken && f->n_taken != nodes ? asked : beyond && f->n_taken ? beyond : ON_CPU, f->used, sizeof f->used);
    if (beyond && !f->n_taken && nodes) {
        write_accelerators(beyond, names, sizeof names);
        snprintf(f->refused, sizeof f->refused, "%s takes none of the %d nodes, and LiteRT would run them on the CPU%s%.250s",
                 names, nodes, *f->left ? ": " : "", f->left);
    }
}

/* The library runs what it likes on the CPU, in silence, where the accelerator asked for is not there. */
static bool all_offered(struct runtime_facts *f)
{
    char names[32];

    if (!(asked & ~ON_CPU & ~offered))
        return true;
    write_accelerators(asked & ~ON_CPU & ~offered, names, sizeof names);
    snprintf(f->refused, sizeof f->refused, "%s is asked for, and the library offers %s", names,
             *f->accelerators ? f->accelerators : "no accelerator");
    return false;
}

/* Memory of the GPU, which 2.3.0 is the first to tell. */
static void tell_memory(struct runtime_facts *f)
{
    void *metrics = NULL;
    int n = 0;

    if (!(asked & ~ON_CPU) || !rt.CompiledModelStartMetricsCollection || !rt.CompiledModelStopMetricsCollection ||
        !rt.CreateMetrics || !rt.GetNumMetrics || !rt.GetMetric || !rt.DestroyMetrics)
        return;
    runtime_call(host, "LiteRtCompiledModelStartMetricsCollection");
    if (rt.CompiledModelStartMetricsCollection(plain.handle, 1) || rt.CreateMetrics(&metrics))
        return;
    if (!rt.CompiledModelStopMetricsCollection(plain.handle, metrics) && !rt.GetNumMetrics(metrics, &n))
        for (int i = 0; i < n; i++) {
            struct metric m = {NULL, {0, {.i = 0}}};

            if (rt.GetMetric(metrics, i, &m) || !m.name || m.value.type != ANY_INT)
                continue;
            if (!strcmp(m.name, "gpu_intermediate_memory_bytes"))
                f->tensor_bytes = m.value.u.i;
            if (!strcmp(m.name, "gpu_constant_memory_bytes"))
                f->constant_bytes = m.value.u.i;
        }
    rt.DestroyMetrics(metrics);
}

/* Programs are compiled in the first run. */
static void tell_cache(struct runtime_facts *f)
{
    const int32_t written = *cache_dir ? litert_count_files(cache_dir) - cached : 0;

    if (written > 0)
        snprintf(f->cache, sizeof f->cache, "cold, %d file%s written", written, written > 1 ? "s" : "");
    else if (*cache_dir && asked & ~ON_CPU)
        snprintf(f->cache, sizeof f->cache, "%s", cached ? "warm, nothing written" : "empty, nothing written");
}

/* What the library refuses is a fact. */
static enum status litert_compile(struct runtime_host *h, struct err *err)
{
    const uint64_t start = clock_ns();
    struct runtime_facts *f = &h->shared->facts;
    char list[64];
    enum status st;

    asked = read_accelerators(runtime_option(h->shared->job.options, "accelerator", list, sizeof list)) |
            (h->shared->job.n_masked ? ON_CPU : 0);
    f->n_taken = -1;
    for (uint32_t i = 0; i < h->shared->job.n_outputs; i++)
        if (h->outputs[i].dynamic) {
            snprintf(f->refused, sizeof f->refused,
                     "output %u \"%.80s\" has a shape that only a run tells: LiteRT writes beyond the buffer that it asks for", i,
                     h->outputs[i].name);
            return ST_OK;
        }
    if (!all_offered(f))
        return ST_OK;
    if (*runtime_option(h->shared->job.options, "cache_dir", cache_dir, sizeof cache_dir))
        cached = litert_count_files(cache_dir);
    if (!(st = new_model(err)) && !(st = read_signature(err)))
        st = new_compiled(false, &plain, err);
    f->compile_ns = clock_ns() - start;
    if (!st) {
        tell_used(f);
        if (!*f->refused)
            litert_log_dropped(f->refused, sizeof f->refused);
        tell_memory(f);
    }
    if (st != ST_FAILED)
        return st;
    if (plain.handle)
        tell_left(f);
    snprintf(f->refused, sizeof f->refused, "%.250s%s%.250s", err->msg, *f->left ? ": " : "", f->left);
    litert_log_reason(f->refused, sizeof f->refused);
    return ST_OK;
}

/* ---- runs ---- */

static enum status write_input(struct compiled *c, uint32_t i, struct err *err)
{
    const struct runtime_tensor *t = &host->inputs[input_at[i]];
    void *memory;
    enum status st = CALL(LockTensorBuffer, c->in[i], &memory, LOCK_WRITE);

    if (st)
        return st;
    memcpy(memory, (char *)host->shared + t->offset, t->bytes);
    return CALL(UnlockTensorBuffer, c->in[i]);
}

static enum status read_output(struct compiled *c, uint32_t i, struct err *err)
{
    const struct runtime_tensor *t = &host->outputs[output_at[i]];
    void *memory;
    enum status st = CALL(LockTensorBuffer, c->out[i], &memory, LOCK_READ), unlocked;

    if (st)
        return st;
    st = runtime_put(host, output_at[i], memory, t->bytes, t->dim, t->rank, err);
    unlocked = CALL(UnlockTensorBuffer, c->out[i]);
    return st ? st : unlocked;
}

static enum status run_on(struct compiled *c, struct err *err)
{
    const struct runtime_job *job = &host->shared->job;
    const uint64_t begin = clock_ns();
    uint64_t written, ran;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < job->n_inputs && !st; i++)
        st = write_input(c, i, err);
    written = clock_ns();
    st = st ? st : CALL(RunCompiledModel, c->handle, signature, job->n_inputs, c->in, job->n_outputs, c->out);
    ran = clock_ns();
    for (uint32_t i = 0; i < job->n_outputs && !st; i++)
        st = read_output(c, i, err);
    host->shared->times = (struct runtime_times){written - begin, ran - written, clock_ns() - ran};
    return st;
}

/* Operators of the interpreter, and those of its delegates by themselves: then not the delegate's node that has them all. */
static void note_events(const struct event *events, int n)
{
    enum { OPERATOR = 2, OF_DELEGATE = 4 | 8 };
    bool inner = false;

    for (int i = 0; i < n; i++)
        inner |= events[i].type & OF_DELEGATE && events[i].type < 32;
    for (int i = 0; i < n; i++) {
        const struct event *e = &events[i];
        const bool of_delegate = e->type & OF_DELEGATE;

        if (!e->tag || e->type >= 32 || !(e->type & (OPERATOR | OF_DELEGATE)) ||
            (inner && !of_delegate && strstr(e->tag, "Delegate")))
            continue;
        runtime_note(host, e->tag, of_delegate || strstr(e->tag, "Delegate") ? -1 : (int32_t)e->node, of_delegate,
                     e->took_us * 1000);
    }
}

static enum status run_profiled(struct err *err)
{
    struct event *events = NULL;
    int n = 0;
    enum status st = ST_OK;

    if (!rt.CompiledModelGetProfiler || !rt.StartProfiler || !rt.StopProfiler || !rt.GetNumProfilerEvents || !rt.GetProfilerEvents)
        return err_set(err, ST_UNSUPPORTED, "the library has no function LiteRtCompiledModelGetProfiler, or others of a profile");
    if (!profiled.handle && !(st = new_compiled(true, &profiled, err)))
        st = CALL(CompiledModelGetProfiler, profiled.handle, &profiled.profiler);
    if (st || (rt.ResetProfiler && (st = CALL(ResetProfiler, profiled.profiler))) || (st = CALL(StartProfiler, profiled.profiler)))
        return st;
    if ((st = run_on(&profiled, err)) == ST_FAILED && asked & ~ON_CPU) /* WebGPU has no profiler */
        return err_prefix(err, ST_UNSUPPORTED, "LiteRT does not profile this accelerator");
    if (st || (st = CALL(StopProfiler, profiled.profiler)) || (st = CALL(GetNumProfilerEvents, profiled.profiler, &n)))
        return st;
    if (!(events = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *events)))
        return err_set(err, ST_NOMEM, "out of memory for %d events", n);
    if (n > 0 && !(st = CALL(GetProfilerEvents, profiled.profiler, n, events)))
        note_events(events, n);
    free(events);
    return st;
}

static enum status litert_run(struct runtime_host *h, struct err *err)
{
    enum status st = h->profiling ? run_profiled(err) : run_on(&plain, err);

    if (!st && !*h->shared->facts.cache)
        tell_cache(&h->shared->facts);
    if (st == ST_FAILED)
        litert_log_reason(err->msg, sizeof err->msg);
    return st;
}

static void free_compiled(struct compiled *c)
{
    for (uint32_t i = 0; i < host->shared->job.n_inputs; i++)
        if (c->in[i])
            rt.DestroyTensorBuffer(c->in[i]);
    for (uint32_t i = 0; i < host->shared->job.n_outputs; i++)
        if (c->out[i])
            rt.DestroyTensorBuffer(c->out[i]);
    if (c->handle)
        rt.DestroyCompiledModel(c->handle);
    *c = (struct compiled){0};
}

/* There is no function for it: a model that keeps something is compiled anew. */
static enum status litert_reset(struct runtime_host *h, struct err *err)
{
    char stateful[8];

    if (!*runtime_option(h->shared->job.options, "stateful", stateful, sizeof stateful))
        return ST_OK;
    free_compiled(&profiled);
    free_compiled(&plain);
    return new_compiled(false, &plain, err);
}

const struct runtime runtime_litert = {"litert",    "LITERT_GPU_DEBUG_EXCLUDE_NODES", litert_open, litert_compile, litert_run,
                                       litert_reset};
