package io.meridian.limiter;

import io.meridian.model.validation.Validator;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.redis.client.RedisClientType;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings of a limiter, all of them: the process itself here, each subject in a section with a prefix of its own. */
@ConfigMapping(prefix = "meridian.limiter")
public interface LimiterConfig {
    /** The region this instance serves; the same for all instances that share a Redis. */
    String region();

    /** The name of this process among all limiters, never used by another; made of its host, process and start if unset. */
    Optional<String> instance();

    /** Settings of the API: headers and bounds of bodies. */
    @ConfigMapping(prefix = "meridian.limiter.api")
    interface ApiConfig {
        /**
         * The draft of the IETF's RateLimit fields that answers follow: {@code 10}, {@code 07}, or {@code none} for neither
         * field.
         */
        @WithDefault("10")
        String ratelimitDraft();

        /** The largest body of a call about one check; a larger one is answered with 413. */
        @WithDefault("64K")
        MemorySize checkBodyMax();

        /** The largest body of a batch; a larger one is answered with 413. At most {@code quarkus.http.limits.max-body-size}. */
        @WithDefault("256K")
        MemorySize batchBodyMax();
    }

    /** Access tokens of the API's callers. Without a file and without a list everybody may call. */
    @ConfigMapping(prefix = "meridian.limiter.tokens")
    interface TokenConfig {
        /** The file of tokens: a name, scopes and the SHA-256 of the token in each line; followed as it changes. */
        Optional<Path> file();

        /** How often the file is looked at. A change is taken when the file looked the same twice. */
        @WithDefault("250ms")
        Duration fileCheckInterval();

        /** The same lines in place of a file, for deployments that have none; read once, at the start. */
        Optional<String> list();
    }

    /** Proxies whose forwarded header names the client's address. None by default: the address is that of the connection's peer. */
    @ConfigMapping(prefix = "meridian.limiter.forwarded")
    interface ForwardedConfig {
        /** Addresses and networks (CIDR) of the proxies whose forwarded header is read, IPv4 and IPv6. */
        Optional<List<String>> trustedProxies();

        /** How many proxies stand between a client and this limiter: so many hops are read, from the right. */
        @WithDefault("1")
        int trustedHops();

        /** The one header that the proxies write: {@code x-forwarded-for} or {@code forwarded}. The other one is the client's. */
        @WithDefault("x-forwarded-for")
        String header();
    }

    /**
     * Verification of bearer tokens by one of a JWKS at a URL, a JWKS in a file, and a public key. With none of them a JWT names no
     * user.
     */
    @ConfigMapping(prefix = "meridian.limiter.jwt")
    interface JwtConfig {
        /** Where the issuer's JWKS is. */
        Optional<URI> jwksUrl();

        /** A file with the JWKS; read again like a URL. */
        Optional<Path> jwksFile();

        /** The public key in PEM. */
        Optional<String> publicKey();

        /** A file with the public key in PEM. */
        Optional<Path> publicKeyFile();

        /** The issuer that a token must name; any if unset. */
        Optional<String> issuer();

        /** The audiences of which a token must name one; any if unset. */
        Optional<List<String>> audience();

        /** The signature algorithms that are accepted. Shared secrets (HS256) and {@code none} never are. */
        @WithDefault("RS256,ES256")
        List<String> algorithms();

        /** How far the clocks of the issuer and of this limiter may be apart. */
        @WithDefault("30S")
        Duration clockSkew();

        /** How often the JWKS is read again. */
        @WithDefault("5M")
        Duration jwksRefresh();

        /** The least time between two reads, also where tokens name keys that are not in the JWKS. */
        @WithDefault("10S")
        Duration jwksRefreshMin();

        /** How long one read of the JWKS may take; also how long the first one may hold up the start. */
        @WithDefault("3S")
        Duration jwksTimeout();

        /** The memory for verified tokens: a token that is in it is not verified again before it expires. */
        @WithDefault("16M")
        MemorySize cacheSize();

        /** Believes the subject of a JWT without verifying it, where the gateway has done so. Excludes all keys. */
        @WithDefault("false")
        boolean acceptUnverified();
    }

    /** Source of policies, and their last known good copy. */
    @ConfigMapping(prefix = "meridian.limiter.policies")
    interface PolicyConfig {
        /** Source of the rules. Default: the file if one is named, else the topic if Kafka is configured, else the built-in rules. */
        Optional<PolicySource> source();

        /** A YAML file of policies, tiers, overrides and lists; followed as it changes. */
        Optional<Path> file();

        /** How often the file is looked at. A change is taken when the file looked the same twice. */
        @WithDefault("250ms")
        Duration fileCheckInterval();

        /** The compacted topic of policies, tiers, overrides and lists. */
        @WithDefault("policies")
        String topic();

        /** The Kafka of the topic. */
        @WithDefault("${kafka.bootstrap.servers:}")
        Optional<String> bootstrapServers();

        /** How long a start without a copy waits for the topic, before it goes on with what is built in. */
        @WithDefault("2s")
        Duration startTimeout();

        /** Where the last known good copy is kept; without it, a start without the source begins with what is built in. */
        Optional<Path> cacheFile();

        /** The least time between two writings of the copy. */
        @WithDefault("5s")
        Duration cacheWriteInterval();

        /** Kind of source of the rules. */
        enum PolicySource {
            FILE,
            TOPIC,
            DEFAULTS
        }
    }

    /** Load that adaptive limits follow, and for how long it is believed. */
    @ConfigMapping(prefix = "meridian.limiter.load")
    interface LoadConfig {
        /** The load that adaptive limits follow. */
        @WithDefault("reported")
        LoadSource source();

        /** Where a load comes from. */
        enum LoadSource {
            /** Load that callers report. */
            REPORTED,
            /** Load that the limiters measure of themselves. */
            SELF,
            /** The larger of the two, or the one that is known. */
            LARGER
        }

        /** Adaptive limits are as written when no load was reported for so long. */
        @WithDefault("60s")
        Duration believedFor();

        /** How often an instance measures its load, and looks what was reported to the others and measured by them. */
        @WithDefault("500ms")
        Duration readEvery();
    }

    /** Leases of an instance on its region's counters. */
    @ConfigMapping(prefix = "meridian.limiter.leases")
    interface LeaseConfig {
        /** Longest term of leased units, further bounded by a hundredth or tenth of the window. Zero: no leases. */
        @WithDefault("2s")
        Duration horizonMax();

        /** How long a refusal is believed: another instance may give units back meanwhile. */
        @WithDefault("1s")
        Duration memory();

        /** How many limits an instance remembers; what is forgotten is asked for again. */
        @WithDefault("200000")
        int tableSize();

        /** How long a check of a limit in escrow waits for a grant, as long as leaders may have something to give. Zero: not at all. */
        @WithDefault("500ms")
        Duration grantWait();

        /** How often what can no longer be spent is given back. */
        @WithDefault("100ms")
        Duration releaseEvery();
    }

    /** Memory of request ids. */
    @ConfigMapping(prefix = "meridian.limiter.request-ids")
    interface RequestIdConfig {
        /** How long a repeated id is answered again and not charged again. */
        @WithDefault("60s")
        Duration memory();

        /** How many this instance remembers by itself, for when the region is away. */
        @WithDefault("100000")
        int entries();
    }

    /** Connections to the region's Redis, and how long a check waits for it. */
    @ConfigMapping(prefix = "meridian.limiter.redis")
    interface RedisConfig {
        /** {@code redis://[user:password@]host:port}, or {@code rediss://} with TLS; several for a cluster or its sentinels. */
        @WithDefault("redis://127.0.0.1:6379")
        List<String> hosts();

        /** One server, a cluster, or a master that sentinels name. */
        @WithDefault("standalone")
        RedisClientType mode();

        /** The name of the master among sentinels. */
        Optional<String> masterName();

        /** How long a check waits for an answer before it is decided without. */
        @WithDefault("25ms")
        Duration budget();

        /** How long a connection may take to be made, and an event loop's first answer; later ones have the budget. */
        @WithDefault("500ms")
        Duration connectTimeout();

        /** How long an event loop waits before it tries to connect again. */
        @WithDefault("100ms")
        Duration reconnectEvery();

        /** How many asks one script call carries at most: a call holds Redis up for all others. */
        @WithDefault("128")
        int requestsPerCall();

        /** From so many groups on a turn does not wait for the answer to the call before it. */
        @WithDefault("32")
        int groupsWorthACall();

        /** How many script calls of one event loop may be unanswered; beyond it a check is decided without Redis. */
        @WithDefault("64")
        int callsInFlight();

        /** How many groups one turn of an event loop collects; beyond it a check is decided without Redis. */
        @WithDefault("4096")
        int groupsPerTurn();

        /**
         * A replica of the region's Redis, {@code redis://} or {@code rediss://}: the reconciliation compares a sample of its keys.
         * Not with a cluster.
         */
        Optional<String> replica();

        /** How many keys one reconciliation compares with the replica, about. */
        @WithDefault("1000")
        int replicaSample();

        Breaker breaker();

        /** Circuit breaker before Redis. */
        interface Breaker {
            /** So many calls in a row must fail. */
            @WithDefault("5")
            int failures();

            /** How long checks then do not ask it, at most. */
            @WithDefault("30s")
            Duration delay();

            /** So many checks must succeed after that before it is asked by all again. */
            @WithDefault("1")
            int probes();

            /** How often it is asked meanwhile whether it is back: one answer within the budget, and checks ask it again. */
            @WithDefault("500ms")
            Duration probeEvery();
        }
    }

    /** Decisions of an instance while its region's counters cannot be reached. */
    @ConfigMapping(prefix = "meridian.limiter.fallback")
    interface FallbackConfig {
        /**
         * The share of a limit that one instance admits by itself. It does not know what was used before nor what the other
         * instances admit, so this trades denying too much against admitting too much.
         */
        @WithDefault("200")
        int limitPercent();

        /** How many limits it counts; the least used are forgotten beyond it. */
        @WithDefault("100000")
        int limits();
    }

    /** Usage reports and verdicts. */
    @ConfigMapping(prefix = "meridian.limiter.usage")
    interface UsageConfig {
        /** Kafka; without it regions know nothing of each other. */
        @WithDefault("${kafka.bootstrap.servers:}")
        Optional<String> bootstrapServers();

        /** Topic of usage. */
        @WithDefault("usage")
        String topic();

        /** Topic of verdicts; it has as many partitions. */
        @WithDefault("verdicts")
        String verdictsTopic();

        /** Interval of reports on global limits. */
        @WithDefault("100MS")
        Duration interval();

        /** Interval of reports on the region's own limits: for the record, and nobody decides by them. */
        @WithDefault("5S")
        Duration regionalInterval();

        /** How many of a region's own limits an instance reports a second, at most; what changes faster is reported later. */
        @WithDefault("50000")
        int regionalRate();

        /** How many limits are reported at once; the rest follows in the next interval. */
        @WithDefault("2000")
        int batchMax();

        /** How many batches may wait for Kafka's acknowledgement; meanwhile the region keeps what is new. */
        @WithDefault("8")
        int batchesInFlight();

        /** How many limits and windows a region has for itself are accounted for; what is taken of others is not on record, and counted. */
        @WithDefault("200000")
        int regionalLimitsMax();

        /** How long a leader may be silent before the region counts as cut off. */
        @WithDefault("3S")
        Duration cutOffAfter();

        /** How far back a limiter reads what the leaders said when it starts: so long may all limiters of a region have been away. */
        @WithDefault("10M")
        Duration readBack();
    }

    /** Reports of this instance to config-service, and answers to its queries. */
    @ConfigMapping(prefix = "meridian.limiter.reports")
    interface ReportConfig {
        /** Kafka; without it nothing is reported and nobody can ask. */
        @WithDefault("${kafka.bootstrap.servers:}")
        Optional<String> bootstrapServers();

        /** Topic of reports on the rules in effect. */
        @WithDefault("reports")
        String topic();

        /** Topic of queries. */
        @WithDefault("questions")
        String questionsTopic();

        /** Topic of answers. */
        @WithDefault("answers")
        String answersTopic();

        /** How often an instance reports; it also does at once when its revision changes. */
        @WithDefault("1S")
        Duration interval();

        /** How many questions may be at work at once; further ones are answered with a failure. */
        @WithDefault("64")
        int questionsMax();

        /** How many answers may wait for Kafka; further ones are dropped. */
        @WithDefault("256")
        int answersMax();
    }

    /** Records of denials in Kafka. */
    @ConfigMapping(prefix = "meridian.limiter.violations")
    interface ViolationConfig {
        /** Kafka; without it denials are told to nobody. */
        @WithDefault("${kafka.bootstrap.servers:}")
        Optional<String> bootstrapServers();

        /** The topic, which must exist. */
        @WithDefault("violations")
        String topic();

        /** How long the denials of one limit add up to one record. */
        @WithDefault("1S")
        Duration interval();

        /** How many limits may have denials to tell of in one interval, and how many may wait for Kafka; further ones are dropped. */
        @WithDefault("10000")
        int openMax();

        /** The memory of the Kafka producer for records that are not acknowledged. */
        @WithDefault("8388608")
        int bufferBytes();

        /** How long handing one record to the producer may take; only the thread that flushes waits. */
        @WithDefault("500MS")
        Duration maxBlock();

        /** How long one request to a broker may take before it is tried again. */
        @WithDefault("10S")
        Duration requestTimeout();

        /** How long a record may wait for its acknowledgement before it counts as lost. */
        @WithDefault("2M")
        Duration deliveryTimeout();

        /** How long a stopping instance waits for the last acknowledgements. */
        @WithDefault("2S")
        Duration stopWithin();
    }

    /** Records of resets and refunds in Kafka. */
    @ConfigMapping(prefix = "meridian.limiter.operations")
    interface OperationConfig {
        /** Kafka; without it resets and refunds are in no audit trail. */
        @WithDefault("${kafka.bootstrap.servers:}")
        Optional<String> bootstrapServers();

        /** The topic, which must exist. */
        @WithDefault("operations")
        String topic();

        /** How many operations may wait for Kafka; further ones are dropped. */
        @WithDefault("10000")
        int waitingMax();

        /** How long a stopping instance goes on telling what waits. */
        @WithDefault("2S")
        Duration stopWithin();
    }

    /** Sampling log of decisions. */
    @ConfigMapping(prefix = "meridian.limiter.decision-log")
    interface DecisionLogConfig {
        int RECORDS_PER_SECOND_MAX = 10_000;
        int QUEUE_MAX = 100_000;

        /** The share of checks that are logged, from 0, which is off, to 1. */
        @WithDefault("0")
        double sample();

        /** How many checks an instance logs in one second at most; further ones of the sample are dropped. */
        @WithDefault("100")
        int recordsPerSecond();

        /** How many records may wait for the log; further ones are dropped. */
        @WithDefault("1000")
        int queue();

        /** Refuses values that cannot be meant, each by the name of its setting. */
        default void check() {
            new Validator()
                    .require(
                            sample() >= 0 && sample() <= 1,
                            "meridian.limiter.decision-log.sample",
                            sample(),
                            "must be from 0 to 1")
                    .require(
                            recordsPerSecond() >= 1 && recordsPerSecond() <= RECORDS_PER_SECOND_MAX,
                            "meridian.limiter.decision-log.records-per-second",
                            recordsPerSecond(),
                            "must be from 1 to " + RECORDS_PER_SECOND_MAX)
                    .require(
                            queue() >= 1 && queue() <= QUEUE_MAX,
                            "meridian.limiter.decision-log.queue",
                            queue(),
                            "must be from 1 to " + QUEUE_MAX)
                    .throwIfInvalid();
        }
    }
}
