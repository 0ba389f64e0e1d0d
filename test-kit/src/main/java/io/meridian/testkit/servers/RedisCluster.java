package io.meridian.testkit.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Probe.ProbeFailure;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.RedisLine;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.Server.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Redis Cluster of three nodes, each with a third of the slots and no replica, in a temporary folder. */
public final class RedisCluster implements AutoCloseable {
    private static final int NODES = 3;
    private static final int SLOTS = 16_384;
    /** A node talks to the others at its port and this. */
    private static final int BUS_OFFSET = 10_000;

    private static final Duration FORMED_WITHIN = Duration.ofSeconds(60);

    private final Path folder;
    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster(Path folder) {
        this.folder = folder;
    }

    /** Returns when every node knows the others and serves its slots. */
    public static RedisCluster start(RedisRelease release) {
        RedisCluster cluster = new RedisCluster(Folders.temporary("redis-cluster"));
        try {
            for (int i = 0; i < NODES; i++) {
                cluster.nodes.add(RedisServer.start(cluster.settings(i, release)));
            }
            cluster.form();
            return cluster;
        } catch (IOException e) {
            cluster.close();
            throw new StartFailure("The Redis Cluster cannot be formed: " + e, e);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    private RedisSettings settings(int node, RedisRelease release) {
        String name = "redis-" + node;
        Path own = folder.resolve(name);
        return new RedisSettings(name, own, folder.resolve(name + ".log"), port(), Durability.THROWAWAY, release, true);
    }

    private static int port() {
        return IntStream.generate(Loopback::freePort)
                .filter(port -> Loopback.isFree(port + BUS_OFFSET))
                .findFirst()
                .orElseThrow();
    }

    private void form() throws IOException {
        for (int i = 0; i < NODES; i++) {
            String slots = IntStream.range(SLOTS * i / NODES, SLOTS * (i + 1) / NODES)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(" "));
            expectOk(nodes.get(i), "CLUSTER ADDSLOTS " + slots);
            expectOk(
                    nodes.get(0),
                    "CLUSTER MEET " + Loopback.HOST + " " + nodes.get(i).port());
        }
        Readiness readiness = new Readiness(TimeSource.system(), FORMED_WITHIN);
        nodes.forEach(node -> readiness.await(node.process(), formed(node)));
    }

    private static void expectOk(RedisServer node, String command) throws IOException {
        String answer = RedisLine.askOnce(node.port(), command);
        if (!answer.equals("+OK")) {
            throw new IOException("%.40s was answered with %s".formatted(command, answer));
        }
    }

    private static Probe formed(RedisServer node) {
        return () -> {
            try {
                String info = RedisLine.askOnce(node.port(), "CLUSTER INFO");
                if (!info.contains("cluster_state:ok") || !info.contains("cluster_size:" + NODES)) {
                    throw new ProbeFailure(info.lines().limit(6).collect(Collectors.joining(" ")));
                }
            } catch (IOException e) {
                throw new ProbeFailure(e);
            }
        };
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
        Folders.deleteTemporary(folder);
    }
}
