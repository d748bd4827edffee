# SPDX-License-Identifier: Apache-2.0
"""Arithmetic, comparisons, activations and casts: an element of the output depends on one of each input."""
import numpy as np

from .draw import FLOATS, NUMBERS, QUANTIZED, TYPES, Case, Quant, Tensor, out


def binary(activation=False, low=None, high=None, low2=None, high2=None, to=None, same=False, rank=4, spread=True):
    """Two inputs that broadcast (not spread: they do not); low2 and high2 bound the second."""
    def generate(d, t):
        shape = d.any_shape(rank)
        other = shape
        if spread:
            other = [1 if d.chance(4) else n for n in shape][d.int(0, max(len(shape) - 1, 0)) if d.chance(3) else 0:]
        quant = d.quant(t) if same else None
        a = d.tensor(t, shape, quant, low=low, high=high)
        b = d.tensor(t, other, quant, low=low2, high=high2)
        b.const = d.flag()
        options = {}
        # TensorFlow Lite's shift goes out of range where a quotient is tiny, as after a divisor of zero.
        if t in QUANTIZED and low2:
            a.quant.zero, b.quant.zero = [0], [0]
            a.data = np.maximum(a.data, TYPES[t][0](64))
        if activation:
            options["fusedActivationFunction"] = d.pick(0, 0, 1, 3) if t in ("f32", "i32", *QUANTIZED) else 0
        if activation == "pot":
            options["potScaleInt16"] = False
        inputs = [a, b] if not (same and d.flag()) else [b, a]
        return Case(inputs, [out(d, to or t, quant)], options)
    return generate


def unary(low=None, high=None, fixed=None, same=False, options=None, positive=False, to=None):
    """One input. fixed: the output's quantization per type, where the op prescribes it. positive: no value below zero."""
    def generate(d, t):
        quant, least = d.quant(t), low
        if t in QUANTIZED:
            least = None
            if positive:
                quant.zero = [0 if t != "i8" else -128]
                least = quant.zero[0] + 1
        x = d.tensor(t, d.any_shape(5), quant, low=least, high=None if t in QUANTIZED else high)
        given = Quant([fixed[t][0]], [fixed[t][1]]) if fixed and t in fixed else quant if same else None
        return Case([x], [out(d, to(t) if to else t, given)], options(d) if options else {})
    return generate


def prelu(d, t):
    shape, slopes = d.shape(2), "i8" if t == "i16" else t
    return Case([d.tensor(t, shape), d.tensor(slopes, [1] * (len(shape) - 2) + shape[-1:], const=d.flag())], [out(d, t)])


CAST_FROM_I4 = ("f32", "i8")


def cast(d, t):
    to = d.pick(*CAST_FROM_I4 if t == "i4" else (x for x in TYPES if x not in ("i4", "u64", "str", "resource", "c128")))
    bounded = to not in (*FLOATS, "c64", "bool")   # beyond its range C leaves the result open
    low, high = (0, 100) if bounded and t in FLOATS else (None, None)
    return Case([Tensor(t, d.data(t, d.any_shape(5), low, high), None, t == "i4")], [Tensor(to)])


def quantize(d, t):
    to = d.pick("i8", "u8", "i16") if t == "f32" else d.pick("i8", "i16", "i32") if t == "i16" else d.pick("i8", "u8")
    if t == "i32":
        return Case([d.tensor(t, d.any_shape(), Quant([d.scale(0.01, 0.1)], [0]))], [out(d, to)])
    return Case([d.tensor(t, d.any_shape(), low=-9 if t == "f32" else None)], [out(d, to)])   # NaN and beyond: C leaves it open


def dequantize(d, t):
    if t in ("f16", "i4"):
        quant = Quant([d.scale(0.01, 0.5)], [0]) if t == "i4" else None
        return Case([d.tensor(t, d.shape(), quant, const=t == "i4" or d.flag())], [out(d, "f32")])
    shape = d.any_shape()
    quant = None
    if shape and t == "i8" and d.chance(3):
        dim = d.int(0, len(shape) - 1)
        quant = Quant([d.scale(0.01, 0.1) for _ in range(shape[dim])], [0] * shape[dim], dim) if shape[dim] else None
    return Case([d.tensor(t, shape, quant)], [out(d, "f32")])


def fake_quant(d, t):
    options = {"min": -d.scale(0, 5), "max": d.scale(0.1, 5), "numBits": d.int(2, 16), "narrowRange": False}
    return Case([d.tensor(t, d.any_shape())], [out(d, t)], options)


def bitcast(d, t):
    sizes = {n: np.dtype(v[0]).itemsize for n, v in TYPES.items() if n not in ("i4", "bool", "str", "resource", "c64", "c128")}
    to, shape = d.pick(*sizes), d.shape()
    if sizes[to] > sizes[t]:
        shape.append(sizes[to] // sizes[t])
    return Case([Tensor(t, d.data(t, shape))], [Tensor(to)])


def bucketize(d, t):
    bounds = sorted(d.scale(-6, 6) for _ in range(d.int(0, 6)))
    return Case([d.tensor(t, d.any_shape())], [Tensor("i32")], {"boundaries": bounds})


def add_n(d, t):
    shape = d.any_shape()
    return Case([d.tensor(t, shape) for _ in range(d.int(2, 5))], [out(d, t)])


def select(broadcast):
    def generate(d, t):
        shape, quant = d.any_shape(), d.quant(t)
        shapes = [[1 if broadcast and d.chance(4) else n for n in shape] for _ in range(3)]
        if not broadcast and shape and d.chance(3):
            shapes[0] = shape[:1]   # one choice for each row
        return Case([d.tensor("bool", shapes[0]), d.tensor(t, shapes[1], quant), d.tensor(t, shapes[2], quant)], [out(d, t, quant)])
    return generate


def where(d, t):
    return Case([d.tensor(t, d.shape(1, 5))], [Tensor("i64")])


def softmax_options(d):
    return {"beta": d.pick(1.0, 0.5, 2.0)}


def part_of(t):
    return {"c64": "f32", "c128": "f64"}.get(t, t)


LOGISTIC = {"i8": (1 / 256, -128), "u8": (1 / 256, 0), "i16": (1 / 32768, 0)}
TANH = {"i8": (1 / 128, 0), "u8": (1 / 128, 128), "i16": (1 / 32768, 0)}
LOG_SOFTMAX = {"i8": (16 / 256, 127), "u8": (16 / 256, 255)}
NORM = {"i8": (1 / 128, 0), "u8": (1 / 128, 128)}
COMPARED = "f32 i8 u8 i16 i32 i64"
BITS = "i8 u8 i16 u16 i32 u32"
SELECTED = "f32 f16 f64 bf16 i8 u8 i16 u16 i32 u32 i64 u64 bool c64"
HLO = "f32 f16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool"

OPS = {
    "ADD": ("AddOptions", NUMBERS + " f16", binary("pot", rank=6)),
    "SUB": ("SubOptions", NUMBERS, binary("pot", rank=6)),
    "MUL": ("MulOptions", NUMBERS + " u32 c64 f16", binary(True, rank=6)),
    "DIV": ("DivOptions", "f32 u8 i32 i8 i16", binary(True, low2=1, rank=5)),
    "ADD_N": ("AddNOptions", "f32 i32", add_n),
    "ATAN2": ("ATan2Options", "f32 f64 f16 bf16", binary(spread=False)),
    "BITWISE_XOR": ("BitwiseXorOptions", BITS, binary()),
    "FLOOR_DIV": ("FloorDivOptions", "f32 i8 i16 i32", binary(low2=1)),
    "FLOOR_MOD": ("FloorModOptions", "f32 i8 i16 i32 i64", binary(low2=1)),
    "MAXIMUM": ("MaximumMinimumOptions", NUMBERS + " f16 bf16", binary(same=True)),
    "MINIMUM": ("MaximumMinimumOptions", NUMBERS + " f16 bf16", binary(same=True)),
    "POW": ("PowOptions", "f32 i32", binary(low=0, high=6, low2=0, high2=5)),
    "RIGHT_SHIFT": ("RightShiftOptions", BITS, binary(low2=0, high2=7)),
    "SQUARED_DIFFERENCE": ("SquaredDifferenceOptions", "f32 i8 i32", binary()),
    "STABLEHLO_ADD": (None, HLO, binary(same=True, spread=False)),
    "STABLEHLO_AND": (None, HLO.replace("f32 f16 f64 ", ""), binary(spread=False)),
    "STABLEHLO_MAXIMUM": (None, HLO, binary(same=True, spread=False)),
    "STABLEHLO_MINIMUM": (None, HLO, binary(same=True, spread=False)),
    "STABLEHLO_MULTIPLY": (None, HLO, binary(same=True, spread=False)),
    "STABLEHLO_SHIFT_LEFT": ("StablehloShiftLeftOptions", "i8 i16 i32", binary(low2=0, high2=7, spread=False)),
    "EQUAL": ("EqualOptions", COMPARED + " bool str f16", binary(to="bool", rank=6)),
    "NOT_EQUAL": ("NotEqualOptions", COMPARED + " bool str f16", binary(to="bool", rank=6)),
    "GREATER": ("GreaterOptions", COMPARED + " f16 bf16", binary(to="bool")),
    "GREATER_EQUAL": ("GreaterEqualOptions", COMPARED + " f16", binary(to="bool")),
    "LESS": ("LessOptions", COMPARED + " f16 bf16", binary(to="bool")),
    "LESS_EQUAL": ("LessEqualOptions", COMPARED + " f16", binary(to="bool")),
    "LOGICAL_AND": ("LogicalAndOptions", "bool", binary()),
    "LOGICAL_OR": ("LogicalOrOptions", "bool", binary()),
    "LOGICAL_NOT": ("LogicalNotOptions", "bool", unary()),
    "SELECT": ("SelectOptions", SELECTED, select(False)),
    "SELECT_V2": ("SelectV2Options", SELECTED, select(True)),
    "WHERE": ("WhereOptions", "f32 i8 u8 i32 u32 i64 bool", where),
    "ABS": ("AbsOptions", "f32 i8 i16 i32", unary()),
    "BUCKETIZE": ("BucketizeOptions", "f32 f64 i32 i64", bucketize),
    "CEIL": (None, "f32", unary()),
    "COMPLEX_ABS": (None, "c64 c128", unary(to=part_of)),
    "COS": ("CosOptions", "f32 f16", unary()),
    "EXP": ("ExpOptions", "f32 i8 i16", unary()),
    "FLOOR": (None, "f32 f16 bf16", unary()),
    "IMAG": (None, "c64 c128", unary(to=part_of)),
    "LOG": (None, "f32 i8 i16", unary(low=0.01, positive=True)),
    "NEG": ("NegOptions", "f32 i32 i64 f16 bf16 i8 i16", unary()),
    "REAL": (None, "c64 c128", unary(to=part_of)),
    "ROUND": (None, "f32 f16 bf16", unary()),
    "RSQRT": (None, "f32 i8 i16", unary(low=0.01, positive=True)),
    "SIGN": ("SignOptions", "f32 f64 i32", unary()),
    "SIN": (None, "f32 f16", unary()),
    "SQRT": (None, "f32 i8 i16", unary(low=0, positive=True)),
    "SQUARE": ("SquareOptions", "f32", unary()),
    "ZEROS_LIKE": ("ZerosLikeOptions", "f32 i32 i64", unary()),
    "ELU": (None, "f32 i8", unary()),
    "GELU": ("GeluOptions", "f32 i8 u8 f16 i16", unary(options=lambda d: {"approximate": d.flag()})),
    "HARD_SWISH": ("HardSwishOptions", "f32 i8 u8", unary()),
    "LEAKY_RELU": ("LeakyReluOptions", "f32 i8 u8 i16", unary(options=lambda d: {"alpha": d.pick(0.01, 0.1, 0.5, 1.5)})),
    "LOGISTIC": (None, "f32 i8 u8 i16 f16 bf16", unary(fixed=LOGISTIC)),
    "PRELU": (None, "f32 i8 u8 i16", prelu),
    "RELU": (None, "f32 i8 u8 i16", unary()),
    "RELU6": (None, "f32 i8 u8 i16", unary()),
    "RELU_0_TO_1": (None, "f32 i8 u8", unary()),
    "RELU_N1_TO_1": (None, "f32 i8 u8", unary()),
    "TANH": (None, "f32 i8 u8 i16 f16", unary(fixed=TANH)),
    "L2_NORMALIZATION": ("L2NormOptions", "f32 i8 u8", unary(fixed=NORM)),
    "SOFTMAX": ("SoftmaxOptions", "f32 i8 u8 i16 f16", unary(fixed=LOGISTIC, options=softmax_options)),
    "LOG_SOFTMAX": ("LogSoftmaxOptions", "f32 i8 u8", unary(fixed=LOG_SOFTMAX)),
    "BITCAST": ("BitcastOptions", "f32 f16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bf16", bitcast),
    "CAST": ("CastOptions", "f32 f16 f64 i4 i8 u8 i16 u16 i32 u32 i64 bool c64 bf16", cast),
    "DEQUANTIZE": ("DequantizeOptions", "f16 i4 i8 u8 i16", dequantize),
    "FAKE_QUANT": ("FakeQuantOptions", "f32", fake_quant),
    "QUANTIZE": ("QuantizeOptions", "f32 i8 u8 i16 i32", quantize),
}
