/* SPDX-License-Identifier: Apache-2.0 */
/* current.h - what a thread has current in EGL, and what a GL context has bound, kept while somebody else works there.
 *
 * A caller of this library may have contexts of its own: between two calls it finds its own display, context, surfaces and client
 * API current again. */
#pragma once

#include "lib/base/err.h"
#include "lib/gl/device/headers.h"
#include "lib/gl/device/limits.h"

/* All of a context's state that lib/gl changes and does not put back itself. */
struct gl_state {
    GLint program, storage_buffer, uniform_buffer; /* in use; bound by name alone */
    GLint active_texture;                          /* which unit is */
    bool has_texture_buffer;
    uint32_t n_storage, n_uniforms, n_images, n_textures;
    struct gl_bound {
        GLint buffer;
        GLint64 start, bytes;                              /* both 0: all of it, however long it is */
    } storage[GL_MAX_BINDINGS], uniforms[GL_MAX_BINDINGS]; /* [n_storage], [n_uniforms] */
    struct gl_image_unit {
        GLint texture, level, layered, layer, access, format;
    } images[GL_MAX_BINDINGS]; /* [n_images] */
    struct gl_texture_unit {
        GLint array, buffer, sampler; /* bound to GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BUFFER (has_texture_buffer); to the unit */
    } textures[GL_MAX_BINDINGS];      /* [n_textures] */
};

/* The errors that GL has on record are no longer there. */
void gl_drop_errors(void);

/* Of the current context, whose limits are `lim`; what lies beyond them is not touched. Saving makes unit 0 the active one and
 * takes samplers off the units, which would overrule what the textures there say of themselves. Errors that GL has on record are
 * dropped by both, since whose they are could not be told any more. */
void gl_state_save(const struct gl_limits *lim, struct gl_state *out);
void gl_state_restore(const struct gl_state *s);

struct gl_current {
    EGLenum api;
    EGLDisplay display; /* EGL_NO_DISPLAY, EGL_NO_CONTEXT where nothing is current */
    EGLContext context;
    EGLSurface draw, read;
    struct gl_state state; /* of an adopted context only: gl_context_enter */
};

/* Of the calling thread; `state` is left alone. */
void gl_current_save(struct gl_current *out);

/* Makes that current again. `ours`: the display whose context is current now, to release it where nothing was current. False where
 * EGL refuses. */
bool gl_current_restore(const struct gl_current *c, EGLDisplay ours);

/* The error of that: ST_FAILED. */
enum status gl_current_lost(struct err *err);
