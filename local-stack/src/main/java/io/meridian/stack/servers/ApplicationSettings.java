package io.meridian.stack.servers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One process of a service, at a port of 127.0.0.1.
 *
 * @param name how messages and its log call it
 * @param application the built application's {@code quarkus-run.jar}
 * @param environment what it is told beside its address
 * @param jvmOptions put after the options of every service, so that they win: {@code -Xmx1g}, {@code -Dname=value}
 */
public record ApplicationSettings(
        String name, Path application, Path log, int port, Map<String, String> environment, List<String> jvmOptions) {
    public ApplicationSettings {
        environment = Map.copyOf(environment);
        jvmOptions = List.copyOf(jvmOptions);
    }
}
