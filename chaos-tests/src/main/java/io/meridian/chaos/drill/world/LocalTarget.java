package io.meridian.chaos.drill.world;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.StackState;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StateFolder;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.Regions;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The running stack of a state folder. */
public final class LocalTarget implements Target {
    private final StackState stack;
    private final String token;
    private final LimitKeys keys;
    private final long openedMillis =
            TimeUnit.MICROSECONDS.toMillis(TimeSource.system().wallMicros());
    private final Map<String, List<String>> limiters = new LinkedHashMap<>();
    private final Shards shards;

    private LocalTarget(StackState stack, String token, LimitKeys keys) {
        this.stack = stack;
        this.token = token;
        this.keys = keys;
        stack.regions().forEach(region -> limiters.put(region, limitersOf(region)));
        shards = new SyncShards(PartNames.SYNC_REPLICAS.stream()
                .map(replica -> part(replica).address())
                .toList());
    }

    /** Refuses where nothing runs, or not all of it. */
    public static LocalTarget of(StateFolder folder) throws IOException {
        StackState stack = StackState.read(folder)
                .filter(StackState::ready)
                .filter(state -> state.supervisor().isAlive())
                .orElseThrow(() -> new TargetFailure("no stack runs in " + folder.root()
                        + ": ./meridian up --detach --limiters-per-region 2 starts one, or give --own"));
        String secret = Files.readString(folder.keySecret()).strip();
        return new LocalTarget(
                stack, Files.readString(folder.adminToken()).strip(), new LimitKeys(KeySecret.parse(secret)));
    }

    private List<String> limitersOf(String region) {
        List<String> addresses = new ArrayList<>();
        for (int number = 1; find(PartNames.limiter(region, number)).isPresent(); number++) {
            addresses.add(part(PartNames.limiter(region, number)).address());
        }
        return List.copyOf(addresses);
    }

    private Optional<PartState> find(String name) {
        return stack.parts().stream().filter(part -> part.name().equals(name)).findFirst();
    }

    private PartState part(String name) {
        return find(name).orElseThrow(() -> new TargetFailure("the running stack has no " + name));
    }

    @Override
    public String name() {
        return "the running stack";
    }

    @Override
    public Map<String, List<String>> limiters() {
        return limiters;
    }

    @Override
    public Policies policies() {
        return new AdminPolicies(part(PartNames.CONFIG_SERVICE).address(), token, limiters.keySet());
    }

    @Override
    public Shards shards() {
        return shards;
    }

    @Override
    public Links links() {
        return new ToxiproxyLinks(
                stack.faultsAddress(),
                Regions.places(stack.regions()).stream()
                        .collect(Collectors.toMap(Function.identity(), PartNames::kafka)));
    }

    @Override
    public Parts parts() {
        return new PartsApi(stack.faultsAddress());
    }

    @Override
    public Optional<UsageLog> usage() {
        return Optional.of(UsageTopic.open(part(PartNames.KAFKA).target(), openedMillis));
    }

    @Override
    public Optional<LimitKeys> keys() {
        return Optional.of(keys);
    }

    @Override
    public void close() {}
}
