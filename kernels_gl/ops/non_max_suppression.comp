// SPDX-License-Identifier: Apache-2.0
// non_max_suppression.comp - a workgroup of LANES chooses up to MOST boxes of one class. Each lane keeps the scores of PER_LANE
// boxes, every LANES-th. After workgroup_reduce.comp.

shared float best_score[LANES];
shared int best_box[LANES];

float left[PER_LANE]; // NONE: the box is out

// Box i is out beside one that was chosen.
bool is_out(int i, int chosen_box, vec4 chosen_corners)
{
    return i == chosen_box || overlap(corners(LOAD(boxes, 0, 0, i, 0)), chosen_corners) > IOU_THRESHOLD;
}

void share(int lane, float score, int box)
{
    barrier();
    best_score[lane] = score;
    best_box[lane] = box;
    memoryBarrierShared();
    barrier();
}

// The better of two, of equal scores the first box.
void merge(int lane, int other)
{
    float score = best_score[other];
    int box = best_box[other];

    if (score > best_score[lane] || (score == best_score[lane] && box < best_box[lane])) {
        best_score[lane] = score;
        best_box[lane] = box;
    }
}

// Returns how many of the lane's boxes may be chosen.
int read_scores(int lane, int column)
{
    int n = 0;

    for (int k = 0; k < PER_LANE; k++) {
        int i = k * LANES + lane;
        float score = i < BOXES_W ? LOADC(scores, 0, 0, min(i, BOXES_W - 1), OFFSET + column) : NONE;
        bool reaches = score >= SCORE_THRESHOLD && score > NONE;

        left[k] = reaches ? score : NONE;
        n += int(reaches);
    }
    return n;
}

void main()
{
    READ_UNIFORMS
    int lane = int(gl_LocalInvocationID.x), column = int(gl_WorkGroupID.y), n = 0, limit = 0, box = -1;
    vec4 chosen_corners = vec4(0.0);

    share(lane, 0.0, read_scores(lane, column));
    for (int k = 0; k < LANES; k++)
        limit += best_box[k];
    limit = min(limit, MOST);
    for (; n < limit; n++) {
        float best = NONE;
        int which = BOXES_W;

        for (int k = 0; k < PER_LANE; k++) {
            if (n > 0 && left[k] > NONE && is_out(k * LANES + lane, box, chosen_corners))
                left[k] = NONE;
            if (left[k] > best) {
                best = left[k];
                which = k * LANES + lane;
            }
        }
        share(lane, best, which);
        merge_all(lane);
        if (best_score[0] == NONE)
            break;
        box = best_box[0];
        chosen_corners = corners(LOAD(boxes, 0, 0, box, 0));
        if (lane == 0) {
            STORE(chosen, 0, column, n, 0, ivec4(box));
            STORE(scores_of, 0, column, n, 0, vec4(best_score[0]));
        }
    }
    if (lane == 0)
        finish(column, n);
}
