package io.meridian.drill.targets;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.drill.definition.PartFault.Verb;
import io.meridian.drill.targets.DrillTarget.Links;
import io.meridian.drill.targets.DrillTarget.Parts;
import io.meridian.drill.targets.DrillTarget.Policies;
import io.meridian.drill.targets.DrillTarget.Shards;
import io.meridian.drill.targets.DrillTarget.TargetException;
import io.meridian.drill.targets.DrillTarget.UsageReader;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.StackState;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StateFolder;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.Regions;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Local stack of a state folder: the running one, or one that was started for the drill and ends with it. */
public final class LocalTarget implements DrillTarget {
    private final StackState stack;
    private final String token;
    private final LimitKeys keys;
    private final long openedMillis =
            TimeUnit.MICROSECONDS.toMillis(TimeSource.system().wallMicros());
    private final Map<String, List<String>> limiters = new LinkedHashMap<>();
    private final Shards shards;
    private final @Nullable OwnStack own;

    private LocalTarget(StackState stack, String token, LimitKeys keys, @Nullable OwnStack own) {
        this.stack = stack;
        this.token = token;
        this.keys = keys;
        this.own = own;
        stack.regions().forEach(region -> limiters.put(region, limitersOf(region)));
        shards = new SyncShards(PartNames.SYNC_REPLICAS.stream()
                .map(replica -> part(replica).address())
                .toList());
    }

    /** The running stack; refused unless all of it runs. */
    public static LocalTarget of(StateFolder folder) throws IOException {
        return of(folder, null);
    }

    /** A stack that ends with its target, or at once if it cannot be used. */
    public static LocalTarget own(OwnStack stack) throws IOException {
        try {
            return of(stack.folder(), stack);
        } catch (IOException | RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    private static LocalTarget of(StateFolder folder, @Nullable OwnStack own) throws IOException {
        StackState stack = StackState.read(folder)
                .filter(StackState::ready)
                .filter(state -> state.supervisor().isAlive())
                .orElseThrow(() -> new TargetException("no stack runs in " + folder.root()
                        + ": start one with ./meridian up --detach --limiters-per-region 2, or use --own"));
        String secret = Files.readString(folder.keySecret()).strip();
        return new LocalTarget(
                stack, Files.readString(folder.adminToken()).strip(), new LimitKeys(KeySecret.parse(secret)), own);
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
        return find(name).orElseThrow(() -> new TargetException("the running stack has no " + name));
    }

    @Override
    public String name() {
        return own == null ? "the running stack" : "the drill's own stack";
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
        return new SupervisorParts(stack.faultsAddress());
    }

    @Override
    public Optional<UsageReader> usage() {
        return Optional.of(UsageTopic.open(part(PartNames.KAFKA).target(), openedMillis));
    }

    @Override
    public Optional<LimitKeys> keys() {
        return Optional.of(keys);
    }

    @Override
    public Optional<DrillPublisher> publisher() {
        return own == null
                ? Optional.of(new DrillPublisher(part(PartNames.CONFIG_SERVICE).address(), token))
                : Optional.empty();
    }

    @Override
    public void close() throws IOException {
        if (own != null) {
            own.close();
        }
    }

    /** Processes of a local stack, by the API of its supervisor. */
    record SupervisorParts(String address) implements Parts {
        /** A start returns when the part is ready: up to 4 minutes in the supervisor's queue, and 3 for Kafka. */
        private static final Duration DONE_WITHIN = Duration.ofMinutes(8);

        private static final int CONFLICT = 409;

        @Override
        public List<String> names() throws IOException, InterruptedException {
            List<String> names = new ArrayList<>();
            for (JsonNode part :
                    HttpCalls.json(HttpCalls.to(address + "/parts").GET()).path("parts")) {
                names.add(part.path("name").asText());
            }
            return names;
        }

        @Override
        public boolean can(String part, Verb verb) {
            return verb != Verb.WIPE || part.startsWith("redis-");
        }

        @Override
        public void act(String part, Verb verb) throws IOException, InterruptedException {
            HttpRequest request = HttpCalls.to(address + "/parts/" + part + "/" + verb.word())
                    .timeout(DONE_WITHIN)
                    .POST(HttpCalls.text(""))
                    .build();
            HttpResponse<String> answer = HttpCalls.send(request);
            if (!(verb == Verb.START && runsAlready(answer))) {
                HttpCalls.requireSuccess(request, answer);
            }
        }

        /** A start of a part that runs already is no failure. */
        private static boolean runsAlready(HttpResponse<String> answer) {
            return answer.statusCode() == CONFLICT && answer.body().contains("runs, cannot start");
        }
    }
}
