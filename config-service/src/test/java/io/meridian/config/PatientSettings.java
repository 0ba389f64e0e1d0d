package io.meridian.config;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Time budgets of the service under test, so long that a busy machine does not pass for a server or a region that is away. */
public final class PatientSettings implements QuarkusTestResourceLifecycleManager {
    private static final String SERVER = "quarkus.datasource.reactive.additional-properties.";

    @Override
    public Map<String, String> start() {
        return Map.of(
                "meridian.config.database.timeout",
                "2M",
                "meridian.config.regions.live-within",
                "30M",
                "meridian.config.regions.answer-within",
                "2M",
                "meridian.config.regions.questions-expire-after",
                "3M",
                "quarkus.datasource.jdbc.acquisition-timeout",
                "2M",
                "quarkus.http.read-timeout",
                "5M",
                SERVER + "statement_timeout",
                "110000",
                SERVER + "lock_timeout",
                "110000",
                SERVER + "idle_in_transaction_session_timeout",
                "300000");
    }

    @Override
    public void stop() {}
}
