/* SPDX-License-Identifier: Apache-2.0 */
/* headers.h - EGL and OpenGL ES, from libepoxy or, without it (WITH_EPOXY= of make), from the Khronos headers.
 *
 * Either way a function is a pointer epoxy_X that a macro X calls, so that tests can put others there. Android and static programs
 * have no libepoxy: gl_loader.c has the pointers then, and answers what lib/gl asks of epoxy. */
#pragma once

#ifndef WITHOUT_EPOXY

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#else

#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
/* after it, whose types it uses */
#include <GLES2/gl2ext.h>
#include <stdbool.h>

#define EGL_FUNCTION(name)  extern __typeof__(egl##name) *epoxy_egl##name;
#define EGL_EXTENSION(name) EGL_FUNCTION(name)
#include "lib/gl/device/egl_functions.def"
#undef EGL_EXTENSION
#undef EGL_FUNCTION
#define GL_FUNCTION(name) extern __typeof__(gl##name) *epoxy_gl##name;
#include "lib/gl/device/functions.def"
#undef GL_FUNCTION

#include "gl_names.h" /* made by make: #define glFlush epoxy_glFlush */

int epoxy_egl_version(EGLDisplay display);
bool epoxy_has_egl_extension(EGLDisplay display, const char *extension);
int epoxy_gl_version(void);
bool epoxy_is_desktop_gl(void);
bool epoxy_has_gl_extension(const char *extension);

#endif
