package io.meridian.model.escrow;

import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.UsageCount;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The leader's book of one (policy, key, window) in escrow, immutable.
 *
 * <p>Invariant: {@code sum(granted - returned) <= limit} after every {@link #grant}. A region spends at most what it was
 * granted and has not returned, so the sum of what all regions spend never exceeds the limit, whatever is lost, delayed
 * or repeated. Budget comes back only by an explicit return: a region, or a life of one, that is never heard of again
 * keeps what it was granted, as if it had spent it.
 */
public record GrantLedger(Map<RegionLife, Account> accounts) {
    public static final GrantLedger EMPTY = new GrantLedger(Map.of());

    public GrantLedger {
        accounts = Collections.unmodifiableMap(new TreeMap<>(accounts));
    }

    public Account account(RegionLife life) {
        return accounts.getOrDefault(life, Account.EMPTY);
    }

    /** What all lives of one region spent. */
    public long spent(String region) {
        return accounts.entrySet().stream()
                .filter(entry -> entry.getKey().region().equals(region))
                .mapToLong(entry -> entry.getValue().spent())
                .sum();
    }

    /** What all regions together hold or have spent. */
    public long outstanding() {
        return accounts.values().stream().mapToLong(Account::outstanding).sum();
    }

    /**
     * What may still be granted. None, not less, while a lowered limit is below what is outstanding, and none while the
     * ledger is behind: what it does not know of may be outstanding too.
     */
    public long free(long limit) {
        boolean behind = accounts.values().stream().anyMatch(Account::isBehind);
        return behind ? 0 : Math.max(0, limit - outstanding());
    }

    /** The ledger with {@code amount} more for one region; refuses what is not free. */
    public GrantLedger grant(RegionLife life, long amount, long limit) {
        if (amount < 0 || amount > free(limit)) {
            throw new IllegalArgumentException(
                    "amount must be from 0 to the free " + free(limit) + " of limit " + limit + ", got " + amount);
        }
        Account account = account(life);
        return merge(life, new Account(account.granted() + amount, 0, UsageCount.ZERO));
    }

    /** The ledger after hearing from a region; what is repeated or late changes nothing. */
    public GrantLedger report(RegionLife life, long returned, UsageCount usage) {
        return merge(life, new Account(0, returned, usage));
    }

    private GrantLedger merge(RegionLife life, Account account) {
        return merge(new GrantLedger(Map.of(life, account)));
    }

    /** Two views of one ledger, such as what verdicts and what usage tell a new leader; in any order. */
    public GrantLedger merge(GrantLedger other) {
        Map<RegionLife, Account> merged = new TreeMap<>(accounts);
        other.accounts.forEach((life, account) -> merged.merge(life, account, Account::merge));
        return new GrantLedger(merged);
    }
}
