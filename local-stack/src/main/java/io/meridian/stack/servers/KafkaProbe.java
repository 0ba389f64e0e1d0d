package io.meridian.stack.servers;

import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.ProbeFailure;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Ready is a cluster that has a controller and at least one broker to name. */
record KafkaProbe(String bootstrapServers) implements Probe {
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
