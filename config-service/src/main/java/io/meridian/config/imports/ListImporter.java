package io.meridian.config.imports;

import io.meridian.config.imports.ImportLine.WrongLines;
import io.meridian.config.imports.ImportStatus.State;
import io.meridian.config.audit.Actor;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.RuleStore.Changed;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.DatabaseUnavailableException.OutcomeUnknown;
import io.meridian.config.database.Timestamps;
import io.meridian.model.rulebook.ListKind;
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

/** ListImporter a list: reads and stages its lines, and makes them entries if all are good. */
@Singleton
public class ListImporter {
    /** The most lines of one import. */
    public static final long LINES_MAX = 5_000_000;

    private static final Logger LOG = Logger.getLogger(ListImporter.class);
    private static final int BATCH = 1_000;
    /** Lines that come slowly are staged before anybody takes the import for dead. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

    private final Database database;
    private final ImportTable rows;
    private final TimeSource time;
    private final Event<Changed> changed;

    ListImporter(Database database, ImportTable rows, TimeSource time, Event<Changed> changed) {
        this.database = database;
        this.rows = rows;
        this.time = time;
        this.changed = changed;
    }

    public Optional<ImportStatus> find(long id) {
        return rows.find(id);
    }

    public List<ImportStatus> latest(long before, int limit) {
        return rows.latest(before, limit);
    }

    /** Empty if another import is under way. Returns when it is over, one way or the other. */
    public Optional<ImportStatus> run(
            Actor actor, ListKind list, Mode mode, Format format, InputStream body, boolean dryRun) {
        EntryKind kind = list == ListKind.ALLOW ? EntryKind.ALLOW : EntryKind.DENY;
        Instant now = Timestamps.ofMicros(time.wallMicros());
        return rows.begin(actor, kind, mode, now).flatMap(id -> {
            WrongLines wrong = new WrongLines();
            boolean ended = false;
            try {
                read(id, format.lines(body, list), wrong);
                rows.findRepeated(id, wrong);
                if (wrong.count() == 0) {
                    rows.applying(id);
                    apply(new ImportCommit(database, id, kind, mode, actor, now), dryRun);
                } else {
                    rows.end(id, State.REFUSED, wrong);
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

    private void apply(ImportCommit application, boolean dryRun) {
        if (dryRun) {
            application.rehearse();
        } else {
            changed.fire(new Changed(application.run()));
        }
    }

    /** How it ended, which PostgreSQL has to tell: until it does the caller does not know. */
    private Optional<ImportStatus> view(long id) {
        try {
            return rows.find(id);
        } catch (DatabaseUnavailableException away) {
            throw new OutcomeUnknown(away);
        }
    }

    private void read(long id, Iterator<ImportLine> lines, WrongLines wrong) {
        List<ImportLine.Good> good = new ArrayList<>(BATCH);
        long read = 0;
        long stagedNanos = time.monotonicNanos();
        while (lines.hasNext()) {
            ImportLine line = lines.next();
            read++;
            if (line instanceof ImportLine.Good entry) {
                good.add(entry);
            } else if (line instanceof ImportLine.Wrong not) {
                wrong.add(not);
            }
            if (read > LINES_MAX) {
                wrong.add(new ImportLine.Wrong(line.number(), "an import must have at most " + LINES_MAX + " lines"));
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
            rows.end(id, State.FAILED, wrong);
        } catch (RuntimeException away) {
            LOG.warnf(
                    "an import broke off and its lines are cleared by the next: id=%d, reason=%s",
                    id, away.getMessage());
        }
    }

    /** What an import does to the entries that are not in it. */
    public enum Mode {
        /** They stay. */
        MERGE,
        /** They go. */
        REPLACE
    }

    /** The forms in which a list comes. */
    public enum Format {
        CSV,
        NDJSON;

        public static Optional<Format> of(String mediaType) {
            return switch (mediaType) {
                case "text/csv" -> Optional.of(CSV);
                case "application/x-ndjson" -> Optional.of(NDJSON);
                default -> Optional.empty();
            };
        }

        Iterator<ImportLine> lines(InputStream body, ListKind list) {
            return this == CSV ? new CsvLines(body, list) : new NdjsonLines(body, list);
        }
    }

    /** An import that cannot go on. Nothing of it was imported. */
    public static final class ImportFailedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ImportFailedException(String reason) {
            super(reason + "; nothing of it was imported, send it again");
        }
    }
}
