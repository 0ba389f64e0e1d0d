package io.meridian.chaos.global;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.match.Shard;
import java.util.ArrayList;
import java.util.List;

/** Who leads which partition, as one replica sees it. */
record Leads(List<Lead> all) {
    record Lead(int partition, String leader) {}

    static Leads of(JsonNode shards) {
        List<Lead> leads = new ArrayList<>();
        for (JsonNode partition : shards.path("partitions")) {
            leads.add(new Lead(
                    partition.path("partition").asInt(),
                    partition.path("leader").asText()));
        }
        return new Leads(List.copyOf(leads));
    }

    boolean areAllOf(String replica) {
        return !all.isEmpty() && all.stream().allMatch(lead -> lead.leader().equals(replica));
    }

    /** Whether the replica leads the partition in which the limit lives. */
    boolean isOf(String replica, Subject subject) {
        if (all.isEmpty()) {
            return false;
        }
        int partition = Shard.of(subject.policy(), subject.key()).partition(all.size());
        return all.contains(new Lead(partition, replica));
    }
}
