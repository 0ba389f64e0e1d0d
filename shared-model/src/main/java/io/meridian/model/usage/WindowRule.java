package io.meridian.model.usage;

import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Policy;

/**
 * The rule under which a region counts a window: all that the leader has to know of a policy. It comes with the usage, because
 * what applies to a key, overrides among it, is known where checks are.
 *
 * @param limit what all regions together may use of the window
 * @param windowMicros the length of the window, 0 for a calendar month
 */
public record WindowRule(long policyVersion, long limit, long windowMicros, SharingMode sharing, AfterHeal afterHeal) {
    /** The rule in a record of an earlier build: a version and nothing else. */
    public static WindowRule ofVersion(long policyVersion) {
        return new WindowRule(policyVersion, 0, 0, SharingMode.REGIONAL, AfterHeal.FORGIVE);
    }

    public static WindowRule of(Policy policy, long limit) {
        Window window = policy.limitSpec().window();
        return new WindowRule(
                policy.revision().version(),
                limit,
                window instanceof Window.Span span ? span.micros() : 0,
                SharingMode.of(policy),
                policy.coordination().afterHeal());
    }

    public WindowRule {
        if (policyVersion < 0) {
            throw new IllegalArgumentException("policyVersion must not be negative, got " + policyVersion);
        }
        if (limit < 0) {
            throw new IllegalArgumentException("limit must not be negative, got " + limit);
        }
        if (windowMicros < 0) {
            throw new IllegalArgumentException("windowMicros must not be negative, got " + windowMicros);
        }
    }

    /** The first microsecond after the window that starts at {@code startMicros}. */
    public long endMicros(long startMicros) {
        return windowMicros > 0 ? startMicros + windowMicros : new Window.Month().endMicros(startMicros);
    }

    /**
     * Until when a window's usage counts: to its end, and of a limit without aligned windows, which slides or drains, to the end of the
     * period after it.
     */
    public long countedUntilMicros(long startMicros) {
        long end = endMicros(startMicros);
        return sharing == SharingMode.CONVERGE_RATE ? endMicros(end) : end;
    }

    /** The start of the window before the one that starts at {@code startMicros}. */
    public long previousMicros(long startMicros) {
        return windowMicros > 0 ? startMicros - windowMicros : new Window.Month().startMicros(startMicros - 1);
    }

    /** Whether this rule replaces {@code other}: that of the newer version, and of one version the later. */
    public boolean supersedes(WindowRule other) {
        return policyVersion >= other.policyVersion;
    }
}
