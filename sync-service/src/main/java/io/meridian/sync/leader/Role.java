package io.meridian.sync.leader;

/** A replica's place at a partition, for whoever asks. */
public enum Role {
    LEADER,
    CANDIDATE,
    STANDBY
}
