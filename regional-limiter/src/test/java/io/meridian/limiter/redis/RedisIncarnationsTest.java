package io.meridian.limiter.redis;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisAccounts.VerdictWriter;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.servers.TestRedis;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Lives of the region's data: who begins one, and that nothing of one is done in another. By the server's own clock. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisIncarnationsTest {
    private static final Quota TERMS = Quota.of(10, 0, Window.parse("31d"));
    private static final Limit ESCROW = SharedLimits.escrow("p", 1, TERMS);

    private final TestRedis server = TestRedis.start(RedisRelease.BUNDLED);
    private final RedisTalk redis = RedisTalk.to(server.url());
    private final Script life = Script.load(List.of("incarnation"));
    private final Script verdict = Script.load(List.of("lib/call", "lib/account", "verdict"));
    private final Script collect = Script.load(List.of("lib/call", "lib/account", "collect"));
    private final Script reported = Script.load(List.of("lib/call", "lib/account", "reported"));
    private final CounterScript turn = CounterScript.load(TestKeys.KEYS);

    @BeforeEach
    void empty() {
        redis.ask(Request.cmd(Command.FLUSHALL));
        redis.ask(turn.toLoad());
    }

    @AfterAll
    void close() {
        redis.close();
        server.close();
    }

    @Test
    void two_instances_agree_on_the_life_whoever_begins_it() {
        long before = timeMicros();
        StoredIncarnation first = greet(null);

        assertThat(greet(null)).isEqualTo(first);
        assertThat(greet(first)).isEqualTo(first);
        assertThat(first.number()).isBetween(before, timeMicros());
    }

    @Test
    void another_server_and_a_wiped_one_begin_a_later_life() {
        StoredIncarnation first = greet(null);
        pretendThatAnotherServerHadIt();
        StoredIncarnation restarted = greet(first);
        assertThat(restarted.number()).isGreaterThan(first.number());
        assertThat(greet(null)).isEqualTo(restarted);

        redis.ask(Request.cmd(Command.DEL).arg(StoredIncarnation.key()));

        assertThat(greet(restarted).number()).isGreaterThan(restarted.number());
    }

    @Test
    void a_server_with_another_replication_history_begins_a_later_life() {
        StoredIncarnation first = greet(null);
        pretendThatItBeganAt("another-replication", 0);
        StoredIncarnation promoted = greet(first);
        assertThat(promoted.number()).isGreaterThan(first.number());
        assertThat(greet(null)).isEqualTo(promoted);

        pretendThatItBeganAt(redis.info("replication", "master_replid"), Long.MAX_VALUE / 2);
        StoredIncarnation older = greet(null);
        assertThat(older.number()).as("it lacks what was written since").isGreaterThan(promoted.number());
        assertThat(greet(null)).isEqualTo(older);
    }

    @Test
    void a_life_that_an_earlier_build_began_goes_on() {
        StoredIncarnation first = greet(null);
        redis.ask(Request.cmd(Command.DEL).arg(StoredIncarnation.ORIGIN_KEY));

        assertThat(greet(first)).isEqualTo(first);
        pretendThatItBeganAt("another-replication", 0);
        assertThat(greet(first).number()).isGreaterThan(first.number());
    }

    /** A connection that was made before the wipe begins the next life, and one made after it finds that life. */
    @Test
    void after_a_wipe_all_who_come_find_one_life_that_began_with_nothing() {
        StoredIncarnation before = greet(null);
        redis.ask(Request.cmd(Command.FLUSHALL));

        List<Response> begun = redis.ask(List.of(
                RedisIncarnations.request(life, before),
                RedisIncarnations.request(life, before),
                RedisIncarnations.request(life, null)));

        assertThat(begun)
                .extracting(each -> StoredIncarnation.read(each.toBytes()))
                .containsOnly(StoredIncarnation.read(begun.get(0).toBytes()));
        assertThat(begun).allMatch(each -> each.toBytes()[Long.BYTES] == 'w');
    }

    /** The server is never restarted, so its run id stays. Its replica was promoted without the last writes, and it took those over from there. */
    @Test
    void a_double_failover_that_brings_older_data_back_is_another_life() throws Exception {
        try (TestRedis standby = TestRedis.start(RedisRelease.BUNDLED);
                RedisTalk other = RedisTalk.to(standby.url())) {
            replicate(other, server.url());
            StoredIncarnation first = greet(null);
            hear(first, 5);
            eventually("the replica has the life and the grant")
                    .until(() -> other.info("replication", "slave_repl_offset")
                            .equals(redis.info("replication", "master_repl_offset")));
            promote(other);
            assertThat(ask(first, new CounterRequest.Take(ESCROW, 5, 0, 0)).admitted())
                    .isTrue();
            String runId = redis.info("server", "run_id");

            replicate(redis, standby.url());
            promote(redis);

            assertThat(redis.info("server", "run_id")).isEqualTo(runId);
            assertThat(redis.ask(Request.cmd(Command.GET).arg(StoredIncarnation.key()))
                            .toString())
                    .as("of the run id alone it would be the same life")
                    .endsWith(runId);
            StoredIncarnation next = greet(null);
            assertThat(next.number()).isGreaterThan(first.number());
            assertRefused(() -> ask(first, new CounterRequest.Take(ESCROW, 5, 0, 0)));
            assertThat(ask(next, new CounterRequest.Take(ESCROW, 1, 0, 0)).admitted())
                    .as("what was spent of the grant before is not spent again")
                    .isFalse();
        }
    }

    @Test
    void a_life_is_later_than_the_last_one_though_the_clock_was_set_back() {
        StoredIncarnation ahead = new StoredIncarnation(timeMicros() + 3_600_000_000L);
        assertThat(greet(ahead).number()).isEqualTo(ahead.number() + 1);

        pretendThatAnotherServerHadIt();
        StoredIncarnation kept = greet(null);

        assertThat(kept.number()).isEqualTo(ahead.number() + 2);
    }

    @Test
    void a_server_left_behind_in_an_earlier_life_says_so() {
        StoredIncarnation old = greet(null);

        assertThat(greet(new StoredIncarnation(old.number() + 5))).isEqualTo(old);
    }

    @Test
    void every_script_refuses_one_who_knows_another_life_and_changes_nothing() {
        StoredIncarnation old = greet(null);
        ask(old, new CounterRequest.Take(ESCROW, 1, 0, 0));
        redis.ask(Request.cmd(Command.FLUSHALL));
        redis.ask(turn.toLoad());

        assertRefused(() -> ask(old, new CounterRequest.Take(ESCROW, 1, 0, 0)));
        assertRefused(() -> hear(old, 5));
        assertRefused(() -> redis.ask(dirty(collect.byText(), old).arg("10").arg(old.packed())));
        assertRefused(() -> redis.ask(
                dirty(reported.byText(), old).arg("0").arg(old.packed()).arg("member and claim")));
        assertThat(redis.ask(Request.cmd(Command.DBSIZE)).toInteger()).isZero();

        StoredIncarnation reborn = greet(old);
        assertRefused(() -> ask(old, new CounterRequest.Take(ESCROW, 1, 0, 0)));
        assertThat(ask(reborn, new CounterRequest.Peek(ESCROW, 1)).admitted()).isFalse();
    }

    @Test
    void what_an_earlier_life_was_granted_and_used_is_not_this_ones() {
        StoredIncarnation old = greet(null);
        hear(old, 5);
        assertThat(ask(old, new CounterRequest.Take(ESCROW, 5, 0, 0)).admitted())
                .isTrue();

        pretendThatAnotherServerHadIt();
        StoredIncarnation next = greet(old);

        assertThat(ask(next, new CounterRequest.Take(ESCROW, 1, 0, 0)).globalUsage())
                .isEqualTo(new CounterReply.GlobalUsage(0, 0, 0, 0));
        assertThat(VerdictWriter.to(next, List.of(said(old, 5), said(next, 3)))).containsExactly(said(next, 3));
    }

    @Test
    void what_was_taken_in_an_earlier_life_is_not_given_back_to_this_one() {
        StoredIncarnation old = greet(null);
        pretendThatAnotherServerHadIt();
        StoredIncarnation next = greet(old);
        hear(next, 5);
        ask(next, new CounterRequest.Take(ESCROW, 4, 0, 0));

        assertThat(ask(next, new CounterRequest.Refund(ESCROW, 3, next.number() - 1))
                        .standing()
                        .remaining())
                .isEqualTo(1);
        assertThat(ask(next, new CounterRequest.Refund(ESCROW, 3, next.number()))
                        .standing()
                        .remaining())
                .isEqualTo(4);
    }

    private static void assertRefused(Runnable asked) {
        assertThatThrownBy(asked::run).hasMessageContaining("STALEINCARNATION");
    }

    private static Request dirty(Request request, StoredIncarnation of) {
        return request.arg(2)
                .arg(CounterKey.dirty(TestKeys.KEYS.shard(ESCROW)))
                .arg(of.key(TestKeys.KEYS.shard(ESCROW)));
    }

    private StoredIncarnation greet(@Nullable StoredIncarnation known) {
        return StoredIncarnation.read(
                redis.ask(RedisIncarnations.request(life, known)).toBytes());
    }

    private void pretendThatAnotherServerHadIt() {
        replaceTail(StoredIncarnation.KEY, Long.BYTES + 1, "another-run");
    }

    private void pretendThatItBeganAt(String replicationId, long offset) {
        replaceTail(StoredIncarnation.ORIGIN_KEY, Long.BYTES, replicationId + " " + offset);
    }

    /** Keeps so many bytes of what is stored there, and has this follow them. */
    private void replaceTail(String key, int kept, String tail) {
        redis.ask(Request.cmd(Command.EVAL)
                .arg("redis.call('SET', KEYS[1], string.sub(redis.call('GET', KEYS[1]), 1, ARGV[1]) .. ARGV[2])")
                .arg(1)
                .arg(key)
                .arg(kept)
                .arg(tail));
    }

    private static void replicate(RedisTalk replica, String url) throws Exception {
        URI master = URI.create(url);
        replica.ask(Request.cmd(Command.REPLICAOF).arg(master.getHost()).arg(master.getPort()));
        eventually("the replica has caught up")
                .until(() -> replica.info("replication", "master_link_status").equals("up"));
    }

    private static void promote(RedisTalk replica) {
        replica.ask(Request.cmd(Command.REPLICAOF).arg("NO").arg("ONE"));
    }

    private CounterReply ask(StoredIncarnation of, CounterRequest ask) {
        List<List<CounterRequest>> groups = List.of(List.of(ask));
        return turn.read(redis.ask(turn.arguments(turn.script().byDigest(), groups, of)), groups)
                .get(0)
                .told()
                .get(0);
    }

    private void hear(StoredIncarnation of, long granted) {
        redis.ask(VerdictWriter.write(
                verdict.byText(), List.of(said(of, granted)), TestKeys.KEYS, of, StoredIncarnation.key()));
    }

    private VerdictRecord said(StoredIncarnation of, long granted) {
        long start = TERMS.window().startMicros(timeMicros());
        return SharedLimits.record(
                ESCROW, start, of, new WindowVerdict(1, 1, 0, false, 1, 10, granted, Long.MAX_VALUE));
    }

    private long timeMicros() {
        Response time = redis.ask(Request.cmd(Command.TIME));
        return time.get(0).toLong() * 1_000_000 + time.get(1).toLong();
    }
}
