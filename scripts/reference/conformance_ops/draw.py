# SPDX-License-Identifier: Apache-2.0
"""What a case is made of, and the random choices behind it."""
from dataclasses import dataclass, field

import numpy as np

TYPES = {   # name: (numpy's, the schema's)
    "f32": (np.float32, "FLOAT32"), "f16": (np.float16, "FLOAT16"), "f64": (np.float64, "FLOAT64"),
    "bf16": (np.uint16, "BFLOAT16"),   # its bits
    "i4": (np.int8, "INT4"), "i8": (np.int8, "INT8"), "u8": (np.uint8, "UINT8"), "i16": (np.int16, "INT16"),
    "u16": (np.uint16, "UINT16"), "i32": (np.int32, "INT32"), "u32": (np.uint32, "UINT32"), "i64": (np.int64, "INT64"),
    "u64": (np.uint64, "UINT64"), "bool": (np.bool_, "BOOL"), "str": (object, "STRING"), "c64": (np.complex64, "COMPLEX64"),
    "c128": (np.complex128, "COMPLEX128"), "resource": (np.int32, "RESOURCE"),
}
# Forms that one type does not name: float activations with INT8, UINT8, INT4 and FLOAT16 weights, INT8 with INT4 weights.
FORMS = ("f32w8", "f32wu8", "f32w4", "f32w16", "i8w4")
QUANTIZED = ("i4", "i8", "u8", "i16")
FLOATS = ("f32", "f16", "f64")
SPECIALS = (np.nan, np.inf, -np.inf, 0.0, -0.0)


@dataclass
class Quant:
    scale: list
    zero: list
    dim: int = 0


@dataclass
class Tensor:
    """data: of an input or constant; an output has none. const: stored in the model. variable: state, zero at first.
    sparse: a matrix stored row by row without its zeros."""
    type: str
    data: np.ndarray = None
    quant: Quant = None
    const: bool = False
    variable: bool = False
    sparse: bool = False

    @property
    def shape(self):
        return list(self.data.shape) if self.data is not None else []


@dataclass
class Op:
    """None among the inputs is an omitted one."""
    name: str
    inputs: list
    outputs: list
    options: dict = field(default_factory=dict)
    mids: list = field(default_factory=list)
    custom: bytes = None


@dataclass
class Graph:
    inputs: list
    outputs: list
    ops: list


@dataclass
class Case:
    """One op; before: ops that run ahead of it; graphs: the subgraphs 1 and up; runs: 0, or how often to run it (state);
    last: the op at the end, where that is not the one in question."""
    inputs: list
    outputs: list
    options: dict = field(default_factory=dict)
    mids: list = field(default_factory=list)
    before: list = field(default_factory=list)
    graphs: list = field(default_factory=list)
    runs: int = 0
    custom: bytes = None
    last: str = None


class Draw:
    """Random choices of one case."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def int(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def chance(self, n):
        return self.int(1, n) == 1

    def flag(self):
        return self.chance(2)

    def pick(self, *items):
        return items[self.int(0, len(items) - 1)]

    def shape(self, low=1, high=4, size=6):
        return [self.int(1, size) for _ in range(self.int(low, high))]

    def any_shape(self, high=4, size=6):
        """Scalars and empty shapes too."""
        shape = self.shape(0 if self.chance(6) else 1, high, size if high < 5 else 4)
        if shape and self.chance(12):
            shape[self.int(0, len(shape) - 1)] = 0
        return shape

    def scale(self, low, high):
        return float(np.float32(self.rng.uniform(low, high)))

    def quant(self, type_):
        if type_ not in QUANTIZED or type_ == "i4":
            return None
        info = np.iinfo(TYPES[type_][0])
        zero = 0 if type_ == "i16" else self.int(info.min, info.max)
        return Quant([self.scale(4 / (info.max - info.min), 16 / (info.max - info.min))], [zero])

    def data(self, type_, shape, low=None, high=None):
        dtype = TYPES[type_][0]
        if type_ in FLOATS:
            values = self.rng.uniform(-6 if low is None else low, 6 if high is None else high, shape)
            if low is None and high is None and self.chance(8):
                values = np.where(self.rng.random(shape) < 0.15, self.rng.choice(SPECIALS, shape), values)
            return np.asarray(values, dtype)
        if type_ == "bf16":
            return (self.data("f32", shape, low, high).view(np.uint32) >> 16).astype(np.uint16)
        if type_ in ("c64", "c128"):
            return np.asarray(self.rng.uniform(-6, 6, shape) + 1j * self.rng.uniform(-6, 6, shape), dtype)
        if type_ == "bool":
            return np.asarray(self.rng.integers(0, 2, shape), dtype)
        if type_ == "str":
            values = np.empty(shape, object)
            values.reshape(-1)[:] = [bytes(self.rng.integers(97, 101, self.int(0, 3)).astype(np.uint8)) for _ in range(values.size)]
            return values
        info = np.iinfo(dtype)
        wide = type_ in ("i32", "i64", "u32", "u64")
        least, most = (-7, 7) if type_ == "i4" else (max(-50, info.min), 50) if wide else (info.min, info.max)
        low = least if low is None else max(low, info.min)
        return np.asarray(self.rng.integers(low, (most if high is None else min(high, info.max)) + 1, shape), dtype)

    def tensor(self, type_, shape, quant=None, const=False, low=None, high=None):
        if type_ == "str" and not const:
            shape = shape or [1]   # Python gives TensorFlow Lite no scalar strings
        return Tensor(type_, self.data(type_, shape, low, high), quant or self.quant(type_), const)

    def side(self, values, type_="i32"):
        """An axis, shape or size: mostly a constant, sometimes only known at run time."""
        return Tensor(type_, np.array(values, TYPES[type_][0]), None, not self.chance(5))


def constant(values, type_="i32"):
    return Tensor(type_, np.array(values, TYPES[type_][0]), None, True)


def state(type_, shape, quant=None):
    return Tensor(type_, np.zeros(shape, TYPES[type_][0]), quant, False, True)


def blank(type_, shape):
    """An output or parameter whose shape must be right from the start."""
    return Tensor(type_, np.zeros(shape, TYPES[type_][0]))


def out(draw, type_, quant=None):
    return Tensor(type_, None, quant or draw.quant(type_))


ALL = "f32 f16 f64 bf16 i4 i8 u8 i16 u16 i32 u32 i64 u64 bool str c64 c128"
NUMBERS = "f32 i8 u8 i16 i32 i64"
