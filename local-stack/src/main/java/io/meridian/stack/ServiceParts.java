package io.meridian.stack;

import io.meridian.stack.ManagedPart.PartLaunch;
import io.meridian.stack.ManagedPart.StartedPart;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.plan.StackPlan;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.ApplicationServer;
import io.meridian.stack.servers.ApplicationServer.ApplicationSettings;
import io.meridian.stack.servers.PostgresServer;
import io.meridian.stack.servers.ProbeKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The services of a stack, each from its built application. */
record ServiceParts(StateFolder folder, StackPlan plan) {
    /**
     * The first compiler only. A dozen processes of one machine would else compile for minutes after their start, and miss their time
     * budgets meanwhile; what they could reach at best is not what a laptop is for.
     */
    private static final List<String> QUICK_TO_WARM = List.of("-XX:TieredStopAtLevel=1");

    List<PartLaunch> all() {
        return ServiceSettings.of(plan, folder).stream()
                .map(settings -> new PartLaunch(settings.name(), forked -> start(settings, forked)))
                .toList();
    }

    private void start(ServiceSettings settings, Consumer<StartedPart> forked) {
        ApplicationSettings application = new ApplicationSettings(
                settings.name(),
                plan.home().resolve(settings.module()).resolve("target/quarkus-app/quarkus-run.jar"),
                folder.log(settings.name()),
                plan.ports().of(settings.name()),
                settings.environment(),
                QUICK_TO_WARM);
        ApplicationServer.start(
                application,
                server -> forked.accept(new StartedPart(
                        settings.name(), server.url(), server.process(), ProbeKind.HTTP, server.readyUrl())));
    }

    /** Settings of one service process: its application and its environment. */
    record ServiceSettings(String name, String module, Map<String, String> environment) {
        private static final String KEY_SECRET_FILE = "MERIDIAN_KEYS_SECRET_FILE";
        /** Inherited from the shell of a drill on a deployment, it would contradict the file. */
        private static final String KEY_SECRET = "MERIDIAN_KEYS_SECRET";

        private static final String NONE = "";

        static List<ServiceSettings> of(StackPlan plan, StateFolder folder) {
            List<ServiceSettings> services = new ArrayList<>();
            services.add(config(plan.ports(), folder.adminToken()));
            PartNames.SYNC_REPLICAS.forEach(replica -> services.add(sync(plan.ports(), replica, folder)));
            for (int number = 1; number <= plan.limitersPerRegion(); number++) {
                for (String region : plan.regions()) {
                    services.add(limiter(plan.ports(), region, number, folder));
                }
            }
            return services;
        }

        private static ServiceSettings config(PortPlan ports, Path adminToken) {
            String database = Loopback.HOST + ":" + ports.of(PartNames.POSTGRES) + "/" + PostgresServer.DATABASE;
            return new ServiceSettings(
                    PartNames.CONFIG_SERVICE,
                    "config-service",
                    Map.of(
                            "MERIDIAN_CONFIG_ACCESS_ADMIN_TOKEN_FILE",
                            adminToken.toString(),
                            "KAFKA_BOOTSTRAP_SERVERS",
                            kafka(ports, Regions.CENTRE),
                            "QUARKUS_DATASOURCE_REACTIVE_URL",
                            "postgresql://" + database,
                            "QUARKUS_DATASOURCE_JDBC_URL",
                            "jdbc:postgresql://" + database,
                            "QUARKUS_DATASOURCE_USERNAME",
                            PostgresServer.USER,
                            "QUARKUS_DATASOURCE_PASSWORD",
                            PostgresServer.PASSWORD));
        }

        private static ServiceSettings sync(PortPlan ports, String replica, StateFolder folder) {
            return new ServiceSettings(
                    replica,
                    "sync-service",
                    Map.of(
                            "MERIDIAN_SYNC_REPLICA",
                            replica,
                            KEY_SECRET,
                            NONE,
                            KEY_SECRET_FILE,
                            folder.keySecret().toString(),
                            "KAFKA_BOOTSTRAP_SERVERS",
                            kafka(ports, Regions.CENTRE)));
        }

        private static ServiceSettings limiter(PortPlan ports, String region, int number, StateFolder folder) {
            String name = PartNames.limiter(region, number);
            Map<String, String> environment = new TreeMap<>(Map.of(
                    "MERIDIAN_LIMITER_REGION",
                    region,
                    "MERIDIAN_LIMITER_INSTANCE",
                    name,
                    KEY_SECRET,
                    NONE,
                    KEY_SECRET_FILE,
                    folder.keySecret().toString(),
                    "MERIDIAN_LIMITER_POLICIES_SOURCE",
                    "topic",
                    "MERIDIAN_LIMITER_POLICIES_CACHE_FILE",
                    folder.data(name).resolve("policies.copy").toString(),
                    "KAFKA_BOOTSTRAP_SERVERS",
                    kafka(ports, region),
                    "MERIDIAN_LIMITER_REDIS_HOSTS",
                    "redis://" + Loopback.HOST + ":" + ports.of(PartNames.redis(region))));
            if (Files.exists(folder.limiterTokens())) {
                environment.put(
                        "MERIDIAN_LIMITER_TOKENS_FILE", folder.limiterTokens().toString());
            }
            return new ServiceSettings(name, "regional-limiter", environment);
        }

        private static String kafka(PortPlan ports, String place) {
            return Loopback.HOST + ":" + ports.of(PartNames.kafka(place));
        }
    }
}
