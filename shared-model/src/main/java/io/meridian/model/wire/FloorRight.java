package io.meridian.model.wire;

import io.meridian.model.policy.Coordination;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.validation.Validator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The right of one incarnation of a region to a floor: a share of each escrow limit that it may spend without a grant, in all windows that
 * start from {@code fromMicros} on and before {@code untilMicros}. The leader of a partition commits rights to the verdicts topic and counts
 * the floors of all rights as granted. The topic is compacted by incarnation and start of the range, so a new leader and a restarted
 * limiter read them again; the end of a range only moves forward.
 *
 * <p>Each region has a place of its own, and the floors of all places add up to the share of the limit that is given out as floors. They are
 * staggered: as the limit grows unit by unit, the floors grow one at a time. So if regions and leader believe in two different limits while a
 * change is on its way, floors and grants together stay within the larger of the two.
 *
 * @param place the place of the region, from 0 to {@code places - 1}
 * @param places among how many places the floors are divided, whether there are as many regions or not
 * @param secretCheck the check value of the key secret under which the leader has the limits of its partition. A limiter with another
 *     secret reports them elsewhere, so it may not spend this floor
 */
public record FloorRight(
        RegionIncarnation incarnation, int place, int places, long fromMicros, long untilMicros, int secretCheck) {
    /** No key of a verdict begins so: those begin with a field's tag. */
    private static final byte[] KEY_PREFIX = "floor".getBytes(StandardCharsets.US_ASCII);

    private static final int PERCENT = 100;
    private static final int VERSION = 1;
    private static final int REGION = 2;
    private static final int INCARNATION = 3;
    private static final int FROM = 4;
    private static final int PLACE = 2;
    private static final int PLACES = 3;
    private static final int UNTIL = 4;
    private static final int SECRET_CHECK = 5;

    public FloorRight {
        new Validator()
                .require(places > 0, "places", places, "must be positive")
                .require(place >= 0 && place < places, "place", place, "must be from 0 to " + (places - 1))
                .require(fromMicros >= 0, "from", fromMicros, "must not be negative")
                .require(untilMicros > fromMicros, "until", untilMicros, "must be after from, " + fromMicros)
                .throwIfInvalid();
    }

    public boolean covers(long startMicros) {
        return startMicros >= fromMicros && startMicros < untilMicros;
    }

    /** The floor of a limit at this place, where floors get {@code percent} of it. */
    public long units(long limit, int percent) {
        long all = limit / PERCENT * percent + limit % PERCENT * percent / PERCENT;
        return (all + place) / places;
    }

    /** The largest floor that any policy may give this place: what has to be kept back as long as the region's choice is not known. */
    public long unitsMax(long limit) {
        return units(limit, Coordination.FLOOR_PERCENT_MAX);
    }

    /** Whether both are the same range, which may end later in one of them. */
    public boolean isSameRange(FloorRight other) {
        return fromMicros == other.fromMicros && incarnation.equals(other.incarnation);
    }

    public FloorRight until(long later) {
        return new FloorRight(incarnation, place, places, fromMicros, later, secretCheck);
    }

    public static boolean isFloorRight(byte[] key) {
        return key.length > KEY_PREFIX.length
                && Arrays.equals(key, 0, KEY_PREFIX.length, KEY_PREFIX, 0, KEY_PREFIX.length);
    }

    public byte[] key() {
        byte[] fields = new ProtoFields.Writer(VERSION)
                .text(REGION, incarnation.region())
                .number(INCARNATION, incarnation.number())
                .number(FROM, fromMicros)
                .bytes();
        byte[] key = Arrays.copyOf(KEY_PREFIX, KEY_PREFIX.length + fields.length);
        System.arraycopy(fields, 0, key, KEY_PREFIX.length, fields.length);
        return key;
    }

    public byte[] value() {
        return new ProtoFields.Writer(VERSION)
                .number(PLACE, place)
                .number(PLACES, places)
                .number(UNTIL, untilMicros)
                .number(SECRET_CHECK, secretCheck)
                .bytes();
    }

    public static FloorRight decode(byte[] key, byte[] value) {
        ProtoFields named =
                ProtoFields.read(Arrays.copyOfRange(key, KEY_PREFIX.length, key.length), "floor key", VERSION);
        ProtoFields fields = ProtoFields.read(value, "floor", VERSION);
        try {
            return new FloorRight(
                    new RegionIncarnation(named.text(REGION), named.number(INCARNATION)),
                    Math.toIntExact(fields.number(PLACE)),
                    Math.toIntExact(fields.number(PLACES)),
                    named.number(FROM),
                    fields.number(UNTIL),
                    Math.toIntExact(fields.number(SECRET_CHECK)));
        } catch (IllegalArgumentException | ArithmeticException impossible) {
            throw new WireException("impossible floor: " + impossible.getMessage(), impossible);
        }
    }
}
