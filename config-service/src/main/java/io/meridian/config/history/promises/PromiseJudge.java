package io.meridian.config.history.promises;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.promises.PromiseBound.Conditions;
import io.meridian.config.ops.PromiseMetrics;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.time.TimeSource;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Judge of ended windows. A window is due a while after its end, and again when late usage of it arrives. While a region is cut off its
 * usage may be on its way: the window is judged by what is known, names the region, and is due again. The row of the window is locked
 * meanwhile, so usage that arrives during the judgement makes it due again afterwards; other replicas take other windows.
 */
@Singleton
class PromiseJudge {
    /** Windows of one transaction. */
    static final int WINDOWS_MAX = 50;
    /** Rows of broken promises of one window; the window has their number. */
    static final int BREACHES_MAX = 1_000;

    private static final Logger LOG = Logger.getLogger(PromiseJudge.class);
    /** For windows of a million keys. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration INCOMPLETE_RETRY = Duration.ofSeconds(30);
    /** Bound on the transactions of one run, so that a backlog does not keep a thread forever. */
    private static final int ROUNDS_MAX = 20;

    private static final String DUE = """
            SELECT policy, window_start, window_end, kept, judged_at IS NOT NULL AS judged, over_units FROM promise_window
            WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED""";
    private static final String KEYS = """
            WITH keys AS (
                SELECT key, bool_or(escrow) AS escrow, max(limit_units) AS limit_units,
                    greatest(sum(taken) - sum(returned), 0) AS admitted, sum(demand_per_second) AS rate
                FROM promise_account WHERE window_end = $1 AND policy = $2 AND window_start = $3 GROUP BY key),
            bounds AS (
                SELECT key, escrow, limit_units, admitted,
                    limit_units::numeric * $4::bigint / 100 + ceil(rate::numeric * $5::bigint / 1000000) AS bound
                FROM keys)
            """;
    private static final String SUM = KEYS
            + """
            SELECT count(*) AS keys, coalesce(bool_or(escrow), false) AS escrow, %s AS admitted, %s AS limit_units, %s AS bound,
                %s AS over, count(*) FILTER (WHERE admitted > bound) AS broken FROM bounds""".formatted(
                            sum("admitted"),
                            sum("limit_units"),
                            sum("floor(bound)"),
                            sum("greatest(admitted - floor(bound), 0)"));
    private static final String WORST = KEYS + """
            SELECT key, least(admitted, 9223372036854775807)::bigint AS admitted, limit_units,
                least(floor(bound), 9223372036854775807)::bigint AS bound
            FROM bounds ORDER BY admitted / bound DESC, key LIMIT 1""";
    private static final String FORGET =
            "DELETE FROM promise_breach WHERE window_end = $1 AND policy = $2 AND window_start = $3";
    private static final String BREACHES = KEYS + """
            INSERT INTO promise_breach (window_end, policy, window_start, key, admitted, limit_units, bound_units)
            SELECT $1, $2, $3, key, least(admitted, 9223372036854775807)::bigint, limit_units,
                least(floor(bound), 9223372036854775807)::bigint
            FROM bounds WHERE admitted > bound ORDER BY admitted - bound DESC, key LIMIT $6::bigint""";
    private static final String JUDGED = """
            UPDATE promise_window SET due_at = $4, judged_at = $5, escrow = $6, keys = $7, admitted = $8, limit_units = $9,
                bound_units = $10, over_units = $11, broken_keys = $12, kept = $13, reason = $14, parts = $15, loop_micros = $16,
                incomplete = $17::text[], worst_key = $18, worst_admitted = $19, worst_limit = $20, worst_bound = $21
            WHERE window_end = $1 AND policy = $2 AND window_start = $3""";
    /** Only what was known of the policy at the end of the window counts; a first version is no change. */
    private static final String POLICY = """
            SELECT (SELECT document ->> 'on_exhausted' FROM policy_version
                    WHERE id = $1 AND changed_at < $3 AND document IS NOT NULL ORDER BY version DESC LIMIT 1) AS on_exhausted,
                EXISTS (SELECT 1 FROM policy_version
                    WHERE id = $1 AND version > 1 AND changed_at > $2 AND changed_at < $3) AS changed""";

    static final String CHANGED = "the policy was changed while the window was open";
    static final String UNMEASURED = "no loop delay was measured while the window was open";

    private final Database database;
    private final Schema schema;
    private final PromiseConditions conditions;
    private final PromiseMetrics metrics;
    private final TimeSource time;

    PromiseJudge(
            Database database, Schema schema, PromiseConditions conditions, PromiseMetrics metrics, TimeSource time) {
        this.database = database;
        this.schema = schema;
        this.conditions = conditions;
        this.metrics = metrics;
        this.time = time;
    }

    private static String sum(String column) {
        return "least(coalesce(sum(" + column + "), 0), 9223372036854775807)::bigint";
    }

    private record DueWindow(
            OffsetDateTime end,
            String policy,
            OffsetDateTime start,
            boolean judged,
            @Nullable Boolean kept,
            long over) {
        Object[] id(Object... more) {
            List<Object> arguments = new ArrayList<>(List.of(end, policy, start));
            arguments.addAll(List.of(more));
            return arguments.toArray();
        }
    }

    /** Judgement of one window, for the metrics. */
    private record Judgement(
            DueWindow window,
            long admitted,
            long limit,
            long over,
            @Nullable Boolean kept) {}

    @Scheduled(every = "2s", concurrentExecution = ConcurrentExecution.SKIP)
    void judge() {
        if (!schema.isReady()) {
            return;
        }
        try {
            int round = 0;
            while (round < ROUNDS_MAX && judgeDue(time.wallMicros()) == WINDOWS_MAX) {
                round++;
            }
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("windows wait for their judgement: reason=%s", unavailable.getMessage());
        }
    }

    /** Judges windows that are due, and returns their number. */
    int judgeDue(long nowMicros) {
        Set<String> cut = conditions.cutNow();
        List<Judgement> judged = database.transaction(TIMEOUT, session -> {
            List<Judgement> judgements = new ArrayList<>();
            for (Row row : session.run(DUE, Timestamps.toDatabase(nowMicros), WINDOWS_MAX)) {
                Long over = row.getLong("over_units");
                judgements.add(judge(
                        session,
                        new DueWindow(
                                row.getOffsetDateTime("window_end"),
                                row.getString("policy"),
                                row.getOffsetDateTime("window_start"),
                                row.getBoolean("judged"),
                                row.getBoolean("kept"),
                                over == null ? 0 : over),
                        cut,
                        nowMicros));
            }
            return judgements;
        });
        judged.forEach(this::count);
        return judged.size();
    }

    private static Judgement judge(Session session, DueWindow window, Set<String> cut, long nowMicros) {
        Row policy = session.run(POLICY, window.policy, window.start, window.end)
                .iterator()
                .next();
        Conditions open =
                PromiseConditions.during(session, Timestamps.toMicros(window.start), Timestamps.toMicros(window.end));
        boolean escrow = session.run(
                        "SELECT coalesce(bool_or(escrow), false) AS escrow FROM promise_account"
                                + " WHERE window_end = $1 AND policy = $2 AND window_start = $3",
                        window.id())
                .iterator()
                .next()
                .getBoolean("escrow");
        PromiseBound bound = escrow
                ? PromiseBound.escrow(onExhausted(policy.getString("on_exhausted")), open)
                : PromiseBound.converge(open);
        Object[] bounded = window.id(bound.limitPercent(), bound.loopMicros());
        Row sum = session.run(SUM, bounded).iterator().next();
        Boolean kept = true;
        String reason = null;
        if (sum.getLong("broken") > 0) {
            reason = policy.getBoolean("changed") ? CHANGED : bound.loopKnown() ? null : UNMEASURED;
            kept = reason == null ? Boolean.FALSE : null;
        }
        session.run(FORGET, window.id());
        if (Boolean.FALSE.equals(kept)) {
            session.run(BREACHES, window.id(bound.limitPercent(), bound.loopMicros(), (long) BREACHES_MAX));
        }
        Iterator<Row> worstOf = session.run(WORST, bounded).iterator();
        Row worst = worstOf.hasNext() ? worstOf.next() : null;
        OffsetDateTime again = cut.isEmpty()
                ? null
                : Timestamps.toDatabase(Timestamps.ofMicros(nowMicros).plus(INCOMPLETE_RETRY));
        session.run(
                JUDGED,
                window.end,
                window.policy,
                window.start,
                again,
                Timestamps.toDatabase(nowMicros),
                escrow,
                sum.getLong("keys"),
                sum.getLong("admitted"),
                sum.getLong("limit_units"),
                sum.getLong("bound"),
                sum.getLong("over"),
                sum.getLong("broken"),
                kept,
                reason,
                bound.parts(),
                bound.loopMicros(),
                cut.stream().sorted().toArray(String[]::new),
                worst == null ? null : worst.getString("key"),
                worst == null ? null : worst.getLong("admitted"),
                worst == null ? null : worst.getLong("limit_units"),
                worst == null ? null : worst.getLong("bound"));
        return new Judgement(window, sum.getLong("admitted"), sum.getLong("limit_units"), sum.getLong("over"), kept);
    }

    private static OnExhausted onExhausted(@Nullable String text) {
        return text == null ? OnExhausted.DENY : OnExhausted.parse(text);
    }

    /** A window counts once, and again where a correction changes the outcome. */
    private void count(Judgement judgement) {
        DueWindow before = judgement.window;
        if (!before.judged) {
            metrics.admitted(judgement.admitted, judgement.limit);
        }
        boolean changed =
                before.judged && !(before.kept == null ? judgement.kept == null : before.kept.equals(judgement.kept));
        if (!before.judged || changed) {
            metrics.judged(PromiseMetrics.Outcome.of(judgement.kept));
        }
        if (Boolean.FALSE.equals(judgement.kept)) {
            metrics.over(Math.max(0, judgement.over - (Boolean.FALSE.equals(before.kept) ? before.over : 0)));
        }
    }
}
