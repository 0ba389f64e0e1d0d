package io.meridian.config.live;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.HistoryFilter;
import io.meridian.config.history.UsageQueries;
import io.meridian.config.history.UsageQueries.HotKey;
import io.meridian.config.history.ViolationQueries;
import io.meridian.config.history.ViolationQueries.Offender;
import io.meridian.model.time.TimeSource;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Reader of the part of the live view that is in PostgreSQL: changes of the rules by any replica, and the busiest keys. It reads only
 * while somebody watches. Changes are serialised, so the ids of their audit rows grow in the order of their commits.
 */
@Singleton
class ChangeFeed {
    /** More changes at once are named by the first of them and a note. */
    static final int CHANGES_MAX = 100;

    private static final Logger LOG = Logger.getLogger(ChangeFeed.class);
    private static final int KEYS_MAX = 10;
    private static final Duration KEYS_RANGE = Duration.ofMinutes(5);
    private static final long UNKNOWN = -1;
    private static final String LAST = "SELECT coalesce(max(id), 0) AS last FROM audit";
    private static final String SINCE = """
            SELECT id, revision, at, actor, action, kind, entry_id FROM audit
            WHERE id > $1 AND id <= $2 AND revision IS NOT NULL ORDER BY id LIMIT $3""";

    private final Database database;
    private final UsageQueries usage;
    private final ViolationQueries violations;
    private final LiveFeed feed;
    private final TimeSource time;
    private long lastId = UNKNOWN;

    ChangeFeed(Database database, UsageQueries usage, ViolationQueries violations, LiveFeed feed, TimeSource time) {
        this.database = database;
        this.usage = usage;
        this.violations = violations;
        this.feed = feed;
        this.time = time;
    }

    /** Change of one entry; the entry before and after is in the audit trail under this id. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record ChangeItem(
            long auditId, long revision, String at, String actor, String action, String kind, String entryId) {}

    /** Note that more was changed at once than is listed: an import, or a large set of changes. */
    public record MoreChanges(String reason) {}

    /** The keys of most consumption, and of most denials, in the range. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record TopKeys(String from, String to, List<HotKey> consumers, List<DeniedKey> offenders) {}

    public record DeniedKey(String policy, String key, long denied, long shadow) {
        static DeniedKey of(Offender offender) {
            return new DeniedKey(offender.policy(), offender.key(), offender.denied(), offender.recorded());
        }
    }

    @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
    void readChanges() {
        if (!feed.isWatched()) {
            lastId = UNKNOWN;
            return;
        }
        try {
            List<ChangeItem> changes = database.transaction(this::since);
            changes.stream().limit(CHANGES_MAX).forEach(each -> feed.append("change", each));
            if (changes.size() > CHANGES_MAX) {
                feed.append(
                        "changes_omitted",
                        new MoreChanges(
                                "more than " + CHANGES_MAX + " entries were changed at once: see the audit trail"));
            }
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("changes are not read for the live view: reason=%s", unavailable.getMessage());
        }
    }

    private List<ChangeItem> since(Session session) {
        long end = session.run(LAST).iterator().next().getLong("last");
        List<ChangeItem> changes = new ArrayList<>();
        if (lastId != UNKNOWN && end > lastId) {
            for (Row row : session.run(SINCE, lastId, end, CHANGES_MAX + 1)) {
                changes.add(new ChangeItem(
                        row.getLong("id"),
                        row.getLong("revision"),
                        Timestamps.of(row, "at").toString(),
                        row.getString("actor"),
                        row.getString("action"),
                        row.getString("kind"),
                        row.getString("entry_id")));
            }
        }
        lastId = end;
        return changes;
    }

    @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
    void readTopKeys() {
        if (!feed.isWatched()) {
            return;
        }
        try {
            Instant from = Timestamps.ofMicros(time.wallMicros()).minus(KEYS_RANGE);
            HistoryFilter consumed = filter(Optional.of(from), true);
            List<HotKey> consumers = usage.hotKeys(consumed, KEYS_MAX);
            List<DeniedKey> offenders = violations.topOffenders(filter(Optional.of(from), false), KEYS_MAX).stream()
                    .map(DeniedKey::of)
                    .toList();
            feed.topKeys(new TopKeys(
                    consumed.range().from().toString(), consumed.range().to().toString(), consumers, offenders));
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("the busiest keys are not read for the live view: reason=%s", unavailable.getMessage());
        }
    }

    private HistoryFilter filter(Optional<Instant> from, boolean ofUsage) {
        return new HistoryFilter(
                ofUsage ? usage.usageRange(from, Optional.empty()) : usage.violationRange(from, Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
