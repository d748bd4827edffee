/* SPDX-License-Identifier: Apache-2.0 */
/* policy.c - the table of quirks, and who it is about. */
#define _GNU_SOURCE
#include "lib/gl/device/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers are those of VideoCore VI, the fewest of seven devices on which nothing that rules choose may spill: 64, of which its
 * compiler leaves so many to a kernel. There tiles of 2x2 spill nothing in convolutions of single pixels and 8 in those of 3x3, 2x1
 * nothing; 4x2 spilled 57 and 79. (Mesa's v3d 25.0.7; bench/DRIVERS.md.) */
const struct gl_policy gl_policy_unknown = {.timer = true, .iterations = GL_FEW_ITERATIONS, .registers = 48};

/* How a renderer begins, and a pattern that may match it, whose name contains that of another device. */
#define HANDED_OVER "^virgl"

#define ADRENO_REGISTERS 90

static const struct gl_quirk table[] = {
    /* Mesa's llvmpipe, and zink or ANGLE over lavapipe, the same code behind Vulkan: "zink (llvmpipe (LLVM 15.0.6, 256 bits))". A
     * load from a storage buffer is done lane by lane, one from an image all lanes at once: three times as fast. Lanes lie along x,
     * and starting a workgroup costs as much as some hundred invocations of a simple shader. Loops end silently after 65,535
     * passes. A branch takes both ways, with masks; only what is outside of branches and loops loads a literal address once for all
     * lanes. A download of 257x257x21 floats takes a dispatch 4.2 ms, the CPU 0.4. (Measured on 22.3.6.) */
    {.renderer = "llvmpipe",
     .flags = GL_QUIRK_SOFTWARE | GL_QUIRK_IMAGE_READS | GL_QUIRK_ROW_GROUPS | GL_QUIRK_STRAIGHT_CODE | GL_QUIRK_HOST_LAYOUT},

    /* On its own it answers 1 ns to every GL_TIME_ELAPSED query (22.3.6); zink over it answers what the clock says. Of a first
     * inference three quarters are LLVM, in the thread that dispatches: two contexts with a thread each take half the time, and
     * changing from one to the other 1 us (22.3.6 and 25.0.7). */
    {.renderer = "^llvmpipe", .flags = GL_QUIRK_NO_TIMER | GL_QUIRK_LATE_COMPILE},

    /* Mesa's softpipe interprets shaders, four lanes at a time. Its timer queries agree with the clock, and a loop of 200,000
     * passes ends as it should; it takes the bound of llvmpipe's loops all the same, to run the same kernels. A store into an array
     * of an invocation goes to the index of the first of its four lanes in all of them. It divides in lanes, too, that have
     * returned, whose operands are what its registers held before: guarded against 0, but -2^31 / -1 ends the process with SIGFPE,
     * where a shader divides by numbers that are known only while running (dynamic batches). Other divisors are constants, none -1.
     * That is the driver's doing, and depends on what ran before. (Measured on 22.3.6.) */
    {.renderer = "softpipe", .flags = GL_QUIRK_SOFTWARE | GL_QUIRK_IMAGE_READS | GL_QUIRK_ROW_GROUPS | GL_QUIRK_EVEN_STORES},

    /* Other renderers that compute on the CPU: Google's SwiftShader, alone or below ANGLE ("ANGLE (Google, Vulkan 1.3.0
     * (SwiftShader Device (Subzero)), SwiftShader driver)"), and whatever calls itself a software renderer. */
    {.renderer = "SwiftShader", .flags = GL_QUIRK_SOFTWARE | GL_QUIRK_IMAGE_READS | GL_QUIRK_ROW_GROUPS},
    {.renderer = "Software", .flags = GL_QUIRK_SOFTWARE | GL_QUIRK_IMAGE_READS | GL_QUIRK_ROW_GROUPS},
    {.renderer = "swrast", .flags = GL_QUIRK_SOFTWARE | GL_QUIRK_IMAGE_READS | GL_QUIRK_ROW_GROUPS},
    {.renderer = "lavapipe", .flags = GL_QUIRK_SOFTWARE | GL_QUIRK_IMAGE_READS | GL_QUIRK_ROW_GROUPS},

    /* Qualcomm's Adreno wants its work handed over at once; old ones also work wrongly without a flush after a barrier. The 505 and
     * 630 run up to twice as fast with fewer flushes. (TensorFlow Lite, delegates/gpu/gl/command_queue.cc, says so.) Its textures
     * have a cache that its buffers lack; Arm's Mali is better served with buffers. (delegates/gpu/gl/compiler_options.h and
     * compiler.cc say so, and choose thus; no such device has run this.) For its registers see freedreno. */
    {.vendor = "Qualcomm", .renderer = "Adreno", .flags = GL_QUIRK_TEXTURES, .flush = 1, .registers = ADRENO_REGISTERS},
    {.vendor = "Qualcomm", .renderer = "Adreno (TM) 505", .flush = 10},
    {.vendor = "Qualcomm", .renderer = "Adreno (TM) 630", .flush = 10},

    /* Mesa's drivers of the same chips, "FD630" of "freedreno" and zink over "Turnip Adreno (TM) 630", have the textures; how the
     * work is handed over is Qualcomm's driver's own affair. (Mesa's compiler, 25.0.7, makes 2.3 instructions of a multiply-add of
     * a convolution that reads textures, 2.8 of one that reads buffers. A tile of 4x2 takes 48 registers of four numbers, which is
     * all, and spills nothing on an Adreno 630; those of 8x2 and more spill.) */
    {.vendor = "freedreno", .renderer = "^FD", .flags = GL_QUIRK_TEXTURES, .registers = ADRENO_REGISTERS},
    {.renderer = "Turnip Adreno", .flags = GL_QUIRK_TEXTURES, .registers = ADRENO_REGISTERS},

    /* Arm's Mali has no memory of its own for what workgroups share. (Arm's Mali GPU OpenCL developer guide, "Locate and remove
     * device optimizations", says so, and that copying there what its caches hold can cost time.) It has 64 registers: tiles of 2x2
     * spill nothing, 4x1 one on a Mali-G610 and four in convolutions of 3x3, 4x2 11 and 21. (Mesa's panfrost 25.0.7.) */
    {.renderer = "Mali", .flags = GL_QUIRK_CACHED_SHARED, .registers = 56},

    /* Those before the G71 have 16 of four numbers: 2x2 spills 11 and fills 65 in a pass of 64 multiply-adds, 2x1 of single pixels
     * and 1x1 nothing. (The same for a Mali-T860.) */
    {.renderer = "Mali-T", .registers = 40},

    /* Intel runs 16 invocations at once where each takes half of 128 registers of 8 numbers, else 8: tiles of 2x2 leave them 16,
     * 4x1 does not. AMD has room for 16 waves of 64 registers of an invocation: 4x2 leaves 2 or 3, 4x1 and 2x2 four or five. NVIDIA
     * has 255, of which 4x2 takes 87 to 97. (Mesa's iris on Tiger Lake, radeonsi on Navi 21, nouveau on Turing, 25.0.7.) */
    {.vendor = "Intel", .registers = 56},
    {.renderer = "^AMD", .registers = 64},
    {.renderer = "^NV", .registers = 96},

    /* Imagination's driver for PowerVR offers contexts without a surface, but glFenceSync crashes in one. (TensorFlow Lite,
     * delegates/gpu/gl/egl_environment.cc, says so.) */
    {.vendor = "Imagination", .renderer = "PowerVR", .flags = GL_QUIRK_PBUFFER},

    /* Mesa's virgl hands shaders over to a driver of the host: "virgl (LLVMPIPE (LLVM 15.0.6, 256 bits))". That a CPU computes
     * there is all that holds here: reads through images, say, are wrong (ADD in 140 of 148 cases, 25.0.7), and right on the host.
     */
    {.renderer = HANDED_OVER " (llvmpipe", .flags = GL_QUIRK_SOFTWARE},
    {.renderer = HANDED_OVER " (softpipe", .flags = GL_QUIRK_SOFTWARE},
};

/* ---- versions ---- */

/* Numbers with a character between them: "22.3.6", "0502.0", "32p1". */
static void parse_version(const char *s, uint32_t version[4])
{
    for (int i = 0; i < 4; i++) {
        char *end;
        unsigned long n = *s >= '0' && *s <= '9' ? strtoul(s, &end, 10) : 0;

        if (*s < '0' || *s > '9')
            return;
        version[i] = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
        if (*end != '.' && *end != 'p' && *end != '@')
            return;
        s = end + 1;
    }
}

void gl_driver_parse(const char *gl_version, struct gl_driver *out)
{
    /* What stands before the driver's own version, behind that of OpenGL ES; the first that is found counts. */
    static const struct {
        const char *mark, *name;
    } drivers[] = {
        {"Mesa ", "Mesa"},      {"NVIDIA ", "NVIDIA"},  {" V@", "Qualcomm"},  {" v1.r", "Arm"},
        {" - Build ", "Intel"}, {" build ", "PowerVR"}, {"(ANGLE ", "ANGLE"}, {"SwiftShader ", "SwiftShader"},
    };

    *out = (struct gl_driver){.name = ""};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        const char *at = strstr(gl_version, drivers[i].mark);

        if (!at)
            continue;
        snprintf(out->name, sizeof out->name, "%s", drivers[i].name);
        parse_version(at + strlen(drivers[i].mark), out->version);
        return;
    }
}

static int compare_versions(const uint32_t a[4], const uint32_t b[4])
{
    for (int i = 0; i < 4; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* ---- rows ---- */

static bool is_called(const char *name, const char *pattern)
{
    if (!pattern)
        return true;
    return *pattern == '^' ? !strncasecmp(name, pattern + 1, strlen(pattern + 1)) : strcasestr(name, pattern) != NULL;
}

/* What a host's device is called says nothing about the driver that hands over to it. */
static bool is_renderer(const char *name, const char *pattern)
{
    if (pattern && is_called(name, HANDED_OVER) && strncmp(pattern, HANDED_OVER, strlen(HANDED_OVER)))
        return false;
    return is_called(name, pattern);
}

static bool matches(const struct gl_quirk *q, const struct gl_device_names *is, const struct gl_driver *driver)
{
    static const uint32_t none[4] = {0};

    return is_called(is->vendor, q->vendor) && is_renderer(is->renderer, q->renderer) &&
           (!q->driver || !strcmp(driver->name, q->driver)) && compare_versions(driver->version, q->from) >= 0 &&
           (!compare_versions(q->below, none) || compare_versions(driver->version, q->below) < 0);
}

static void apply(const struct gl_quirk *q, struct gl_policy *p)
{
    p->software |= (q->flags & GL_QUIRK_SOFTWARE) != 0;
    p->inline_uniforms |= (q->flags & GL_QUIRK_INLINE_UNIFORMS) != 0;
    p->image_reads |= (q->flags & GL_QUIRK_IMAGE_READS) != 0;
    p->textures |= (q->flags & GL_QUIRK_TEXTURES) != 0;
    p->row_groups |= (q->flags & GL_QUIRK_ROW_GROUPS) != 0;
    p->straight_code |= (q->flags & GL_QUIRK_STRAIGHT_CODE) != 0;
    p->host_layout |= (q->flags & GL_QUIRK_HOST_LAYOUT) != 0;
    p->timer &= (q->flags & GL_QUIRK_NO_TIMER) == 0;
    p->finish |= (q->flags & GL_QUIRK_FINISH) != 0;
    p->pbuffer |= (q->flags & GL_QUIRK_PBUFFER) != 0;
    p->no_half_types |= (q->flags & GL_QUIRK_NO_HALF_TYPES) != 0;
    p->cached_shared |= (q->flags & GL_QUIRK_CACHED_SHARED) != 0;
    p->dynamic_compile |= (q->flags & GL_QUIRK_LATE_COMPILE) != 0;
    p->even_stores |= (q->flags & GL_QUIRK_EVEN_STORES) != 0;
    if (q->flags & GL_QUIRK_SOFTWARE)
        p->registers = 0;
    if (q->flush)
        p->flush = q->flush;
    if (q->registers)
        p->registers = q->registers;
}

void gl_policy_apply(const struct gl_quirk *rows, size_t n, const struct gl_device_names *names, struct gl_policy *p)
{
    struct gl_driver driver;

    gl_driver_parse(names->version, &driver);
    for (size_t i = 0; i < n; i++)
        if (matches(&rows[i], names, &driver))
            apply(&rows[i], p);
}

void gl_policy_find(const struct gl_device_names *names, struct gl_policy *out)
{
    *out = gl_policy_unknown;
    gl_policy_apply(table, sizeof table / sizeof *table, names, out);
}

void gl_policy_clamp(struct gl_policy *p, const struct gl_policy *most)
{
    p->software = p->software && most->software;
    p->inline_uniforms = p->inline_uniforms && most->inline_uniforms;
    p->any_batch = p->any_batch && most->any_batch;
    p->image_reads = p->image_reads && most->image_reads;
    p->textures = p->textures && most->textures;
    p->row_groups = p->row_groups && most->row_groups;
    p->straight_code = p->straight_code && most->straight_code;
    p->host_layout = p->host_layout && most->host_layout;
    p->cached_shared = p->cached_shared && most->cached_shared;
    p->timer = p->timer && most->timer;
    if (most->iterations && (!p->iterations || p->iterations > most->iterations))
        p->iterations = most->iterations;
    if (most->registers && (!p->registers || p->registers > most->registers))
        p->registers = most->registers;
}

void gl_policy_text(const struct gl_policy *p, char text[GL_POLICY_TEXT])
{
    char flush[40] = "", iterations[40] = "no bound on iterations", registers[40] = "";

    if (p->flush)
        snprintf(flush, sizeof flush, ", a flush every %u dispatches", p->flush);
    if (p->iterations)
        snprintf(iterations, sizeof iterations, "at most %u iterations", p->iterations);
    if (p->registers)
        snprintf(registers, sizeof registers, ", at most %u registers", p->registers);
    snprintf(text, GL_POLICY_TEXT,
             "numbers %s, reads through %s, values in %s, %s workgroups, %s%s%s%s%s%stimer %s, %s, %s%s, %s%s",
             p->inline_uniforms ? "inlined" : "bound", p->image_reads ? "images" : "buffers", p->textures ? "textures" : "buffers",
             p->row_groups ? "wide" : "square", p->straight_code ? "straight code, " : "",
             p->host_layout ? "transfers by the CPU, " : "", p->dynamic_compile ? "compiled when dispatched, " : "",
             p->cached_shared ? "shared memory cached, " : "", p->even_stores ? "stores to arrays by one index, " : "",
             p->no_half_types ? "no 16-bit types, " : "", p->timer ? "trusted" : "not trusted", p->finish ? "glFinish" : "fences",
             p->pbuffer ? "pbuffer" : "surfaceless", flush, iterations, registers);
}
