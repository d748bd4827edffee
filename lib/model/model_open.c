/* SPDX-License-Identifier: Apache-2.0 */
/* model_open.c - maps a file, and says what a file that is no model looks like.
 *
 * Most "broken models" are a web page, a git-lfs pointer or an archive under the wrong name; naming that saves an hour. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/model/model_impl.h"

static const struct {
    const char *start;
    size_t bytes;
    const char *looks_like;
} others[] = {
    {"version https://git-lfs", 23, "is a git-lfs pointer, not the model itself (`git lfs pull` fetches it)"},
    {"<!DOCTYPE", 9, "is a web page, not a model"},
    {"<!doctype", 9, "is a web page, not a model"},
    {"<html", 5, "is a web page, not a model"},
    {"<HTML", 5, "is a web page, not a model"},
    {"<?xml", 5, "is an XML text, not a model"},
    {"{", 1, "is a JSON text, not a model"},
    {"PK\3\4", 4, "is a zip archive, not a model (a .task bundle holds its models inside)"},
    {"LITERTLM", 8, "is a LiteRT-LM bundle, of several models and a tokenizer; single .tflite models are read, not bundles"},
    {"\x1f\x8b", 2, "is gzip-compressed"},
    {"\x89HDF", 4, "is an HDF5 file (Keras?), not a .tflite model"},
    {"\x89PNG", 4, "is a PNG image, not a model"},
    {"\xff\xd8\xff", 3, "is a JPEG image, not a model"},
    {"\x7f"
     "ELF",
     4, "is an ELF program or library, not a model"},
};

enum status model_sniff(const uint8_t *data, size_t bytes, struct err *err)
{
    uint32_t id;

    if (!bytes)
        return err_set(err, ST_BAD_MODEL, "the file is empty");
    if (bytes >= 8 && !memcmp(data + 4, FILE_IDENTIFIER, 4))
        return ST_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (bytes >= others[i].bytes && !memcmp(data, others[i].start, others[i].bytes))
            return err_set(err, ST_BAD_MODEL, "the file %s", others[i].looks_like);
    if (bytes < 8)
        return err_set(err, ST_BAD_MODEL, "the file has %zu bytes, too few for a .tflite model", bytes);
    memcpy(&id, data + 4, sizeof id);
    return err_set(err, ST_BAD_MODEL, "not a .tflite model: bytes 4 to 7 are 0x%08x instead of \"" FILE_IDENTIFIER "\"",
                   __builtin_bswap32(id));
}

static enum status map_file(const char *path, void **data, size_t *bytes, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block */
    enum status st = ST_OK;
    struct stat info;

    *data = NULL;
    if (fd < 0)
        return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    if (fstat(fd, &info))
        st = err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    else if (S_ISDIR(info.st_mode))
        st = err_set(err, ST_IO, "%s: is a directory, not a .tflite file", path);
    else if (!S_ISREG(info.st_mode))
        st = err_set(err, ST_IO, "%s: is not a regular file", path);
    else if ((uint64_t)info.st_size > SIZE_MAX / 2)
        st = err_set(err, ST_NOMEM, "%s: %lld bytes do not fit the address space", path, (long long)info.st_size);
    else if ((*bytes = (size_t)info.st_size)) {
        *data = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        if (*data == MAP_FAILED) {
            *data = NULL;
            st = err_set(err, ST_IO, "%s: cannot be mapped: %s", path, strerror(errno));
        }
    }
    close(fd);
    return st;
}

enum status model_open(const char *path, struct model **out, struct err *err)
{
    size_t bytes = 0;
    enum status st;
    void *data;

    *out = NULL;
    if ((st = map_file(path, &data, &bytes, err)))
        return st;
    if ((st = model_parse(data, bytes, path, out, err))) {
        if (data)
            munmap(data, bytes);
        return st;
    }
    (*out)->mapped = true;
    return ST_OK;
}
