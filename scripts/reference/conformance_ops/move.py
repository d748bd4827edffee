# SPDX-License-Identifier: Apache-2.0
"""Ops that move elements, reduce them along dimensions, or make a tensor from a few numbers."""
import numpy as np

from .draw import ALL, FLOATS, NUMBERS, TYPES, Case, Tensor, constant, out


def concatenation(d, t):
    shape, quant = d.shape(1, 5, 4), d.quant(t)
    axis, parts = d.int(-len(shape), len(shape) - 1), []
    for _ in range(d.int(1, 4)):
        part = list(shape)
        part[axis] = d.int(0 if d.chance(8) else 1, 5)
        parts.append(d.tensor(t, part, quant if t != "u8" else None))
    return Case(parts, [out(d, t, quant)], {"axis": axis})


def pad(d, t):
    x = d.tensor(t, d.shape(1, 5, 4))
    return Case([x, d.side(d.rng.integers(0, 4, (x.data.ndim, 2)), d.pick("i32", "i64"))], [out(d, t, x.quant)])


def padv2(d, t):
    case = pad(d, t)
    case.inputs.append(d.tensor(t, [1], case.inputs[0].quant, d.flag()))
    return case


def mirror_pad(d, t):
    shape, mode = d.shape(), d.int(0, 1)
    x = d.tensor(t, shape)
    pads = [[d.int(0, n - 1 + mode), d.int(0, n - 1 + mode)] for n in shape]
    return Case([x, d.side(pads, d.pick("i32", "i64"))], [out(d, t, x.quant)], {"mode": mode})


def slice_(d, t):
    shape = d.shape(1, 5)
    x, index = d.tensor(t, shape), d.pick("i32", "i64")
    begin = [d.int(0, n - 1) for n in shape]
    size = [d.pick(-1, d.int(0 if d.chance(9) else 1, n - b)) for n, b in zip(shape, begin)]
    return Case([x, d.side(begin, index), d.side(size, index)], [out(d, t, x.quant)])


def strided_slice(d, t):
    shape = d.shape(1, 5)
    rank, x = len(shape), d.tensor(t, shape)
    begin, end, stride = [], [], []
    for n in shape:
        step, low = d.pick(-2, -1, 1, 1, 2, 3), d.int(0, n - 1)
        high = d.int(low + 1, n)
        begin.append(low if step > 0 else high - 1)
        end.append(high if step > 0 else low - 1 if low else -n - 1)
        stride.append(step)
    options = {"beginMask": d.int(0, 2 ** rank - 1), "endMask": d.int(0, 2 ** rank - 1)}
    choice = d.int(0, 3)
    if choice == 0 and min(stride) > 0:
        options = {"shrinkAxisMask": d.int(0, 2 ** rank - 1)}
    elif choice == 1:
        options["newAxisMask"] = 1 << d.int(0, rank - 1)
    elif choice == 2:
        options["ellipsisMask"] = 1 << d.int(0, rank - 1)
    return Case([x, d.side(begin), d.side(end), d.side(stride)], [out(d, t, x.quant)], options)


def transpose(d, t):
    x = d.tensor(t, d.shape(1, 6, 4))
    return Case([x, d.side(d.rng.permutation(x.data.ndim))], [out(d, t, x.quant)])


def gather(d, t):
    shape = d.shape(1, 1 if t == "str" else 4)
    axis, x = d.int(0, len(shape) - 1), d.tensor(t, shape)
    batch = d.int(0, axis)
    indices = d.tensor(d.pick("i16", "i32", "i64"), shape[:batch] + d.shape(0, 2), low=0, high=shape[axis] - 1)
    indices.quant = None
    return Case([x, indices], [out(d, t, x.quant)], {"axis": axis, "batchDims": batch})


def places(d, shape, lead, index):
    """Indices [lead..., k] into the first k dimensions of a shape."""
    k = d.int(1, len(shape))
    parts = [d.rng.integers(0, n, lead) for n in shape[:k]]
    return Tensor(index, np.stack(parts, -1).astype(TYPES[index][0]), None, d.flag()), k


def gather_nd(d, t):
    shape = d.shape()
    x = d.tensor(t, shape)
    return Case([x, places(d, shape, d.shape(0, 2, 4), d.pick("i16", "i32", "i64"))[0]], [out(d, t, x.quant)])


def scatter_nd(d, t):
    shape, lead = d.shape(1, 4, 5), d.shape(1, 2, 4)
    indices, k = places(d, shape, lead, "i32")
    return Case([indices, d.tensor(t, lead + shape[k:]), d.side(shape)], [out(d, t)])


def reduce(same=False):
    def generate(d, t):
        small = t in ("i32", "i64")
        x = d.tensor(t, d.any_shape(5), low=-3 if small else None, high=3 if small else None)
        rank = x.data.ndim
        axes = d.rng.choice(rank, d.int(0 if d.chance(8) else 1, rank), replace=False) - (rank if d.flag() else 0) if rank else []
        return Case([x, d.side(axes)], [out(d, t, x.quant if same else None)], {"keepDims": d.flag()})
    return generate


def arg_max(d, t):
    x, to = d.tensor(t, d.shape(1, 5)), d.pick("i32", "i64")
    if t in FLOATS:
        x.data = np.nan_to_num(x.data)   # which of several NaN is the largest is nobody's promise
    axis = d.int(-x.data.ndim, x.data.ndim - 1)
    return Case([x, d.side(axis, d.pick("i32", "i64"))], [Tensor(to)], {"outputType": TYPES[to][1]})


def topk(d, t):
    x = d.tensor(t, d.shape(1, 4, 9), low=-9 if t in FLOATS else None)
    k = d.pick("i16", "i32")
    return Case([x, d.side(d.int(0, x.data.shape[-1]), k)], [out(d, t, x.quant), Tensor(d.pick("i16", "i32"))])


def blocks(to_depth):
    def generate(d, t):
        b, c = d.int(1, 3), d.int(1, 4)
        n, h, w = d.int(1, 2), d.int(1, 4), d.int(1, 4)
        x = d.tensor(t, [n, h * b, w * b, c] if to_depth else [n, h, w, c * b * b])
        return Case([x], [out(d, t, x.quant)], {"blockSize": b})
    return generate


def space_to_batch(d, t):
    bh, bw, ph, pw = d.int(1, 3), d.int(1, 3), d.int(0, 2), d.int(0, 2)
    h, w, tail = bh * d.int(2, 3) - ph % bh, bw * d.int(2, 3) - pw % bw, [d.int(1, 4)]
    if d.chance(4):   # one dimension in space
        return Case([(x := d.tensor(t, [d.int(1, 2), h, *tail])), d.side([bh]), d.side([[ph % bh, 0]])], [out(d, t, x.quant)])
    x = d.tensor(t, [d.int(1, 2), h, w, *tail])
    return Case([x, d.side([bh, bw]), d.side([[ph % bh, 0], [0, pw % bw]])], [out(d, t, x.quant)])


def batch_to_space(d, t):
    bh, bw = d.int(1, 3), d.int(1, 3)
    if d.chance(4):
        x = d.tensor(t, [d.int(1, 2) * bh, d.int(2, 4), d.int(1, 4)])
        return Case([x, d.side([bh]), d.side([[d.int(0, 1), 0]])], [out(d, t, x.quant)])
    x = d.tensor(t, [d.int(1, 2) * bh * bw, d.int(2, 4), d.int(2, 4), d.int(1, 4)])
    return Case([x, d.side([bh, bw]), d.side([[d.int(0, 1), 0], [0, d.int(0, 1)]])], [out(d, t, x.quant)])


def split(d, t):
    shape, parts = d.shape(), d.int(1, 4)
    axis = d.int(0, len(shape) - 1)
    shape[axis] = parts * d.int(1, 3)
    x = d.tensor(t, shape)
    axis = d.side(d.pick(axis, axis - len(shape)))
    return Case([axis, x], [out(d, t, x.quant) for _ in range(parts)], {"numSplits": parts})


def split_v(d, t):
    shape, sizes = d.shape(), [d.int(1, 3) for _ in range(d.int(1, 4))]
    axis = d.int(0, len(shape) - 1)
    shape[axis] = sum(sizes)
    if d.flag():
        sizes[d.int(0, len(sizes) - 1)] = -1
    x = d.tensor(t, shape)
    outputs = [out(d, t, x.quant) for _ in sizes]
    return Case([x, d.side(sizes, d.pick("i32", "i64")), d.side(axis)], outputs, {"numSplits": len(sizes)})


def pack(d, t):
    shape, quant, count = d.shape(0, 4, 5), d.quant(t), d.int(1, 4)
    return Case([d.tensor(t, shape, quant) for _ in range(count)], [out(d, t, quant)],
                {"valuesCount": count, "axis": d.int(-len(shape) - 1, len(shape))})


def unpack(d, t):
    x = d.tensor(t, d.shape(1, 5, 4))
    axis = d.int(-x.data.ndim, x.data.ndim - 1)
    return Case([x], [out(d, t, x.quant) for _ in range(x.data.shape[axis])], {"num": x.data.shape[axis], "axis": axis})


def tile(d, t):
    x = d.tensor(t, d.shape(1, 5, 4))
    return Case([x, d.side(d.rng.integers(0 if d.chance(9) else 1, 4, x.data.ndim), d.pick("i32", "i64"))], [out(d, t, x.quant)])


def reshape(d, t):
    x = d.tensor(t, d.any_shape(5))
    target = [int(n) for n in d.rng.permutation(x.shape)]
    if len(target) > 1 and d.flag():
        target[:2] = [target[0] * target[1]]
    if x.data.size and target and d.flag():
        target[d.int(0, len(target) - 1)] = -1
    if d.chance(4):
        return Case([x], [out(d, t, x.quant)], {"newShape": target})
    return Case([x, d.side(target)], [out(d, t, x.quant)], {"newShape": target} if d.flag() else {})


def squeeze(d, t):
    shape = [d.pick(1, 1, 2, 5) for _ in range(d.int(1, 5))]
    ones = [i for i, n in enumerate(shape) if n == 1]
    dims = [] if not ones or d.flag() else [int(i) - d.pick(0, len(shape)) for i in d.rng.choice(ones, d.int(1, len(ones)), False)]
    x = d.tensor(t, shape)
    return Case([x], [out(d, t, x.quant)], {"squeezeDims": dims})


def expand_dims(d, t):
    x = d.tensor(t, d.any_shape())
    return Case([x, d.side(d.int(-x.data.ndim - 1, x.data.ndim), d.pick("i32", "i64"))], [out(d, t, x.quant)])


def shape_of(d, t):
    to = d.pick("i32", "i64")
    return Case([d.tensor(t, d.any_shape(6))], [Tensor(to)], {"outType": TYPES[to][1]})


def rank_of(d, t):
    return Case([d.tensor(t, d.any_shape(6))], [Tensor("i32")])


def broadcast_to(d, t):
    shape = d.shape(1, 6, 4)
    x = d.tensor(t, [1 if d.chance(3) else n for n in shape][d.int(0, len(shape) - 1):])
    return Case([x, d.side(shape, d.pick("i32", "i64"))], [out(d, t, x.quant)])


def broadcast_args(d, t):
    shape = d.shape()
    one, other = ([1 if d.chance(3) else n for n in shape][d.int(0, len(shape)):] for _ in range(2))
    return Case([d.side(one, t), d.side(other, t)], [Tensor(t)])


def fill(d, t):
    x = d.tensor(t, [], const=t == "str" or d.flag())
    return Case([d.side(d.any_shape(5), d.pick("i32", "i64")), x], [out(d, t, x.quant)])


def one_hot(d, t):
    indices = d.tensor(d.pick("i32", "i64"), d.shape(0, 3, 4), low=-1, high=5)
    on, off = d.tensor(t, [], const=True), d.tensor(t, [], const=True)
    axis = d.int(-1, indices.data.ndim)
    return Case([indices, d.side(d.int(1, 6)), on, off], [out(d, t)], {"axis": axis})


def range_(d, t):
    start, step = d.int(-9, 9), d.pick(-3, -1, 1, 2, 5)
    stop = start + step * d.int(0, 8) + (d.int(0, abs(step)) if step > 0 else 0)
    parts = [d.side(v, t) for v in (start, stop, step)]
    if t == "f32":
        parts[2].data = np.float32(step * d.pick(0.5, 0.75, 1))
    return Case(parts, [Tensor(t)])


def cumsum(d, t):
    x = d.tensor(t, d.shape())
    options = {"exclusive": d.flag(), "reverse": d.flag()}
    return Case([x, d.side(d.int(-x.data.ndim, x.data.ndim - 1))], [out(d, t)], options)


def reverse_sequence(d, t):
    shape = d.shape(2, 4)
    seq, batch = (int(i) for i in d.rng.choice(len(shape), 2, False))
    x = d.tensor(t, shape)
    lengths = d.tensor(d.pick("i32", "i64"), [shape[batch]], low=0, high=shape[seq])
    return Case([x, lengths], [out(d, t, x.quant)], {"seqDim": seq, "batchDim": batch})


def reverse(d, t):
    x = d.tensor(t, d.shape(1, 5))
    first = d.int(0, x.data.ndim - 1)
    axes = range(first, d.int(first + 1, x.data.ndim))
    return Case([x, d.side(list(axes))], [out(d, t, x.quant)])


def unique(d, t):
    to = d.pick("i32", "i64")
    x = d.tensor(t, [d.int(0 if d.chance(8) else 1, 12)], low=0, high=4)
    if t in FLOATS:
        x.data = np.round(x.data)
    return Case([x], [out(d, t, x.quant), Tensor(to)], {"idxOutType": TYPES[to][1]})


def dilate(d, t):
    x = d.tensor(t, d.shape(1, 5, 4))
    return Case([x, constant(d.rng.integers(1, 4, x.data.ndim)), d.tensor(t, [], x.quant, const=True)], [out(d, t, x.quant)])


def dynamic_update_slice(d, t):
    shape = d.shape(1, 5, 5)
    x = d.tensor(t, shape)
    update = d.tensor(t, [d.int(1, n) for n in shape], x.quant)
    start = d.side([d.int(-1, n) for n in shape], d.pick("i32", "i64"))
    return Case([x, update, start], [out(d, t, x.quant)])


def matrix_diag(d, t):
    x = d.tensor(t, d.shape(1, 3, 5))
    return Case([x], [out(d, t, x.quant)])


def matrix_set_diag(d, t):
    shape = d.shape(2, 4, 5)
    x = d.tensor(t, shape)
    return Case([x, d.tensor(t, [*shape[:-2], min(shape[-2:])], x.quant)], [out(d, t, x.quant)])


def segment_sum(d, t):
    shape = d.shape(1, 3)
    ids = np.cumsum([0, *d.rng.integers(0, 2, shape[0] - 1)])
    return Case([d.tensor(t, shape), d.side(ids)], [out(d, t)])


def unsorted_segment(d, t):
    shape, count = d.shape(1, 3), d.int(1, 5)
    ids = d.rng.integers(-1, count, shape[:d.int(1, len(shape))])
    return Case([d.tensor(t, shape, low=-3, high=3), d.side(ids), d.side(count)], [out(d, t)])


def sparse_to_dense(d, t):
    shape, index = d.shape(1, 4, 5), d.pick("i32", "i64")
    count = d.int(1, min(4, int(np.prod(shape))))
    flat = np.sort(d.rng.choice(int(np.prod(shape)), count, False))
    places_ = np.stack(np.unravel_index(flat, shape), -1)
    if len(shape) == 1 and d.flag():
        places_ = places_[:, 0]
    values = d.tensor(t, [] if d.flag() else [count])
    values.quant = None
    default = Tensor(t, d.data(t, []), None, True)
    return Case([d.side(places_, index), d.side(shape, index), values, default], [Tensor(t)], {"validateIndices": d.flag()})


def stablehlo_pad(d, t):
    x = d.tensor(t, d.shape(1, 4, 5))
    low, high, between = ([d.int(lo, 2) for _ in x.shape] for lo in (-1, -1, 0))
    options = {"edgePaddingLow": low, "edgePaddingHigh": high, "interiorPadding": between}
    return Case([x, d.tensor(t, [], x.quant, const=True)], [out(d, t, x.quant)], options)


MOVED = "f32 i8 u8 i16 i32 i64 bool str"

OPS = {
    "CONCATENATION": ("ConcatenationOptions", "f32 f16 i8 u8 i16 i32 u32 i64 bool bf16 i4", concatenation),
    "PAD": ("PadOptions", NUMBERS + " bool f16 bf16", pad),
    "PADV2": ("PadV2Options", NUMBERS + " bool f16 bf16", padv2),
    "MIRROR_PAD": ("MirrorPadOptions", NUMBERS + " f16 f64 bf16 u16 u32 u64 bool c64", mirror_pad),
    "SLICE": ("SliceOptions", "f32 i8 u8 i16 i32 u32 i64 bool str f16 f64 bf16 i4 u16 u64 c64", slice_),
    "STRIDED_SLICE": ("StridedSliceOptions", "f32 i8 u8 i16 i32 u32 i64 bool str f16 f64 bf16 u16 u64 c64", strided_slice),
    "TRANSPOSE": ("TransposeOptions", ALL.replace(" str", "").replace(" c128", ""), transpose),
    "GATHER": ("GatherOptions", MOVED + " f16 bf16", gather),
    "GATHER_ND": ("GatherNdOptions", MOVED + " f16 bf16", gather_nd),
    "SCATTER_ND": ("ScatterNdOptions", "f32 i8 u8 i32 i64 bool", scatter_nd),
    "MEAN": ("ReducerOptions", NUMBERS, reduce()),
    "SUM": ("ReducerOptions", "f32 u8 i32 i64 bool", reduce()),   # TensorFlow Lite reads i8 and i16 as u8 here
    "REDUCE_MAX": ("ReducerOptions", NUMBERS + " bool", reduce(same=True)),
    "REDUCE_MIN": ("ReducerOptions", NUMBERS + " bool", reduce(same=True)),
    "REDUCE_PROD": ("ReducerOptions", "f32 i8 i16 i32 i64 bool", reduce()),
    "REDUCE_ANY": ("ReducerOptions", "bool", reduce()),
    "REDUCE_ALL": ("ReducerOptions", "bool", reduce()),
    "ARG_MAX": ("ArgMaxOptions", "f32 i8 u8 i32 bool", arg_max),
    "ARG_MIN": ("ArgMinOptions", "f32 i8 u8 i32 bool", arg_max),
    "TOPK_V2": ("TopKV2Options", NUMBERS, topk),
    "SPACE_TO_DEPTH": ("SpaceToDepthOptions", "f32 i8 u8 i32 i64", blocks(True)),
    "DEPTH_TO_SPACE": ("DepthToSpaceOptions", "f32 i8 u8 i32 i64", blocks(False)),
    "SPACE_TO_BATCH_ND": ("SpaceToBatchNDOptions", NUMBERS + " f16 f64 bf16 u16 u32 u64 bool c64", space_to_batch),
    "BATCH_TO_SPACE_ND": ("BatchToSpaceNDOptions", NUMBERS + " f16 f64 bf16 u16 u32 u64 bool c64", batch_to_space),
    "SPLIT": ("SplitOptions", "f32 i8 u8 i16 i32 i64", split),
    "SPLIT_V": ("SplitVOptions", NUMBERS, split_v),
    "PACK": ("PackOptions", "f32 i8 u8 i16 i32 u32 i64", pack),
    "UNPACK": ("UnpackOptions", "f32 i8 u8 i16 i32 bool f16 bf16", unpack),
    "TILE": ("TileOptions", MOVED + " f16 f64 bf16 u16 u32 u64 c64", tile),
    "RESHAPE": ("ReshapeOptions", ALL, reshape),
    "SQUEEZE": ("SqueezeOptions", ALL, squeeze),
    "EXPAND_DIMS": ("ExpandDimsOptions", ALL, expand_dims),
    "SHAPE": ("ShapeOptions", ALL, shape_of),
    "RANK": ("RankOptions", ALL, rank_of),
    "BROADCAST_TO": ("BroadcastToOptions", "f32 f16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c64 bf16 c128", broadcast_to),
    "BROADCAST_ARGS": (None, "i32 i64", broadcast_args),
    "FILL": ("FillOptions", "f32 f16 i8 i16 i32 i64 bool str f64 bf16 u8 u16 u32 u64 c64", fill),
    "ONE_HOT": ("OneHotOptions", "f32 i8 u8 i32 i64 bool", one_hot),
    "RANGE": ("RangeOptions", "f32 i32 i64", range_),
    "CUMSUM": ("CumsumOptions", "f32 i32 i64", cumsum),
    "REVERSE_SEQUENCE": ("ReverseSequenceOptions", "f32 u8 i16 i32 i64", reverse_sequence),
    "REVERSE_V2": ("ReverseV2Options", "f32 i8 u8 i16 i32 i64 bool f16 bf16", reverse),
    "UNIQUE": ("UniqueOptions", NUMBERS, unique),
    "DILATE": ("DilateOptions", "f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 bool c64 c128", dilate),
    "DYNAMIC_UPDATE_SLICE": ("DynamicUpdateSliceOptions", ALL.replace(" str", ""), dynamic_update_slice),
    "MATRIX_DIAG": ("MatrixDiagOptions", NUMBERS + " u32", matrix_diag),
    "MATRIX_SET_DIAG": ("MatrixSetDiagOptions", NUMBERS + " u32", matrix_set_diag),
    "SEGMENT_SUM": ("SegmentSumOptions", "f32 i32", segment_sum),
    "SPARSE_TO_DENSE": ("SparseToDenseOptions", "f32 i8 u8 i32 i64", sparse_to_dense),
    "STABLEHLO_PAD": ("StablehloPadOptions", ALL.replace(" i4", "").replace(" str", ""), stablehlo_pad),
    "UNSORTED_SEGMENT_MAX": ("UnsortedSegmentMaxOptions", "f32 i32", unsorted_segment),
    "UNSORTED_SEGMENT_MIN": ("UnsortedSegmentMinOptions", "f32 i32", unsorted_segment),
    "UNSORTED_SEGMENT_PROD": ("UnsortedSegmentProdOptions", "f32 i32", unsorted_segment),
    "UNSORTED_SEGMENT_SUM": ("UnsortedSegmentSumOptions", "f32 i32", unsorted_segment),
}
