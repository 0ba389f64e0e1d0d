package io.meridian.model.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Beats as records of the topic of verdicts. Their key is one for a partition, so that compaction keeps the last. */
public final class LeaderBeatCodec {
    /** No key of a verdict begins so: those begin with a field's tag. */
    private static final byte[] KEY = "leader".getBytes(StandardCharsets.US_ASCII);

    private static final int VERSION = 1;
    private static final int EPOCH = 2;
    private static final int REPLICA = 3;
    private static final int AT = 4;

    private LeaderBeatCodec() {}

    public static boolean isBeat(byte[] key) {
        return Arrays.equals(key, KEY);
    }

    public static byte[] key() {
        return KEY.clone();
    }

    public static byte[] value(LeaderBeat beat) {
        return new Fields.Writer(VERSION)
                .number(EPOCH, beat.epoch())
                .text(REPLICA, beat.replica())
                .number(AT, beat.atMicros())
                .bytes();
    }

    public static LeaderBeat decode(byte[] value) {
        Fields fields = Fields.read(value, "beat", VERSION);
        try {
            return new LeaderBeat(fields.number(EPOCH), fields.text(REPLICA), fields.number(AT));
        } catch (IllegalArgumentException impossible) {
            throw new WireException("impossible beat: " + impossible.getMessage(), impossible);
        }
    }
}
