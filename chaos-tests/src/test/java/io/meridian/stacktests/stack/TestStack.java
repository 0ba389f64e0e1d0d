package io.meridian.stacktests.stack;

import static io.meridian.testkit.Await.eventually;

import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.AdminPolicies;
import io.meridian.drill.targets.LocalTarget;
import io.meridian.drill.targets.UsageTopic;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.stack.StackState;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StateFolder;
import io.meridian.stack.Supervisor;
import io.meridian.stack.Supervisor.StackProgress;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.plan.StackPlan;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.testkit.TestAmounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Whole stack of three regions, or five in the full build, with two limiters each, on free ports. Its supervisor runs in the JVM of
 * the tests. Tests get it from {@link SharedStack} and share it: each makes policies of its own and leaves every part running. Classes that
 * end an incarnation or a region have one of their own: its floors stay unspent in windows that have begun.
 */
public final class TestStack implements AutoCloseable {
    /** The three are those that most built-in drills name. */
    public static final List<String> REGIONS =
            TestAmounts.of(List.of("eu-west", "ap-south", "ap-northeast"), Regions.ALL);

    private static final int LIMITERS_PER_REGION = 2;
    private static final Path LOGS = Path.of("target/stack-logs");

    private final String name;
    private final StateFolder folder;
    private final Supervisor supervisor;
    private final String token;

    private TestStack(String name, StateFolder folder, Supervisor supervisor, String token) {
        this.name = name;
        this.folder = folder;
        this.supervisor = supervisor;
        this.token = token;
    }

    /**
     * Returns when every part is ready and the demo policies are in effect; leaves nothing behind when that fails.
     *
     * @param name of the folder below {@code target/stack-logs} that keeps its logs
     */
    public static TestStack start(String name) throws IOException {
        StateFolder folder = new StateFolder(Folders.temporary("test-stack"));
        StackPlan plan = new StackPlan(
                MeridianCommand.HOME,
                REGIONS,
                PortPlan.standard(REGIONS, LIMITERS_PER_REGION, Set.of()).at(Loopback::freePort),
                LIMITERS_PER_REGION,
                false);
        Supervisor supervisor = Supervisor.prepare(folder, plan, new Quiet());
        try {
            supervisor.start(plan);
            return new TestStack(
                    name,
                    folder,
                    supervisor,
                    Files.readString(folder.adminToken()).strip());
        } catch (IOException | RuntimeException failed) {
            takeDown(name, supervisor, folder);
            throw failed;
        }
    }

    /** The parts as they are now: one that was restarted has another process. */
    public StackState state() throws IOException {
        return StackState.read(folder).orElseThrow();
    }

    public PartState part(String name) throws IOException {
        return state().parts().stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no part " + name));
    }

    /** The addresses of a region's limiters. */
    public List<String> limiters(String region) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int number = 1; number <= LIMITERS_PER_REGION; number++) {
            addresses.add(part(PartNames.limiter(region, number)).address());
        }
        return addresses;
    }

    /** The command of users, on this stack. Never {@code down}: it would end the tests' own JVM. */
    MeridianCommand command() {
        return new MeridianCommand(folder.root());
    }

    /** Which shard a limit has. */
    public LimitKeys keys() throws IOException {
        return new LimitKeys(
                KeySecret.parse(Files.readString(folder.keySecret()).strip()));
    }

    /** The secret under which the stack names counters: every limiter of a deployment has the same. */
    public String keySecret() throws IOException {
        return Files.readString(folder.keySecret()).strip();
    }

    public LocalTarget target() throws IOException {
        return LocalTarget.of(folder);
    }

    public AdminPolicies policies() throws IOException {
        return policies(Set.copyOf(REGIONS));
    }

    /** Policies that count as in effect once these regions have them. */
    public AdminPolicies policies(Set<String> regions) throws IOException {
        return new AdminPolicies(part(PartNames.CONFIG_SERVICE).address(), token, regions);
    }

    /** Creates a policy; it is in effect in all regions when this returns. */
    public Subject create(String id, Subject.Sharing sharing, long limit, Duration window) throws Exception {
        Subject subject = new Subject(id, "user_id=42", sharing, limit, window);
        AdminPolicies policies = policies();
        policies.create(subject);
        eventually("every region has policy " + id)
                .until(() -> policies.laggards().isEmpty());
        return subject;
    }

    /** Usage that the regions have reported, read past the fault proxies. */
    public UsageTopic usage() throws IOException {
        return UsageTopic.open(part(PartNames.KAFKA).target(), 0);
    }

    /** The address of the fault proxies' API. */
    public String faults() throws IOException {
        return state().faultsAddress();
    }

    @Override
    public void close() throws IOException {
        takeDown(name, supervisor, folder);
    }

    private static void takeDown(String name, Supervisor supervisor, StateFolder folder) throws IOException {
        supervisor.close();
        Path kept = LOGS.resolve(name);
        Folders.delete(kept);
        Files.createDirectories(kept);
        if (Files.exists(folder.logs())) {
            try (var logs = Files.newDirectoryStream(folder.logs())) {
                for (Path log : logs) {
                    Files.copy(log, kept.resolve(log.getFileName().toString()));
                }
            }
        }
        Folders.delete(folder.root());
    }

    /** Only the unexpected death of a part is worth a line. */
    private static final class Quiet implements StackProgress {
        @Override
        public void ready(String name, Duration took) {}

        @Override
        public void note(String line) {}

        @Override
        public void died(String name, int exitCode) {
            System.out.printf("[stack] %s died with exit code %d%n", name, exitCode);
        }

        @Override
        public void stopping() {}
    }
}
