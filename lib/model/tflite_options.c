/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_options.c - which operators mean the same on both sides of TFLite's C ABI. */
#include "lib/model/tflite_options.h"

#include <string.h>

#include "schema/options.h"
#include "schema/schema.h"

bool tflite_same_options(int32_t builtin)
{
    const struct options_table *table = options_table(builtin_options(builtin));

    switch (builtin) {
    case BUILTIN_STABLEHLO_CONCATENATE:
    case BUILTIN_STABLEHLO_GATHER:
    case BUILTIN_STABLEHLO_RNG_BIT_GENERATOR:
        return true; /* of StableHLO's those that the ABI has a struct for, and no more in it */
    case BUILTIN_VAR_HANDLE:
    case BUILTIN_READ_VARIABLE:
    case BUILTIN_ASSIGN_VARIABLE:
    case BUILTIN_HASHTABLE:
    case BUILTIN_DELEGATE:
    case BUILTIN_PLACEHOLDER_FOR_GREATER_OP_CODES: return false;
    default: break;
    }
    if (table && !strncmp(table->name, "STABLEHLO", 9))
        return false;
    for (uint32_t i = 0; table && i < table->n_fields; i++)
        if (table->fields[i].kind == FIELD_SUBGRAPH || table->fields[i].kind == FIELD_ARRAY_SUBGRAPH ||
            table->fields[i].kind == FIELD_LIST_SUBGRAPH)
            return false;
    return true;
}
