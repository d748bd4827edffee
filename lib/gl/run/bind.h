/* SPDX-License-Identifier: Apache-2.0 */
/* bind.h - what dispatches bind and maps need bound, set where it is not so already.
 *
 * A context's `now` says what runs have set in it, and in those of its helpers, since gl_context_forget; 0 is what nobody has set.
 */
#pragma once

#include "lib/gl/device/current.h"

/* In the context that is current, of which `now` is. Units and points are below GL_MAX_BINDINGS, names not 0. */
void gl_bind_program(struct gl_state *now, GLuint program);
void gl_bind_range(struct gl_state *now, GLenum target, GLuint point, GLuint buffer, uint64_t offset, uint64_t bytes);
void gl_bind_image(struct gl_state *now, GLuint unit, GLuint texture, GLenum access, GLenum format);
void gl_bind_texture(struct gl_state *now, GLuint unit, GLenum target, GLuint texture);

/* To GL_SHADER_STORAGE_BUFFER, by name alone. */
void gl_bind_buffer(struct gl_state *now, GLuint buffer);

/* Makes the first texture unit the active one. */
void gl_bind_first_unit(struct gl_state *now);
