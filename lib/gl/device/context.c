/* SPDX-License-Identifier: Apache-2.0 */
/* context.c - making a context or taking one over, reading its limits, entering and leaving it. */
#include "lib/gl/device/context.h"
#include "lib/gl/device/functions.h"
#include "lib/gl/device/watch.h"

#include <stdlib.h>
#include <string.h>

/* ---- making one ---- */

static EGLContext try_context(EGLDisplay display, EGLConfig config, EGLContext share, EGLint strategy, EGLint value)
{
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, strategy, value, EGL_NONE,
    };

    return eglCreateContext(display, config, share, attributes);
}

/* One that tells when the GPU was reset, if the driver makes such: by the extension for OpenGL ES, or as EGL 1.5 and the extension
 * before it write it, which some drivers know for OpenGL alone. */
static EGLContext create_context(EGLDisplay display, EGLConfig config, EGLContext share)
{
    EGLContext c = EGL_NO_CONTEXT;

    if (epoxy_has_egl_extension(display, "EGL_EXT_create_context_robustness"))
        c = try_context(display, config, share, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT);
    if (!c && (epoxy_egl_version(display) >= 15 || epoxy_has_egl_extension(display, "EGL_KHR_create_context")))
        c = try_context(display, config, share, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET);
    return c ? c : try_context(display, config, share, EGL_NONE, EGL_NONE);
}

static EGLContext make_helper(EGLDisplay display, EGLContext share)
{
    return create_context(display, EGL_NO_CONFIG_KHR, share);
}

static bool make_current(struct gl_context *c)
{
    return eglMakeCurrent(c->display, c->surface, c->surface, c->context);
}

static void destroy(struct gl_context *c)
{
    if (c->context && eglGetCurrentContext() == c->context)
        eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (!c->stuck && !c->n_lost) { /* destroying what is may wait for the GPU, or for the compiler */
        gl_helpers_dismiss(&c->programs.helpers);
        if (c->surface)
            eglDestroySurface(c->display, c->surface);
        if (c->context)
            eglDestroyContext(c->display, c->context);
    }
    c->surface = EGL_NO_SURFACE;
    c->context = EGL_NO_CONTEXT;
}

/* No config and no surface, where the driver can do that. */
static bool create_surfaceless(struct gl_context *c, EGLContext share)
{
    if ((epoxy_has_egl_extension(c->display, "EGL_KHR_no_config_context") ||
         epoxy_has_egl_extension(c->display, "EGL_MESA_configless_context")) &&
        epoxy_has_egl_extension(c->display, "EGL_KHR_surfaceless_context") &&
        (c->context = create_context(c->display, EGL_NO_CONFIG_KHR, share)) && make_current(c))
        return true;
    destroy(c);
    return false;
}

/* With a one-pixel buffer that is never drawn to. */
static bool create_pbuffer(struct gl_context *c, EGLContext share)
{
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint pixel[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;

    if (!eglChooseConfig(c->display, want, &config, 1, &n) || n < 1 || !(c->context = create_context(c->display, config, share)))
        return false;
    c->surface = eglCreatePbufferSurface(c->display, config, pixel);
    return c->surface && make_current(c);
}

bool gl_context_make(struct gl_context *c, EGLContext share)
{
    return (!c->limits.policy.pbuffer && create_surfaceless(c, share)) || create_pbuffer(c, share);
}

/* ---- reading it ---- */

static uint32_t get_uint(GLenum what)
{
    GLint v = 0;

    glGetIntegerv(what, &v);
    return v > 0 ? (uint32_t)v : 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void read_texture_limits(struct gl_limits *l)
{
    l->texel_reads = least(get_uint(GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS), get_uint(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS));
    l->texel_reads = least(l->texel_reads, GL_MAX_BINDINGS);
    l->texture_reads = l->image_units ? l->texel_reads : 0;
    l->texture_size = get_uint(GL_MAX_TEXTURE_SIZE);
    l->texture_layers = get_uint(GL_MAX_ARRAY_TEXTURE_LAYERS);
}

static void read_image_limits(struct gl_limits *l)
{
    uint32_t align;

    l->image_units = least(least(get_uint(GL_MAX_COMPUTE_IMAGE_UNIFORMS), get_uint(GL_MAX_IMAGE_UNITS)), GL_MAX_BINDINGS);
    if (!epoxy_has_gl_extension("GL_EXT_texture_buffer"))
        return;
    l->image_reads = l->image_units;
    l->image_vectors = get_uint(GL_MAX_TEXTURE_BUFFER_SIZE_EXT);
    align = get_uint(GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT_EXT);
    if (align > l->storage_align)
        l->storage_align = align;
}

/* OpenGL's specification of the first says that it is one of OpenGL ES, too; the others are taken where a driver says so. */
static enum gl_half_types read_half_types(void)
{
    return epoxy_has_gl_extension("GL_NV_gpu_shader5")                                 ? GL_HALF_TYPES_NV
           : epoxy_has_gl_extension("GL_AMD_gpu_shader_half_float")                    ? GL_HALF_TYPES_AMD
           : epoxy_has_gl_extension("GL_EXT_shader_explicit_arithmetic_types_float16") ? GL_HALF_TYPES_EXT
                                                                                       : GL_HALF_TYPES_NONE;
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
    l->uniform_reads = l->uniform_blocks ? least(l->uniform_blocks - 1, GL_MAX_BINDINGS - 1) : 0;
    l->uniform_block_bytes = get_uint(GL_MAX_UNIFORM_BLOCK_SIZE);
    l->uniform_align = get_uint(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    l->precise = epoxy_has_gl_extension("GL_EXT_gpu_shader5");
    l->half_types = read_half_types();
    read_image_limits(l);
    read_texture_limits(l);
}

/* A driver may offer the extension and count with no bits, which it answers here. */
static bool has_timer(GLenum target)
{
    GLint bits = 0;

    if (!epoxy_has_gl_extension("GL_EXT_disjoint_timer_query"))
        return false;
    glGetQueryivEXT(target, GL_QUERY_COUNTER_BITS_EXT, &bits);
    return bits > 0;
}

/* The function of the extension or version that is there; each has a name of its own. */
static enum gl_reset_query find_reset_query(void)
{
    if (epoxy_gl_version() >= 32)
        return GL_RESET_QUERY_CORE;
    if (epoxy_has_gl_extension("GL_KHR_robustness"))
        return GL_RESET_QUERY_KHR;
    return epoxy_has_gl_extension("GL_EXT_robustness") ? GL_RESET_QUERY_EXT : GL_RESET_QUERY_NONE;
}

/* Whether the context was made to tell: else it always answers that nothing happened. */
static bool tells_resets(void)
{
    GLint strategy = 0;

    glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY, &strategy);
    return strategy == GL_LOSE_CONTEXT_ON_RESET;
}

static void read_policy(struct gl_context *c)
{
    const char *vendor = (const char *)glGetString(GL_VENDOR), *renderer = (const char *)glGetString(GL_RENDERER);
    const char *version = (const char *)glGetString(GL_VERSION);

    snprintf(c->renderer, sizeof c->renderer, "%s", renderer ? renderer : "unnamed");
    snprintf(c->version, sizeof c->version, "%s", version ? version : "OpenGL ES");
    snprintf(c->text, sizeof c->text, "%s, %s", c->renderer, c->version);
    gl_policy_find(&(struct gl_device_names){vendor ? vendor : "", c->renderer, c->version}, &c->limits.policy);
}

/* Of the current context. */
static bool read_device(struct gl_context *c, const char **why)
{
    if (!c->adopted) /* the caller may have his own idea of where functions are from */
        gl_functions_find(c->display);
    *why = "no OpenGL ES 3.1 context";
    if (epoxy_is_desktop_gl() || epoxy_gl_version() < 31)
        return false;
    read_policy(c);
    c->timer_query = has_timer(GL_TIME_ELAPSED_EXT);
    c->timestamps = c->timer_query && has_timer(GL_TIMESTAMP_EXT);
    c->parallel_compile = epoxy_has_gl_extension("GL_KHR_parallel_shader_compile");
    c->reset_query = find_reset_query();
    c->resets_told = c->reset_query && tells_resets();
    read_limits(c);
    *why = "no compute shaders";
    return c->limits.storage_blocks >= gl_limits_least.storage_blocks && c->limits.group_invocations >= 1;
}

void gl_context_clamp(struct gl_context *c, const struct gl_limits *most)
{
    gl_limits_clamp(&c->limits, most);
    c->timer_query = c->timestamps = c->parallel_compile = c->resets_told = false;
    c->reset_query = GL_RESET_QUERY_NONE;
}

/* ---- the three ways to one ---- */

static bool create_current(struct gl_context *c, EGLContext share, const char **why)
{
    *why = "no OpenGL ES 3.1 context";
    if (!eglBindAPI(EGL_OPENGL_ES_API))
        return false;
    if (create_surfaceless(c, share)) {
        if (!read_device(c, why))
            return false;
        if (!c->limits.policy.pbuffer)
            return true;
        destroy(c);
    }
    return create_pbuffer(c, share) && read_device(c, why);
}

static struct gl_context *new_context(EGLDisplay display, const char *platform)
{
    struct gl_context *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->thread = pthread_self();
    c->display = display;
    snprintf(c->platform, sizeof c->platform, "%s", platform);
    return c;
}

struct gl_context *gl_context_new(EGLDisplay display, const char *platform, EGLContext share, const char **why)
{
    struct gl_context *c = new_context(display, platform);

    *why = "out of memory";
    if (!c)
        return NULL;
    *why = "no display";
    if (!display || !eglInitialize(display, NULL, NULL) || !create_current(c, share, why)) {
        gl_context_close(c);
        return NULL;
    }
    return c;
}

void gl_context_call_helpers(struct gl_context *c)
{
    const struct gl_policy *p = &c->limits.policy;

    if (!c->surface && p->dynamic_compile && !(c->timer_query && p->timer))
        gl_helpers_init(&c->programs.helpers, c->display, c->context, make_helper);
}

enum status gl_context_share(struct gl_context **out, struct err *err)
{
    struct gl_current before;
    const char *why;
    enum status st;

    *out = NULL;
    if ((st = gl_functions_begin(err)))
        return st;
    gl_current_save(&before);
    if (!before.context)
        return err_set(err, ST_USAGE, "no EGL context is current that could be shared with");
    *out = gl_context_new(before.display, "shared", before.context, &why);
    if (!gl_current_restore(&before, before.display)) {
        gl_context_close(*out);
        *out = NULL;
        return gl_current_lost(err);
    }
    return *out ? ST_OK : err_set(err, ST_NO_GPU, "no context can be made that shares with the current one: %s", why);
}

enum status gl_context_adopt(struct gl_context **out, struct err *err)
{
    struct gl_current now;
    struct gl_context *c;
    const char *why;
    enum status st;

    *out = NULL;
    if ((st = gl_functions_begin(err)))
        return st;
    gl_current_save(&now);
    if (!now.context)
        return err_set(err, ST_USAGE, "no EGL context is current that could be adopted");
    if (!(c = new_context(now.display, "adopted")))
        return err_set(err, ST_NOMEM, "out of memory");
    c->adopted = true;
    c->context = now.context;
    c->surface = now.draw;
    c->read_surface = now.read;
    if (!read_device(c, &why)) {
        gl_context_close(c);
        return err_set(err, ST_NO_GPU, "the current context cannot be adopted: %s", why);
    }
    *out = c;
    return ST_OK;
}

void gl_context_close(struct gl_context *c)
{
    if (!c)
        return;
    if (!c->adopted)
        destroy(c);
    gl_watch_free(c->watch);
    gl_programs_fini(&c->programs);
    free(c);
}

/* ---- using it ---- */

bool gl_context_is_current(const struct gl_context *c)
{
    return eglGetCurrentContext() == c->context && !c->stuck;
}

void gl_context_forget(struct gl_context *c)
{
    memset(c->now, 0, (1 + c->programs.helpers.most) * sizeof *c->now);
    c->now[0].active_texture = GL_TEXTURE0;
}

enum status gl_context_enter(struct gl_context *c, struct gl_current *before, struct err *err)
{
    struct gl_current now;

    if (!pthread_equal(c->thread, pthread_self()))
        return err_set(err, ST_FAILED, "the GPU delegate was opened on another thread and can run only there");
    if (c->stuck)
        return err_set(err, ST_FAILED, "the GPU has not finished an earlier run");
    gl_current_save(&now);
    if (now.context != c->context &&
        (!eglBindAPI(EGL_OPENGL_ES_API) ||
         !eglMakeCurrent(c->display, c->surface, c->adopted ? c->read_surface : c->surface, c->context))) {
        err_set(err, ST_FAILED, "the GPU context cannot be made current (EGL error 0x%x)", eglGetError());
        gl_current_restore(&now, c->display);
        return ST_FAILED;
    }
    c->programs.helpers.turn = 0;
    gl_context_forget(c);
    if (before)
        *before = now;
    if (before && c->adopted)
        gl_state_save(&c->limits, &before->state);
    return ST_OK;
}

/* What was entered again, and was lost meanwhile, has another in its place. */
static struct gl_current in_place_of(const struct gl_context *c, const struct gl_current *before)
{
    struct gl_current now = *before;

    for (uint32_t i = 0; i < c->n_lost; i++)
        if (before->context == c->lost[i] && before->context) {
            now.context = c->context;
            now.draw = now.read = c->surface;
        }
    return now;
}

enum status gl_context_leave(struct gl_context *c, const struct gl_current *entered, enum status st, struct err *err)
{
    const struct gl_current now = in_place_of(c, entered), *before = &now;

    if (c->adopted && !c->stuck)
        gl_state_restore(&before->state);
    if (!gl_current_restore(before, c->display) && !st)
        return gl_current_lost(err);
    return st;
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

static GLenum reset_status(const struct gl_context *c)
{
    switch (c->reset_query) {
    case GL_RESET_QUERY_CORE: return glGetGraphicsResetStatus();
    case GL_RESET_QUERY_KHR: return glGetGraphicsResetStatusKHR();
    case GL_RESET_QUERY_EXT: return glGetGraphicsResetStatusEXT();
    default: return GL_NO_ERROR;
    }
}

enum status gl_context_check(struct gl_context *c, const char *doing, struct err *err)
{
    const EGLint refused = gl_helpers_refused(&c->programs.helpers);
    GLenum e = glGetError(), theirs = gl_helpers_error(&c->programs.helpers);

    if (refused)
        return err_set(err, ST_FAILED, "EGL does not change contexts (EGL error 0x%x) while %s", refused, doing);
    if (e || (e = theirs)) {
        gl_drop_errors();
        return err_set(err, e == GL_OUT_OF_MEMORY ? ST_NOMEM : ST_FAILED, "%s while %s", error_name(e), doing);
    }
    if (reset_status(c))
        return err_set(err, ST_FAILED, "the GPU was reset while %s", doing);
    return ST_OK;
}
