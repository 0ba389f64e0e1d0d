package io.meridian.drill.targets;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.drill.targets.DrillTarget.Shards;
import io.meridian.drill.targets.DrillTarget.Shards.Lead;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Leaders by the API of the sync replicas. A replica that does not answer is tried last the next time. */
final class SyncShards implements Shards {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);

    private final List<String> replicas;
    private final AtomicInteger first = new AtomicInteger();

    SyncShards(List<String> replicas) {
        this.replicas = List.copyOf(replicas);
    }

    @Override
    public List<Lead> leads() throws IOException, InterruptedException {
        IOException failure = new IOException("there is no sync replica");
        int start = first.get();
        for (int i = 0; i < replicas.size(); i++) {
            int next = (start + i) % replicas.size();
            try {
                List<Lead> leads = of(HttpCalls.json(HttpCalls.to(replicas.get(next) + "/api/v1/shards")
                        .timeout(ANSWER_WITHIN)
                        .GET()));
                first.set(next);
                return leads;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    static List<Lead> of(JsonNode shards) {
        List<Lead> leads = new ArrayList<>();
        for (JsonNode partition : shards.path("partitions")) {
            leads.add(new Lead(
                    partition.path("partition").asInt(),
                    partition.path("leader").asText("").replaceFirst("^null$", ""),
                    partition.path("epoch").asLong(),
                    partition.path("beat_at").asText("")));
        }
        return leads;
    }
}
