#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""link_shaders.py [--dispatch] [--output] [--seconds=N] FILE.comp... - links each shader by the EGL driver of the environment.

Prints a line of JSON for each file as soon as it is linked: "file", "linked", "ms", the driver's "log" if it refused the shader,
and the messages "said" by GL_KHR_debug, in which Mesa's drivers report statistics of the machine code. --dispatch dispatches one
workgroup of each program, for drivers that compile then, on devices that execute nothing (drm-shim): buffers are too small.
--output: "output" has what the driver printed meanwhile. --seconds=N: SIGPROF ends the process if one of them takes longer, of
the processor's time. --limits prints the device's names and limits instead. Status 1 if a shader was refused, 3 without a
device.
"""
import ctypes
import json
import os
import signal
import sys
import tempfile
import time

EGL_SURFACELESS = 0x31DD
EGL_CONTEXT = (0x3098, 3, 0x30FB, 1, 0x30FC, 1, 0x3038)   # 3.1, for debugging
EGL_OPENGL_ES_API = 0x30A0
GL_COMPUTE_SHADER, GL_COMPILE_STATUS, GL_LINK_STATUS = 0x91B9, 0x8B81, 0x8B82
GL_DEBUG_OUTPUT, GL_DEBUG_OUTPUT_SYNCHRONOUS, GL_DONT_CARE = 0x92E0, 0x8242, 0x1100
GL_UNIFORM_BUFFER, GL_STORAGE_BUFFER = 0x8A11, 0x90D2
GL_VENDOR, GL_RENDERER, GL_VERSION, GL_EXTENSIONS = 0x1F00, 0x1F01, 0x1F02, 0x1F03

# Limits by the name of lib/gl/device/known_devices.c.
LIMITS = {
    "blocks": 0x90DB, "bindings": 0x90DD, "resources": 0x8F39, "align": 0x90DF, "invocations": 0x90EB, "shared": 0x8262,
    "images": 0x91BD, "image_units": 0x8F38, "texels": 0x8C2B, "texel_align": 0x919F, "units": 0x91BC, "all_units": 0x8B4D,
    "texture_size": 0x0D33, "layers": 0x88FF, "uniforms": 0x91BB, "uniform_bindings": 0x8A2F, "uniform_align": 0x8A34,
}
LONG_LIMITS = {"block_bytes": 0x90DE, "uniform_bytes": 0x8A30}
INDEXED_LIMITS = {"count": 0x91BE, "size": 0x91BF}

ON_MESSAGE = ctypes.CFUNCTYPE(None, *[ctypes.c_uint] * 4, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)


class Context:
    """An OpenGL ES 3.1 context without a window, current on this thread."""

    def __init__(self):
        self.egl = ctypes.CDLL("libEGL.so.1")
        self.said = []
        for name, result in (("eglGetProcAddress", ctypes.c_void_p), ("eglCreateContext", ctypes.c_void_p)):
            getattr(self.egl, name).restype = result
        display = self.call("eglGetPlatformDisplayEXT", ctypes.c_void_p, EGL_SURFACELESS, None, None)
        self.display = ctypes.c_void_p(display)
        if not display or not self.egl.eglInitialize(self.display, None, None):
            raise OSError("no EGL display")
        self.egl.eglBindAPI(EGL_OPENGL_ES_API)
        attributes = (ctypes.c_int * len(EGL_CONTEXT))(*EGL_CONTEXT)
        context = ctypes.c_void_p(self.egl.eglCreateContext(self.display, None, None, attributes))
        if not context.value or not self.egl.eglMakeCurrent(self.display, None, None, context):
            raise OSError("no OpenGL ES 3.1 context")
        self.callback = ON_MESSAGE(lambda *a: self.said.append(a[5].decode(errors="replace").strip()))
        if "GL_KHR_debug" in self.text(GL_EXTENSIONS):
            self.call("glEnable", None, GL_DEBUG_OUTPUT)
            self.call("glEnable", None, GL_DEBUG_OUTPUT_SYNCHRONOUS)
            self.call("glDebugMessageCallbackKHR", None, self.callback, None)
            self.call("glDebugMessageControlKHR", None, GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, None, 1)

    def call(self, name, result, *args):
        """A function of EGL or GL, by its name."""
        address = self.egl.eglGetProcAddress(name.encode())
        if not address:
            raise OSError(f"the driver has no {name}")
        return ctypes.CFUNCTYPE(result, *[type(a) if isinstance(a, (ctypes.Array, ON_MESSAGE)) else
                                          ctypes.c_void_p if a is None or not isinstance(a, int) else ctypes.c_uint
                                          for a in args])(address)(*args)

    def text(self, what):
        """glGetString."""
        return (self.call("glGetString", ctypes.c_char_p, what) or b"").decode(errors="replace")

    def number(self, get, of, what):
        """A state of a shader or program."""
        value = (ctypes.c_int * 1)()
        self.call(get, None, of, what, value)
        return value[0]

    def log(self, get, of):
        """The info log of a shader or program."""
        text = (ctypes.c_char * 4096)()
        self.call(get, None, of, len(text), None, text)
        return text.value.decode(errors="replace").strip()

    def limits(self):
        """Names and limits of the device."""
        told = {"vendor": self.text(GL_VENDOR), "renderer": self.text(GL_RENDERER), "version": self.text(GL_VERSION)}
        for name, what in LIMITS.items():
            value = (ctypes.c_int * 1)()
            self.call("glGetIntegerv", None, what, value)
            told[name] = value[0]
        for name, what in LONG_LIMITS.items():
            value = (ctypes.c_int64 * 1)()
            self.call("glGetInteger64v", None, what, value)
            told[name] = value[0]
        for name, what in INDEXED_LIMITS.items():
            told[name] = []
            for i in range(3):
                value = (ctypes.c_int * 1)()
                self.call("glGetIntegeri_v", None, what, i, value)
                told[name].append(value[0])
        extensions = self.text(GL_EXTENSIONS).split()
        told["precise"] = "GL_EXT_gpu_shader5" in extensions
        told["texture_buffer"] = "GL_EXT_texture_buffer" in extensions
        return told

    def bind_buffers(self):
        """Some buffer wherever a shader may want one: v3d reads the address at the dispatch."""
        buffer = (ctypes.c_uint * 1)()
        self.call("glGenBuffers", None, 1, buffer)
        for target, most in ((GL_STORAGE_BUFFER, 0x90DB), (GL_UNIFORM_BUFFER, 0x91BB)):
            count = (ctypes.c_int * 1)()
            self.call("glGetIntegerv", None, most, count)
            self.call("glBindBuffer", None, target, buffer[0])
            self.call("glBufferData", None, target, 65536, None, 0x88E4)
            for i in range(count[0]):
                self.call("glBindBufferBase", None, target, i, buffer[0])

    def link(self, text, dispatch):
        """Returns the log of the shader or program that was refused, None for one that was not."""
        source = (ctypes.c_char_p * 1)(text)
        shader = self.call("glCreateShader", ctypes.c_uint, GL_COMPUTE_SHADER)
        program = self.call("glCreateProgram", ctypes.c_uint)
        self.call("glShaderSource", None, shader, 1, source, None)
        self.call("glCompileShader", None, shader)
        refused = None
        if not self.number("glGetShaderiv", shader, GL_COMPILE_STATUS):
            refused = self.log("glGetShaderInfoLog", shader)
        else:
            self.call("glAttachShader", None, program, shader)
            self.call("glLinkProgram", None, program)
            if not self.number("glGetProgramiv", program, GL_LINK_STATUS):
                refused = self.log("glGetProgramInfoLog", program)
        if refused is None and dispatch:
            self.call("glUseProgram", None, program)
            self.call("glDispatchCompute", None, 1, 1, 1)
            self.call("glFinish", None)
        self.call("glDeleteShader", None, shader)
        self.call("glDeleteProgram", None, program)
        return refused


class Output:
    """Standard output and error of the process, in a file while it is entered."""

    def __init__(self, wanted):
        self.file = tempfile.TemporaryFile() if wanted else None
        self.saved = [os.dup(1), os.dup(2)] if wanted else []
        self.text = ""

    def __enter__(self):
        if self.file:
            self.file.seek(0)
            self.file.truncate()
            sys.stdout.flush()
            for descriptor in (1, 2):
                os.dup2(self.file.fileno(), descriptor)

    def __exit__(self, *unused):
        if self.file:
            ctypes.CDLL(None).fflush(None)
            for descriptor, saved in zip((1, 2), self.saved):
                os.dup2(saved, descriptor)
            self.file.seek(0)
            self.text = self.file.read().decode(errors="replace")


def main():
    """Each file, in a context of one."""
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    flags = {a for a in sys.argv[1:] if a.startswith("--")}
    seconds = next((int(f[10:]) for f in flags if f.startswith("--seconds=")), 0)
    unknown = {f.split("=")[0] for f in flags} - {"--dispatch", "--limits", "--output", "--seconds"}
    if unknown or bool(args) == ("--limits" in flags):
        sys.exit(__doc__)
    try:
        context = Context()
    except OSError as error:
        print(f"link_shaders.py: {error}", file=sys.stderr)
        os._exit(3)
    if "--limits" in flags:
        print(json.dumps(context.limits()), flush=True)
        os._exit(0)
    if "--dispatch" in flags:
        context.bind_buffers()
    status, output = 0, Output("--output" in flags)
    for path in args:
        with open(path, "rb") as file:
            text = file.read()
        context.said.clear()
        signal.setitimer(signal.ITIMER_PROF, seconds)   # SIGPROF ends the process, the driver's code too
        begin = time.monotonic()
        with output:
            refused = context.link(text, "--dispatch" in flags)
        status |= refused is not None
        print(json.dumps({"file": os.path.basename(path), "linked": refused is None, "log": refused or "",
                          "ms": round((time.monotonic() - begin) * 1e3, 1), "said": context.said,
                          **({"output": output.text} if output.file else {})}), flush=True)
    os._exit(status)    # some drivers crash as they end


if __name__ == "__main__":
    main()
