package io.meridian.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits of tests for a condition, up to a deadline that only a broken build reaches. */
public final class Await {
    public static final int DEADLINE_SECONDS = 180;

    private static final Duration POLL = Duration.ofMillis(5);

    private Await() {}

    /**
     * Awaitility with the settings of every test. It polls in the thread of the test, whose class loader and request context the condition
     * may need; and an exception of another thread is that thread's own, since many tests cut what such threads use.
     *
     * @param what the condition in words, for the failure
     */
    public static ConditionFactory eventually(String what) {
        return Awaitility.await(what)
                .pollInSameThread()
                .dontCatchUncaughtExceptions()
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .atMost(Duration.ofSeconds(DEADLINE_SECONDS));
    }
}
