#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Heap that a GL driver loses with each context, without Delegauge, as one row of a table for each kind of context.

  context_growth.py [--cycles=200] [--bytes=2097152] [--terminate] [KIND...]

Each cycle makes a surfaceless context, works in it, deletes every object, and destroys the context. Kinds (all by default):

  empty     nothing else
  buffer    two dispatches that read and write one buffer
  sampler   two dispatches that read the buffer's first half through a texture buffer, bound as a sampler
  image     the same, bound once as an image
  rebound   the same, bound as an image before each dispatch

--bytes is the length of the buffer. --terminate ends the display's connection with each cycle; Delegauge keeps it. The heap is
glibc's mallinfo2; the growth a cycle is its difference over the cycles after the first quarter. A kind runs in a process of its
own. The driver is Mesa's usual choice: GALLIUM_DRIVER and LIBGL_ALWAYS_SOFTWARE change it. Exit status 3 if there is no such
driver, 4 if it fails.
"""
import argparse
import ctypes
import multiprocessing
import sys

KINDS = ("empty", "buffer", "sampler", "image", "rebound")
SURFACELESS, ES_API, MAJOR, MINOR, EGL_NONE = 0x31DD, 0x30A0, 0x3098, 0x30FB, 0x3038
RENDERER, VERSION, COMPUTE, LINKED, DYNAMIC_READ, ALL_BARRIERS = 0x1F01, 0x1F02, 0x91B9, 0x8B82, 0x88E9, 0xFFFFFFFF
STORAGE, TEXTURE_BUFFER, RGBA32F, READ_ONLY = 0x90D2, 0x8C2A, 0x8814, 0x88B8
HEAD = "#version 310 es\n#extension GL_EXT_texture_buffer : require\nlayout(local_size_x = 64) in;\n"
BODY = """layout(std430, binding = 1) buffer B { vec4 v[]; };
void main() { int i = int(gl_GlobalInvocationID.x); v[i] = %s; }
"""
SHADERS = {"buffer": HEAD + BODY % "v[i] + 1.0",
           "sampler": HEAD + "layout(binding = 0) uniform highp samplerBuffer x;\n" + BODY % "texelFetch(x, i)",
           "image": HEAD + "layout(rgba32f, binding = 0) uniform readonly highp imageBuffer x;\n" + BODY % "imageLoad(x, i)"}
SHADERS["rebound"] = SHADERS["image"]


class Mallinfo2(ctypes.Structure):
    """The structure of <malloc.h>."""
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]


class Failed(Exception):
    """(exit status, sentence)"""


class Driver:
    """EGL and OpenGL ES of the process."""

    def __init__(self):
        try:
            self.libc, self.egl, self.gl = ctypes.CDLL("libc.so.6"), ctypes.CDLL("libEGL.so.1"), ctypes.CDLL("libGLESv2.so.2")
            self.libc.mallinfo2.restype = Mallinfo2
            self.egl.eglGetPlatformDisplay.restype = ctypes.c_void_p
        except (OSError, AttributeError) as error:
            raise Failed(3, f"EGL 1.5, OpenGL ES and glibc 2.33 are needed: {error}") from error
        self.egl.eglCreateContext.restype = ctypes.c_void_p
        self.gl.glGetString.restype = ctypes.c_char_p
        self.egl.eglGetProcAddress.restype = ctypes.c_void_p
        self.display = self.context = None

    def heap(self):
        """Bytes in use."""
        info = self.libc.mallinfo2()
        return info.uordblks + info.hblkhd

    def open(self):
        """Makes a context and makes it current."""
        attributes = (ctypes.c_int * 5)(MAJOR, 3, MINOR, 1, EGL_NONE)
        self.display = ctypes.c_void_p(self.egl.eglGetPlatformDisplay(SURFACELESS, None, None))
        if not self.display or not self.egl.eglInitialize(self.display, None, None):
            raise Failed(3, "no EGL display of the surfaceless platform")
        self.egl.eglBindAPI(ES_API)
        self.context = ctypes.c_void_p(self.egl.eglCreateContext(self.display, None, None, attributes))
        if not self.context or not self.egl.eglMakeCurrent(self.display, None, None, self.context):
            raise Failed(3, "no surfaceless context of OpenGL ES 3.1")

    def close(self, terminate):
        """Destroys the context."""
        self.egl.eglMakeCurrent(self.display, None, None, None)
        self.egl.eglDestroyContext(self.display, self.context)
        if terminate:
            self.egl.eglTerminate(self.display)
        self.egl.eglReleaseThread()

    def program(self, text):
        """A linked program."""
        source, linked = ctypes.c_char_p(text.encode()), ctypes.c_int()
        shader, program = self.gl.glCreateShader(COMPUTE), self.gl.glCreateProgram()
        self.gl.glShaderSource(shader, 1, ctypes.byref(source), None)
        self.gl.glCompileShader(shader)
        self.gl.glAttachShader(program, shader)
        self.gl.glLinkProgram(program)
        self.gl.glDeleteShader(shader)
        self.gl.glGetProgramiv(program, LINKED, ctypes.byref(linked))
        if not linked.value:
            raise Failed(4, "the driver does not link the shader; GL_EXT_texture_buffer is needed")
        return program

    def view(self, texture, buffer, length):
        """Makes the texture a view of the buffer's first bytes."""
        address = self.egl.eglGetProcAddress(b"glTexBufferRangeEXT")
        if not address:
            raise Failed(4, "the driver lacks glTexBufferRangeEXT")
        self.gl.glBindTexture(TEXTURE_BUFFER, texture)
        ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint, ctypes.c_ssize_t, ctypes.c_ssize_t)(address)(
            TEXTURE_BUFFER, RGBA32F, buffer, 0, length)

    def work(self, kind, length):
        """Two dispatches; every object is deleted afterwards."""
        gl, half = self.gl, ctypes.c_ssize_t(length // 2)
        buffer, texture, program = ctypes.c_uint(), ctypes.c_uint(), self.program(SHADERS[kind])
        gl.glGenBuffers(1, ctypes.byref(buffer))
        gl.glBindBuffer(STORAGE, buffer)
        gl.glBufferData(STORAGE, ctypes.c_ssize_t(length), None, DYNAMIC_READ)
        gl.glBindBufferRange(STORAGE, 1, buffer, half, half)
        gl.glUseProgram(program)
        if kind != "buffer":
            gl.glGenTextures(1, ctypes.byref(texture))
            self.view(texture, buffer, length // 2)
        for i in range(2):
            if kind == "rebound" or (kind == "image" and i == 0):
                gl.glBindImageTexture(0, texture, 0, 1, 0, READ_ONLY, RGBA32F)
            gl.glDispatchCompute(4, 1, 1)
            gl.glMemoryBarrier(ctypes.c_uint(ALL_BARRIERS))
        gl.glFinish()
        gl.glUseProgram(0)
        gl.glDeleteProgram(program)
        gl.glDeleteTextures(1, ctypes.byref(texture))
        gl.glDeleteBuffers(1, ctypes.byref(buffer))


def measure(kind, args):
    """Prints the row of one kind."""
    driver, heap = Driver(), (ctypes.c_size_t * args.cycles)()
    for i in range(args.cycles):
        driver.open()
        if kind != "empty":
            driver.work(kind, args.bytes)
        error = driver.gl.glGetError()
        if error:
            raise Failed(4, f"cycle {i} of {kind}: GL error 0x{error:x}")
        name = f"{driver.gl.glGetString(RENDERER).decode()}, {driver.gl.glGetString(VERSION).decode()}"
        driver.close(args.terminate)
        heap[i] = driver.heap()
    first, last = args.cycles // 4, args.cycles - 1
    print(f"| {name} | {args.cycles} | {kind} | {(heap[last] - heap[first]) / (last - first):.0f} |", flush=True)


def run(kind, args):
    """The main function of a process."""
    try:
        measure(kind, args)
    except Failed as failed:
        print(f"context_growth.py: {failed.args[1]}", file=sys.stderr)
        sys.exit(failed.args[0])


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--bytes", type=int, default=2 << 20)
    parser.add_argument("--terminate", action="store_true")
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=[])
    args = parser.parse_args()
    unknown = [kind for kind in args.kinds if kind not in KINDS]
    if unknown:
        parser.error(f"{unknown[0]}: kinds are {', '.join(KINDS)}")
    if args.cycles < 4 or args.cycles > 100000:
        parser.error(f"--cycles={args.cycles}: expected a whole number from 4 to 100000")
    if args.bytes < 8192 or args.bytes > 1 << 30 or args.bytes % 512:
        parser.error(f"--bytes={args.bytes}: expected a multiple of 512 from 8192 to {1 << 30}")
    print("| driver | cycles | kind | bytes a cycle |\n|---|---:|---|---:|", flush=True)
    for kind in args.kinds or KINDS:
        process = multiprocessing.get_context("spawn").Process(target=run, args=(kind, args))
        process.start()
        process.join()
        if process.exitcode < 0:
            print(f"context_growth.py: {kind}: ended by signal {-process.exitcode}", file=sys.stderr)
        if process.exitcode:
            return 4 if process.exitcode < 0 else process.exitcode
    return 0


if __name__ == "__main__":
    sys.exit(main())
