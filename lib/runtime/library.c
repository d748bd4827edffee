/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - dlopen and dlsym. */
#include "lib/runtime/library.h"

#include <dlfcn.h>
#include <string.h>

enum status library_load(const char *path, void **out, struct err *err)
{
    *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return *out ? ST_OK : err_set(err, ST_UNSUPPORTED, "the library cannot be loaded: %.300s", dlerror());
}

void *library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

enum status library_find(void *library, const char *path, const char *prefix, const struct library_function *functions, size_t n,
                         void *members, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        char name[128];
        void *symbol;

        snprintf(name, sizeof name, "%s%s", prefix, functions[i].name);
        symbol = dlsym(library, name);
        if (!symbol && functions[i].needed)
            return err_set(err, ST_UNSUPPORTED, "%.200s has no function %s", path, name);
        memcpy((char *)members + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return ST_OK;
}
