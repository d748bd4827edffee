# SPDX-License-Identifier: Apache-2.0
"""Subgraphs, resources, tables, random numbers, lookups, StableHLO's own forms and sound."""
import numpy as np
from flatbuffers import flexbuffers

from .draw import TYPES, Case, Graph, Op, Quant, Tensor, blank, constant, out


def binary_graph(name, t, shape=(), options=None):
    a, b, y = blank(t, shape), blank(t, shape), Tensor(t)
    return Graph([a, b], [y], [Op(name, [a, b], [y], options or {})])


def if_(d, t):
    shape, quant = d.shape(), d.pick(("ADD", "MUL"), ("SUB", "MAXIMUM"))
    condition = Tensor("bool", np.array([d.flag()]))
    return Case([condition, d.tensor(t, shape), d.tensor(t, shape)], [Tensor(t)], {"thenSubgraphIndex": 1, "elseSubgraphIndex": 2},
                graphs=[binary_graph(name, t, shape) for name in quant])


def while_(d, t):
    """Counts to a limit and doubles a tensor; or lets it grow."""
    shape, limit, grows = d.shape(1, 3, 4), constant(d.int(0, 4)), d.flag()
    i, x, less = blank("i32", []), blank(t, shape), Tensor("bool")
    condition = Graph([i, x], [less], [Op("LESS", [i, limit], [less])])
    i, x, next_, y = blank("i32", []), blank(t, shape), Tensor("i32"), Tensor(t)
    step = Op("CONCATENATION", [x, x], [y], {"axis": 0}) if grows else Op("ADD", [x, x], [y])
    body = Graph([i, x], [next_, y], [Op("ADD", [i, constant(1)], [next_]), step])
    return Case([Tensor("i32", np.array(0, np.int32)), d.tensor(t, shape)], [Tensor("i32"), Tensor(t)],
                {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}, graphs=[condition, body])


def composite(d, t):
    shape = d.shape()
    return Case([d.tensor(t, shape), d.tensor(t, shape)], [Tensor(t)],
                {"name": "sum", "decompositionSubgraphIndex": 1, "compositeAttributes": list(flexbuffers.Dumps({}))},
                graphs=[binary_graph("ADD", t, shape)])


def variable(d, t):
    """Reads, adds and assigns; what the second run reads is what the first assigned."""
    name, x, total = {"sharedName": "v"}, d.tensor(t, d.shape()), Tensor(t)
    first, then = Tensor("resource"), Tensor("resource")
    before = [Op("VAR_HANDLE", [], [first], name), Op("ASSIGN_VARIABLE", [first, x], []),
              Op("ADD" if t != "bool" else "LOGICAL_OR", [x, x], [total]), Op("VAR_HANDLE", [], [then], name)]
    if d.flag():
        before.append(Op("ASSIGN_VARIABLE", [then, total], []))
    return Case([then], [Tensor(t)], before=before, last="READ_VARIABLE", runs=2)


def call_once(d, t):
    first, then = Tensor("resource"), Tensor("resource")
    init = Graph([], [], [Op("VAR_HANDLE", [], [first], {"sharedName": "v"}),
                          Op("ASSIGN_VARIABLE", [first, d.tensor(t, d.shape(), const=True)], [])])
    before = [Op("CALL_ONCE", [], [], {"initSubgraphIndex": 1}), Op("VAR_HANDLE", [], [then], {"sharedName": "v"})]
    return Case([then], [Tensor(t)], before=before, graphs=[init], last="READ_VARIABLE", runs=2)


def hashtable(last):
    def generate(d, t):
        key, value = ("str", "i64") if t == "str" else ("i64", "str")
        n, table = d.int(1, 6), Tensor("resource")
        keys = Tensor(key, np.array([b"%d" % i for i in range(n)], object) if key == "str" else np.arange(n))
        wanted = Tensor(key, d.rng.choice(np.append(keys.data, keys.data[:1] * (9 if key == "i64" else 1)), [d.int(1, 5)]))
        keys.const, values = True, d.tensor(value, [n], const=True)
        make = {"tableId": d.int(0, 9), "keyDtype": TYPES[key][1], "valueDtype": TYPES[value][1]}
        before = [Op("HASHTABLE", [], [table], make), Op("HASHTABLE_IMPORT", [table, keys, values], [])]
        if last == "HASHTABLE_SIZE":
            return Case([table], [Tensor("i64")], before=before, last=last, runs=1)
        return Case([table, wanted, d.tensor(value, [1], const=True)], [Tensor(value)], before=before, last=last, runs=1)
    return generate


def random_(d, t):
    options = {"seed": d.int(1, 1 << 40), "seed2": d.int(0, 1 << 40)}
    return Case([d.side(d.shape())], [Tensor(t)], options, runs=2)


def multinomial(d, t):
    options = {"seed": d.int(1, 1 << 40), "seed2": d.int(0, 1 << 40)}
    logits = d.tensor("f32", [d.int(1, 3), d.int(1, 6)], low=-3, high=3)
    return Case([logits, d.side(d.int(1, 9))], [Tensor(t)], options, runs=2)


def rng_bits(d, t):
    algorithm = d.int(0, 2)
    key = d.rng.integers(0, 1 << 63, 2 if algorithm == 2 else d.int(2, 3)).astype(np.uint64)
    return Case([Tensor("u64", key)], [blank("u64", key.shape), blank(t, d.shape())], {"algorithm": algorithm})


def embedding_lookup(d, t):
    shape = d.shape(2, 3)
    ids = d.tensor("i32", [d.int(1, 5)], low=0, high=shape[0] - 1)
    if t in ("f32w8", "f32w4"):
        kind, per_row = ("i8", "i4")[t == "f32w4"], d.flag()
        shape[-1] += shape[-1] % 2 if kind == "i4" else 0   # TensorFlow Lite lets each row begin at a byte that it shares
        quant = Quant([d.scale(0.01, 0.1) for _ in range(shape[0] if per_row else 1)], [0] * (shape[0] if per_row else 1))
        return Case([ids, d.tensor(kind, shape, quant, True)], [Tensor("f32")])
    values = d.tensor(t, shape, const=d.flag())
    return Case([ids, values], [out(d, t, values.quant)])


def embedding_lookup_sparse(d, t):
    rows, dense, n = d.shape(2, 3), [d.int(1, 4), d.int(1, 5)], d.int(1, 6)
    flat = np.sort(d.rng.choice(dense[0] * dense[1], min(n, dense[0] * dense[1]), False))
    places = np.stack(np.unravel_index(flat, dense), -1)
    ids = d.tensor("i32", [flat.size], low=0, high=rows[0] - 1)
    weights = d.tensor("f32", [flat.size], low=0.1, high=2)
    return Case([ids, constant(places), constant(dense), weights, d.tensor(t, rows, low=-3, high=3)], [Tensor(t)],
                {"combiner": d.int(0, 2)})


def hashtable_lookup(d, t):
    keys = np.sort(d.rng.choice(20, d.int(1, 6), False))
    values = d.tensor(t, [keys.size] if t == "str" else [keys.size, *d.shape(1, 2)])
    wanted = d.rng.choice([*keys, 21], d.int(1, 5))
    return Case([d.side(wanted), d.side(keys), values], [out(d, t, values.quant), Tensor("u8")])


def lsh_projection(d, t):
    x = d.tensor(t, d.shape(1, 3))
    inputs = [d.tensor("f32", [d.int(1, 4), d.int(1, 8)], low=-2, high=2), x]
    if d.flag():
        inputs.append(d.tensor("f32", x.shape[:1], low=0.1, high=2))
    return Case(inputs, [Tensor("i32")], {"type": d.int(1, 2)})


def skip_gram(d, t):
    words = b" ".join(bytes([97 + d.int(0, 9)]) * d.int(1, 3) for _ in range(d.int(0, 7)))
    text = Tensor("str", np.array([words], object))
    return Case([text], [Tensor("str")], {"ngramSize": d.int(1, 3), "maxSkipSize": d.int(0, 2), "includeAllNgrams": d.flag()})


def nms(soft):
    def generate(d, t):
        n = d.int(1, 9)
        corner, size = d.rng.uniform(0, 1, (n, 2)), d.rng.uniform(0.1, 1, (n, 2))
        boxes = Tensor("f32", np.concatenate([corner, corner + size], 1).astype(np.float32))
        limits = [Tensor("f32", np.float32(d.scale(0, high)), None, True) for high in ((1, 0.5, 1) if soft else (1, 0.5))]
        outputs = [Tensor("i32"), Tensor("f32"), Tensor("i32")] if soft else [Tensor("i32"), Tensor("i32")]
        return Case([boxes, d.tensor("f32", [n], low=0, high=1), d.side(d.int(1, n)), *limits], outputs)
    return generate


def densify(d, t):
    shape = d.shape(2, 2, 7)
    x = d.tensor(t, shape, const=True, low=-9)
    x.data[d.rng.random(shape) < 0.6] = 0
    x.data[0, 0] = 1
    x.sparse = True
    return Case([x], [out(d, t, x.quant)])


def stablehlo_gather(d, t):
    rows, cols, n = d.int(1, 5), d.int(1, 5), d.int(1, 4)
    width = d.int(1, cols)
    starts = np.stack([d.rng.integers(0, rows, n), d.rng.integers(-1, cols + 1, n)], -1)
    options = {"offsetDims": [1], "collapsedSliceDims": [0], "startIndexMap": [0, 1], "indexVectorDim": 1, "sliceSizes": [1, width]}
    return Case([d.tensor(t, [rows, cols]), d.side(starts, d.pick("i32", "i64"))], [blank(t, [n, width])], options)


def stablehlo_scatter(d, t):
    rows, cols, n = d.int(1, 5), d.int(1, 5), d.int(1, 4)
    options = {"updateWindowDims": [1], "insertedWindowDims": [0], "scatterDimsToOperandDims": [0], "indexVectorDim": 1,
               "updateComputationSubgraphIndex": 1}
    name = d.pick("STABLEHLO_ADD", "STABLEHLO_MULTIPLY", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM")
    return Case([d.tensor(t, [rows, cols]), d.side(d.rng.integers(0, rows, (n, 1)), d.pick("i32", "i64")), d.tensor(t, [n, cols])],
                [out(d, t)], options, graphs=[binary_graph(name, t)])


def windows(d, shape):
    size, stride = [d.int(1, 3) for _ in shape], [d.int(1, 2) for _ in shape]
    base, dilation = [d.int(1, 2) for _ in shape], [d.int(1, 2) for _ in shape]
    return [min(s, n) for s, n in zip(size, shape)], stride, base, [1 if min(s, n) > 1 and n < 3 else k
                                                                     for s, n, k in zip(size, shape, dilation)]


NEUTRAL = {"ADD": 0, "MULTIPLY": 1}


def reduce_window(d, t):
    shape = d.shape(1, 4, 5)
    size, stride, base, dilation = windows(d, shape)
    function = d.int(1, 2) if t != "bool" else d.int(5, 6)   # ADD, MUL; ALL, ANY
    start = Tensor(t, np.array({1: 0, 2: 1, 5: 1, 6: 0}[function], TYPES[t][0]), None, True)
    x = d.tensor(t, shape, low=-3, high=3)
    return Case([x, start, *(constant(v, "i64") for v in (size, stride, dilation))], [out(d, t)], {"reduceFunction": function})


def stablehlo_reduce_window(d, t):
    shape = d.shape(1, 4, 5)
    size, stride, base, dilation = windows(d, shape)
    name = d.pick(*NEUTRAL)
    options = {"windowDimensions": size, "windowStrides": stride, "baseDilations": base, "windowDilations": dilation,
               "padding": [d.int(0, 1) for _ in range(2 * len(shape))], "bodySubgraphIndex": 1}
    x = d.tensor(t, shape, low=-3, high=3)
    return Case([x, Tensor(t, np.array(NEUTRAL[name], TYPES[t][0]), None, True)], [out(d, t)], options,
                graphs=[binary_graph(f"STABLEHLO_{name}", t)])


def rfft2d(d, t):
    sizes = [d.pick(1, 2, 4, 8), d.pick(2, 4, 8)]
    return Case([d.tensor(t, [*d.shape(0, 2, 3), d.int(1, 9), d.int(1, 9)], low=-2), d.side(sizes)], [Tensor("c64")])


STATE = "f32 i32 i64"

OPS = {
    "IF": ("IfOptions", STATE + " f16", if_),
    "WHILE": ("WhileOptions", STATE + " f16 i16", while_),
    "STABLEHLO_COMPOSITE": ("StableHLOCompositeOptions", STATE + " f16 i16", composite),
    "CALL_ONCE": ("CallOnceOptions", "f32 i32 i64", call_once),
    "VAR_HANDLE": ("VarHandleOptions", STATE + " f16 bool", variable),
    "ASSIGN_VARIABLE": ("AssignVariableOptions", STATE + " f16 bool", variable),
    "READ_VARIABLE": ("ReadVariableOptions", STATE + " f16 bool", variable),
    "HASHTABLE": ("HashtableOptions", "i64 str", hashtable("HASHTABLE_FIND")),
    "HASHTABLE_IMPORT": ("HashtableImportOptions", "i64 str", hashtable("HASHTABLE_FIND")),
    "HASHTABLE_FIND": ("HashtableFindOptions", "i64 str", hashtable("HASHTABLE_FIND")),
    "HASHTABLE_SIZE": ("HashtableSizeOptions", "i64 str", hashtable("HASHTABLE_SIZE")),
    "RANDOM_UNIFORM": ("RandomOptions", "f32", random_),
    "RANDOM_STANDARD_NORMAL": ("RandomOptions", "f32", random_),
    "MULTINOMIAL": ("RandomOptions", "i32 i64", multinomial),
    "STABLEHLO_RNG_BIT_GENERATOR": ("StablehloRngBitGeneratorOptions", "i32 u32 i64 u64", rng_bits),
    "EMBEDDING_LOOKUP": (None, "f32 i8 u8 f32w8 f32w4 f16 f64 bf16 i16 i32 u32 i64 bool c64", embedding_lookup),
    "EMBEDDING_LOOKUP_SPARSE": ("EmbeddingLookupSparseOptions", "f32", embedding_lookup_sparse),
    "HASHTABLE_LOOKUP": (None, "f32 i8 u8 i32 i64 str f16 f64 bf16 i16 u16 u32 u64 bool c64", hashtable_lookup),
    "LSH_PROJECTION": ("LSHProjectionOptions", "f32 i8 u8 i32 i64", lsh_projection),
    "SKIP_GRAM": ("SkipGramOptions", "str", skip_gram),
    "NON_MAX_SUPPRESSION_V4": ("NonMaxSuppressionV4Options", "f32", nms(False)),
    "NON_MAX_SUPPRESSION_V5": ("NonMaxSuppressionV5Options", "f32", nms(True)),
    "DENSIFY": ("DensifyOptions", "f32 f16 i8", densify),
    "STABLEHLO_GATHER": ("StablehloGatherOptions", "f32 i8 u8 i16 i32 i64 bool f16 f64 bf16 u16 u32 u64 c64", stablehlo_gather),
    "STABLEHLO_SCATTER": ("StablehloScatterOptions", "f32 i32 i64 f16 f64 i8 u8 i16 u16 u32 u64 bool", stablehlo_scatter),
    "REDUCE_WINDOW": ("ReduceWindowOptions", "f32 i8 i16 i32 i64 bool f64 u8", reduce_window),
    "STABLEHLO_REDUCE_WINDOW": ("StablehloReduceWindowOptions", "f32 i8 u8 i16 i32 i64 f64 bool", stablehlo_reduce_window),
    "RFFT2D": ("Rfft2dOptions", "f32", rfft2d),
}
