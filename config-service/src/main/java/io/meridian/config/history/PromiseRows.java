package io.meridian.config.history;

import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.UsageRecord;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Rows of the promise ledger that an intake transaction writes: the counts of windows of global limits, and the windows to judge. Only
 * limits with aligned windows have one; those that slide or drain promise nothing of a single window.
 */
final class PromiseRows {
    private static final String ACCOUNTS = "INSERT INTO promise_account AS kept (window_end, policy, window_start, key,"
            + " region, incarnation, escrow, limit_units, demand_per_second, taken, returned)"
            + " SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::bigint[],"
            + " $7::boolean[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])"
            + " ON CONFLICT (window_end, policy, window_start, key, region, incarnation) DO UPDATE SET"
            + " escrow = excluded.escrow, limit_units = greatest(kept.limit_units, excluded.limit_units),"
            + " demand_per_second = greatest(kept.demand_per_second, excluded.demand_per_second),"
            + " taken = greatest(kept.taken, excluded.taken), returned = greatest(kept.returned, excluded.returned)"
            + " WHERE excluded.taken > kept.taken OR excluded.returned > kept.returned"
            + " OR excluded.limit_units > kept.limit_units OR excluded.demand_per_second > kept.demand_per_second";
    /** A window that was judged is judged again; one that is still due stays so. In one order, so that two writers never deadlock. */
    private static final String WINDOWS =
            "INSERT INTO promise_window AS kept (window_end, policy, window_start, due_at)"
                    + " SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::timestamptz[], $4::timestamptz[])"
                    + " ON CONFLICT (window_end, policy, window_start) DO UPDATE SET due_at = excluded.due_at"
                    + " WHERE kept.due_at IS NULL";

    private final Map<AccountId, Account> accounts = new HashMap<>();

    private record AccountId(LimitWindow limit, long endMicros, RegionIncarnation incarnation) {}

    private record PolicyWindow(long endMicros, String policy, long startMicros) {}

    private record Account(boolean escrow, long limit, long demandPerSecond, UsageCount count) {
        Account merge(Account later) {
            return new Account(
                    later.escrow,
                    Math.max(limit, later.limit),
                    Math.max(demandPerSecond, later.demandPerSecond),
                    count.merge(later.count));
        }
    }

    void add(UsageRecord record) {
        SharingMode sharing = record.rule().sharing();
        boolean hasWindow = sharing == SharingMode.CONVERGE || sharing == SharingMode.ESCROW;
        if (!hasWindow || record.rule().limit() == 0) {
            return;
        }
        end(record)
                .ifPresent(endMicros -> accounts.merge(
                        new AccountId(record.limit(), endMicros, record.incarnation()),
                        new Account(
                                sharing == SharingMode.ESCROW,
                                record.rule().limit(),
                                record.demandPerSecond(),
                                record.count()),
                        Account::merge));
    }

    /** Empty if it is no time: a record may say any number. */
    private static Optional<Long> end(UsageRecord record) {
        long startMicros = record.limit().startMicros();
        long endMicros = record.rule().endMicros(startMicros);
        return Timestamps.isPlausible(startMicros) && Timestamps.isPlausible(endMicros) && endMicros > startMicros
                ? Optional.of(endMicros)
                : Optional.empty();
    }

    boolean isEmpty() {
        return accounts.isEmpty();
    }

    /** Writes the rows whose day has a partition, and returns the number of the others. */
    int write(Session session, Set<LocalDate> days, long graceMicros) {
        List<Map.Entry<AccountId, Account>> rows = accounts.entrySet().stream()
                .filter(row -> days.contains(Timestamps.day(row.getKey().endMicros)))
                .toList();
        if (!rows.isEmpty()) {
            writeAccounts(session, rows);
            writeWindows(session, rows, graceMicros);
        }
        return accounts.size() - rows.size();
    }

    private static void writeAccounts(Session session, List<Map.Entry<AccountId, Account>> rows) {
        session.run(
                ACCOUNTS,
                times(rows, row -> row.getKey().endMicros),
                rows.stream().map(row -> row.getKey().limit.policyId()).toArray(String[]::new),
                times(rows, row -> row.getKey().limit.startMicros()),
                rows.stream().map(row -> row.getKey().limit.key()).toArray(String[]::new),
                rows.stream().map(row -> row.getKey().incarnation.region()).toArray(String[]::new),
                rows.stream().map(row -> row.getKey().incarnation.number()).toArray(Long[]::new),
                rows.stream().map(row -> row.getValue().escrow).toArray(Boolean[]::new),
                rows.stream().map(row -> row.getValue().limit).toArray(Long[]::new),
                rows.stream().map(row -> row.getValue().demandPerSecond).toArray(Long[]::new),
                rows.stream().map(row -> row.getValue().count.taken()).toArray(Long[]::new),
                rows.stream().map(row -> row.getValue().count.returned()).toArray(Long[]::new));
    }

    private static void writeWindows(Session session, List<Map.Entry<AccountId, Account>> rows, long graceMicros) {
        Set<PolicyWindow> ordered = new TreeSet<>(Comparator.comparingLong(PolicyWindow::endMicros)
                .thenComparing(PolicyWindow::policy)
                .thenComparingLong(PolicyWindow::startMicros));
        rows.forEach(row -> ordered.add(new PolicyWindow(
                row.getKey().endMicros,
                row.getKey().limit.policyId(),
                row.getKey().limit.startMicros())));
        List<PolicyWindow> windows = List.copyOf(ordered);
        session.run(
                WINDOWS,
                times(windows, PolicyWindow::endMicros),
                windows.stream().map(PolicyWindow::policy).toArray(String[]::new),
                times(windows, PolicyWindow::startMicros),
                times(windows, window -> window.endMicros + graceMicros));
    }

    private static <R> OffsetDateTime[] times(List<R> rows, Function<R, Long> column) {
        return rows.stream().map(column).map(Timestamps::toDatabase).toArray(OffsetDateTime[]::new);
    }

    /** The grace of a setting, in microseconds. */
    static long graceMicros(HistoryConfig config) {
        return TimeUnit.NANOSECONDS.toMicros(config.promiseGrace().toNanos());
    }
}
