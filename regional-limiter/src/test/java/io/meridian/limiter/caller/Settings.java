package io.meridian.limiter.caller;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Settings as a service reads them at its start. */
final class Settings {
    private Settings() {}

    static <T> T of(Class<T> mapping, Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .addDefaultInterceptors()
                .withMapping(mapping)
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(mapping);
    }
}
