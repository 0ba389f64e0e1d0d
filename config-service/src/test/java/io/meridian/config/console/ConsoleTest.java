package io.meridian.config.console;

import io.meridian.config.AdminTokenResource;
import io.meridian.config.KafkaWithTopics;
import io.meridian.config.PatientSettings;
import io.meridian.testkit.servers.ServerResource.PostgresResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;

/** A test of the console in a real browser. All share one service and its demonstration data, apart from the other tests. */
@QuarkusTest
@WithTestResource(value = PostgresResource.class, parallel = true)
@WithTestResource(value = KafkaWithTopics.class, parallel = true)
@WithTestResource(AdminTokenResource.class)
@WithTestResource(PatientSettings.class)
@WithTestResource(ConsoleTest.OwnService.class)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface ConsoleTest {
    /** A setting that no other test has, so that this service is started for these tests alone. */
    final class OwnService implements QuarkusTestResourceLifecycleManager {
        @Override
        public Map<String, String> start() {
            return Map.of("meridian.config.console.sessions-max", "500");
        }

        @Override
        public void stop() {}
    }
}
