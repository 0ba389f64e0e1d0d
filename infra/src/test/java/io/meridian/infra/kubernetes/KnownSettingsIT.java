package io.meridian.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That a service knows every setting it is told: what it does not know it would ignore without a word. */
class KnownSettingsIT {
    @ParameterizedTest
    @CsvSource({
        "overlays/eu-west, limiter, regional-limiter",
        "overlays/centre, sync, sync-service",
        "overlays/centre, config, config-service"
    })
    void every_variable_is_a_setting_of_its_service(String folder, String deployment, String service) throws Exception {
        Set<String> known = KnownSettings.of(service);
        Rendered rendered = Kustomize.ofThisMachine().render(Documents.FOLDER.resolve(folder));
        JsonNode workload = rendered.of("Deployment").stream()
                .filter(each -> each.at("/metadata/name").asText().equals(deployment))
                .findFirst()
                .orElseThrow();

        Map<String, String> told =
                rendered.environment(Rendered.containers(workload).get(0));

        assertThat(told).isNotEmpty();
        assertThat(known).containsAll(told.keySet());
    }

    @ParameterizedTest
    @CsvSource({
        "regional-limiter, MERIDIAN_LIMITER_REDIS_BREAKER_PROBE_EVERY, MERIDIAN_LIMITER_REDIS_HOST",
        "sync-service, MERIDIAN_SYNC_TRANSACTION_TIMEOUT, MERIDIAN_SYNC_REPLICAS",
        "config-service, MERIDIAN_CONFIG_ACCESS_OIDC_JWKS_URL, KAFKA_BOOTSTRAP_SERVER"
    })
    void a_setting_is_known_by_its_name_and_a_typo_is_not(String service, String setting, String typo)
            throws Exception {
        assertThat(KnownSettings.of(service)).contains(setting).doesNotContain(typo);
    }
}
