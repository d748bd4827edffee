# SPDX-License-Identifier: Apache-2.0
"""shader_db.py - statistics of machine code, from the lines that Mesa's drivers write for its shader-db.

parse() reads the messages of GL_KHR_debug for one compute shader. A driver says only some of the figures:

  code        instructions; of radeonsi, 32-bit words of machine code
  registers   of an invocation: 32-bit ones, of freedreno and Midgard those of four
  occupancy   freedreno, radeonsi: waves; panfrost, v3d: threads; intel: invocations of a SIMD instruction
  spills      stores of registers to memory; of radeonsi registers that are spilled, of nouveau words of local memory
  fills       loads of them
  cycles      estimated: panfrost's of the longest pipeline, each instruction once; intel's with ten passes of each loop

innermost() reads the machine code itself, of freedreno and panfrost.
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


class Loops:
    """Finds loops: instructions are added in their order, with jumps to labels or over a distance."""

    def __init__(self):
        self.at, self.madds, self.labels, self.jumps = [0], [0], {}, []

    def label(self, name):
        """The next instruction has this name."""
        self.labels[name] = len(self.at) - 1

    def add(self, issued, madds, target=None, distance=None):
        """An instruction that is issued so often and makes so many multiply-adds."""
        here = len(self.at) - 1
        if distance is not None and distance < 0:
            self.jumps.append((here + 1 + distance, here))
        elif target is not None:
            self.jumps.append((target, here))
        self.at.append(self.at[-1] + issued)
        self.madds.append(self.madds[-1] + madds)

    def innermost(self):
        """Issued instructions and multiply-adds of the innermost loop that makes most of these; None without one."""
        spans = [(self.labels.get(to, to), at) for to, at in self.jumps]
        spans = [(to, at) for to, at in spans if isinstance(to, int) and 0 <= to <= at]
        inner = [(a, b) for a, b in spans if not any((c, d) != (a, b) and a <= c and d <= b for c, d in spans)]
        found = [(self.madds[b + 1] - self.madds[a], self.at[b + 1] - self.at[a]) for a, b in inner]
        madds, issued = max(found, default=(0, 0))
        return (issued, madds) if madds else None


def ir3_loop(text):
    """Of freedreno, with IR3_SHADER_DEBUG=cs: repeated instructions and the nops that they bring count."""
    loops = Loops()
    for line in text[text.rfind("Native code for"):].splitlines():
        line = line.replace("MESA: info: ", "").strip()
        label = re.match(r"l(\d+):$", line)
        code = re.match(r"((?:\(\w+\) ?)*)([a-z][\w.]*)(?: |$)", line)
        if label:
            loops.label(label[1])
        elif code and not line.startswith(("impl", "decl", "block", "if ", "else")):
            flags = {name: int(n) for name, n in re.findall(r"\((rpt|nop)(\d)\)", line)}
            issued = 1 + flags.get("rpt", 0) + flags.get("nop", 0)
            target = re.search(r"#l(\d+)", line)
            loops.add(issued, (1 + flags.get("rpt", 0)) * code[2].startswith("mad.f"), target and target[1])
    return loops.innermost()


def bifrost_loop(text):
    """Of panfrost, with BIFROST_MESA_DEBUG=shaders, up to the G7x: pairs of instructions, one for each of two units."""
    loops, madds = Loops(), 0
    for line in text[text.rfind("\nclause_0:"):].splitlines():
        word = line.strip().split(" ")[0]
        if re.match(r"clause_\d+:$", line):
            loops.label(line[:-1])
        elif word.startswith("*"):
            madds = 2 * word.startswith("*FMA.v2f16") + word.startswith("*FMA.f32")
        elif word.startswith("+"):
            target = re.search(r"clause_\d+", line)
            loops.add(1, madds, target and target[0])
    return loops.innermost()


def valhall_loop(text):
    """Likewise from the G57 on: instructions."""
    loops = Loops()
    code = re.split(r"\n\}[^\n]*\n", text)[-1]
    for line in code.splitlines():
        word = line.strip().split(" ")[0]
        if not re.match(r"[A-Z]", word):
            continue
        distance = re.search(r"offset:(-?\d+)$", line) if word.startswith("BRANCH") else None
        loops.add(1, 2 * word.startswith("FMA.v2f16") + word.startswith("FMA.f32"), None, distance and int(distance[1]))
    return loops.innermost()


def innermost(driver, text):
    """What the innermost loop with most multiply-adds issues, and these; None if the text has no machine code that is read here."""
    if driver == "freedreno":
        return ir3_loop(text)
    if driver == "panfrost":
        return bifrost_loop(text) if "\nclause_0:" in text else valhall_loop(text)
    return None
