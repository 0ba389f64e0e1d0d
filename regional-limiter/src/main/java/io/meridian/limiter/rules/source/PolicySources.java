package io.meridian.limiter.rules.source;

import io.meridian.limiter.LimiterConfig.PolicyConfig;
import io.meridian.limiter.file.FollowedFile;
import io.meridian.limiter.file.FollowedFile.RefusedFileException;
import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RuleSet;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.source.PolicyFile.Yaml;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Start of the rules, before a check is taken: from their source, else from the last known good copy, else the built-in ones; the
 * source is followed from then on.
 */
@Singleton
class PolicySources {
    private static final Logger LOG = Logger.getLogger(PolicySources.class);

    private final PolicyConfig config;
    private final ActiveRules live;
    private final Map<String, Object> kafka;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    PolicySources(
            PolicyConfig config, ActiveRules live, @Identifier("default-kafka-broker") Map<String, Object> kafka) {
        this.config = config;
        this.live = live;
        this.kafka = kafka;
    }

    void start(@Observes StartupEvent started) {
        start();
    }

    void start() {
        PolicyConfig.PolicySource source = chosen(config);
        boolean builtInOnly = source == PolicyConfig.PolicySource.DEFAULTS;
        Optional<LastKnownGood> copy =
                config.cacheFile().filter(file -> !builtInOnly).map(file -> opened(new LastKnownGood(file, live)));
        boolean ready = source == PolicyConfig.PolicySource.FILE && startFile();
        ready = ready || copy.map(LastKnownGood::load).orElse(false);
        if (!ready) {
            live.replace(BuiltInPolicies.read(), RuleOrigin.DEFAULTS, builtInOnly);
        }
        if (source == PolicyConfig.PolicySource.TOPIC) {
            startTopic(!ready);
        }
        copy.ifPresent(each -> each.keep(config.cacheWriteInterval()));
    }

    /** The source that is named, else the one whose setting is there. */
    static PolicyConfig.PolicySource chosen(PolicyConfig config) {
        return config.source().orElseGet(() -> {
            if (config.file().isPresent()) {
                return PolicyConfig.PolicySource.FILE;
            }
            return config.bootstrapServers().isPresent()
                    ? PolicyConfig.PolicySource.TOPIC
                    : PolicyConfig.PolicySource.DEFAULTS;
        });
    }

    private boolean startFile() {
        Path path = config.file()
                .orElseThrow(() -> new IllegalArgumentException(
                        "meridian.limiter.policies.file must name a file with source=file"));
        FileSource file = opened(new FileSource(path, live));
        boolean taken = file.load();
        file.follow(config.fileCheckInterval());
        return taken;
    }

    private void startTopic(boolean wait) {
        String bootstrapServers = config.bootstrapServers()
                .orElseThrow(() -> new IllegalArgumentException(
                        "kafka.bootstrap.servers must be set with meridian.limiter.policies.source=topic"));
        TopicSource topic = opened(new TopicSource(
                TopicSource.settings(kafka, bootstrapServers), config.topic(), live, TimeSource.system()));
        topic.start();
        if (wait) {
            topic.awaitLoaded(config.startTimeout());
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        open.push(part);
        return part;
    }

    /** Ends the sources first and the copy last, so that it has what they brought. */
    @PreDestroy
    void stop() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failed) {
                LOG.errorf(failed, "a source of policies did not end well");
            }
        }
    }

    /** Policies of a limiter that has no other. */
    static final class BuiltInPolicies {
        private static final String RESOURCE = "/policies-built-in.yaml";

        private BuiltInPolicies() {}

        static RuleSet read() {
            try (InputStream in = BuiltInPolicies.class.getResourceAsStream(RESOURCE)) {
                if (in == null) {
                    throw new IllegalStateException(RESOURCE + " must be on the class path");
                }
                return PolicyFile.read(in.readAllBytes());
            } catch (IOException | RefusedFileException broken) {
                throw new IllegalStateException(RESOURCE + ": " + broken.getMessage(), broken);
            }
        }
    }

    /** Rules of a file, which is followed as it changes. */
    static final class FileSource implements AutoCloseable {
        private static final String KIND = "file";

        private final ActiveRules live;
        private final FollowedFile file;

        FileSource(Path path, ActiveRules live) {
            this.live = live;
            this.file = new FollowedFile("policies-file", path, Yaml.BYTES_MAX, new Rules());
        }

        /** Takes the file as it is now, and says whether that succeeded. */
        boolean load() {
            return file.load();
        }

        void follow(Duration interval) {
            file.follow(interval);
        }

        /** One look at the file. */
        void look() {
            file.look();
        }

        @Override
        public void close() {
            file.close();
        }

        private final class Rules implements FollowedFile.Taker {
            @Override
            public void take(byte[] bytes) throws RefusedFileException {
                live.replace(PolicyFile.read(bytes), RuleOrigin.FILE, true);
            }

            @Override
            public void refused(String reason) {
                live.refused(KIND, reason);
            }

            @Override
            public void inEffect() {
                live.confirm(RuleOrigin.FILE);
            }
        }
    }
}
