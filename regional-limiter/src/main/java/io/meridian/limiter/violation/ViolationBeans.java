package io.meridian.limiter.violation;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.quarkus.runtime.Startup;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;
import org.jboss.logging.Logger;

/** Producer of the sink of violations, from the start to the very end: the last checks are answered before it goes. */
@Singleton
class ViolationBeans {
    private static final Logger LOG = Logger.getLogger(ViolationBeans.class);

    @Produces
    @Singleton
    @Startup
    ViolationSink violations(
            ViolationConfig config,
            LimiterConfig limiter,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            LimiterMetrics metrics) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("Violations are not recorded: kafka.bootstrap.servers is not set");
            return ViolationSink.NONE;
        }
        String servers = config.bootstrapServers().get();
        return new KafkaViolations(
                config, () -> ViolationProducer.create(config, kafka, servers), limiter.region(), metrics.violations());
    }

    void stop(@Disposes ViolationSink violations) {
        if (violations instanceof KafkaViolations told) {
            told.close();
        }
    }
}
