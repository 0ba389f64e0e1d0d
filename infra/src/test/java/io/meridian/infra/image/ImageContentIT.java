package io.meridian.infra.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the images say of themselves, and what is in them. */
@Tag("full")
@Timeout(300)
class ImageContentIT {
    private static final Map<String, String> PORTS =
            Map.of("regional-limiter", "8101/tcp", "sync-service", "8201/tcp", "config-service", "8080/tcp");

    @ParameterizedTest
    @ValueSource(strings = {"regional-limiter", "sync-service", "config-service"})
    void an_image_says_how_it_is_run_and_by_whom(String service) throws IOException {
        ImageConfig config = ImageTar.of(service).config();

        assertThat(config.user()).isEqualTo("10001:10001");
        assertThat(config.ports()).containsExactly(PORTS.get(service));
        assertThat(config.entrypoint())
                .startsWith("/opt/java/bin/java")
                .contains("-XX:MaxRAMPercentage=60", "-XX:+ExitOnOutOfMemoryError")
                .endsWith("-jar", "/opt/meridian/quarkus-run.jar");
        assertThat(config.environment())
                .containsOnly(Map.entry("LANG", "C.UTF-8"), Map.entry("QUARKUS_HTTP_HOST", "0.0.0.0"));
        assertThat(config.labels())
                .containsEntry("org.opencontainers.image.title", service)
                .containsKeys("org.opencontainers.image.version", "org.opencontainers.image.description");
        // The time of the build would make a new image of the same files.
        assertThat(config.created()).isEqualTo(config.labels().get("org.opencontainers.image.created"));
    }

    @Test
    void all_images_share_the_layer_of_the_runtime() throws IOException {
        List<String> limiter = ImageTar.of("regional-limiter").layers();
        List<String> sync = ImageTar.of("sync-service").layers();
        List<String> config = ImageTar.of("config-service").layers();

        int runtime = runtimeLayer(limiter, sync);
        assertThat(config).contains(limiter.get(runtime));
        assertThat(limiter.subList(runtime + 1, limiter.size())).hasSize(2).doesNotContainAnyElementsOf(config);
    }

    /** Before it there is at most what Jib notes of the module that makes the images. */
    private static int runtimeLayer(List<String> one, List<String> other) {
        return one.indexOf(one.stream()
                .filter(other::contains)
                .reduce((first, second) -> second)
                .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"regional-limiter", "sync-service", "config-service"})
    void an_image_holds_its_service_and_a_runtime_and_nothing_of_the_build(String service) throws Exception {
        try (UnpackedImage image = UnpackedImage.of(service)) {
            assertThat(names(image.file("/opt"))).containsOnly("java", "jib", "meridian");
            assertThat(names(image.file("/opt/jib"))).allMatch(name -> name.startsWith("jib-"));
            assertThat(names(image.file("/opt/meridian"))).containsOnly("app", "lib", "quarkus", "quarkus-run.jar");
            assertThat(names(image.file("/opt/meridian/app"))).hasSize(1).allMatch(name -> name.startsWith(service));
            assertThat(names(image.file("/opt/meridian/lib/main")))
                    .anyMatch(name -> name.startsWith("io.meridian.shared-model"))
                    .anyMatch(name -> name.startsWith("io.meridian.service-kit"))
                    .noneMatch(name -> name.contains("local-stack"));
            assertThat(names(image.file("/opt/java/bin"))).contains("java", "jcmd");
        }
    }

    @Test
    void only_its_temporary_folder_can_be_written_by_its_user() throws Exception {
        try (UnpackedImage image = UnpackedImage.of("regional-limiter");
                Stream<Path> files = Files.walk(image.file("/"))) {
            // All of it is root's: unpacking refuses what is not.
            assertThat(files.filter(ImageContentIT::isWritableByOthers)).containsExactly(image.file("/tmp"));
            assertThat(Files.readString(image.file("/etc/passwd"))).contains(":10001:10001:");
        }
    }

    @Test
    void it_knows_which_certificates_to_trust() throws Exception {
        try (UnpackedImage image = UnpackedImage.of("regional-limiter")) {
            Path file = image.file("/opt/java/lib/security/cacerts");

            assertThat(KeyStore.getInstance(file.toFile(), "changeit".toCharArray())
                            .size())
                    .isPositive();
        }
    }

    private static boolean isWritableByOthers(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
