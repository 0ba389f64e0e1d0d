package io.meridian.sync.leader;

/** Where a replica stands with a partition. Only what may follow can: a step is a method of the place it leaves. */
sealed interface Place {
    /** Another one leads, or nobody: the replica reads along. */
    record Standby() implements Place {
        Unsettled assigned() {
            return new Unsettled();
        }
    }

    /** The group gave it the partition, but has not yet led it. */
    sealed interface Candidate extends Place {}

    /** A predecessor's transaction may still be on its way. */
    record Unsettled() implements Candidate {
        Settled settled() {
            return new Settled();
        }
    }

    /** No predecessor can commit any more. What was committed ends before where both topics end from now on. */
    record Settled() implements Candidate {
        CatchingUp until(long usageEnd, long verdictsEnd) {
            return new CatchingUp(usageEnd, verdictsEnd);
        }
    }

    /** All up to these ends has to be read. */
    record CatchingUp(long usageEnd, long verdictsEnd) implements Candidate {
        boolean isDone(long usagePosition, long verdictsPosition) {
            return usagePosition >= usageEnd && verdictsPosition >= verdictsEnd;
        }

        Leader lead(long epoch) {
            return new Leader(epoch);
        }
    }

    /** The replica speaks for the partition, in this epoch. */
    record Leader(long epoch) implements Place {
        /** What it last said may have been committed or not, or somebody else may have spoken since. */
        Unsettled doubted() {
            return new Unsettled();
        }
    }
}
