// SPDX-License-Identifier: Apache-2.0
// queue_result.comp - the boxes that were chosen, and their scores, of what the last dispatch of queue_memory.comp left.

void run(int b, int h, int w, int s)
{
    int n = LOADC(state, 0, h, HEAD, 1);
    ivec4 at = LOAD(state, 0, h, HEAD + 1 + min(w, CHOSEN_MOST - 1), 0);

    STORE(chosen, 0, h, w, 0, ivec4(w == MOST ? n : w < n ? at.y : NOTHING));
    if (w < MOST)
        STORE(scores_of, 0, h, w, 0, vec4(w < n ? intBitsToFloat(at.x) : 0.0));
}
