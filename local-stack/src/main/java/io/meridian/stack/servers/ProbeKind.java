package io.meridian.stack.servers;

import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Probe.ProbeFailure;
import io.meridian.stack.servers.PostgresServer.PostgresDatabase;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Protocol of a readiness probe. With a target it can be written to the state file and asked later. */
public enum ProbeKind {
    POSTGRES(PostgresProbe::new),
    REDIS(target -> new RedisProbe(Integer.parseInt(target))),
    KAFKA(KafkaProbe::new),
    HTTP(HttpProbe::new);

    private final Function<String, Probe> probe;

    ProbeKind(Function<String, Probe> probe) {
        this.probe = probe;
    }

    /** The probe of one address: a JDBC URL, a Redis port of this machine, Kafka's bootstrap servers, or an HTTP URL. */
    public Probe at(String target) {
        return probe.apply(target);
    }

    /** Ready when a query is answered. */
    private record PostgresProbe(String url) implements Probe {
        private static final int SECONDS_MAX = 3;

        @Override
        public void check() throws ProbeFailure {
            try (Connection connection = new PostgresDatabase(url, SECONDS_MAX).connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("select 1");
            } catch (SQLException e) {
                throw new ProbeFailure(e);
            }
        }
    }

    /** Ready when PING is answered with PONG; a Redis that still loads its data answers otherwise. */
    private record RedisProbe(int port) implements Probe {
        @Override
        public void check() throws ProbeFailure {
            try {
                String answer = RedisLine.askOnce(port, "PING");
                if (!"+PONG".equals(answer)) {
                    throw new ProbeFailure("PING was answered with " + answer);
                }
            } catch (IOException e) {
                throw new ProbeFailure(e);
            }
        }
    }

    /** Ready when the cluster has a controller and names at least one broker. */
    private record KafkaProbe(String bootstrapServers) implements Probe {
        private static final int MILLIS_MAX = 2_000;

        @Override
        public void check() throws ProbeFailure, InterruptedException {
            listens();
            Admin admin = Admin.create(Map.of(
                    AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, MILLIS_MAX,
                    AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, MILLIS_MAX,
                    AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200,
                    AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false));
            try {
                if (admin.describeCluster().nodes().get().isEmpty()) {
                    throw new ProbeFailure("no broker has registered");
                }
            } catch (ExecutionException e) {
                throw new ProbeFailure(e);
            } finally {
                admin.close(Duration.ZERO);
            }
        }

        /** A whole client only for a broker that listens: it is costly, and logs every attempt that fails. */
        private void listens() throws ProbeFailure {
            int port = Integer.parseInt(bootstrapServers.substring(bootstrapServers.lastIndexOf(':') + 1));
            try (Socket socket = new Socket()) {
                socket.connect(Loopback.at(port), MILLIS_MAX);
            } catch (IOException e) {
                throw new ProbeFailure(e);
            }
        }
    }

    /** Ready when the readiness check answers 200. */
    private record HttpProbe(String url) implements Probe {
        private static final int MILLIS_MAX = 2_000;

        @Override
        public void check() throws ProbeFailure {
            try {
                HttpURLConnection connection =
                        (HttpURLConnection) URI.create(url).toURL().openConnection();
                connection.setConnectTimeout(MILLIS_MAX);
                connection.setReadTimeout(MILLIS_MAX);
                connection.setRequestProperty("Connection", "close");
                try {
                    int status = connection.getResponseCode();
                    if (status != HttpURLConnection.HTTP_OK) {
                        throw new ProbeFailure(url + " answered " + status);
                    }
                } finally {
                    connection.disconnect();
                }
            } catch (IOException e) {
                throw new ProbeFailure(e);
            }
        }
    }
}
