package io.meridian.drill.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.drill.targets.DrillTarget.TargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeploymentTargetTest {
    private final Path folder;

    DeploymentTargetTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limiter-a",
                "limiter-a-12",
                "redis-a",
                "sync-0",
                "sync-blue",
                "kafka",
                "postgres",
                "config-service"
            })
    void a_part_is_known_by_its_name(String part) throws Exception {
        try (DeploymentTarget deployment = deployment(part)) {
            assertThat(deployment.parts().names()).containsExactly(part);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper", "limiter-b", "limiter-a-x", "redis-b", "redis-a-2", "sync-", "kafka-1"})
    void a_part_that_would_play_no_role_is_refused_by_its_name(String part) {
        assertThatThrownBy(() -> deployment(part))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("commands: a part must be named limiter-REGION")
                .hasMessageEndingWith("of the regions [a]; got [" + part + "]");
    }

    @Test
    void all_that_are_not_known_are_told_at_once() {
        assertThatThrownBy(() -> deployment("vault: {}, envoy"))
                .isInstanceOf(TargetException.class)
                .hasMessageEndingWith("got [envoy, vault]");
    }

    private DeploymentTarget deployment(String part) throws Exception {
        Files.writeString(folder.resolve("token"), "secret");
        return DeploymentTarget.of(Files.writeString(folder.resolve("target.yaml"), """
                regions: {a: {limiters: ["http://127.0.0.1:1"]}}
                config_service: {url: "http://127.0.0.1:2", token_file: token}
                sync: ["http://127.0.0.1:3"]
                commands: {%s: {restart: ["true"]}}
                """.formatted(part)));
    }
}
