# SPDX-License-Identifier: Apache-2.0
"""drm_shim.py - devices that Mesa's drivers compile for without the hardware, by its drm-shims.

A folder made by scripts/package/drm_shim.sh has arm/ (freedreno, panfrost, v3d), gl25/ (Debian's Mesa: iris, crocus, radeonsi,
nouveau), shims/, and, to compute, angle/ and lvp25/ (lavapipe). Names are those of op_coverage --device and
lib/gl/device/known_devices.c, where that has the device.
"""
import os
import re

LIBRARIES = "usr/lib/x86_64-linux-gnu"

# name: driver, the variables that choose the device.
DEVICES = {
    "adreno-530": ("freedreno", {"FD_GPU_ID": "530"}),
    "adreno-630": ("freedreno", {"FD_GPU_ID": "630"}),
    "adreno-740": ("freedreno", {"FD_GPU_ID": "740"}),
    "mali-t860": ("panfrost", {"PAN_GPU_ID": "0860"}),
    "mali-g72": ("panfrost", {"PAN_GPU_ID": "6221"}),
    "mali-g52": ("panfrost", {"PAN_GPU_ID": "7212"}),
    "mali-g57": ("panfrost", {"PAN_GPU_ID": "9093"}),
    "mali-g610": ("panfrost", {"PAN_GPU_ID": "a867"}),
    "videocore-6": ("v3d", {}),
    "intel-tgl": ("intel", {"INTEL_STUB_GPU_PLATFORM": "tgl"}),
    "intel-dg2": ("intel", {"INTEL_STUB_GPU_PLATFORM": "dg2"}),
    "amd-raven": ("amdgpu", {"AMDGPU_GPU_ID": "raven"}),
    "amd-navi21": ("amdgpu", {"AMDGPU_GPU_ID": "navi21"}),
    "nvidia-tu104": ("nouveau", {"NOUVEAU_CHIPSET": "164"}),
}

# What makes a driver report the statistics of each shader, beside GL_KHR_debug.
REPORTS = {"freedreno": {"FD_MESA_DEBUG": "shaderdb"}, "v3d": {"V3D_DEBUG": "shaderdb"}}

# What makes a driver print the machine code that shader_db.innermost() reads.
MACHINE_CODE = {"freedreno": {"IR3_SHADER_DEBUG": "cs"}, "panfrost": {"BIFROST_MESA_DEBUG": "shaders"}}

# Drivers that compile when a program is first dispatched.
COMPILES_LATE = {"v3d"}

ARM = {"freedreno", "panfrost", "v3d"}


def driver_of(device):
    """The driver of a device of DEVICES."""
    return DEVICES[device][0]


def shim_of(folder, device):
    """The library to be preloaded."""
    return os.path.join(folder, "shims", f"lib{driver_of(device)}_noop_drm_shim.so")


def library_of(folder, device):
    """The folder with the driver's libEGL."""
    return os.path.join(folder, "arm") if driver_of(device) in ARM else os.path.join(folder, "gl25", LIBRARIES)


def lacks(folder, device):
    """What the folder lacks for this device; "" if nothing."""
    needs = [shim_of(folder, device), library_of(folder, device)]
    return next((os.path.relpath(path, folder) for path in needs if not os.path.exists(path)), "")


def environment(folder, device):
    """The environment in which a program meets that device, and none else."""
    folder = os.path.abspath(folder)
    driver, chosen = DEVICES[device]
    env = {name: value for name, value in os.environ.items()
           if name not in ("GALLIUM_DRIVER", "MESA_LOADER_DRIVER_OVERRIDE", "LIBGL_ALWAYS_SOFTWARE")}
    env.update(chosen)
    env.update(REPORTS.get(driver, {}))
    env.update({"LD_LIBRARY_PATH": library_of(folder, device), "LD_PRELOAD": shim_of(folder, device),
                "MESA_SHADER_CACHE_DISABLE": "true", "GALLIUM_THREAD": "0"})   # a second thread drops messages of GL_KHR_debug
    if driver not in ARM:
        env.update({"__EGL_VENDOR_LIBRARY_FILENAMES": os.path.join(folder, "gl25/usr/share/glvnd/egl_vendor.d/50_mesa.json"),
                    "LIBGL_DRIVERS_PATH": os.path.join(library_of(folder, device), "dri")})
    return env


# The numbers of a row of known_devices.c from what link_shaders.py --limits tells, in the order of struct gl_known_device.
ROW = ("storage_blocks", "output_resources", "storage_align", "group_invocations", "group_depth", "shared_bytes", "image_units",
       "image_vectors", "texel_reads", "texture_size", "texture_layers", "storage_block_bytes", "uniform_blocks",
       "uniform_block_bytes", "uniform_align", "precise", "group_count")


WORDS = {"MIB": 1 << 20, "FEW": 65535, "MANY": (1 << 31) - 2, "true": 1, "false": 0}


def number(text):
    """The value of "256 * MIB - 1", or the values of "{MANY, FEW}"."""
    if text.startswith("{"):
        return tuple(number(part.strip()) for part in text.strip("{}").split(","))
    product, minus = (text.split(" - ") + ["0"])[:2]
    value = 1
    for factor in product.split(" * "):
        value *= WORDS[factor] if factor in WORDS else int(factor)
    return value - int(minus)


def known_devices(path):
    """The table of known_devices.c: from each name to its numbers."""
    text = open(path, encoding="utf-8").read()
    table = {}
    for name, row in re.findall(r'^    \{"([a-z0-9-]+)",((?:.|\n)*?\})\},$', text, re.M):
        row = re.sub(r'"[^"]*"|\b(?:ES31|ES32|TGL|RAVEN|NAVI|ANGLE)\b', "", row)
        fields = [field.strip() for field in re.split(r",(?![^{]*\})", row)]
        table[name] = [number(field) for field in fields if field]
    return table


def row_of(told):
    """The same numbers as a driver tells them."""
    buffers = told["texture_buffer"]
    return [told["blocks"], told["resources"], max(told["align"], told["texel_align"] if buffers else 0), told["invocations"],
            told["size"][2], told["shared"], min(told["images"], told["image_units"]), told["texels"] if buffers else 0,
            min(told["units"], told["all_units"]), told["texture_size"], told["layers"], told["block_bytes"], told["uniforms"],
            min(told["uniform_bytes"], (1 << 31) - 1), told["uniform_align"], int(told["precise"]), tuple(told["count"][:2])]
