/* SPDX-License-Identifier: Apache-2.0 */
/* file.h - field numbers of the format's tables other than options, in the order of the schema.
 *
 * From TensorFlow Lite's schema.fbs, version 3, in which a field keeps its number for ever and new ones come last. Field number n
 * of a table is entry n of its vtable. X_FIELDS is the number of fields known here; a file may have more, which are ignored. */
#ifndef DELEGAUGE_SCHEMA_FILE_H
#define DELEGAUGE_SCHEMA_FILE_H

#define FILE_IDENTIFIER     "TFL3"
#define FILE_SCHEMA_VERSION 3

/* Table Model, the root. METADATA_BUFFER is the older form of METADATA. */
enum model_field {
    MODEL_VERSION,
    MODEL_OPERATOR_CODES,
    MODEL_SUBGRAPHS,
    MODEL_DESCRIPTION,
    MODEL_BUFFERS,
    MODEL_METADATA_BUFFER,
    MODEL_METADATA,
    MODEL_SIGNATURE_DEFS,
    MODEL_FIELDS
};

/* Table OperatorCode. DEPRECATED_BUILTIN is an int8; codes above 127 stand in BUILTIN, and the larger of both counts. */
enum opcode_field { OPCODE_DEPRECATED_BUILTIN, OPCODE_CUSTOM, OPCODE_VERSION, OPCODE_BUILTIN, OPCODE_FIELDS };

/* Table SubGraph. Inputs and outputs are indices in TENSORS. */
enum subgraph_field {
    SUBGRAPH_TENSORS,
    SUBGRAPH_INPUTS,
    SUBGRAPH_OUTPUTS,
    SUBGRAPH_OPERATORS,
    SUBGRAPH_NAME,
    SUBGRAPH_DEBUG_METADATA,
    SUBGRAPH_FIELDS
};

/* Table Operator. Options are a union: its kind in OPTIONS_TYPE, its table in OPTIONS; OPTIONS_2 is a second union, for
 * StableHLO. CUSTOM_OFFSET and CUSTOM_SIZE say where custom options lie behind the flatbuffer, from the start of the file. */
enum operator_field {
    OPERATOR_OPCODE,
    OPERATOR_INPUTS,
    OPERATOR_OUTPUTS,
    OPERATOR_OPTIONS_TYPE,
    OPERATOR_OPTIONS,
    OPERATOR_CUSTOM,
    OPERATOR_CUSTOM_FORMAT,
    OPERATOR_MUTATING,
    OPERATOR_INTERMEDIATES,
    OPERATOR_CUSTOM_OFFSET,
    OPERATOR_CUSTOM_SIZE,
    OPERATOR_OPTIONS_2_TYPE,
    OPERATOR_OPTIONS_2,
    OPERATOR_FIELDS
};

/* Table Tensor. BUFFER is an index in MODEL_BUFFERS, of which number 0 is empty. */
enum tensor_field {
    TENSOR_SHAPE,
    TENSOR_TYPE,
    TENSOR_BUFFER,
    TENSOR_NAME,
    TENSOR_QUANTIZATION,
    TENSOR_IS_VARIABLE,
    TENSOR_SPARSITY,
    TENSOR_SHAPE_SIGNATURE,
    TENSOR_HAS_RANK,
    TENSOR_VARIANTS,
    TENSOR_EXTERNAL_BUFFER,
    TENSOR_FIELDS
};

/* Table VariantSubType. */
enum variant_field { VARIANT_SHAPE, VARIANT_TYPE, VARIANT_HAS_RANK, VARIANT_FIELDS };

/* Table QuantizationParameters. DIMENSION is the quantized dimension where there is more than one scale. */
enum quantization_field {
    QUANTIZATION_MIN,
    QUANTIZATION_MAX,
    QUANTIZATION_SCALE,
    QUANTIZATION_ZERO_POINT,
    QUANTIZATION_DETAILS_TYPE,
    QUANTIZATION_DETAILS,
    QUANTIZATION_DIMENSION,
    QUANTIZATION_FIELDS
};
/* Of the blockwise and of the multi-axis details: they differ in the last field only. */
enum block_field { BLOCK_SCALES, BLOCK_ZERO_POINTS, BLOCK_SIZE, BLOCK_SHAPE, BLOCK_AXES = BLOCK_SHAPE, BLOCK_FIELDS };

/* Table SparsityParameters. */
enum sparsity_field { SPARSITY_TRAVERSAL_ORDER, SPARSITY_BLOCK_MAP, SPARSITY_DIMS, SPARSITY_FIELDS };

/* Table DimensionMetadata: one level of a sparse tensor. Segments and indices are unions of index vectors. */
enum dimension_field {
    DIMENSION_FORMAT,
    DIMENSION_DENSE_SIZE,
    DIMENSION_SEGMENTS_TYPE,
    DIMENSION_SEGMENTS,
    DIMENSION_INDICES_TYPE,
    DIMENSION_INDICES,
    DIMENSION_FIELDS
};

/* Tables Int32Vector, Uint16Vector, Uint8Vector. */
enum index_vector_field { INDEX_VECTOR_VALUES, INDEX_VECTOR_FIELDS };

/* Table Buffer. OFFSET and SIZE, where OFFSET is above 1, say where the content lies behind the flatbuffer. */
enum buffer_field { BUFFER_DATA, BUFFER_OFFSET, BUFFER_SIZE, BUFFER_FIELDS };

/* Table Metadata. */
enum metadata_field { METADATA_NAME, METADATA_BUFFER, METADATA_FIELDS };

/* Table SignatureDef. Inputs and outputs are TensorMaps. */
enum signature_field {
    SIGNATURE_INPUTS,
    SIGNATURE_OUTPUTS,
    SIGNATURE_KEY,
    SIGNATURE_RETIRED,
    SIGNATURE_SUBGRAPH,
    SIGNATURE_FIELDS
};

/* Table TensorMap. */
enum tensor_map_field { TENSOR_MAP_NAME, TENSOR_MAP_TENSOR, TENSOR_MAP_FIELDS };

/* Unions and enums of the tables above, by their numbers in the file. */
enum quantization_details { DETAILS_NONE, DETAILS_CUSTOM, DETAILS_BLOCKWISE, DETAILS_MULTI_AXIS };
enum dimension_format { DIMENSION_DENSE, DIMENSION_SPARSE_CSR };
enum index_vector { INDEX_VECTOR_NONE, INDEX_VECTOR_INT32, INDEX_VECTOR_UINT16, INDEX_VECTOR_UINT8 };

#endif
