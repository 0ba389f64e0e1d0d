package io.meridian.bench.load;

/** How the answers came out. */
public final class Statuses {
    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;

    private long allowed;
    private long denied;
    private long other;
    private int lastOther;

    void count(int status) {
        switch (status) {
            case OK -> allowed++;
            case TOO_MANY_REQUESTS -> denied++;
            default -> {
                other++;
                lastOther = status;
            }
        }
    }

    public long total() {
        return allowed + denied + other;
    }

    /** Throws unless every answer was 200: a figure of anything else would be one of something else. */
    public void requireAllAllowed(String name) {
        if (allowed != total()) {
            throw new IllegalStateException(name + ": of " + total() + " answers " + denied + " were 429 and " + other
                    + " were neither 200 nor 429" + (other == 0 ? "" : ", the last of them " + lastOther));
        }
    }
}
