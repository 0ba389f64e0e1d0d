package io.meridian.sync.lead;

/** A replica's place at a partition, for whoever asks. */
public enum Role {
    LEADER,
    CANDIDATE,
    STANDBY
}
