package io.meridian.testkit.servers;

import java.util.Map;

/** Source of the servers of tests: each call starts another one, empty, on free ports. */
interface TestServers {
    TestServer postgres();

    TestServer redis();

    TestServer kafka();

    /** Processes, unless the system property meridian.servers says containers. */
    static TestServers chosen() {
        String choice = System.getProperty("meridian.servers", "processes");
        return switch (choice) {
            case "processes" -> new ProcessServers();
            case "containers" -> new ContainerServers();
            default ->
                throw new IllegalArgumentException("meridian.servers must be processes or containers, got " + choice);
        };
    }

    /**
     * A server for the time of a test.
     *
     * @param config the Quarkus settings under which a service finds it
     * @param stop ends it and removes what it wrote
     */
    record TestServer(Map<String, String> config, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }

    /** The settings under which a Quarkus service finds its servers. */
    static final class QuarkusKeys {
        private QuarkusKeys() {}

        static Map<String, String> postgres(String address, String user, String password) {
            return Map.of(
                    "quarkus.datasource.jdbc.url",
                    "jdbc:postgresql://" + address,
                    "quarkus.datasource.reactive.url",
                    "postgresql://" + address,
                    "quarkus.datasource.username",
                    user,
                    "quarkus.datasource.password",
                    password);
        }

        static Map<String, String> redis(String address) {
            return Map.of("meridian.limiter.redis.hosts", "redis://" + address);
        }

        static Map<String, String> kafka(String address) {
            return Map.of("kafka.bootstrap.servers", address);
        }
    }
}
