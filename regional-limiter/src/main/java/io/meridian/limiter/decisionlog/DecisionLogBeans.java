package io.meridian.limiter.decisionlog;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.decide.DecisionRecorder.DecisionLog;
import io.meridian.limiter.LimiterConfig.DecisionLogConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Whether decisions are logged. The lines go to a category of their own, which the operator leads where it wants them. */
@Singleton
class DecisionLogBeans {
    static final String CATEGORY = "meridian.decisions";
    private static final Logger LOG = Logger.getLogger(DecisionLogBeans.class);
    private static final Logger LINES = Logger.getLogger(CATEGORY);

    @Produces
    @Singleton
    @Startup
    DecisionLog decisionLog(DecisionLogConfig config, LimiterConfig limiter, LimiterMetrics metrics, TimeSource time) {
        return decisionLog(config, limiter.region(), metrics, time);
    }

    static DecisionLog decisionLog(DecisionLogConfig config, String region, LimiterMetrics metrics, TimeSource time) {
        config.check();
        if (config.sample() == 0) {
            return DecisionLog.NONE;
        }
        LOG.infof(
                "decisions are logged with addresses and identifiers of clients: category=%s sample=%s records per second=%d",
                CATEGORY, config.sample(), config.recordsPerSecond());
        return new SampledDecisionLog(config, region, time, metrics.decisionLog(), LINES::info).started();
    }

    void stop(@Disposes DecisionLog log) {
        if (log instanceof SampledDecisionLog sampled) {
            sampled.close();
        }
    }
}
