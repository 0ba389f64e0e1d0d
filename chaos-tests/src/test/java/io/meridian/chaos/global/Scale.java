package io.meridian.chaos.global;

import io.meridian.model.algorithm.Window;
import java.util.concurrent.TimeUnit;

/**
 * How large and how long the scenarios are: {@code -Dmeridian.window=60s -Dmeridian.limit=12000}.
 *
 * @param limit what the world may use of a window, where one policy is loaded alone
 */
record Scale(Window.Span window, long limit) {
    /** How often the limit is asked for in a window, so that it is used up at half of it. */
    private static final double DEMAND = 2;

    static Scale ofProperties() {
        return new Scale(span("meridian.window", "10s"), Long.parseLong(System.getProperty("meridian.limit", "2000")));
    }

    /** Over how many windows a figure is taken. */
    static int windows() {
        return Integer.getInteger("meridian.windows", 2);
    }

    /** A smaller limit, for policies that are loaded at the same time as others. */
    Scale dividedBy(long parts) {
        return new Scale(window, limit / parts);
    }

    /** Requests per second of the whole world. */
    double demandPerSecond() {
        return perSecond(DEMAND * limit);
    }

    /** The rate that comes to {@code count} requests in a window. */
    double perSecond(double count) {
        return count * TimeUnit.SECONDS.toMicros(1) / window.micros();
    }

    private static Window.Span span(String property, String fallback) {
        if (Window.parse(System.getProperty(property, fallback)) instanceof Window.Span span) {
            return span;
        }
        throw new IllegalArgumentException(property + " must be of one length, got " + System.getProperty(property));
    }
}
