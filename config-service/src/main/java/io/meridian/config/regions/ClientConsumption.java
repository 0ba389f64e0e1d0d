package io.meridian.config.regions;

import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.wire.RegionQueryReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Consumption of one limit by a client, globally and by region.
 *
 * @param limit the highest of the regions' limits, which differ while a change is being distributed and with their load
 * @param used the sum of all regions
 * @param remaining of a global limit the units left globally; of a regional limit, of which each region has its own, the fewest
 *     units that any region has left
 */
public record ClientConsumption(
        String policy, String key, Scope scope, long limit, long used, long remaining, List<InRegion> regions) {
    /** Consumption in one region. */
    public record InRegion(
            String region,
            long limit,
            long used,
            long remaining,
            long resetAtMicros,
            long leased,
            RegionQueryReply.@Nullable Account account) {}

    public ClientConsumption {
        regions = List.copyOf(regions);
    }

    private record Id(String policy, String key) {}

    private record Part(String region, RegionQueryReply.Standing standing) {}

    /** By limit, in the order in which regions evaluate them. */
    public static List<ClientConsumption> of(List<RegionQueryReply> answers) {
        Map<Id, List<Part>> parts = new LinkedHashMap<>();
        for (RegionQueryReply answer : answers) {
            for (RegionQueryReply.Standing each : answer.limits()) {
                parts.computeIfAbsent(new Id(each.policy(), each.key()), id -> new ArrayList<>())
                        .add(new Part(answer.region(), each));
            }
        }
        return parts.values().stream().map(ClientConsumption::sum).toList();
    }

    private static ClientConsumption sum(List<Part> parts) {
        RegionQueryReply.Standing first = parts.get(0).standing;
        long limit = 0;
        long used = 0;
        long least = Long.MAX_VALUE;
        List<InRegion> regions = new ArrayList<>();
        for (Part part : parts) {
            RegionQueryReply.Standing each = part.standing;
            limit = Math.max(limit, each.limit());
            used = plus(used, each.used());
            least = Math.min(least, each.remaining());
            regions.add(new InRegion(
                    part.region,
                    each.limit(),
                    each.used(),
                    each.remaining(),
                    each.resetAtMicros(),
                    each.leased(),
                    each.account()));
        }
        long remaining = first.scope() == Scope.GLOBAL ? Math.max(0, limit - used) : least;
        return new ClientConsumption(first.policy(), first.key(), first.scope(), limit, used, remaining, regions);
    }

    /** Saturating addition. */
    private static long plus(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
