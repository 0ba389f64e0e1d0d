package io.meridian.sync.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.sync.aggregate.Overshoot;
import java.util.Locale;

/** What was admitted of one window above its limit. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record OvershootAnswer(
        String policy,
        String key,
        String windowStart,
        long total,
        long limit,
        long excess,
        long carried,
        String afterHeal) {
    static OvershootAnswer of(Overshoot overshoot) {
        return new OvershootAnswer(
                overshoot.limit().policyId(),
                overshoot.limit().key(),
                Instants.text(overshoot.limit().startMicros()),
                overshoot.total(),
                overshoot.rule().limit(),
                overshoot.excess(),
                overshoot.carried(),
                overshoot.rule().afterHeal().name().toLowerCase(Locale.ROOT));
    }
}
