package io.meridian.config.imports;

import io.meridian.config.rulebook.Actor;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.rulebook.RulebookChanged;
import io.meridian.config.store.Database;
import io.meridian.config.store.DatabaseAway;
import io.meridian.config.store.OutcomeUnknown;
import io.meridian.config.store.Times;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.time.TimeSource;
import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Imports a list: reads and stages its lines, and makes them entries if all are good. */
@Singleton
public class Imports {
    /** The most lines of one import. */
    public static final long LINES_MAX = 5_000_000;

    private static final Logger LOG = Logger.getLogger(Imports.class);
    private static final int BATCH = 1_000;
    /** Lines that come slowly are staged before anybody takes the import for dead. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

    private final Database database;
    private final ImportRows rows;
    private final TimeSource time;
    private final Event<RulebookChanged> changed;

    Imports(Database database, ImportRows rows, TimeSource time, Event<RulebookChanged> changed) {
        this.database = database;
        this.rows = rows;
        this.time = time;
        this.changed = changed;
    }

    public Optional<ImportView> find(long id) {
        return rows.find(id);
    }

    public List<ImportView> latest(long before, int limit) {
        return rows.latest(before, limit);
    }

    /** Empty if another import is under way. Returns when it is over, one way or the other. */
    public Optional<ImportView> run(
            Actor actor, ListKind list, Mode mode, Format format, InputStream body, boolean dryRun) {
        Kind kind = list == ListKind.ALLOW ? Kind.ALLOW : Kind.DENY;
        Instant now = Times.ofMicros(time.wallMicros());
        return rows.begin(actor, kind, mode, now).flatMap(id -> {
            WrongLines wrong = new WrongLines();
            boolean ended = false;
            try {
                read(id, format.lines(body, list), wrong);
                rows.findRepeated(id, wrong);
                if (wrong.count() == 0) {
                    rows.applying(id);
                    apply(new Application(database, id, kind, mode, actor, now), dryRun);
                } else {
                    rows.end(id, ImportState.REFUSED, wrong);
                }
                ended = true;
            } finally {
                if (!ended) {
                    fail(id, wrong);
                }
            }
            return view(id);
        });
    }

    private void apply(Application application, boolean dryRun) {
        if (dryRun) {
            application.rehearse();
        } else {
            changed.fire(new RulebookChanged(application.run()));
        }
    }

    /** How it ended, which PostgreSQL has to tell: until it does the caller does not know. */
    private Optional<ImportView> view(long id) {
        try {
            return rows.find(id);
        } catch (DatabaseAway away) {
            throw new OutcomeUnknown(away);
        }
    }

    private void read(long id, Iterator<Line> lines, WrongLines wrong) {
        List<Line.Good> good = new ArrayList<>(BATCH);
        long read = 0;
        long stagedNanos = time.monotonicNanos();
        while (lines.hasNext()) {
            Line line = lines.next();
            read++;
            if (line instanceof Line.Good entry) {
                good.add(entry);
            } else if (line instanceof Line.Wrong not) {
                wrong.add(not);
            }
            if (read > LINES_MAX) {
                wrong.add(new Line.Wrong(line.number(), "an import must have at most " + LINES_MAX + " lines"));
                break;
            }
            if (good.size() == BATCH || time.monotonicNanos() - stagedNanos > SILENCE_MAX.toNanos()) {
                rows.stage(id, good, read, wrong);
                good.clear();
                stagedNanos = time.monotonicNanos();
            }
        }
        rows.stage(id, good, read, wrong);
    }

    private void fail(long id, WrongLines wrong) {
        try {
            rows.end(id, ImportState.FAILED, wrong);
        } catch (RuntimeException away) {
            LOG.warnf(
                    "an import broke off and its lines are cleared by the next: id=%d, reason=%s",
                    id, away.getMessage());
        }
    }
}
