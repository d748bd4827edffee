# SPDX-License-Identifier: Apache-2.0
"""shader_db.py - statistics of machine code, from the lines that Mesa's drivers write for its shader-db.

parse() reads the messages of GL_KHR_debug for one compute shader. A driver says only some of the figures:

  code        instructions; of radeonsi, 32-bit words of machine code
  registers   of an invocation: 32-bit ones, of freedreno and Midgard those of four
  occupancy   freedreno, radeonsi: waves; panfrost, v3d: threads; intel: invocations of a SIMD instruction
  spills      stores of registers to memory; of radeonsi registers that are spilled, of nouveau words of local memory
  fills       loads of them
  cycles      estimated: panfrost's of the longest pipeline, each instruction once; intel's with ten passes of each loop
"""
import re

FIGURES = ("code", "registers", "occupancy", "spills", "fills", "cycles")

PATTERNS = {
    "freedreno": r"^CL shader: (?P<code>\d+) inst, .* (?P<registers>\d+) full, .* (?P<spills>\d+) stp, (?P<fills>\d+) ldp, "
                 r".* (?P<occupancy>-?\d+) waves,",
    "panfrost": r"^MESA_SHADER_COMPUTE shader: (?P<code>\d+) inst, (?:.* )?(?P<cycles>[\d.]+) cycles, "
                r".* (?P<occupancy>\d+) threads, .* (?P<spills>\d+):(?P<fills>\d+) spills:fills",
    "midgard": r"^MESA_SHADER_COMPUTE shader: (?P<code>\d+) inst, \d+ bundles, .* (?P<registers>\d+) registers, (?P<occupancy>\d+) "
               r"threads, .* (?P<spills>\d+):(?P<fills>\d+) spills:fills",
    "v3d": r"^MESA_SHADER_COMPUTE shader: (?P<code>\d+) inst, (?P<occupancy>\d+) threads, .* (?P<registers>\d+) max-temps, "
           r"(?P<spills>\d+):(?P<fills>\d+) spills:fills",
    "intel": r"^CS SIMD(?P<occupancy>\d+) shader: (?P<code>\d+) inst, .* (?P<cycles>\d+) cycles, (?P<spills>\d+):(?P<fills>\d+) "
             r"spills:fills",
    "amdgpu": r"^Shader Stats: SGPRS: \d+ VGPRS: (?P<registers>\d+) Code Size: (?P<bytes>\d+) .* Max Waves: (?P<occupancy>\d+) "
              r"Spilled SGPRs: \d+ Spilled VGPRs: (?P<spills>\d+)",
    "nouveau": r"^type: 5, local: (?P<bytes_spilled>\d+), shared: \d+, gpr: (?P<registers>\d+), inst: (?P<code>\d+),",
}
FORMS = {"panfrost": ("midgard", "panfrost")}


def read(form, line):
    """The figures of one line in the form of one driver, or None."""
    found = re.match(PATTERNS[form], line)
    if not found:
        return None
    figures = {name: float(text) if "." in text else int(text) for name, text in found.groupdict().items()}
    if "bytes" in figures:
        figures["code"] = figures.pop("bytes") // 4
    if "bytes_spilled" in figures:
        figures["spills"] = figures.pop("bytes_spilled") // 4
    return figures


def parse(driver, said):
    """The figures of the last program that the messages are about; None if no message has any.

    A driver may compile several widths or try several ways: the last is the one that it runs.
    """
    for line in reversed(said):
        for form in FORMS.get(driver, (driver,)):
            figures = read(form, line)
            if figures:
                return figures
    return None


def label_of(name):
    """The label of a program from the name of its file: "conv_4x2_+RELU6-9dbf35181730.comp" is "conv 4x2 +RELU6"."""
    return re.sub(r"-[0-9a-f]{12}\.comp$", "", name).replace("_", " ")


def kind_of(name):
    """Kernel and variant of a program from the name of its file, without fused functions: "conv-4x2"."""
    return re.sub(r" \+.*", "", label_of(name)).replace(" ", "-")


def multiply_adds(kind):
    """Multiply-adds of one pass through the innermost loop of a product, by its tile of pixels and slices; 0: not known."""
    tile = re.match(r"(?:conv|conv-rows|separable|depthwise|exact-conv)-(\d+)x(\d+)$", kind)
    if tile:
        return int(tile[1]) * int(tile[2]) * (4 if kind.startswith("depthwise") else 16)
    return {"conv-shared": 128, "conv-lanes": 16, "matmul-shared": 128}.get(kind, 0)
