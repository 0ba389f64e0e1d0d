package io.meridian.infra.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.servers.ProbeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An image unpacked into a folder, and its process started from there by its own entrypoint: by root as an engine would, by
 * anybody else with the unpacked Java and all paths put under the folder.
 */
final class UnpackedImage implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);

    private final String service;
    private final ImageConfig config;
    private final Path folder;
    private final Path root;
    private final Optional<OwnRoot> ownRoot;

    private UnpackedImage(String service, ImageConfig config, Path folder, Optional<OwnRoot> ownRoot) {
        this.service = service;
        this.config = config;
        this.folder = folder;
        this.root = folder.resolve("root");
        this.ownRoot = ownRoot;
    }

    static UnpackedImage of(String service) throws IOException, InterruptedException {
        ImageTar tar = ImageTar.of(service);
        Path folder = Folders.temporary("image");
        UnpackedImage image = new UnpackedImage(service, tar.config(), folder, OwnRoot.ofThisMachine());
        Files.createDirectories(image.root);
        tar.unpack(image.root);
        return image;
    }

    ImageConfig config() {
        return config;
    }

    /** Where {@code path} of the image is on this machine. */
    Path file(String path) {
        return root.resolve(path.substring(1));
    }

    /** What the process calls {@code path} of the image: the same, if it has a root of its own. */
    String inside(String path) {
        return hasOwnRoot() ? path : file(path).toString();
    }

    boolean hasOwnRoot() {
        return ownRoot.isPresent();
    }

    /** What an engine would mount there: a file that the image does not have. */
    String mounted(String path, String text) throws IOException {
        Files.createDirectories(file(path).getParent());
        Files.writeString(file(path), text);
        return inside(path);
    }

    Path log() {
        return folder.resolve("log");
    }

    /** Starts its process at a free port with {@code told} beside the image's own environment, and returns when it is ready. */
    Running start(Map<String, String> told) throws IOException {
        int port = Loopback.freePort();
        Map<String, String> environment = new HashMap<>(config.environment());
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        environment.putAll(told);
        ChildProcess process = ChildProcess.start(ChildCommand.of(service, command(environment), log()));
        Running running = new Running(process, "http://" + Loopback.HOST + ":" + port);
        new Readiness(TimeSource.system(), READY_WITHIN)
                .await(process, ProbeKind.HTTP.at(running.url() + "/q/health/ready"));
        return running;
    }

    private List<String> command(Map<String, String> environment) throws IOException {
        if (ownRoot.isPresent()) {
            return ownRoot.get().command(root, config.user(), environment, config.entrypoint());
        }
        List<String> command = new ArrayList<>(List.of("env", "-i"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        config.entrypoint().forEach(argument -> command.add(argument.startsWith("/") ? inside(argument) : argument));
        return command;
    }

    /** The process of an image. */
    record Running(ChildProcess process, String url) implements AutoCloseable {
        /** The user by whose number it runs, as the system says. */
        int user() throws IOException {
            return (Integer) Files.getAttribute(Path.of("/proc", Long.toString(process.pid())), "unix:uid");
        }

        /** What it says of itself to whoever runs it: each page is made by other libraries. */
        void tellsAboutItself() throws IOException, InterruptedException {
            for (String page : List.of("health/live", "health/ready", "metrics", "openapi")) {
                assertThat(Http.get(url + "/q/" + page).statusCode()).as(page).isEqualTo(200);
            }
        }

        /** The program that it is, as the system says. */
        Path program() throws IOException {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "exe"));
        }

        @Override
        public void close() {
            process.close();
        }
    }

    @Override
    public void close() throws IOException {
        Folders.delete(folder);
    }
}
