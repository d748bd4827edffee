/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - finding the devices of this machine, opening one of them, listing all. */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>

#include "lib/gl/device/context.h"
#include "lib/gl/device/functions.h"
#include "lib/gl/device/half_types.h"

#define MAX_DEVICES 32

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
        if (!(c = gl_context_new(get_display(&list.c[i]), list.c[i].name, EGL_NO_CONTEXT, &why))) {
            snprintf(tried + used, size - used, "%s%s (%s)", used ? ", " : "", list.c[i].name, why);
            continue;
        }
        if ((verdict = look(arg, index++, c)) == CLOSE)
            gl_context_close(c);
    }
}

/* each_device, and what the caller had current is current again. */
static enum status visit_devices(enum verdict (*look)(void *arg, int32_t index, struct gl_context *c), void *arg, char *tried,
                                 size_t size, struct err *err)
{
    struct gl_current before;

    gl_current_save(&before);
    each_device(look, arg, tried, size);
    return gl_current_restore(&before, eglGetCurrentDisplay()) ? ST_OK : gl_current_lost(err);
}

static enum status no_gpu(const char *tried, struct err *err)
{
    return err_set(err, ST_NO_GPU, "no GPU with OpenGL ES 3.1 compute: tried %s; " GL_INSTALL, tried);
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
    enum status st = gl_functions_begin(err);

    *out = NULL;
    if (st)
        return st;
    if ((st = visit_devices(choose, &ch, tried, sizeof tried, err))) {
        gl_context_close(ch.found);
        return st;
    }
    if (!ch.found && ch.seen)
        return err_set(err, ST_USAGE, "there is no GPU device %d: --list_gpus shows %d", index, ch.seen);
    if (!ch.found)
        return no_gpu(tried, err);
    *out = ch.found;
    return ST_OK;
}

struct listing {
    delegate_device_fn device;
    void *arg;
    bool any;
};

struct text {
    char lines[1200];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add_line(struct text *to, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    to->used += (size_t)vsnprintf(to->lines + to->used, sizeof to->lines - to->used, fmt, ap);
    va_end(ap);
    assert(to->used + 1 < sizeof to->lines);
    to->lines[to->used++] = '\n';
    to->lines[to->used] = '\0';
}

static void tell(struct text *to, const struct gl_context *c, int32_t index, const char *policy)
{
    const struct gl_limits *l = &c->limits;

    add_line(to, "%d: %s%s", index, c->renderer, l->policy.software ? " (software)" : "");
    add_line(to, "   %s, %s, EGL %.40s", c->version, c->platform, eglQueryString(c->display, EGL_VERSION));
    add_line(to, "   buffers per shader %u of at most %llu bytes, offsets aligned to %u", l->storage_blocks,
             (unsigned long long)l->storage_block_bytes, l->storage_align);
    add_line(to, "   buffers and images per shader %u, images %u of at most %llu vec4", l->output_resources, l->image_reads,
             (unsigned long long)l->image_vectors);
    add_line(to, "   textures per shader %u of at most %u x %u texels, %u layers", l->texture_reads, l->texture_size,
             l->texture_size, l->texture_layers);
    add_line(to, "   workgroups of at most %u x %u x %u, %u invocations, %u bytes shared", l->group_size[0], l->group_size[1],
             l->group_size[2], l->group_invocations, l->shared_bytes);
    add_line(to, "   timer queries %s, parallel compilation %s, reset notification %s, 16-bit types %s",
             c->timer_query ? "yes" : "no", c->parallel_compile ? "yes" : "no", c->resets_told ? "yes" : "no",
             gl_half_types(l) ? gl_fp16_name(l, GL_FP16_TYPES) : "no");
    add_line(to, "   policy: %s", policy);
}

static enum verdict describe(void *arg, int32_t index, struct gl_context *c)
{
    const struct gl_limits *l = &c->limits;
    const struct delegate_fact facts[] = {
        {"storage_blocks", "buffers per shader", l->storage_blocks},
        {"storage_block_bytes", "bytes", l->storage_block_bytes},
        {"storage_align", "bytes", l->storage_align},
        {"output_resources", "buffers and images per shader", l->output_resources},
        {"group_size_x", "invocations", l->group_size[0]},
        {"group_size_y", "invocations", l->group_size[1]},
        {"group_size_z", "invocations", l->group_size[2]},
        {"group_invocations", "invocations", l->group_invocations},
        {"shared_bytes", "bytes", l->shared_bytes},
        {"uniform_blocks", "buffers per shader", l->uniform_blocks},
        {"uniform_block_bytes", "bytes", l->uniform_block_bytes},
        {"image_reads", "images per shader", l->image_reads},
        {"image_vectors", "vec4", l->image_vectors},
        {"texel_reads", "texture units per shader", l->texel_reads},
        {"uniform_reads", "uniform blocks of constants per shader", l->uniform_reads},
        {"texture_reads", "textures per shader", l->texture_reads},
        {"texture_size", "texels", l->texture_size},
        {"texture_layers", "layers", l->texture_layers},
        {"timer_queries", "boolean", c->timer_query},
        {"parallel_compilation", "boolean", c->parallel_compile},
        {"reset_notification", "boolean", c->resets_told},
    };
    struct listing *to = arg;
    struct text text = {"", 0};
    char policy[GL_POLICY_TEXT];

    gl_policy_text(&l->policy, policy);
    tell(&text, c, index, policy);
    to->any = true;
    to->device(to->arg, &(struct delegate_device){.index = index,
                                                  .name = c->renderer,
                                                  .driver = c->version,
                                                  .platform = c->platform,
                                                  .software = l->policy.software,
                                                  .policy = policy,
                                                  .facts = facts,
                                                  .n_facts = sizeof facts / sizeof *facts,
                                                  .text = text.lines});
    return CLOSE;
}

enum status gl_list_devices(delegate_device_fn device, void *arg, struct err *err)
{
    struct listing to = {device, arg, false};
    char tried[256] = "";
    enum status st = gl_functions_begin(err);

    if (st || (st = visit_devices(describe, &to, tried, sizeof tried, err)))
        return st;
    return to.any ? ST_OK : no_gpu(tried, err);
}
