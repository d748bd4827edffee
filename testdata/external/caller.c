/* SPDX-License-Identifier: Apache-2.0 */
/* caller.c - a program with a GL context of its own that loads libdelegauge_gpu.so, for scripts/test/plugin_test.py.
 *
 *   caller libdelegauge_gpu.so adopt|share
 *
 * A host of one graph, y = x + z, of four floats each. x and y are first in the host's memory, then in GL buffers of the program's
 * own, which the plugin is told by buffer handles: it works in the program's context, or in one that shares its objects. Whatever
 * the plugin does, the program finds its context and what it has bound as they were. Prints what is wrong; exit status 0 if nothing
 * is, 77 without a driver. */
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/tflite/tflite_abi.h"

static struct tflite_int_array *ints(int n, const int *data)
{
    struct tflite_int_array *a = malloc(sizeof *a + (size_t)n * sizeof(int));

    a->size = n;
    memcpy(a->data, data, (size_t)n * sizeof(int));
    return a;
}

#define INTS(...) ints((int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})

/* ---- the host ---- */

static float x[4], z[4] = {10, 20, 30, 40}, y[4];
static struct tflite_tensor tensors[3];
static struct tflite_node node, replaced;
static struct tflite_registration kind, kernel;
static struct tflite_delegate_params params;
static struct tflite_int_array *plan;
static char last[512];
static int failed, previews;

static void check(int ok, const char *what)
{
    if (ok)
        return;
    printf("%s (last report: %s)\n", what, last);
    failed = 1;
}

static void report(struct tflite_context *c, const char *fmt, ...)
{
    va_list ap;

    (void)c;
    va_start(ap, fmt);
    vsnprintf(last, sizeof last, fmt, ap);
    va_end(ap);
}

static void report_at_start(const char *text)
{
    snprintf(last, sizeof last, "%s", text);
}

static enum tflite_status get_plan(struct tflite_context *c, struct tflite_int_array **out)
{
    (void)c;
    *out = plan;
    return TFLITE_OK;
}

static enum tflite_status get_node(struct tflite_context *c, int i, struct tflite_node **n, struct tflite_registration **r)
{
    (void)c, (void)i;
    *n = &node;
    *r = &kind;
    return TFLITE_OK;
}

static enum tflite_status preview(struct tflite_context *c, const struct tflite_int_array *nodes,
                                  struct tflite_delegate_params **parts, int *n)
{
    static struct tflite_delegate_params first;

    (void)c;
    /* Asked about all nodes it does not know yet that y will be read, as a host that reads a shape. */
    first = params;
    first.output_tensors = ints(0, NULL);
    *parts = previews++ ? &params : &first;
    *n = nodes->size;
    return TFLITE_OK;
}

static enum tflite_status replace(struct tflite_context *c, struct tflite_registration r, const struct tflite_int_array *nodes,
                                  struct tflite_delegate *d)
{
    kernel = r;
    params.delegate = tensors[2].delegate = d;
    replaced = (struct tflite_node){.inputs = params.input_tensors, .outputs = params.output_tensors, .delegate = d};
    replaced.user_data = nodes->size == 1 ? kernel.init(c, (const char *)&params, 0) : NULL;
    return replaced.user_data ? TFLITE_OK : TFLITE_ERROR;
}

static enum tflite_status resize(struct tflite_context *c, struct tflite_tensor *t, struct tflite_int_array *dims)
{
    (void)c, (void)t;
    free(dims);
    return TFLITE_ERROR;
}

static struct tflite_context context = {.tensors_size = 3,
                                        .tensors = tensors,
                                        .get_execution_plan = get_plan,
                                        .get_node_and_registration = get_node,
                                        .preview_delegate_partitioning = preview,
                                        .replace_node_subsets = replace,
                                        .resize_tensor = resize,
                                        .report_error = report,
                                        .recommended_num_threads = -1};

static void make_graph(void)
{
    static uint64_t options[4]; /* of ADD: zeros */
    float *const data[] = {x, z, y};

    for (int i = 0; i < 3; i++)
        tensors[i] = (struct tflite_tensor){.type = 1,
                                            .data = data[i],
                                            .dims = INTS(1, 4),
                                            .allocation_type = TFLITE_ARENA_RW,
                                            .bytes = sizeof x,
                                            .name = "t",
                                            .buffer_handle = TFLITE_NO_BUFFER};
    node = (struct tflite_node){.inputs = INTS(0, 1), .outputs = INTS(2), .builtin_data = options};
    kind = (struct tflite_registration){.builtin_code = 0, .version = 1};
    plan = INTS(0);
    params = (struct tflite_delegate_params){NULL, INTS(0), INTS(0, 1), INTS(2)};
}

/* ---- the program ---- */

static EGLDisplay display;
static EGLContext own;

/* No window, no surface. */
static int open_context(void)
{
    static const EGLint config[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE},
                        version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    EGLConfig found;
    EGLint n = 0;

    display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(display, config, &found, 1, &n) || n < 1 ||
        !(own = eglCreateContext(display, found, EGL_NO_CONTEXT, version)))
        return 0;
    return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, own);
}

static GLuint make_buffer(const float *data)
{
    GLuint id;

    glGenBuffers(1, &id);
    glBindBuffer(GL_ARRAY_BUFFER, id);
    glBufferData(GL_ARRAY_BUFFER, 4 * sizeof *data, data, GL_DYNAMIC_COPY);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return id;
}

static void read_buffer(GLuint id, float to[4])
{
    const void *map;

    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_COPY_READ_BUFFER, id);
    map = glMapBufferRange(GL_COPY_READ_BUFFER, 0, 4 * sizeof *to, GL_MAP_READ_BIT);
    memset(to, 0, 4 * sizeof *to);
    if (map)
        memcpy(to, map, 4 * sizeof *to);
    glUnmapBuffer(GL_COPY_READ_BUFFER);
}

/* What the program has bound, and would miss. */
static GLuint bound;

static void check_state(const char *when)
{
    GLint now = 0;
    char text[128];

    snprintf(text, sizeof text, "%s: another context is current, or another buffer bound", when);
    if (eglGetCurrentContext() == own)
        glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &now);
    check(eglGetCurrentContext() == own && now == (GLint)bound && glGetError() == GL_NO_ERROR, text);
}

static int is_sum(const float *got)
{
    for (int i = 0; i < 4; i++)
        if (got[i] != x[i] + z[i])
            return 0;
    return 1;
}

static void run(const char *when)
{
    check(kernel.invoke(&context, &replaced) == TFLITE_OK, when);
    check_state(when);
}

static void set_x(float from)
{
    for (int i = 0; i < 4; i++) {
        x[i] = from + (float)i;
        y[i] = -7;
    }
}

static void in_memory(void)
{
    set_x(1);
    run("in the host's memory");
    check(is_sum(y) && !tensors[2].data_is_stale, "in the host's memory: the sum is wrong, or stale");
}

/* The host gives all of them other lengths, and prepares the kernel for it. */
static void set_length(int n)
{
    for (int i = 0; i < 3; i++) {
        tensors[i].dims->data[1] = n;
        tensors[i].bytes = (size_t)n * sizeof *x;
    }
    check(kernel.prepare(&context, &replaced) == TFLITE_OK, "prepare with another length");
}

/* What the GPU does not take, the host cannot take back. */
static void empty(void)
{
    set_x(2);
    set_length(0);
    run("with empty tensors");
    check(y[0] == -7, "with empty tensors: something was written");
    set_length(4);
    run("with elements again");
    check(is_sum(y), "with elements again: the sum is wrong");
}

static void in_buffers(struct tflite_delegate *d)
{
    const float nothing[4] = {0};
    GLuint from, to;
    float there[4];

    set_x(5);
    from = make_buffer(x);
    to = make_buffer(nothing);
    tensors[0].delegate = d;
    tensors[0].buffer_handle = (int)from;
    tensors[2].buffer_handle = (int)to;
    run("in buffers");
    check(tensors[2].data_is_stale && y[0] == -7, "in buffers: the output came to the host unasked");
    read_buffer(to, there);
    check(is_sum(there), "in buffers: the sum is not in the program's buffer");
    check(d->copy_from_buffer_handle(&context, d, (int)to, &tensors[2]) == TFLITE_OK && is_sum(y), "CopyFromBufferHandle");
    set_x(100);
    check(d->copy_to_buffer_handle(&context, d, (int)from, &tensors[0]) == TFLITE_OK, "CopyToBufferHandle");
    check_state("after copying");
    run("with another input");
    read_buffer(to, there);
    check(is_sum(there), "with another input: the sum is wrong");
    tensors[2].buffer_handle = 99999;
    *last = '\0';
    check(kernel.invoke(&context, &replaced) != TFLITE_OK && strstr(last, "99999"), "a handle that is no buffer is taken");
    check_state("after a handle that is no buffer");
    d->free_buffer_handle(&context, d, &tensors[0].buffer_handle);
    tensors[2].buffer_handle = (int)to;
    d->free_buffer_handle(&context, d, &tensors[2].buffer_handle);
    check(tensors[0].buffer_handle == TFLITE_NO_BUFFER && glIsBuffer(from) && glIsBuffer(to),
          "FreeBufferHandle: the handle stays, or the program's buffer is gone");
    tensors[2].data_is_stale = false;
}

static void *elsewhere(void *arg)
{
    (void)arg;
    check(kernel.invoke(&context, &replaced) == TFLITE_OK, "on another thread");
    check(eglGetCurrentContext() == EGL_NO_CONTEXT, "another thread is left with a context");
    return NULL;
}

/* An adopted context is where the program has it. */
static void on_another_thread(void)
{
    pthread_t t;

    set_x(50);
    pthread_create(&t, NULL, elsewhere, NULL);
    pthread_join(t, NULL);
    check(is_sum(y), "on another thread: the sum is wrong");
    check_state("after another thread");
}

int main(int argc, char **argv)
{
    const char *const keys[] = {"gpu_context", "log"}, *values[] = {argv[argc > 2 ? 2 : 0], "errors"};
    void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    tflite_create_fn create;
    tflite_destroy_fn destroy;
    struct tflite_delegate *d;

    if (!library) {
        printf("usage: caller libdelegauge_gpu.so adopt|share; %s\n", argc > 2 ? dlerror() : "");
        return 2;
    }
    if (!open_context())
        return 77;
    create = (tflite_create_fn)dlsym(library, TFLITE_PLUGIN_CREATE);
    destroy = (tflite_destroy_fn)dlsym(library, TFLITE_PLUGIN_DESTROY);
    make_graph();
    bound = make_buffer(z);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, bound);
    if (!(d = create(keys, values, 2, report_at_start))) {
        printf("no delegate: %s\n", last);
        return 1;
    }
    check_state("after the delegate was made");
    check(d->prepare(&context, d) == TFLITE_OK && replaced.user_data && kernel.prepare(&context, &replaced) == TFLITE_OK,
          "prepare");
    check_state("after prepare");
    if (!failed) {
        in_memory();
        empty();
        in_buffers(d);
        in_memory();
    }
    if (!failed && !strcmp(argv[2], "share"))
        on_another_thread();
    if (replaced.user_data)
        kernel.free(&context, replaced.user_data);
    destroy(d);
    check_state("after the end");
    return failed;
}
