package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.RedisMetrics;
import io.meridian.model.time.TimeSource;
import io.meridian.model.validation.Validator;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of a sample of keys between the region's Redis and its replica. Replication is asynchronous, so a replica that is
 * behind is no drift. Of some keys, in this order: their values at the master, the master's replication offset, the wait until the
 * replica has applied that much, their values at the replica, and at the master once more. A value that was the same at the master
 * both times must be the replica's too. What changed meanwhile, and what is about to expire, is left out. A difference counts as drift if
 * it is found twice: a counter may change between the looks and change back.
 *
 * <p>Keys come from a scan of either server in turn, so that a key that only one of them has is found too; each scan goes on where the
 * one before ended.
 */
@Singleton
final class ReplicaDrift {
    private static final int KEYS_AT_ONCE = 100;
    private static final int SAMPLE_MIN = 2 * KEYS_AT_ONCE;
    private static final int SAMPLE_MAX = 1_000_000;
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final Duration CAUGHT_UP_WITHIN = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);
    /** Servers' clocks differ, and a replica hides what is over by its own. */
    private static final long EXPIRING_MILLIS = Duration.ofSeconds(5).toMillis();

    private final RedisCounters master;
    private final RedisClients clients;
    private final Optional<String> host;
    private final int sample;
    private final RedisMetrics metrics;
    private final TimeSource time;
    private @Nullable Redis replica;
    private String masterCursor = "0";
    private String replicaCursor = "0";

    @Inject
    ReplicaDrift(
            RedisCounters master, RedisClients clients, RedisConfig config, LimiterMetrics metrics, TimeSource time) {
        this(master, clients, config.replica(), config.replicaSample(), metrics.redis(), time);
    }

    /**
     * @param host the replica, as a URL
     * @param sample how many keys to compare at once, about
     */
    ReplicaDrift(
            RedisCounters master,
            RedisClients clients,
            Optional<String> host,
            int sample,
            RedisMetrics metrics,
            TimeSource time) {
        new Validator()
                .require(
                        sample >= SAMPLE_MIN && sample <= SAMPLE_MAX,
                        "meridian.limiter.redis.replica-sample",
                        sample,
                        "must be from " + SAMPLE_MIN + " to " + SAMPLE_MAX)
                .throwIfInvalid();
        this.master = master;
        this.clients = clients;
        this.host = host;
        this.sample = sample;
        this.metrics = metrics;
        this.time = time;
    }

    /**
     * Result of a comparison.
     *
     * @param compared keys whose values could be compared
     * @param drifted those of them that differ
     */
    record Found(long compared, long drifted) {
        private Found plus(Found other) {
            return new Found(compared + other.compared, drifted + other.drifted);
        }
    }

    /** Reason why nothing can be compared now. */
    private static final class Incomparable extends ExecutionException {
        private static final long serialVersionUID = 1;

        Incomparable(String reason) {
            super(reason);
        }
    }

    /** Compares a sample; empty without a replica. */
    Optional<Found> look() throws InterruptedException, ExecutionException, TimeoutException {
        if (host.isEmpty()) {
            return Optional.empty();
        }
        try {
            Found found = compareSample();
            metrics.replicaCompared(found.compared, found.drifted);
            return Optional.of(found);
        } catch (ExecutionException | TimeoutException away) {
            metrics.replicaIncomparable();
            throw away;
        }
    }

    private Found compareSample() throws InterruptedException, ExecutionException, TimeoutException {
        Found found = new Found(0, 0);
        int pages = Math.max(2, sample / KEYS_AT_ONCE);
        for (int page = 0; page < pages; page++) {
            boolean ofReplica = page % 2 == 0;
            List<byte[]> keys = ofReplica ? replicaPage() : masterPage();
            if (!keys.isEmpty()) {
                found = found.plus(compare(keys));
            }
            if (!ofReplica && replicaCursor.equals("0") && masterCursor.equals("0")) {
                break;
            }
        }
        return found;
    }

    private List<byte[]> replicaPage() throws InterruptedException, ExecutionException, TimeoutException {
        Response page = atReplica(scan(replicaCursor));
        replicaCursor = cursor(page);
        return keys(page);
    }

    private List<byte[]> masterPage() throws InterruptedException, ExecutionException, TimeoutException {
        Response page = atMaster(scan(masterCursor));
        masterCursor = cursor(page);
        return keys(page);
    }

    private Found compare(List<byte[]> keys) throws InterruptedException, ExecutionException, TimeoutException {
        Comparison first = comparison(keys);
        List<byte[]> drifted = first.differing.isEmpty() ? List.of() : comparison(first.differing).differing;
        return new Found(first.compared, drifted.size());
    }

    private record Comparison(long compared, List<byte[]> differing) {}

    private Comparison comparison(List<byte[]> keys) throws InterruptedException, ExecutionException, TimeoutException {
        List<byte @Nullable []> before = values(atMaster(get(keys)));
        awaitReplica(Replication.of(atMaster(info())));
        List<byte @Nullable []> copies = values(atReplica(get(keys)));
        List<byte @Nullable []> after = values(atMaster(get(keys)));
        long compared = 0;
        List<byte[]> differing = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            byte[] value = before.get(i);
            byte[] copy = copies.get(i);
            boolean same = Arrays.equals(value, copy);
            boolean left = !Arrays.equals(value, after.get(i))
                    || (value == null && copy == null)
                    || (!same && value != null && isExpiring(keys.get(i)));
            compared += left ? 0 : 1;
            if (!left && !same) {
                differing.add(keys.get(i));
            }
        }
        return new Comparison(compared, differing);
    }

    /** Waits until the replica has applied what the master had written by then. */
    private void awaitReplica(Replication wanted) throws InterruptedException, ExecutionException, TimeoutException {
        long endNanos = time.monotonicNanos() + CAUGHT_UP_WITHIN.toNanos();
        while (true) {
            Replication there = Replication.of(atReplica(info()));
            if (!there.isReplica) {
                throw new Incomparable("it is no replica");
            }
            boolean linked = there.isLinked && there.id.equals(wanted.id);
            if (linked && there.appliedOffset >= wanted.writtenOffset) {
                return;
            }
            if (time.monotonicNanos() - endNanos >= 0) {
                throw new Incomparable(
                        linked
                                ? "it is behind by " + (wanted.writtenOffset - there.appliedOffset) + " bytes"
                                : "it does not follow the region's Redis");
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
        }
    }

    private boolean isExpiring(byte[] key) throws InterruptedException, ExecutionException, TimeoutException {
        long left = atMaster(Request.cmd(Command.PTTL).arg(key)).toLong();
        return left != -1 && left < EXPIRING_MILLIS;
    }

    private Response atMaster(Request request) throws InterruptedException, ExecutionException, TimeoutException {
        return master.send(request)
                .toCompletableFuture()
                .get(WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .orElseThrow();
    }

    private Response atReplica(Request request) throws InterruptedException, ExecutionException, TimeoutException {
        Redis client = replica;
        if (client == null) {
            client = clients.createFor(host.orElseThrow());
            replica = client;
        }
        CompletionStage<Response> answer = client.send(request).toCompletionStage();
        return answer.toCompletableFuture().get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Request scan(String cursor) {
        return Request.cmd(Command.SCAN).arg(cursor).arg("COUNT").arg(KEYS_AT_ONCE);
    }

    private static Request info() {
        return Request.cmd(Command.INFO).arg("replication");
    }

    private static Request get(List<byte[]> keys) {
        Request request = Request.cmd(Command.MGET);
        keys.forEach(request::arg);
        return request;
    }

    private static String cursor(Response page) {
        return page.get(0).toString(StandardCharsets.US_ASCII);
    }

    private static List<byte[]> keys(Response page) {
        List<byte[]> keys = new ArrayList<>();
        page.get(1).forEach(key -> keys.add(key.toBytes()));
        return keys;
    }

    /** Null for a key that is not there, or is no string: sets say what is due and are made anew. */
    private static List<byte @Nullable []> values(Response told) {
        List<byte @Nullable []> values = new ArrayList<>();
        for (int i = 0; i < told.size(); i++) {
            Response value = told.get(i);
            values.add(value == null ? null : value.toBytes());
        }
        return values;
    }

    /**
     * State of a server's replication.
     *
     * @param id the history of writes that it is part of
     */
    private record Replication(boolean isReplica, boolean isLinked, String id, long writtenOffset, long appliedOffset) {
        static Replication of(Response info) {
            String text = info.toString(StandardCharsets.US_ASCII);
            return new Replication(
                    field(text, "role").equals("slave"),
                    field(text, "master_link_status").equals("up"),
                    field(text, "master_replid"),
                    number(text, "master_repl_offset"),
                    number(text, "slave_repl_offset"));
        }

        private static long number(String info, String name) {
            String value = field(info, name);
            return value.isEmpty() ? -1 : Long.parseLong(value);
        }

        private static String field(String info, String name) {
            return info.lines()
                    .filter(line -> line.startsWith(name + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }
    }
}
