package io.meridian.limiter.policy.source;

import io.meridian.limiter.policy.LiveRulebooks;
import io.meridian.limiter.policy.RuleOrigin;
import io.meridian.limiter.LimiterConfig.PolicyConfig;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Brings rules into effect at the start, before a check is taken: from their source, else from the last known good copy,
 * else what is built in; and follows the source from then on.
 */
@Singleton
class PolicySources {
    private static final Logger LOG = Logger.getLogger(PolicySources.class);

    private final PolicyConfig config;
    private final LiveRulebooks live;
    private final Map<String, Object> kafka;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    PolicySources(
            PolicyConfig config, LiveRulebooks live, @Identifier("default-kafka-broker") Map<String, Object> kafka) {
        this.config = config;
        this.live = live;
        this.kafka = kafka;
    }

    void start(@Observes StartupEvent started) {
        start();
    }

    void start() {
        PolicyConfig.Source source = chosen(config);
        boolean builtInOnly = source == PolicyConfig.Source.DEFAULTS;
        Optional<LastKnownGood> copy =
                config.cacheFile().filter(file -> !builtInOnly).map(file -> opened(new LastKnownGood(file, live)));
        boolean ready = source == PolicyConfig.Source.FILE && startFile();
        ready = ready || copy.map(LastKnownGood::load).orElse(false);
        if (!ready) {
            live.replace(BuiltInPolicies.read(), RuleOrigin.DEFAULTS, builtInOnly);
        }
        if (source == PolicyConfig.Source.TOPIC) {
            startTopic(!ready);
        }
        copy.ifPresent(each -> each.keep(config.cacheWriteInterval()));
    }

    /** The source that is named, else the one whose setting is there. */
    static PolicyConfig.Source chosen(PolicyConfig config) {
        return config.source().orElseGet(() -> {
            if (config.file().isPresent()) {
                return PolicyConfig.Source.FILE;
            }
            return config.bootstrapServers().isPresent() ? PolicyConfig.Source.TOPIC : PolicyConfig.Source.DEFAULTS;
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
        TopicSource topic = opened(
                new TopicSource(TopicSettings.of(kafka, bootstrapServers), config.topic(), live, TimeSource.system()));
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
}
