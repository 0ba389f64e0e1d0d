package io.meridian.testkit.servers;

import io.meridian.testkit.servers.TestServers.QuarkusKeys;
import io.meridian.testkit.servers.TestServers.TestServer;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Containers of the versions that the processes have. */
final class ContainerServers implements TestServers {
    private static final DockerImageName POSTGRES = DockerImageName.parse("postgres:17.6-alpine");
    private static final DockerImageName REDIS = DockerImageName.parse("redis:6.2-alpine");
    private static final DockerImageName KAFKA = DockerImageName.parse("apache/kafka:4.1.1");
    private static final int REDIS_PORT = 6379;

    @Override
    public TestServer postgres() {
        PostgreSQLContainer postgres = new PostgreSQLContainer(POSTGRES);
        postgres.start();
        String address = postgres.getHost() + ":" + postgres.getFirstMappedPort() + "/" + postgres.getDatabaseName();
        return new TestServer(
                QuarkusKeys.postgres(address, postgres.getUsername(), postgres.getPassword()), postgres::stop);
    }

    @Override
    public TestServer redis() {
        GenericContainer<?> redis = new GenericContainer<>(REDIS).withExposedPorts(REDIS_PORT);
        redis.start();
        return new TestServer(QuarkusKeys.redis(redis.getHost() + ":" + redis.getFirstMappedPort()), redis::stop);
    }

    @Override
    public TestServer kafka() {
        KafkaContainer kafka = new KafkaContainer(KAFKA)
                .withEnv("KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS", "1000")
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
        kafka.start();
        return new TestServer(QuarkusKeys.kafka(kafka.getBootstrapServers()), kafka::stop);
    }
}
