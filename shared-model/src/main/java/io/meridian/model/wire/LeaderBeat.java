package io.meridian.model.wire;

import io.meridian.model.validation.Validator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Heartbeat of the leader of a partition in the topic of verdicts: regions know by it that the leader is there though nothing has changed,
 * and other replicas who leads. Its key is one for a partition, so that compaction keeps the last.
 *
 * @param epoch the term of leadership
 * @param replica the name of the leading process
 * @param atMicros the leader's wall clock when it sent this
 */
public record LeaderBeat(long epoch, String replica, long atMicros) {
    /** No key of a verdict begins so: those begin with a field's tag. */
    private static final byte[] KEY = "leader".getBytes(StandardCharsets.US_ASCII);

    private static final int VERSION = 1;
    private static final int EPOCH = 2;
    private static final int REPLICA = 3;
    private static final int AT = 4;

    static final int REPLICA_MAX = 128;

    public LeaderBeat {
        Validator rules = new Validator();
        rules.requireName("replica", replica, REPLICA_MAX);
        rules.require(epoch >= 0, "epoch", epoch, "must not be negative").throwIfInvalid();
    }

    public static boolean isBeat(byte[] key) {
        return Arrays.equals(key, KEY);
    }

    public static byte[] key() {
        return KEY.clone();
    }

    public byte[] value() {
        return new ProtoFields.Writer(VERSION)
                .number(EPOCH, epoch)
                .text(REPLICA, replica)
                .number(AT, atMicros)
                .bytes();
    }

    public static LeaderBeat decode(byte[] value) {
        ProtoFields fields = ProtoFields.read(value, "beat", VERSION);
        try {
            return new LeaderBeat(fields.number(EPOCH), fields.text(REPLICA), fields.number(AT));
        } catch (IllegalArgumentException impossible) {
            throw new WireException("impossible beat: " + impossible.getMessage(), impossible);
        }
    }
}
