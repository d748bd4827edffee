/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.c - the delegate "gpu". */
#include "lib/gl/gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/store.h"
#include "lib/base/threads.h"
#include "lib/gl/compile/dry.h"
#include "lib/gl/compile/generate.h"
#include "lib/gl/device/driver_cache.h"
#include "lib/gl/device/known_devices.h"
#include "lib/gl/device/probe.h"
#include "lib/gl/gpu/gpu_kernel.h"
#include "lib/gl/gpu/objects.h"
#include "lib/gl/ir/dump_ir.h"
#include "lib/gl/passes/precision.h"
#include "lib/gl/plan/fp16_probe.h"
#include "lib/gl/software/driver_threads.h"
#include "lib/graph/graph_part.h"

/* Buffers of the partitions of one subgraph, or of its parts. One that is called runs while another is in the middle of its own,
 * whose tensors stay on the device from partition to partition. */
struct gl_graph_shared {
    uint32_t subgraph, level; /* of parts within parts (graph_part.h) */
    struct gl_shared shared;
    struct gl_graph_shared *next;
};

struct gpu {
    struct delegate head;
    struct gl_graph_shared *shared; /* a list */
    struct gl_cache stored;
    struct gl_memory_limit limit;
    uint64_t buffer_bytes;  /* of gpu_buffer_new */
    struct gl_settings set; /* run.context NULL: static, only claim is called */
    char *dump_dir, *dump_ir;
    char quirks[GL_POLICY_TEXT]; /* of the context, for people */
    char known[192];             /* renderer and version of open_known */
    struct node_list full_nodes; /* that stay float32 */
    char *fp32_nodes;            /* the same as it was asked for; NULL: none */
    char halves_why[GL_FP16_WHY];
    enum gpu_precision precision; /* asked for */
    enum gpu_priority priority[3];
    struct gl_forced forced;
    bool said_unused, said_idle; /* nodes of full_nodes */
    bool asked;                  /* gpu_claim was called */
    uint32_t variants;           /* see gpu_variants */
    uint32_t judged;             /* nodes that claim lowered since a kernel took note of them */
};

static struct gpu *self(struct delegate *d)
{
    return (struct gpu *)d;
}

/* The recipe by which nodes are judged: whatever is asked for by name, they are the GPU's. */
static struct gl_recipe recipe_of(const struct gl_settings *set)
{
    struct gl_recipe how = set->recipe;

    how.forced = NULL;
    how.met = NULL;
    how.dump_ir = NULL;
    return how;
}

static enum status judge(struct delegate *d, const struct graph *g, struct claim *claims, struct err *err)
{
    const struct gl_recipe how = recipe_of(&self(d)->set);
    enum status st = ST_OK;

    for (uint32_t i = 0; i < g->n_nodes && !st; i++) {
        if (claims[i].owner || claims[i].barred)
            continue;
        st = gl_judge(&how, g, &g->nodes[i], &claims[i].why, err);
        if (claims[i].why.code != REASON_NONE)
            continue;
        claims[i].owner = d;
        self(d)->judged++;
    }
    return st;
}

/* Nodes count in the first graph that it is asked about: sessions have one, op_coverage begins with the primary one. */
static enum status look_at_nodes(struct gpu *gpu, const struct graph *g, struct err *err)
{
    if (!gpu->asked)
        gpu->set.recipe.precision.subgraph = g->subgraph;
    gpu->asked = true;
    return gl_full_nodes_are(&gpu->set.recipe.precision, g, err);
}

static enum status gpu_claim(struct delegate *d, const struct graph *g, struct claim *claims, struct err *err)
{
    const struct gl_settings *set = &self(d)->set;
    struct claim *before = NULL;
    enum status st;

    if ((st = look_at_nodes(self(d), g, err)))
        return st;
    gl_cache_see(set->stored, g);
    if (!gl_cache_on(set->stored, g))
        return judge(d, g, claims, err);
    if (gl_restore_claims(set->stored, set->recipe.limits, set->recipe.quant, g, claims))
        return ST_OK;
    if (!(before = malloc((g->n_nodes + 1) * sizeof *before)))
        return err_set(err, ST_NOMEM, "out of memory");
    memcpy(before, claims, g->n_nodes * sizeof *before);
    if (!(st = judge(d, g, claims, err)))
        gl_keep_claims(set->stored, g, before, claims);
    free(before);
    return st;
}

enum status gpu_dry_compile(struct delegate *d, const struct graph *g, const struct partition *parts, uint32_t n,
                            void (*see)(void *arg, const char *label, const char *text), void *arg, struct err *err)
{
    const struct gl_recipe how = recipe_of(&self(d)->set);

    return gl_compile_dry(&how, self(d)->set.run.loops > 1, g, parts, n, &(struct gl_seeing){see, arg}, err);
}

static enum status gpu_outline(struct delegate *d, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                               struct err *err)
{
    struct gl_recipe how = self(d)->set.recipe;

    how.met = NULL;
    return gl_outline(&how, g, p, out, err);
}

uint32_t gpu_variants(struct delegate *d)
{
    uint32_t n = self(d)->variants;

    self(d)->variants = 0;
    return n;
}

static struct gl_shared *shared_of(struct gpu *gpu, const struct graph *g)
{
    const uint32_t level = g->part ? g->part->level : 0;
    struct gl_graph_shared *s = gpu->shared;

    while (s && (s->subgraph != g->subgraph || s->level != level))
        s = s->next;
    if (!s && (s = calloc(1, sizeof *s))) {
        s->subgraph = g->subgraph;
        s->level = level;
        s->next = gpu->shared;
        gpu->shared = s;
    }
    return s ? &s->shared : NULL;
}

static uint64_t held_bytes(const struct gpu *gpu)
{
    uint64_t sum = gpu->buffer_bytes;

    for (const struct gl_graph_shared *s = gpu->shared; s; s = s->next)
        sum += gl_shared_bytes(&s->shared);
    return sum;
}

enum status gpu_take_bytes(struct delegate *d, uint64_t bytes, struct err *err)
{
    struct gpu *gpu = self(d);
    const uint64_t held = held_bytes(gpu), most = gpu->limit.most;

    if (held > most || bytes > most - held)
        return err_set(err, ST_NOMEM,
                       "an input or output needs %.3f MB of GPU memory beside %.3f MB held, --gpu_max_memory allows %.3f MB",
                       (double)bytes / 1e6, (double)held / 1e6, (double)most / 1e6);
    gpu->buffer_bytes += bytes;
    return ST_OK;
}

void gpu_give_bytes(struct delegate *d, uint64_t bytes)
{
    self(d)->buffer_bytes -= bytes;
}

static enum status gpu_init(struct delegate *d, const struct graph *g, const struct partition *p, struct reason *refused,
                            struct delegate_kernel **out, struct err *err)
{
    struct gpu *gpu = self(d);
    struct gpu_kernel *k = NULL;
    struct gl_current before;
    enum status st;

    *out = NULL;
    if (!(gpu->set.run.shared = shared_of(gpu, g)))
        return ir_nomem(err);
    gpu->limit.held = held_bytes(gpu);
    st = gl_context_enter(gpu->set.run.context, &before, err);
    if (!st)
        st = gl_context_leave(gpu->set.run.context, &before, gpu_kernel_new(&gpu->set, g, p, refused, &k, err), err);
    if (st) {
        if (k)
            gpu_kernel_ops.free(&k->head);
        return st;
    }
    if (k->draft && k->draft->variants > gpu->variants)
        gpu->variants = k->draft->variants;
    FACTS(&k->facts, {"start.nodes_lowered", "nodes", gpu->judged});
    gpu->judged = 0;
    *out = &k->head;
    return ST_OK;
}

/* What was asked for and changes nothing. Once: a graph is compiled. */
static void say_unused(struct gpu *g)
{
    if (!g->said_unused)
        gl_forced_say_unused(&g->forced, g->stored.dir, &g->head);
    if (!g->said_unused && g->fp32_nodes && g->precision == GPU_PRECISION_FP32)
        delegate_warn(&g->head, "--gpu_fp32_nodes=%s changes nothing: the precision is fp32", g->fp32_nodes);
    g->said_unused = true;
}

static enum status gpu_prepare(struct delegate *d, struct delegate_kernel *const *kernels, uint32_t n, struct err *err)
{
    struct gl_context *c = self(d)->set.run.context;
    struct gl_current before;
    enum status st = gl_context_enter(c, &before, err);

    if (st)
        return st;
    self(d)->limit.held = held_bytes(self(d));
    st = gpu_kernels_prepare(kernels, n, err);
    say_unused(self(d));
    return gl_context_leave(c, &before, st, err);
}

/* What was named in vain is told once: shapes that come late divide a graph anew. */
static enum status gpu_divided(struct delegate *d, const struct graph *g, const struct partitioning *parts, struct err *err)
{
    const struct gl_precision *p = &self(d)->set.recipe.precision;

    if (self(d)->said_idle || !p->half || !p->full->n || g->subgraph != p->subgraph)
        return ST_OK;
    self(d)->said_idle = true;
    return gl_full_nodes_say_idle(p, self(d)->set.recipe.quant, g, parts, d, err);
}

static void gpu_close(struct delegate *d)
{
    gl_context_close(self(d)->set.run.context);
    for (struct gl_graph_shared *s = self(d)->shared, *next; s; s = next) {
        next = s->next;
        free(s);
    }
    gl_cache_fini(&self(d)->stored);
    node_list_fini(&self(d)->full_nodes);
    free(self(d)->fp32_nodes);
    free(self(d)->dump_dir);
    free(self(d)->dump_ir);
    free(d);
}

static enum status gpu_probe(struct delegate *d, struct device_peak *out, struct err *err)
{
    const struct gl_settings *set = &self(d)->set;
    const enum gl_fp16 halves = set->recipe.precision.arithmetic;
    struct gl_current before;
    enum status st = gl_context_enter(set->run.context, &before, err);

    return st ? st : gl_context_leave(set->run.context, &before, gl_probe(set->run.context, &set->run.wait, halves, out, err), err);
}

static void gpu_limits(const struct delegate *d, void (*see)(void *arg, const char *name, uint64_t value), void *arg)
{
    const struct gl_context *c = ((const struct gpu *)d)->set.run.context;

    if (c) /* else it was opened without a device */
        gl_limits_see(&c->limits, see, arg);
}

static void gpu_move(struct delegate *d)
{
    self(d)->set.run.context->thread = pthread_self();
}

static const struct delegate_ops gpu_ops = {
    .claim = gpu_claim,
    .init = gpu_init,
    .prepare = gpu_prepare,
    .divided = gpu_divided,
    .probe = gpu_probe,
    .limits = gpu_limits,
    .outline = gpu_outline,
    .buffer_new = gpu_buffer_new,
    .buffer_write = gpu_buffer_write,
    .buffer_read = gpu_buffer_read,
    .buffer_free = gpu_buffer_free,
    .buffer_copy = gpu_buffer_copy,
    .move = gpu_move,
    .close = gpu_close,
};

/* A copy of a text that says something; else NULL. */
static enum status keep_text(const char *text, char **copy, struct err *err)
{
    if (!text || !*text || (*copy = strdup(text)))
        return ST_OK;
    return err_set(err, ST_NOMEM, "out of memory");
}

static enum status read_precision(struct gpu *g, const struct gpu_options *o, struct err *err)
{
    enum status st = gpu_precision_of(o, &g->precision, g->priority, err);

    if (st || (st = node_list_read("--gpu_fp32_nodes", o->fp32_nodes, &g->full_nodes, err)) ||
        (st = keep_text(o->fp32_nodes, &g->fp32_nodes, err)))
        return st;
    g->set.recipe.precision = (struct gl_precision){.half = g->precision != GPU_PRECISION_FP32, .full = &g->full_nodes};
    return ST_OK;
}

static enum status read_options(struct gpu *g, const struct gpu_options *o, struct err *err)
{
    enum status st = read_precision(g, o, err);

    if (st)
        return st;
    g->set.run.wait = (struct gl_waiting){o->wait == GPU_WAIT_ACTIVE, (uint32_t)o->timeout_ms};
    g->limit.most = o->max_memory_mb > 0 ? (uint64_t)(o->max_memory_mb * 1e6) : UINT64_MAX;
    g->set.limit = &g->limit;
    g->set.run.traffic = &g->head.traffic;
    g->head.submission.counted = o->wait == GPU_WAIT_NONE;
    g->set.run.submission_ns = o->wait == GPU_WAIT_NONE ? &g->head.submission.ns : NULL;
    g->head.io_in_buffers = o->io == GPU_IO_BUFFER;
    g->set.run.loops = g->head.loops = o->loop_times < 1 ? 1 : (uint32_t)o->loop_times;
    g->set.recipe.pick = o->pick;
    g->set.recipe.quant = o->quant;
    g->set.tuning = o->tuning;
    g->set.trial_ns = o->trial_ns;
    g->set.trial_peak = o->trial_peak;
    g->head.multiplies_floats = o->quant != GPU_QUANT_EXACT;
    g->head.exact_integers = o->quant == GPU_QUANT_EXACT;
    if ((st = keep_text(o->dump_shaders, &g->dump_dir, err)) || (st = keep_text(o->dump_ir, &g->dump_ir, err)) ||
        (g->dump_ir && (st = gl_dump_ir_try(g->dump_ir, err))))
        return st;
    g->set.dump_dir = g->dump_dir;
    g->set.recipe.dump_ir = g->dump_ir;
    g->set.recipe.forced = &g->forced;
    g->set.recipe.met = o->met;
    g->set.stored = &g->stored;
    st = gl_forced_read(o->variants, &g->forced, err);
    return st ? st : gl_cache_init(&g->stored, &g->head, o->serialize_dir, o->serialize_token, o->serialize_max_mb, err);
}

static enum status make(const void *options, struct gpu **out, struct err *err)
{
    struct gpu *g = *out = calloc(1, sizeof *g);

    if (!g)
        return err_set(err, ST_NOMEM, "out of memory");
    g->head.type = &delegate_gpu;
    g->head.ops = &gpu_ops;
    g->head.device = "any OpenGL ES 3.1 device";
    g->set.recipe.limits = &gl_limits_least;
    return read_options(g, options, err);
}

static enum status open_context(const struct gpu_options *o, struct gl_context **out, struct err *err)
{
    switch (o->context) {
    case GPU_CONTEXT_ADOPT: return gl_context_adopt(out, err);
    case GPU_CONTEXT_SHARE: return gl_context_share(out, err);
    default: return gl_context_open(o->device, out, err);
    }
}

struct gl_context *gpu_context(struct delegate *d)
{
    return self(d)->set.run.context;
}

/* Sets any_reads and any_objects, and leaves in the limits of the context the objects to be used, or to be tried. ST_UNSUPPORTED if
 * the device lacks the `objects` asked for. */
static enum status choose_objects(struct gl_settings *set, enum gpu_objects objects, bool spares_memory, struct err *err)
{
    const bool image = objects == GPU_OBJECTS_IMAGE, texture = objects == GPU_OBJECTS_TEXTURE,
               fastest = objects == GPU_OBJECTS_FASTEST;
    const bool any = set->tuning || set->recipe.pick.reads || set->recipe.pick.constants || set->recipe.pick.objects;
    struct gl_limits *lim = &set->run.context->limits;

    if ((image && !lim->image_reads) || (texture && !lim->texture_reads))
        return err_set(err, ST_UNSUPPORTED, "--gpu_object_type=%s",
                       image ? "image: the driver lacks GL_EXT_texture_buffer"
                             : "texture: the driver has no textures or images for compute shaders");
    set->any_reads = any && (fastest || texture);
    set->any_objects = any && fastest && !spares_memory;
    lim->policy.image_reads = lim->image_reads && (image || ((fastest || texture) && lim->policy.image_reads));
    lim->policy.all_textures = texture;
    lim->policy.textures = lim->texture_reads && (texture || (fastest && lim->policy.textures && !spares_memory));
    if (!set->any_reads)
        lim->texel_reads = lim->uniform_reads = 0;
    if (!lim->policy.image_reads && !set->any_reads)
        lim->image_reads = 0;
    if (!lim->policy.textures && !set->any_objects)
        lim->texture_reads = 0;
    return ST_OK;
}

static void trust_halves(enum gpu_precision asked, struct gl_precision *p)
{
    p->half = true;
    p->arithmetic = asked == GPU_PRECISION_FP16_STORAGE ? GL_FP16_NONE : GL_FP16_MEDIUMP;
    p->sum32 = asked == GPU_PRECISION_FP16_SUM32;
}

/* Whether the device has 16-bit floats, and computes with them, is known once it is open. */
static enum status settle_halves(struct gpu *g, bool trusted, struct err *err)
{
    struct gl_settings *set = &g->set;
    struct gl_current before;
    enum status st;

    if (g->precision == GPU_PRECISION_FP32)
        return ST_OK;
    if (trusted) {
        trust_halves(g->precision, &set->recipe.precision);
        return ST_OK;
    }
    if ((st = gl_context_enter(set->run.context, &before, err)))
        return st;
    st = gl_settle_fp16(set->run.context, &set->run.wait, g->precision, &set->recipe.precision, g->halves_why, err);
    return gl_context_leave(set->run.context, &before, st, err);
}

/* The options that the limits do not show already. Sorted ranges are hashed: equal sets of nodes are equal texts. */
static void options_text(const struct gpu *g, char *text, size_t size)
{
    const struct gl_precision *p = &g->set.recipe.precision;
    char nodes[SHA256_HEX_SIZE];

    sha256_hex(p->full->ranges, p->full->n * sizeof *p->full->ranges, nodes);
    snprintf(text, size, "half %d, arithmetic %d, sum32 %d, full %s, pick %u %d %u %d %d %d %u %u, quant %d, tuning %d %d %d",
             p->half, p->arithmetic, p->sum32, nodes, g->set.recipe.pick.variant, g->set.recipe.pick.own, g->set.recipe.pick.group,
             g->set.recipe.pick.numbers, g->set.recipe.pick.objects, g->set.recipe.pick.blends, g->set.recipe.pick.reads,
             g->set.recipe.pick.constants, (int)g->set.recipe.quant, (int)g->set.tuning, g->set.any_reads, g->set.any_objects);
}

static enum status use_stored(struct gpu *g, bool no_binaries, struct err *err)
{
    struct gl_context *c = g->set.run.context;
    struct gl_current before;
    char options[160];
    enum status st;

    /* Forced variants are to be compiled, and whether they fit to be seen. */
    if (g->forced.n)
        return ST_OK;
    if ((st = gl_context_enter(c, &before, err)))
        return st;
    options_text(g, options, sizeof options);
    gl_cache_use(&g->stored, c, options, no_binaries);
    return gl_context_leave(c, &before, ST_OK, err);
}

static enum status gpu_open(const void *options, struct delegate **out, struct err *err)
{
    const struct gpu_options *o = options;
    struct gpu *g;
    enum status st = make(options, &g, err);

    *out = NULL;
    if (!st)
        st = open_context(o, &g->set.run.context, err);
    if (!st)
        gl_objects_watch();
    if (!st)
        g->set.recipe.limits = &g->set.run.context->limits;
    if (!st && o->policy)
        g->set.run.context->limits.policy = *o->policy;
    if (!st) {
        g->set.run.context->compile_timeout_ms = (uint32_t)o->compile_timeout_ms;
        g->set.run.context->programs.refuse = o->refuse;
        g->set.run.context->programs.stall = o->stall;
        g->set.run.context->programs.stall_ms = o->stall_ms;
    }
    if (!st && o->sustained_speed && g->priority[0] == GPU_MIN_LATENCY)
        g->set.run.context->limits.policy.inline_uniforms = true;
    if (!st && o->most)
        gl_context_clamp(g->set.run.context, o->most);
    if (!st)
        g->set.run.context->limits.policy.any_batch = o->dynamic_batch;
    if (!st)
        st = choose_objects(&g->set, o->objects, gpu_spares_memory(g->priority), err);
    if (!st)
        st = settle_halves(g, o->trust_fp16, err);
    if (!st)
        st = use_stored(g, o->no_binaries, err);
    if (!st && o->context == GPU_CONTEXT_OWN)
        gl_context_call_helpers(g->set.run.context);
    if (st) {
        if (g)
            gpu_close(&g->head);
        return st;
    }
    g->head.device = g->set.run.context->text;
    g->set.run.ahead = o->wait == GPU_WAIT_NONE && !g->set.run.context->limits.policy.finish; /* which has no fence to wait for */
    g->head.software = g->set.run.context->limits.policy.software;
    gl_policy_text(&g->set.run.context->limits.policy, g->quirks);
    g->head.quirks = g->quirks;
    g->head.precision = gl_precision_told(&g->set.run.context->limits, g->precision, &g->set.recipe.precision, g->halves_why,
                                          g->fp32_nodes);
    *out = &g->head;
    return ST_OK;
}

static void gpu_environment(const void *options, const struct delegate_environment *env)
{
    const struct gpu_options *o = options;

    if (o->serialize_dir && *o->serialize_dir && o->serialize_token && !store_check_token(o->serialize_token, NULL))
        gl_driver_cache(o->serialize_dir, o->serialize_max_mb, env);
#ifndef __ANDROID__ /* its drivers do not know the variable */
    gl_driver_threads(threads_processors(), env);
#endif
}

/* A context of no driver, whose limits are all that is asked of it. */
static enum status stand_in(struct gpu *g, const struct gpu_options *o, struct err *err)
{
    if (!(g->set.run.context = calloc(1, sizeof *g->set.run.context)))
        return err_set(err, ST_NOMEM, "out of memory");
    g->set.run.context->limits = *o->most;
    g->set.recipe.limits = &g->set.run.context->limits;
    return choose_objects(&g->set, o->objects, gpu_spares_memory(g->priority), err);
}

static enum status unknown_device(const char *name, struct err *err)
{
    char known[512] = "";

    for (size_t i = 0; i < gl_n_known_devices; i++) {
        size_t n = strlen(known);

        snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "", gl_known_devices[i].name);
    }
    return err_set(err, ST_USAGE, "no device is known as %.60s: there are %s", name, known);
}

static enum status gpu_open_static(const void *options, struct delegate **out, struct err *err)
{
    const struct gpu_options *o = options;
    struct gpu *g;
    enum status st = make(options, &g, err);

    *out = NULL;
    if (!st && o->most)
        st = stand_in(g, o, err);
    if (st && g)
        gpu_close(&g->head);
    else if (g)
        *out = &g->head;
    return st;
}

static enum status gpu_open_known(const void *options, const char *name, struct delegate **out, struct err *err)
{
    const struct gl_known_device *known = gl_known_device_find(name);
    struct gpu_options o = *(const struct gpu_options *)options;
    struct gl_limits limits;
    enum status st;

    *out = NULL;
    if (!known)
        return unknown_device(name, err);
    gl_known_device_limits(known, &limits);
    limits.policy.any_batch = o.dynamic_batch;
    o.most = &limits;
    if ((st = gpu_open_static(&o, out, err)))
        return st;
    snprintf(self(*out)->known, sizeof self(*out)->known, "%s, %s", known->renderer, known->version);
    (*out)->device = self(*out)->known;
    return ST_OK;
}

static enum status gpu_options_of_part(void *options, const struct graph *g, const uint32_t *numbers, struct arena *a,
                                       struct err *err)
{
    struct gpu_options *o = options;
    struct node_list whole;
    const char *text = "";
    enum status st = node_list_read("--gpu_fp32_nodes", o->fp32_nodes, &whole, err);

    if (st || !whole.n)
        return st;
    for (uint32_t i = 0; i < g->n_nodes && text; i++)
        if (numbers[i] != UINT32_MAX && node_list_has(&whole, g->nodes[i].index))
            text = arena_printf(a, "%s%s%u", text, *text ? "," : "", numbers[i]);
    o->fp32_nodes = text;
    node_list_fini(&whole);
    return text ? ST_OK : err_set(err, ST_NOMEM, "out of memory for --gpu_fp32_nodes of a part");
}

const struct delegate_type delegate_gpu = {
    .name = "gpu",
    .label = "GPU",
    .use_flag = "use_gpu",
    .kernel = "TfLiteGpuDelegateV2",
    .options_size = sizeof(struct gpu_options),
    .flags = gpu_flags,
    .embedded_flags = gpu_embedded_flags,
    .environment = gpu_environment,
    .open = gpu_open,
    .list_devices = gl_list_devices,
    .held = gl_objects_held,
    .options_of_part = gpu_options_of_part,
    .open_static = gpu_open_static,
    .open_known = gpu_open_known,
};
