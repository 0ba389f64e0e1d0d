package io.meridian.config.drills;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.config.audit.Actor;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.meridian.config.drills.PublishedDrill.JudgedPromise;
import io.meridian.config.drills.PublishedDrill.Verdict;
import io.meridian.model.time.TimeSource;
import io.meridian.model.validation.EnumNames;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Archive of published drills in PostgreSQL. Bounded: the drill that was published first is deleted for one too many. */
@Singleton
public class DrillArchive {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<List<JudgedPromise>> PROMISES = new TypeReference<>() {};
    private static final String KIND = "drill";
    private static final String SUMMARY =
            "id, name, title, target, started_at, ended_at, verdict, sentence, promises, published_at, published_by,"
                    + " report IS NOT NULL AS has_report";
    private static final String INSERT = """
            INSERT INTO drill (name, title, target, started_at, ended_at, verdict, sentence, promises, journal, report,
                published_at, published_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (name, started_at) DO NOTHING RETURNING id""";
    private static final String TRIM =
            "DELETE FROM drill WHERE id <= (SELECT id FROM drill ORDER BY id DESC OFFSET $1 LIMIT 1)";

    private final Database database;
    private final DrillArchiveConfig config;
    private final TimeSource time;

    DrillArchive(Database database, DrillArchiveConfig config, TimeSource time) {
        this.database = database;
        this.config = config;
        this.time = time;
    }

    /** Drill in the archive, without its journal and its page. */
    public record Summary(
            long id,
            String name,
            String title,
            String target,
            Instant startedAt,
            Instant endedAt,
            Verdict verdict,
            String sentence,
            List<JudgedPromise> promises,
            Instant publishedAt,
            String publishedBy,
            boolean hasReport) {}

    /** A drill with its journal. */
    public record Archived(Summary summary, String journal) {}

    /** Which drills; {@code before} is the id where an earlier page ended. */
    public record Filter(
            Optional<Instant> from,
            Optional<Instant> to,
            Optional<String> name,
            Optional<String> verdict,
            Optional<Long> before) {}

    /** Some drills, and the id after which the next page begins. */
    public record Page(List<Summary> items, Optional<Long> next) {}

    /** Whether this drill was published before: its name and its start identify it. */
    public boolean has(PublishedDrill drill) {
        return database.read(session -> session.run(
                        "SELECT EXISTS (SELECT 1 FROM drill WHERE name = $1 AND started_at = $2)",
                        drill.name(),
                        Timestamps.toDatabase(drill.startedAt()))
                .iterator()
                .next()
                .getBoolean(0));
    }

    /** Stores a drill and its audit row; empty if it was published before. */
    public Optional<Long> publish(Actor actor, PublishedDrill drill) {
        Instant now = now();
        return database.transaction(session -> {
            Iterator<Row> inserted = session.run(
                            INSERT,
                            drill.name(),
                            drill.title(),
                            drill.target(),
                            Timestamps.toDatabase(drill.startedAt()),
                            Timestamps.toDatabase(drill.endedAt()),
                            EnumNames.text(drill.verdict()),
                            drill.sentence(),
                            json(drill.promises()),
                            drill.journal(),
                            drill.report().orElse(null),
                            Timestamps.toDatabase(now),
                            actor.name())
                    .iterator();
            if (!inserted.hasNext()) {
                return Optional.empty();
            }
            long id = inserted.next().getLong(0);
            session.run(TRIM, config.kept());
            AuditTrail.Row row = new AuditTrail.Row(
                    "created",
                    KIND,
                    Long.toString(id),
                    null,
                    Optional.empty(),
                    Optional.of(JsonNodeFactory.instance
                            .objectNode()
                            .put("drill", drill.name())
                            .put("started_at", drill.startedAt().toString())
                            .put("verdict", EnumNames.text(drill.verdict()))));
            AuditTrail.append(session, actor, now, List.of(row));
            return Optional.of(id);
        });
    }

    public Instant now() {
        return Timestamps.ofMicros(time.wallMicros());
    }

    /** The latest published first. */
    public Page list(Filter filter, int limit) {
        SqlStatement statement = SqlStatement.of("SELECT " + SUMMARY + " FROM drill WHERE true")
                .addIf("AND started_at >= ?", filter.from().map(Timestamps::toDatabase))
                .addIf("AND started_at < ?", filter.to().map(Timestamps::toDatabase))
                .addIf("AND name = ?", filter.name())
                .addIf("AND verdict = ?", filter.verdict())
                .addIf("AND id < ?", filter.before())
                .add("ORDER BY id DESC LIMIT ?", limit + 1);
        List<Summary> items = new ArrayList<>();
        for (Row row : database.read(statement::run)) {
            if (items.size() == limit) {
                return new Page(items, Optional.of(items.get(limit - 1).id()));
            }
            items.add(summary(row));
        }
        return new Page(items, Optional.empty());
    }

    public Optional<Archived> find(long id) {
        RowSet<Row> rows =
                database.read(session -> session.run("SELECT " + SUMMARY + ", journal FROM drill WHERE id = $1", id));
        return rows.iterator().hasNext()
                ? Optional.of(new Archived(
                        summary(rows.iterator().next()), rows.iterator().next().getString("journal")))
                : Optional.empty();
    }

    /** The page of a drill; empty if there is no such drill, or it was published without one. */
    public Optional<String> report(long id) {
        Iterator<Row> rows = database.read(
                        session -> session.run("SELECT report FROM drill WHERE id = $1 AND report IS NOT NULL", id))
                .iterator();
        return rows.hasNext() ? Optional.of(rows.next().getString("report")) : Optional.empty();
    }

    private static Summary summary(Row row) {
        return new Summary(
                row.getLong("id"),
                row.getString("name"),
                row.getString("title"),
                row.getString("target"),
                Timestamps.of(row, "started_at"),
                Timestamps.of(row, "ended_at"),
                EnumNames.find(Verdict.class, row.getString("verdict")).orElse(Verdict.UNKNOWN),
                row.getString("sentence"),
                promises(row.getString("promises")),
                Timestamps.of(row, "published_at"),
                row.getString("published_by"),
                row.getBoolean("has_report"));
    }

    private static String json(List<JudgedPromise> promises) {
        try {
            return MAPPER.writeValueAsString(promises);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static List<JudgedPromise> promises(String json) {
        try {
            return MAPPER.readValue(json, PROMISES);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
