/* SPDX-License-Identifier: Apache-2.0 */
/* shared.h - the buffers and textures that all compiled partitions of a delegate use in turns: values and staging.
 *
 * Each run of a partition brings its inputs, is waited for, and leaves nothing behind that it needs again. So one buffer of either
 * kind serves all partitions of all sessions, as large as the largest wants it. A later partition may enlarge it: the buffer is
 * made anew under another name, and who holds that name, or views of the buffer, must look again (`made`) before its next run.
 * Textures are as many of each extent and format as the partition with the most of them wants; what they are does not change, and
 * each goes with the last who wants it: inputs that change their shape again and again must not leave textures of each behind.
 * Buffers go with their last user.
 *
 * Where runs are handed over while others are pending there are two sets of staging, which runs take in turns: the inputs of the
 * next run are written, and the outputs of the last but one read, while the device works on the last one. */
#pragma once

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/gl/device/headers.h"
#include "lib/gl/plan/plan.h"

struct gl_context;

/* The second set of staging is not there where all want 0 bytes of it. */
enum gl_shared_kind { GL_SHARED_VALUES, GL_SHARED_STAGING, GL_SHARED_OTHER_STAGING, GL_SHARED_KINDS };

/* Of a delegate; zeroed to begin with. */
struct gl_shared {
    GLuint buffer[GL_SHARED_KINDS];
    uint64_t bytes[GL_SHARED_KINDS];
    uint64_t own_bytes;  /* bytes of the buffers and textures that its users have for themselves */
    uint32_t users;      /* compiled partitions */
    uint32_t made;       /* grows by one whenever a buffer is made */
    uint32_t turn;       /* which set of staging the last run took */
    GLsync last[2];      /* behind the last run that took each; NULL: that is over */
    uint32_t pending[2]; /* gl_context.pending then */
    struct gl_shared_texture {
        struct gl_plan_texture is;
        GLuint name;
        uint32_t users; /* compiled partitions */
    } * textures;       /* malloc, [n_textures] */
    uint32_t n_textures;
};

/* One more user, who wants so many bytes of each. The context is current. After a failure (ST_NOMEM, ST_FAILED) there is no user
 * more, and those before can go on. */
enum status gl_shared_join(struct gl_shared *s, struct gl_context *c, const uint64_t bytes[GL_SHARED_KINDS], struct err *err);

/* Stores in names[n], zeros before, a texture for each of want[n], no two the same; those that there are not yet are made. By a
 * user, with the context current. Fails with ST_NOMEM and ST_FAILED; what was stored by then is to be given back all the same. */
enum status gl_shared_textures(struct gl_shared *s, struct gl_context *c, const struct gl_plan_texture *want, uint32_t n,
                               GLuint *names, struct err *err);

/* Gives back names[n] from gl_shared_textures. The context is current. */
void gl_shared_give_back(struct gl_shared *s, const GLuint *names, uint32_t n);

/* All that was handed over is done: nobody has to wait for either set of staging. The context is current. */
void gl_shared_done(struct gl_shared *s);

/* Return the bytes of all that it and its users hold. */
uint64_t gl_shared_bytes(const struct gl_shared *s);

/* One user less, who has given back its textures. The context is current. */
void gl_shared_leave(struct gl_shared *s);
