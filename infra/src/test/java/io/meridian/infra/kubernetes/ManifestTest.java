package io.meridian.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every manifest as it is written. */
class ManifestTest {
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>meridian</artifactId>\\s*<version>([^<]+)</version>");
    private static final Path LIMITER = Documents.FOLDER.resolve("base/region/limiter-deployment.yaml");

    static List<Path> manifests() throws IOException {
        return Documents.manifests();
    }

    static List<Path> kustomizations() throws IOException {
        return Documents.kustomizations();
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void a_manifest_is_what_the_schema_of_kubernetes_has(Path file) throws IOException {
        List<JsonNode> documents = Documents.read(file);

        assertThat(documents).isNotEmpty();
        for (JsonNode document : documents) {
            assertThatCode(() -> Schema.check(document)).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "replica: 3 # ,revisionHistoryLimit:",
        "conatiners:,containers:",
        "readinesProbe:,readinessProbe:",
        "maxUnavailabe:,maxUnavailable:",
        "selectors:,selector:",
        "mountpath:,mountPath:",
        "'containerPort: http # ','containerPort: '",
        "'failureThreshold: often # ','failureThreshold: '"
    })
    void a_manifest_with_a_typo_is_refused(String typo, String right) throws IOException {
        String good = Files.readString(LIMITER);
        String bad = good.replace(right, typo);
        assertThat(bad).isNotEqualTo(good);

        for (JsonNode document : Documents.parse(bad)) {
            assertThatThrownBy(() -> Schema.check(document)).isInstanceOf(RuntimeException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "base/region/limiter-deployment.yaml, regional-limiter",
        "base/centre/sync-deployment.yaml, sync-service",
        "base/centre/config-deployment.yaml, config-service"
    })
    void a_deployment_is_of_this_version_and_at_the_port_of_its_service(String file, String service)
            throws IOException {
        JsonNode container =
                Documents.read(Documents.FOLDER.resolve(file)).get(0).at("/spec/template/spec/containers/0");
        Properties properties = new Properties();
        try (Reader reader =
                Files.newBufferedReader(Path.of("..", service, "src/main/resources/application.properties"))) {
            properties.load(reader);
        }
        Matcher version = VERSION.matcher(Files.readString(Path.of("../pom.xml")));

        assertThat(version.find()).isTrue();
        assertThat(container.path("image").asText()).isEqualTo("meridian/" + service + ":" + version.group(1));
        assertThat(container.at("/ports/0/containerPort").asText())
                .isEqualTo(properties.getProperty("quarkus.http.port"));
    }

    @Test
    void a_field_that_is_there_twice_is_refused() {
        assertThatThrownBy(() -> Documents.parse("spec: {replicas: 1, replicas: 2}"))
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @MethodSource("kustomizations")
    void a_kustomization_names_all_that_is_beside_it_and_nothing_else(Path file) throws IOException {
        List<String> named = new ArrayList<>();
        Documents.read(file).get(0).path("resources").forEach(resource -> named.add(resource.asText()));

        assertThat(named.stream().filter(name -> !name.startsWith("..")))
                .containsExactlyInAnyOrderElementsOf(besides(file));
        assertThat(named.stream().filter(name -> name.startsWith("..")))
                .allMatch(name -> Files.isDirectory(file.resolveSibling(name)));
    }

    private static List<String> besides(Path kustomization) throws IOException {
        try (Stream<Path> files = Files.list(kustomization.getParent())) {
            return files.filter(file -> !file.equals(kustomization))
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }
}
