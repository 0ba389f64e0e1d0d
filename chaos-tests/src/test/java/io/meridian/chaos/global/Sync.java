package io.meridian.chaos.global;

import io.meridian.stack.run.StateFolder;
import io.meridian.stack.topology.PartNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** The sync replicas, and what they say of who leads. */
record Sync(Parts parts, StateFolder folder) {
    Leads leads(String replica) throws IOException, InterruptedException {
        return Leads.of(Http.json(Http.to(address(replica) + "/api/v1/shards").GET()));
    }

    /** The replica that leads the limit's partition, by its own word. */
    String leaderOf(Subject subject) throws IOException, InterruptedException {
        for (String replica : PartNames.SYNC_REPLICAS) {
            if (leads(replica).isOf(replica, subject)) {
                return replica;
            }
        }
        throw new IllegalStateException("no replica leads " + subject);
    }

    static String other(String replica) {
        return PartNames.SYNC_REPLICAS.stream()
                .filter(name -> !name.equals(replica))
                .findFirst()
                .orElseThrow();
    }

    /** Whether this replica leads all there is. */
    boolean leadsAll(String replica) throws IOException, InterruptedException {
        return leads(replica).areAllOf(replica);
    }

    /** How often a replica was refused, by its metric. */
    double refused(String replica) throws IOException, InterruptedException {
        return Refusals.inMetrics(
                Http.ask(Http.to(address(replica) + "/q/metrics").GET()));
    }

    /** How much it has logged by now. */
    long logBytes(String replica) throws IOException {
        return Files.size(folder.log(replica));
    }

    boolean logSaysRefused(String replica, long fromByte) throws IOException {
        byte[] log = Files.readAllBytes(folder.log(replica));
        int from = Math.toIntExact(fromByte);
        return Refusals.inLog(new String(log, from, log.length - from, StandardCharsets.UTF_8));
    }

    private String address(String replica) {
        return parts.of(replica).address();
    }
}
