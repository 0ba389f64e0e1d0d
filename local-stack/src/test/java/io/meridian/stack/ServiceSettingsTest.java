package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.ServiceParts.ServiceSettings;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.plan.StackPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceSettingsTest {
    private static final List<String> REGIONS = Regions.with(List.of("sa-east"));

    private final List<ServiceSettings> services = ServiceSettings.of(
            new StackPlan(Path.of("home"), REGIONS, PortPlan.standard(REGIONS, 2, Set.of()), 2, false),
            new StateFolder(Path.of("state")));

    @Test
    void a_limiter_reaches_the_redis_and_the_kafka_proxy_of_its_own_region_only() {
        assertThat(of("limiter-eu-west-2").environment())
                .containsEntry("MERIDIAN_LIMITER_REGION", "eu-west")
                .containsEntry("MERIDIAN_LIMITER_REDIS_HOSTS", "redis://127.0.0.1:16373")
                .containsEntry("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:19103")
                .containsEntry("MERIDIAN_LIMITER_INSTANCE", "limiter-eu-west-2")
                .containsEntry("MERIDIAN_LIMITER_POLICIES_SOURCE", "topic")
                .hasEntrySatisfying("MERIDIAN_LIMITER_POLICIES_CACHE_FILE", file -> assertThat(file)
                        .endsWith("state/data/limiter-eu-west-2/policies.copy"))
                .doesNotContainKey("QUARKUS_DATASOURCE_JDBC_URL");
    }

    @Test
    void limiters_and_sync_replicas_are_told_the_same_secret_and_nobody_else_is() {
        assertThat(services)
                .filteredOn(service -> !service.name().equals("config-service"))
                .allSatisfy(service -> assertThat(service.environment())
                        .hasEntrySatisfying("MERIDIAN_KEYS_SECRET_FILE", file -> assertThat(file)
                                .endsWith("state/key-secret")));
        assertThat(of("config-service").environment()).doesNotContainKey("MERIDIAN_KEYS_SECRET_FILE");
    }

    @Test
    void an_added_region_differs_from_others_in_its_settings_only() {
        assertThat(of("limiter-sa-east").environment())
                .containsEntry("MERIDIAN_LIMITER_REGION", "sa-east")
                .containsEntry("MERIDIAN_LIMITER_REDIS_HOSTS", "redis://127.0.0.1:16376")
                .containsEntry("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:19106")
                .containsOnlyKeys(of("limiter-eu-west").environment().keySet());
    }

    @Test
    void limiters_take_the_tokens_of_their_callers_from_the_state_folder_if_it_has_any(@TempDir Path state)
            throws Exception {
        StateFolder folder = new StateFolder(state);
        StackPlan plan = new StackPlan(Path.of("home"), REGIONS, PortPlan.standard(REGIONS, 2, Set.of()), 2, false);
        Files.createFile(folder.limiterTokens());

        assertThat(of("limiter-eu-west").environment()).doesNotContainKey("MERIDIAN_LIMITER_TOKENS_FILE");
        assertThat(ServiceSettings.of(plan, folder))
                .filteredOn(service -> service.module().equals("regional-limiter"))
                .allSatisfy(service -> assertThat(service.environment())
                        .containsEntry(
                                "MERIDIAN_LIMITER_TOKENS_FILE",
                                state.resolve("limiter-tokens").toString()));
    }

    @Test
    void the_centre_reaches_kafka_through_its_own_proxy() {
        assertThat(List.of(of("sync-1"), of("sync-2"), of("config-service")))
                .allSatisfy(service ->
                        assertThat(service.environment()).containsEntry("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:19092"));
    }

    @Test
    void there_are_as_many_limiters_as_asked_for() {
        assertThat(services)
                .filteredOn(service -> service.module().equals("regional-limiter"))
                .hasSize(12);
    }

    private ServiceSettings of(String name) {
        return services.stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
