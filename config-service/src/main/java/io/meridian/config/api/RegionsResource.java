package io.meridian.config.api;

import io.meridian.config.api.AccessFilter.RequiresRole;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Role;
import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.config.regions.LimiterDirectory;
import io.meridian.config.rules.EntryReader;
import io.meridian.config.database.Timestamps;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which revision of the rulebook every limiter runs, and who is behind. */
@Path(EntriesResource.BASE + "regions")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class RegionsResource {
    private final LimiterDirectory instances;
    private final EntryReader entries;

    RegionsResource(LimiterDirectory instances, EntryReader entries) {
        this.instances = instances;
        this.entries = entries;
    }

    @GET
    @RequiresRole(Role.VIEWER)
    public String list(@Context UriInfo uri) {
        Predicate<Instant> range = Query.of(uri, Query.FROM, Query.TO).range();
        List<Instance> all = instances.all().stream()
                .filter(each -> range.test(Timestamps.ofMicros(each.heardMicros())))
                .toList();
        long current = entries.revision();
        Map<String, List<Instance>> byRegion =
                all.stream().collect(Collectors.groupingBy(Instance::region, TreeMap::new, Collectors.toList()));
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode items = answer.putArray("items");
        byRegion.forEach((region, own) -> write(items.addObject(), region, own, current));
        return answer.putNull("next").put("revision", current).toString();
    }

    /** A region is as far as the last of its live instances; without any, nobody knows how far it is. */
    private static void write(ObjectNode item, String region, List<Instance> own, long current) {
        List<Instance> live = own.stream().filter(Instance::live).toList();
        item.put("region", region);
        if (live.isEmpty()) {
            item.putNull("revision").putNull("behind");
        } else {
            long revision = live.stream()
                    .mapToLong(each -> each.report().revision())
                    .min()
                    .orElse(0);
            item.put("revision", revision).put("behind", behind(current, revision));
        }
        RegionLoop.write(item, live);
        item.put("live", live.size());
        ArrayNode list = item.putArray("instances");
        for (Instance each : own) {
            list.addObject()
                    .put("instance", each.name())
                    .put("revision", each.report().revision())
                    .put("behind", behind(current, each.report().revision()))
                    .put("origin", each.report().origin())
                    .put("key_check", each.report().keyCheck())
                    .put("heard_at", Timestamps.ofMicros(each.heardMicros()).toString())
                    .put("live", each.live());
        }
    }

    /** A limiter may have been told of a change after we read how many there are. */
    private static long behind(long current, long revision) {
        return Math.max(0, current - revision);
    }
}
