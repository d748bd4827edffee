/* SPDX-License-Identifier: Apache-2.0 */
/* driver_cache.c - which variables, with what. */
#include "lib/gl/device/driver_cache.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "lib/base/store.h"

/* Mesa maps its cache's index, a sparse file of 1.3 MB (22.3.6): a page that the disk cannot hold ends the process. */
#define INDEX_BYTES (2u * 1000000u)

static bool has_room(const char *dir)
{
    struct stat info;
    struct statvfs disk;

    return !stat(dir, &info) && S_ISDIR(info.st_mode) && !statvfs(dir, &disk) &&
           (uint64_t)disk.f_bavail * disk.f_frsize >= INDEX_BYTES;
}

/* The folder's name. Mesa's cache does not tell machine code of one vector width from that of another, so each has its own. */
static void name_folder(const struct delegate_environment *env, char *name, size_t size)
{
    const char *width = env->get("LP_NATIVE_VECTOR_WIDTH");

    if (width && *width && strspn(width, "0123456789") == strlen(width))
        snprintf(name, size, "mesa-%.8s", width);
    else
        snprintf(name, size, "mesa");
}

void gl_driver_cache(const char *dir, int32_t max_mb, const struct delegate_environment *env)
{
    char name[24], path[4096], most[24];
    int n;

    /* The second is what older versions call the first; they read both. */
    if (env->get("MESA_SHADER_CACHE_DIR") || env->get("MESA_GLSL_CACHE_DIR"))
        return;
    (void)store_make_dir(dir, NULL); /* whoever stores a start there says why not */
    if (!has_room(dir))
        return;
    name_folder(env, name, sizeof name);
    n = snprintf(path, sizeof path, "%s/%s", dir, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return;
    env->set(env->arg, "MESA_SHADER_CACHE_DIR", path);
    env->set(env->arg, "MESA_SHADER_CACHE_DISABLE", "false");
    if (env->get("MESA_SHADER_CACHE_MAX_SIZE") || max_mb < 1)
        return;
    snprintf(most, sizeof most, "%dM", max_mb);
    env->set(env->arg, "MESA_SHADER_CACHE_MAX_SIZE", most);
}
