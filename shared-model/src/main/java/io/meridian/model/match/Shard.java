package io.meridian.model.match;

/** Shard of a limit: one Redis slot and one Kafka partition hold all of it. {@link LimitKeys} computes it. */
public record Shard(int number) {
    public static final int COUNT = 1024;

    public Shard {
        if (number < 0 || number >= COUNT) {
            throw new IllegalArgumentException("shard must be from 0 to " + (COUNT - 1) + ", got " + number);
        }
    }

    /** The Redis hash tag that keeps every key of this shard in one slot. */
    public String hashTag() {
        return "{s" + number + "}";
    }

    /** The Kafka partition of this shard. */
    public int partition(int partitions) {
        return number % partitions;
    }
}
