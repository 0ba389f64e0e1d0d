package io.meridian.model.wire;

import io.meridian.model.usage.RegionIncarnation;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Announcement of a region and the current incarnation of its data. Limiters write it to every partition of the usage topic, at their
 * start and every few seconds: so each leader knows all regions that exist, also those that never used a limit of its partition. The
 * topic is compacted by region and incarnation, so a new leader reads them again.
 *
 * @param sentMicros the region's clock when it sent this
 */
public record RegionAnnouncement(RegionIncarnation incarnation, long sentMicros) {
    /** No key of usage begins so: those begin with a field's tag. */
    private static final byte[] KEY_PREFIX = "region".getBytes(StandardCharsets.US_ASCII);

    private static final int VERSION = 1;
    private static final int REGION = 2;
    private static final int INCARNATION = 3;
    private static final int SENT = 2;

    public static boolean isAnnouncement(byte[] key) {
        return key.length > KEY_PREFIX.length
                && Arrays.equals(key, 0, KEY_PREFIX.length, KEY_PREFIX, 0, KEY_PREFIX.length);
    }

    public byte[] key() {
        byte[] fields = new ProtoFields.Writer(VERSION)
                .text(REGION, incarnation.region())
                .number(INCARNATION, incarnation.number())
                .bytes();
        byte[] key = Arrays.copyOf(KEY_PREFIX, KEY_PREFIX.length + fields.length);
        System.arraycopy(fields, 0, key, KEY_PREFIX.length, fields.length);
        return key;
    }

    public byte[] value() {
        return new ProtoFields.Writer(VERSION).number(SENT, sentMicros).bytes();
    }

    public static RegionAnnouncement decode(byte[] key, byte[] value) {
        ProtoFields named =
                ProtoFields.read(Arrays.copyOfRange(key, KEY_PREFIX.length, key.length), "announcement key", VERSION);
        ProtoFields fields = ProtoFields.read(value, "announcement", VERSION);
        try {
            return new RegionAnnouncement(
                    new RegionIncarnation(named.text(REGION), named.number(INCARNATION)), fields.number(SENT));
        } catch (IllegalArgumentException impossible) {
            throw new WireException("impossible announcement: " + impossible.getMessage(), impossible);
        }
    }
}
