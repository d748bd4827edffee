// SPDX-License-Identifier: Apache-2.0
// workgroup_reduce.comp - one of what each of LANES invocations of a workgroup, a power of 2, has shared: half of them join what
// two have, then half of those, to what the first one has at last. All of the workgroup call it, after a barrier, and all find the
// result.

// Lane `other`, too, is in what `lane` has shared.
void merge(int lane, int other);

void merge_all(int lane)
{
    for (int n = LANES / 2; n > 0; n >>= 1) {
        if (lane < n)
            merge(lane, lane + n);
        memoryBarrierShared();
        barrier();
    }
}
