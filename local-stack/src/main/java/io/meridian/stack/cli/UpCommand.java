package io.meridian.stack.cli;

import io.meridian.stack.ObserverParts;
import io.meridian.stack.StackState;
import io.meridian.stack.StateFolder;
import io.meridian.stack.Supervisor;
import io.meridian.stack.admin.StateOption;
import io.meridian.stack.cli.LogsCommand.LogFollower;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.plan.StackPlan;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.StartFailure;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts everything. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = "Starts everything and stays in the foreground; Ctrl-C stops everything.")
final class UpCommand implements Callable<Integer> {
    private static final String SUPERVISED = "--supervised";

    @Option(names = "--detach", description = "Return when all is ready, and leave it running.")
    private boolean detach;

    @Option(names = SUPERVISED, hidden = true, description = "Set by --detach for the process that stays.")
    private boolean supervised;

    @Option(names = "--fresh", description = "Forget the data of earlier runs.")
    private boolean fresh;

    @Option(
            names = "--limiters-per-region",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many limiters each region has, 1 to 10; each further one's port is 10 higher.")
    private int limitersPerRegion;

    @Option(
            names = "--add-region",
            paramLabel = "NAME",
            description = "A region besides the five, as often as needed; up to nine in all.")
    private List<String> added = new ArrayList<>();

    @Option(
            names = "--observe",
            description =
                    "Also start Prometheus and Grafana, where this machine has them, with the product's rules and dashboards.")
    private boolean observe;

    @Mixin
    private PortOptions ports = new PortOptions();

    @Mixin
    private StateOption stateOption = new StateOption();

    private final Screen screen = new Screen(System.out, stateOption);

    @Override
    public Integer call() throws IOException, InterruptedException {
        Set<String> observers = observe ? ObserverParts.present() : Set.of();
        List<String> regions = Regions.with(added);
        PortPlan ofAll = ports.plan(regions, limitersPerRegion, observers);
        StackPlan plan = new StackPlan(StateOption.home(), regions, ofAll, limitersPerRegion, fresh);
        if (observe && !supervised) {
            screen.observed(observers);
        }
        return detach ? leaveRunning(stateOption.folder(), plan) : supervise(stateOption.folder(), plan);
    }

    private int leaveRunning(StateFolder folder, StackPlan plan) throws IOException, InterruptedException {
        Supervisor.check(folder, plan);
        List<String> arguments = new ArrayList<>(List.of("up", SUPERVISED, "--state-dir=" + folder.root()));
        arguments.add("--limiters-per-region=" + plan.limitersPerRegion());
        added.forEach(region -> arguments.add("--add-region=" + region));
        if (observe) {
            arguments.add("--observe");
        }
        plan.ports().ports().forEach((name, port) -> arguments.add("--port=" + name + "=" + port));
        if (plan.fresh()) {
            arguments.add("--fresh");
        }
        Optional<StackState> ready = DetachedSupervisor.start(folder, Meridian.class.getName(), arguments, System.out);
        ready.ifPresent(state -> screen.started(state, plan, stateOption.command("down")));
        return ready.isPresent() ? 0 : 1;
    }

    private int supervise(StateFolder folder, StackPlan plan) throws IOException, InterruptedException {
        try (Supervisor supervisor = Supervisor.prepare(folder, plan, screen)) {
            Runtime.getRuntime().addShutdownHook(new Thread(supervisor::close, "stop"));
            screen.starting(folder);
            try {
                StackState ready = supervisor.start(plan);
                if (!supervised) {
                    screen.started(ready, plan, "Ctrl-C");
                }
            } catch (StartFailure e) {
                if (!supervisor.isClosed()) {
                    screen.failed(e);
                    return 1;
                }
            }
            // Until a signal ends this process; the hook then stops the stack.
            new CountDownLatch(1).await();
            return 0;
        }
    }

    /** Options for the ports of a stack. */
    static final class PortOptions {
        @Option(
                names = "--ports-from",
                paramLabel = "BASE",
                description = "Take consecutive ports from BASE instead of the usual ones; 0 takes any that are free.")
        private Optional<Integer> base = Optional.empty();

        @Option(
                names = "--port",
                paramLabel = "NAME=PORT",
                description =
                        "The port of one part, as often as needed: config-service, limiter-REGION, sync-1, sync-2, faults,"
                                + " postgres, redis-REGION, kafka-centre, kafka-REGION, kafka-controller, kafka-internal,"
                                + " kafka-broker-centre, kafka-broker-REGION, prometheus, grafana.")
        private Map<String, Integer> moved = new LinkedHashMap<>();

        PortPlan plan(List<String> regions, int limitersPerRegion, Set<String> observers) {
            PortPlan standard = PortPlan.standard(regions, limitersPerRegion, observers);
            return base.map(from -> from(standard, from)).orElse(standard).with(moved);
        }

        private static PortPlan from(PortPlan standard, int base) {
            AtomicInteger next = new AtomicInteger(base);
            return standard.at(base == 0 ? Loopback::freePort : next::getAndIncrement);
        }
    }

    /** Supervisor in a process and session of its own, so that it stays when the terminal goes. */
    private static final class DetachedSupervisor {
        private static final int PAUSE_MILLIS = 100;

        private DetachedSupervisor() {}

        /** Runs the command's main class with these arguments and shows its output until the stack is ready. Empty when it ended instead. */
        static Optional<StackState> start(StateFolder folder, String mainClass, List<String> arguments, PrintStream out)
                throws IOException, InterruptedException {
            folder.beginLog("supervisor");
            File log = folder.log("supervisor").toFile();
            Process supervisor = new ProcessBuilder(command(mainClass, arguments))
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(log)
                    .start();
            // Ctrl-C before the stack is ready must end the start.
            Thread abandon = new Thread(supervisor::destroy, "abandon");
            Runtime.getRuntime().addShutdownHook(abandon);
            try (LogFollower follower = new LogFollower(log.toPath())) {
                boolean ended = false;
                Optional<StackState> ready = Optional.empty();
                while (!ended && ready.isEmpty()) {
                    ended = supervisor.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                    ready = StackState.read(folder).filter(state -> isReady(state, supervisor.pid()));
                    follower.copyTo(out);
                }
                Runtime.getRuntime().removeShutdownHook(abandon);
                return ready;
            }
        }

        private static boolean isReady(StackState state, long supervisor) {
            return state.ready() && state.supervisor().pid() == supervisor;
        }

        private static List<String> command(String mainClass, List<String> arguments) {
            List<String> command = new ArrayList<>(Executables.ownSessionPrefix());
            command.addAll(List.of(
                    Executables.java().toString(),
                    "-Xmx192m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Dmeridian.home=" + System.getProperty("meridian.home", ""),
                    "-cp",
                    System.getProperty("java.class.path"),
                    mainClass));
            command.addAll(arguments);
            return command;
        }
    }
}
