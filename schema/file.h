/* SPDX-License-Identifier: Apache-2.0 */
/* file.h - field numbers of the format's tables other than options, in the order of the schema.
 *
 * From TensorFlow Lite's schema.fbs, version 3, in which a field keeps its number for ever and new ones come last. Field number n
 * of a table is entry n of its vtable. X_FIELDS is the number of fields known here; a file may have more, which are ignored.
 *
 * Beside each number stands the field's type, in flatbuffers' words: scalars by their C type (absent: 0, or the default given), [T]
 * a vector, names of tables an offset to one. 3a, 3b and 3c are the schema's compatible revisions: since 3a operator codes are
 * int32, 3b renames fields of signatures, since 3c content may lie behind the flatbuffer. */
#pragma once

#define FILE_IDENTIFIER     "TFL3" /* bytes 4 to 7 of the file, behind the offset of the root table */
#define FILE_SCHEMA_VERSION 3      /* MODEL_VERSION; another is ST_UNSUPPORTED */

/* Table Model, the root. METADATA_BUFFER is the older form of METADATA, deprecated and not read here. */
enum model_field {
    MODEL_VERSION,         /* uint32 */
    MODEL_OPERATOR_CODES,  /* [OperatorCode] */
    MODEL_SUBGRAPHS,       /* [SubGraph], of which number 0 runs first */
    MODEL_DESCRIPTION,     /* string, for people */
    MODEL_BUFFERS,         /* [Buffer], of which number 0 is empty */
    MODEL_METADATA_BUFFER, /* [int32], indices in MODEL_BUFFERS */
    MODEL_METADATA,        /* [Metadata] */
    MODEL_SIGNATURE_DEFS,  /* [SignatureDef] */
    MODEL_EXTERNAL_GROUPS, /* [ExternalBufferGroup] */
    MODEL_EXTERNALS,       /* [ExternalBuffer] */
    MODEL_FIELDS
};

/* Table OperatorCode. DEPRECATED_BUILTIN is an int8; codes above 127 stand in BUILTIN (int32, since 3a), with 127 in the byte, and
 * the larger of both counts. CUSTOM is the name if the code is CUSTOM's. VERSION is an int32, default 1. */
enum opcode_field { OPCODE_DEPRECATED_BUILTIN, OPCODE_CUSTOM, OPCODE_VERSION, OPCODE_BUILTIN, OPCODE_FIELDS };

/* Table SubGraph. Inputs and outputs are indices in TENSORS. */
enum subgraph_field {
    SUBGRAPH_TENSORS,        /* [Tensor] */
    SUBGRAPH_INPUTS,         /* [int32] */
    SUBGRAPH_OUTPUTS,        /* [int32] */
    SUBGRAPH_OPERATORS,      /* [Operator], in an order in which they can run */
    SUBGRAPH_NAME,           /* string, for people */
    SUBGRAPH_DEBUG_METADATA, /* int32, default -1: index in the converter's debug metadata; kept, not read */
    SUBGRAPH_FIELDS
};

/* Table Operator. Options are a union: its kind in OPTIONS_TYPE, its table in OPTIONS; OPTIONS_2 is a second union, for StableHLO,
 * since the first is full (Java allows 128 members). CUSTOM_OFFSET and CUSTOM_SIZE (3c) give the place of custom options behind the
 * flatbuffer, from the start of the file; offsets 0 and 1 mean that they do not lie there. */
enum operator_field {
    OPERATOR_OPCODE,         /* uint32, index in MODEL_OPERATOR_CODES */
    OPERATOR_INPUTS,         /* [int32], indices in SUBGRAPH_TENSORS; -1: an optional input left out */
    OPERATOR_OUTPUTS,        /* [int32] */
    OPERATOR_OPTIONS_TYPE,   /* uint8, the number in union 1 of options.def; 0: none */
    OPERATOR_OPTIONS,        /* that table */
    OPERATOR_CUSTOM,         /* [uint8], a custom operator's own bytes, mostly a flexbuffer */
    OPERATOR_CUSTOM_FORMAT,  /* int8; 0, flexbuffers, is the only one, written whatever the bytes are */
    OPERATOR_MUTATING,       /* [bool], one per input: it is a variable that the operator writes */
    OPERATOR_INTERMEDIATES,  /* [int32], tensors for their quantization alone (integer LSTM) */
    OPERATOR_CUSTOM_OFFSET,  /* uint64 */
    OPERATOR_CUSTOM_SIZE,    /* uint64 */
    OPERATOR_OPTIONS_2_TYPE, /* uint8, the number in union 2 of options.def */
    OPERATOR_OPTIONS_2,      /* that table */
    OPERATOR_FIELDS
};

/* Table Tensor. BUFFER is an index in MODEL_BUFFERS; if that buffer has content, the tensor is a constant. */
enum tensor_field {
    TENSOR_SHAPE,           /* [int32], 1 for each -1 of SHAPE_SIGNATURE */
    TENSOR_TYPE,            /* int8, in the file's own numbering: lib/model/model_tensor.c has both */
    TENSOR_BUFFER,          /* uint32 */
    TENSOR_NAME,            /* string, for people */
    TENSOR_QUANTIZATION,    /* QuantizationParameters, or absent */
    TENSOR_IS_VARIABLE,     /* bool: keeps its content from run to run */
    TENSOR_SPARSITY,        /* SparsityParameters, or absent: dense */
    TENSOR_SHAPE_SIGNATURE, /* [int32], the shape with -1 for dimensions that the caller chooses */
    TENSOR_HAS_RANK,        /* bool; false with an empty shape: the rank is unknown, or the file is older than the field */
    TENSOR_VARIANTS,        /* [VariantSubType], of a VARIANT tensor */
    TENSOR_EXTERNAL_BUFFER, /* uint32; not 0: the id of an ExternalBuffer, and BUFFER is 0 */
    TENSOR_FIELDS
};

/* Table VariantSubType: [int32], int8, bool, with the meaning of TENSOR_SHAPE, TENSOR_TYPE and TENSOR_HAS_RANK. */
enum variant_field { VARIANT_SHAPE, VARIANT_TYPE, VARIANT_HAS_RANK, VARIANT_FIELDS };

/* Table QuantizationParameters: real = scale * (q - zero point). As many zero points as scales; one of each for the tensor, or
 * one for each index of DIMENSION. */
enum quantization_field {
    QUANTIZATION_MIN,          /* [float], the range seen in training or calibration; nothing computes with it */
    QUANTIZATION_MAX,          /* [float] */
    QUANTIZATION_SCALE,        /* [float] */
    QUANTIZATION_ZERO_POINT,   /* [int64] */
    QUANTIZATION_DETAILS_TYPE, /* uint8, enum quantization_details */
    QUANTIZATION_DETAILS,      /* that table */
    QUANTIZATION_DIMENSION,    /* int32 */
    QUANTIZATION_FIELDS
};
/* Tables of blockwise and of multi-axis quantization, which differ in the last field only. SCALES and ZERO_POINTS are tensors of
 * the same subgraph (int32 indices; -1: none), SIZE an int32, SHAPE and AXES [int32]. */
enum block_field { BLOCK_SCALES, BLOCK_ZERO_POINTS, BLOCK_SIZE, BLOCK_SHAPE, BLOCK_AXES = BLOCK_SHAPE, BLOCK_FIELDS };

/* Table SparsityParameters, the TACO format (Kjolstad et al. 2017), explained at struct sparsity in lib/tensor/tensor.h.
 * TRAVERSAL_ORDER and BLOCK_MAP are [int32], DIMS [DimensionMetadata], one for each level of the traversal. */
enum sparsity_field { SPARSITY_TRAVERSAL_ORDER, SPARSITY_BLOCK_MAP, SPARSITY_DIMS, SPARSITY_FIELDS };

/* Table DimensionMetadata: one level of a sparse tensor. Segments and indices are unions of index vectors: in a CSR level the
 * entries of position i of the level above are indices[segments[i]] up to, not including, indices[segments[i + 1]]. */
enum dimension_field {
    DIMENSION_FORMAT,        /* int8, enum dimension_format */
    DIMENSION_DENSE_SIZE,    /* int32, the length of a dense level */
    DIMENSION_SEGMENTS_TYPE, /* uint8, enum index_vector */
    DIMENSION_SEGMENTS,      /* that table */
    DIMENSION_INDICES_TYPE,  /* uint8, enum index_vector */
    DIMENSION_INDICES,       /* that table */
    DIMENSION_FIELDS
};

/* Tables Int32Vector, Uint16Vector, Uint8Vector: one vector of that type. */
enum index_vector_field { INDEX_VECTOR_VALUES, INDEX_VECTOR_FIELDS };

/* Table Buffer. DATA is [uint8], aligned to 16 bytes except in files from before 2019. OFFSET and SIZE (uint64, 3c), if OFFSET is
 * above 1 and DATA empty, give the place of the content behind the flatbuffer, from the start of the file: a flatbuffer's own
 * offsets end at 2 GiB. */
enum buffer_field { BUFFER_DATA, BUFFER_OFFSET, BUFFER_SIZE, BUFFER_FIELDS };

/* Table ExternalBufferGroup: the name of a store of constants outside of the file, which is mostly the name of a file beside it. */
enum external_group_field { EXTERNAL_GROUP_NAME, EXTERNAL_GROUP_FIELDS };

/* Table ExternalBuffer: a range of a store. */
enum external_field {
    EXTERNAL_ID,      /* uint32, as tensors name it; exporters set the highest bit */
    EXTERNAL_GROUP,   /* uint32, index in MODEL_EXTERNAL_GROUPS */
    EXTERNAL_OFFSET,  /* uint64, from the start of the store */
    EXTERNAL_LENGTH,  /* uint64 */
    EXTERNAL_PACKING, /* string; "unpacked", "none" or absent: the bytes of the tensor */
    EXTERNAL_FIELDS
};

/* Table Metadata: a string, and a uint32 index in MODEL_BUFFERS of bytes that the format gives no meaning. */
enum metadata_field { METADATA_NAME, METADATA_BUFFER, METADATA_FIELDS };

/* Table SignatureDef: a call that the model offers by name, as TensorFlow's SavedModel has it. */
enum signature_field {
    SIGNATURE_INPUTS,   /* [TensorMap] */
    SIGNATURE_OUTPUTS,  /* [TensorMap] */
    SIGNATURE_KEY,      /* string, mostly "serving_default" */
    SIGNATURE_RETIRED,  /* deprecated in the schema: a SavedModel's tag */
    SIGNATURE_SUBGRAPH, /* uint32, index in MODEL_SUBGRAPHS */
    SIGNATURE_FIELDS
};

/* Table TensorMap: a string, and a uint32 index in the subgraph's TENSORS. */
enum tensor_map_field { TENSOR_MAP_NAME, TENSOR_MAP_TENSOR, TENSOR_MAP_FIELDS };

/* Unions and enums of the tables above, with the file's numbers. DETAILS_CUSTOM has no defined content and is skipped; unknown
 * formats and vectors are refused. */
enum quantization_details { DETAILS_NONE, DETAILS_CUSTOM, DETAILS_BLOCKWISE, DETAILS_MULTI_AXIS };
enum dimension_format { DIMENSION_DENSE, DIMENSION_SPARSE_CSR };
enum index_vector { INDEX_VECTOR_NONE, INDEX_VECTOR_INT32, INDEX_VECTOR_UINT16, INDEX_VECTOR_UINT8 };
