/* SPDX-License-Identifier: Apache-2.0 */
/* context.c - finding a device, opening a context, reading its limits. */
#define _GNU_SOURCE
#include "context.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef __ANDROID__
#define LIB_EGL  "libEGL.so"
#define LIB_GLES "libGLESv2.so"
#else
#define LIB_EGL  "libEGL.so.1"
#define LIB_GLES "libGLESv2.so.2"
#endif

#define MAX_DEVICES 32
#define INSTALL     "on Debian: apt install libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri"

enum platform { PLATFORM_DEVICE, PLATFORM_SURFACELESS, PLATFORM_DEFAULT };

/* A way to get at a display. */
struct candidate {
    enum platform platform;
    EGLDeviceEXT device;
    char name[24];
};

struct candidates {
    struct candidate c[MAX_DEVICES + 2];
    int n;
};

/* epoxy ends the process where a library is missing, so that is found out before its first call. */
static enum status probe_libraries(struct err *err)
{
    static const char *const names[] = {LIB_EGL, LIB_GLES};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *lib = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);

        if (!lib)
            return err_set(err, ST_NO_GPU, "no GPU: %s cannot be loaded; " INSTALL, names[i]);
        dlclose(lib);
    }
    return ST_OK;
}

static void add_candidate(struct candidates *list, enum platform platform, EGLDeviceEXT device, const char *name)
{
    struct candidate *c = &list->c[list->n++];

    c->platform = platform;
    c->device = device;
    snprintf(c->name, sizeof c->name, "%s", name);
}

static bool client_extension(const char *name)
{
    return epoxy_has_egl_extension(EGL_NO_DISPLAY, name);
}

static void list_candidates(struct candidates *list)
{
    EGLDeviceEXT devices[MAX_DEVICES];
    EGLint n = 0;

    list->n = 0;
    if (client_extension("EGL_EXT_platform_device") && client_extension("EGL_EXT_device_enumeration") &&
        !eglQueryDevicesEXT(MAX_DEVICES, devices, &n))
        n = 0;
    for (int i = 0; i < n; i++) {
        char name[24];

        snprintf(name, sizeof name, "EGL device %d", i);
        add_candidate(list, PLATFORM_DEVICE, devices[i], name);
    }
    if (client_extension("EGL_MESA_platform_surfaceless"))
        add_candidate(list, PLATFORM_SURFACELESS, NULL, "surfaceless");
    add_candidate(list, PLATFORM_DEFAULT, NULL, "default display");
}

static EGLDisplay get_display(const struct candidate *c)
{
    switch (c->platform) {
    case PLATFORM_DEVICE: return eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, c->device, NULL);
    case PLATFORM_SURFACELESS: return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    default: return eglGetDisplay(EGL_DEFAULT_DISPLAY);
    }
}

static bool create_context(struct gl_context *c, EGLConfig config)
{
    const EGLint robust[] = {
        EGL_CONTEXT_MAJOR_VERSION,     3,       EGL_CONTEXT_MINOR_VERSION, 1, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
        EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE};
    const EGLint plain[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};

    c->context = EGL_NO_CONTEXT;
    if (epoxy_has_egl_extension(c->display, "EGL_EXT_create_context_robustness"))
        c->context = eglCreateContext(c->display, config, EGL_NO_CONTEXT, robust);
    if (!c->context)
        c->context = eglCreateContext(c->display, config, EGL_NO_CONTEXT, plain);
    return c->context != EGL_NO_CONTEXT;
}

static bool make_current(struct gl_context *c)
{
    return eglMakeCurrent(c->display, c->surface, c->surface, c->context);
}

/* No config and no surface where the driver can do that, else a one-pixel buffer that is never drawn to. */
static bool create_current(struct gl_context *c)
{
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint pixel[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;

    c->surface = EGL_NO_SURFACE;
    if ((epoxy_has_egl_extension(c->display, "EGL_KHR_no_config_context") ||
         epoxy_has_egl_extension(c->display, "EGL_MESA_configless_context")) &&
        epoxy_has_egl_extension(c->display, "EGL_KHR_surfaceless_context") && create_context(c, EGL_NO_CONFIG_KHR)) {
        if (make_current(c))
            return true;
        eglDestroyContext(c->display, c->context);
        c->context = EGL_NO_CONTEXT;
    }
    if (!eglChooseConfig(c->display, want, &config, 1, &n) || n < 1 || !create_context(c, config))
        return false;
    c->surface = eglCreatePbufferSurface(c->display, config, pixel);
    return c->surface && make_current(c);
}

static uint32_t get_uint(GLenum what)
{
    GLint v = 0;

    glGetIntegerv(what, &v);
    return v > 0 ? (uint32_t)v : 0;
}

static void read_image_limits(struct gl_limits *l)
{
    uint32_t align;

    if (!epoxy_has_gl_extension("GL_EXT_texture_buffer"))
        return;
    l->image_reads = get_uint(GL_MAX_COMPUTE_IMAGE_UNIFORMS);
    if (get_uint(GL_MAX_IMAGE_UNITS) < l->image_reads)
        l->image_reads = get_uint(GL_MAX_IMAGE_UNITS);
    l->image_vectors = get_uint(GL_MAX_TEXTURE_BUFFER_SIZE_EXT);
    align = get_uint(GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT_EXT);
    if (align > l->storage_align)
        l->storage_align = align;
}

static void read_limits(struct gl_context *c)
{
    struct gl_limits *l = &c->limits;
    GLint64 bytes = 0;

    l->storage_blocks = get_uint(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
    if (get_uint(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS) < l->storage_blocks)
        l->storage_blocks = get_uint(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS);
    if (l->storage_blocks > GL_MAX_BINDINGS)
        l->storage_blocks = GL_MAX_BINDINGS;
    /* Whoever counts the buffers of an operation does not know yet which of them become images: all of them count here. */
    l->output_resources = get_uint(GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES);
    if (l->storage_blocks > l->output_resources)
        l->storage_blocks = l->output_resources;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
    l->storage_block_bytes = bytes > 0 ? (uint64_t)bytes : 0;
    l->storage_align = get_uint(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
    for (GLuint i = 0; i < 3; i++) {
        GLint v = 0;

        glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &v);
        l->group_count[i] = (uint32_t)v;
        glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, i, &v);
        l->group_size[i] = (uint32_t)v;
    }
    l->group_invocations = get_uint(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
    l->shared_bytes = get_uint(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
    l->uniform_blocks = get_uint(GL_MAX_COMPUTE_UNIFORM_BLOCKS);
    if (get_uint(GL_MAX_UNIFORM_BUFFER_BINDINGS) < l->uniform_blocks)
        l->uniform_blocks = get_uint(GL_MAX_UNIFORM_BUFFER_BINDINGS);
    l->uniform_block_bytes = get_uint(GL_MAX_UNIFORM_BLOCK_SIZE);
    l->uniform_align = get_uint(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    l->precise = epoxy_has_gl_extension("GL_EXT_gpu_shader5");
    read_image_limits(l);
}

/* A driver may offer the extension and count with no bits, which it answers here. */
static bool has_timer(void)
{
    GLint bits = 0;

    if (!epoxy_has_gl_extension("GL_EXT_disjoint_timer_query"))
        return false;
    glGetQueryivEXT(GL_TIME_ELAPSED_EXT, GL_QUERY_COUNTER_BITS_EXT, &bits);
    return bits > 0;
}

static void read_device(struct gl_context *c)
{
    const char *vendor = (const char *)glGetString(GL_VENDOR), *renderer = (const char *)glGetString(GL_RENDERER);
    const char *version = (const char *)glGetString(GL_VERSION);

    snprintf(c->renderer, sizeof c->renderer, "%s", renderer ? renderer : "unnamed");
    snprintf(c->version, sizeof c->version, "%s", version ? version : "OpenGL ES");
    gl_policy_find(&(struct gl_device_names){vendor ? vendor : "", c->renderer, c->version}, &c->limits.policy);
    snprintf(c->text, sizeof c->text, "%s, %s", c->renderer, c->version);
    c->timer_query = has_timer();
    c->parallel_compile = epoxy_has_gl_extension("GL_KHR_parallel_shader_compile");
    c->reset_status = epoxy_gl_version() >= 32 || epoxy_has_gl_extension("GL_KHR_robustness");
    read_limits(c);
}

void gl_context_clamp(struct gl_context *c, const struct gl_limits *most)
{
    gl_limits_clamp(&c->limits, most);
    c->timer_query = c->parallel_compile = c->reset_status = false;
}

/* A context on that device, current, or NULL with the reason in *why. */
static struct gl_context *open_candidate(const struct candidate *from, const char **why)
{
    struct gl_context *c = calloc(1, sizeof *c);

    *why = "out of memory";
    if (!c)
        return NULL;
    c->thread = pthread_self();
    memcpy(c->platform, from->name, sizeof c->platform);
    c->display = get_display(from);
    *why = "no display";
    if (!c->display || !eglInitialize(c->display, NULL, NULL))
        goto fail;
    *why = "no OpenGL ES 3.1 context";
    if (!eglBindAPI(EGL_OPENGL_ES_API) || !create_current(c))
        goto fail;
    if (epoxy_is_desktop_gl() || epoxy_gl_version() < 31)
        goto fail;
    read_device(c);
    *why = "no compute shaders";
    if (c->limits.storage_blocks < gl_limits_least.storage_blocks || c->limits.group_invocations < 1)
        goto fail;
    return c;

fail:
    gl_context_close(c);
    return NULL;
}

void gl_context_close(struct gl_context *c)
{
    if (!c)
        return;
    if (c->context && eglGetCurrentContext() == c->context)
        eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    /* Destroying what is stuck may wait for the GPU. */
    if (c->surface && !c->stuck)
        eglDestroySurface(c->display, c->surface);
    if (c->context && !c->stuck)
        eglDestroyContext(c->display, c->context);
    gl_programs_fini(&c->programs);
    free(c);
}

enum verdict { CLOSE, KEEP, STOP };

/* Opens device after device and shows each that works to look(), which says what becomes of it: CLOSE it; KEEP it (it is then
 * look's own) and go on; keep it and STOP. What did not work is written to *tried. */
static void each_device(enum verdict (*look)(void *arg, int32_t index, struct gl_context *c), void *arg, char *tried, size_t size)
{
    struct candidates list;
    enum verdict verdict = CLOSE;
    int32_t index = 0;

    list_candidates(&list);
    for (int i = 0; i < list.n && verdict != STOP; i++) {
        size_t used = strlen(tried);
        struct gl_context *c;
        const char *why;

        /* The later platforms only show the devices of the first again. */
        if (index > 0 && list.c[i].platform != PLATFORM_DEVICE)
            break;
        if (!(c = open_candidate(&list.c[i], &why))) {
            snprintf(tried + used, size - used, "%s%s (%s)", used ? ", " : "", list.c[i].name, why);
            continue;
        }
        if ((verdict = look(arg, index++, c)) == CLOSE)
            gl_context_close(c);
    }
}

static enum status no_gpu(const char *tried, struct err *err)
{
    return err_set(err, ST_NO_GPU, "no GPU with OpenGL ES 3.1 compute: tried %s; " INSTALL, tried);
}

struct choice {
    int32_t want; /* -1: the best */
    int32_t seen;
    struct gl_context *found;
};

static enum verdict choose(void *arg, int32_t index, struct gl_context *c)
{
    struct choice *ch = arg;

    ch->seen = index + 1;
    if (ch->want >= 0) {
        if (index != ch->want)
            return CLOSE;
        ch->found = c;
        return STOP;
    }
    if (!c->limits.policy.software) {
        gl_context_close(ch->found);
        ch->found = c;
        return STOP;
    }
    if (ch->found)
        return CLOSE;
    ch->found = c;
    return KEEP;
}

enum status gl_context_open(int32_t index, struct gl_context **out, struct err *err)
{
    struct choice ch = {.want = index};
    char tried[256] = "";
    enum status st = probe_libraries(err);

    *out = NULL;
    if (st)
        return st;
    each_device(choose, &ch, tried, sizeof tried);
    if (!ch.found && ch.seen)
        return err_set(err, ST_USAGE, "there is no GPU device %d: --list_gpus shows %d", index, ch.seen);
    if (!ch.found)
        return no_gpu(tried, err);
    *out = ch.found;
    return gl_context_enter(*out, err);
}

struct listing {
    void (*line)(void *arg, const char *text);
    void *arg;
    bool any;
};

__attribute__((format(printf, 2, 3))) static void list_line(const struct listing *to, const char *fmt, ...)
{
    char text[320];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    to->line(to->arg, text);
}

static enum verdict describe(void *arg, int32_t index, struct gl_context *c)
{
    const struct gl_limits *l = &c->limits;
    struct listing *to = arg;
    char policy[200];

    to->any = true;
    list_line(to, "%d: %s%s", index, c->renderer, l->policy.software ? " (software)" : "");
    list_line(to, "   %s, %s, EGL %s", c->version, c->platform, eglQueryString(c->display, EGL_VERSION));
    list_line(to, "   buffers per shader %u of at most %llu bytes, offsets aligned to %u", l->storage_blocks,
              (unsigned long long)l->storage_block_bytes, l->storage_align);
    list_line(to, "   buffers and images per shader %u, images %u of at most %llu vec4", l->output_resources, l->image_reads,
              (unsigned long long)l->image_vectors);
    list_line(to, "   workgroups of at most %u x %u x %u, %u invocations, %u bytes shared", l->group_size[0], l->group_size[1],
              l->group_size[2], l->group_invocations, l->shared_bytes);
    list_line(to, "   timer queries %s, parallel compilation %s, reset notification %s", c->timer_query ? "yes" : "no",
              c->parallel_compile ? "yes" : "no", c->reset_status ? "yes" : "no");
    gl_policy_text(&l->policy, policy, sizeof policy);
    list_line(to, "   policy: %s", policy);
    return CLOSE;
}

enum status gl_list_devices(void (*line)(void *arg, const char *text), void *arg, struct err *err)
{
    struct listing to = {line, arg, false};
    char tried[256] = "";
    enum status st = probe_libraries(err);

    if (st)
        return st;
    each_device(describe, &to, tried, sizeof tried);
    return to.any ? ST_OK : no_gpu(tried, err);
}

enum status gl_context_enter(struct gl_context *c, struct err *err)
{
    if (!pthread_equal(c->thread, pthread_self()))
        return err_set(err, ST_FAILED, "the GPU delegate was opened on another thread and can run only there");
    if (c->stuck)
        return err_set(err, ST_FAILED, "the GPU has not finished an earlier run");
    if (eglGetCurrentContext() != c->context && (!eglBindAPI(EGL_OPENGL_ES_API) || !make_current(c)))
        return err_set(err, ST_FAILED, "the GPU context cannot be made current (EGL error 0x%x)", eglGetError());
    return ST_OK;
}

static const char *error_name(GLenum e)
{
    switch (e) {
    case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
    case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
    case GL_CONTEXT_LOST: return "GL_CONTEXT_LOST";
    default: return "an unknown GL error";
    }
}

enum status gl_context_check(struct gl_context *c, const char *doing, struct err *err)
{
    GLenum e = glGetError();

    if (e) {
        /* One call may leave several flags behind; a lost context answers for ever. */
        for (int i = 0; i < 8 && glGetError(); i++)
            ;
        return err_set(err, e == GL_OUT_OF_MEMORY ? ST_NOMEM : ST_FAILED, "%s while %s", error_name(e), doing);
    }
    if (c->reset_status && glGetGraphicsResetStatus())
        return err_set(err, ST_FAILED, "the GPU was reset while %s", doing);
    return ST_OK;
}
