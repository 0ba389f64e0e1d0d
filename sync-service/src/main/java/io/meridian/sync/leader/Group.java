package io.meridian.sync.leader;

import java.util.Set;

/** The port to the group that shares the partitions out. */
interface Group {
    /** Whether no transaction that carries offsets of these partitions is on its way. */
    boolean isSettled(Set<Integer> partitions);
}
