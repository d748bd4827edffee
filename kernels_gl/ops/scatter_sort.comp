// SPDX-License-Identifier: Apache-2.0
// scatter_sort.comp - pairs of where a row goes and which it is, sorted in runs of RUN; or MERGES: runs of RUN of such pairs, two
// and two of them made one. After scatter_place.comp.

void run(int b, int h, int w, int s)
{
#if MERGES
    ivec4 mine = LOAD(at, 0, 0, w, 0);
    int own = w / RUN * RUN, other = (w / RUN ^ 1) * RUN, low = other, high = max(other, min(other + RUN, AT_W));

    // Of equal places those of the first run come first.
    for (; low < high;) {
        int middle = low + (high - low) / 2, place = LOAD(at, 0, 0, middle, 0).x;

        if (place < mine.x || (place == mine.x && other < own))
            low = middle + 1;
        else
            high = middle;
    }
    STORE(y, 0, 0, min(own, other) + (w - own) + (low - other), 0, mine);
#else
    int first = w / RUN * RUN, end = min(first + RUN, AT_W), mine = place_of(w), before = 0;

    for (int r = first; r < end; r++) {
        int place = place_of(r);

        before += int(place < mine || (place == mine && r < w));
    }
    STORE(y, 0, 0, first + before, 0, ivec4(mine, w, 0, 0));
#endif
}
