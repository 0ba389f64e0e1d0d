package io.meridian.limiter;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.testkit.services.LimiterSettings;

/** The keys of limits as every limiter of a test names them. */
public final class TestKeys {
    public static final LimitKeys KEYS = new LimitKeys(KeySecret.parse(LimiterSettings.KEY_SECRET));

    private TestKeys() {}
}
