package io.meridian.config.imports;

import io.meridian.config.audit.Actor;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.DatabaseUnavailableException.OutcomeUnknown;
import io.meridian.config.database.Timestamps;
import io.meridian.config.imports.ImportLine.WrongLines;
import io.meridian.config.imports.ImportStatus.State;
import io.meridian.config.imports.LineReader.CsvLines;
import io.meridian.config.imports.LineReader.NdjsonLines;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.RuleStore.Changed;
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

/**
 * Import of a list: reads and stages its lines, and makes them entries if all are valid. Of millions of lines either all
 * become entries or none.
 */
@Singleton
public class ListImporter {
    /** The most lines of one import. */
    public static final long LINES_MAX = 5_000_000;

    private static final Logger LOG = Logger.getLogger(ListImporter.class);
    private static final int BATCH = 1_000;
    /** Lines that arrive slowly are staged at this interval, so that the import is not taken for dead. */
    private static final Duration STAGE_INTERVAL = Duration.ofSeconds(10);

    private final Database database;
    private final ImportTable table;
    private final TimeSource time;
    private final Event<Changed> changed;

    ListImporter(Database database, ImportTable table, TimeSource time, Event<Changed> changed) {
        this.database = database;
        this.table = table;
        this.time = time;
        this.changed = changed;
    }

    public Optional<ImportStatus> find(long id) {
        return table.find(id);
    }

    public List<ImportStatus> latest(long before, int limit) {
        return table.latest(before, limit);
    }

    /** Runs an import to its end. Empty if another import is running. */
    public Optional<ImportStatus> run(
            Actor actor, ListKind list, Mode mode, Format format, InputStream body, boolean dryRun) {
        EntryKind kind = list == ListKind.ALLOW ? EntryKind.ALLOW : EntryKind.DENY;
        Instant now = Timestamps.ofMicros(time.wallMicros());
        return table.begin(actor, kind, mode, now).flatMap(id -> {
            WrongLines wrong = new WrongLines();
            boolean ended = false;
            try {
                read(id, format.lines(body, list), wrong);
                table.findRepeated(id, wrong);
                if (wrong.count() == 0) {
                    table.applying(id);
                    finish(new ImportCommit(database, id, kind, mode, actor, now), dryRun);
                } else {
                    table.end(id, State.REFUSED, wrong);
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

    private void finish(ImportCommit commit, boolean dryRun) {
        if (dryRun) {
            commit.dryRun();
        } else {
            changed.fire(new Changed(commit.run()));
        }
    }

    /** The final state, read from PostgreSQL: without it the outcome is unknown. */
    private Optional<ImportStatus> view(long id) {
        try {
            return table.find(id);
        } catch (DatabaseUnavailableException unavailable) {
            throw new OutcomeUnknown(unavailable);
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
            } else if (line instanceof ImportLine.Wrong error) {
                wrong.add(error);
            }
            if (read > LINES_MAX) {
                wrong.add(new ImportLine.Wrong(line.number(), "an import must have at most " + LINES_MAX + " lines"));
                break;
            }
            if (good.size() == BATCH || time.monotonicNanos() - stagedNanos > STAGE_INTERVAL.toNanos()) {
                table.stage(id, good, read, wrong);
                good.clear();
                stagedNanos = time.monotonicNanos();
            }
        }
        table.stage(id, good, read, wrong);
    }

    private void fail(long id, WrongLines wrong) {
        try {
            table.end(id, State.FAILED, wrong);
        } catch (RuntimeException failed) {
            LOG.warnf(
                    "an import was aborted, its lines are cleared by the next one: id=%d, reason=%s",
                    id, failed.getMessage());
        }
    }

    /** Treatment of the entries that are not in the import. */
    public enum Mode {
        /** They are kept. */
        MERGE,
        /** They are deleted. */
        REPLACE
    }

    /** File formats of a list. */
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

    /** Abort of an import; nothing of it was imported. */
    public static final class ImportFailedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ImportFailedException(String reason) {
            super(reason + "; nothing of it was imported, send it again");
        }
    }
}
