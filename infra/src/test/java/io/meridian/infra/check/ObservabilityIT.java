package io.meridian.infra.check;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dashboards and alert rules. */
@Tag("full")
@Timeout(600)
class ObservabilityIT {
    @Test
    void the_check_of_observability_passes() throws Exception {
        CheckScript.of("observability").passes();
    }
}
