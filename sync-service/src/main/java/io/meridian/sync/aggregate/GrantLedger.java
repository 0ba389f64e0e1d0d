package io.meridian.sync.aggregate;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The leader's ledger of one (policy, key, window) in escrow, immutable.
 *
 * <p>Invariant: {@code sum(granted - returned) <= limit} after every {@link #grant}. A region spends at most what it was
 * granted and has not returned, so the sum of what all regions spend never exceeds the limit, whatever is lost, delayed
 * or repeated. Budget comes back only by an explicit return: a region, or an incarnation of one, that never reports again
 * keeps what it was granted, as if it had spent it.
 */
public record GrantLedger(Map<RegionIncarnation, Account> accounts) {
    public static final GrantLedger EMPTY = new GrantLedger(Map.of());

    public GrantLedger {
        accounts = Collections.unmodifiableMap(new TreeMap<>(accounts));
    }

    public Account account(RegionIncarnation incarnation) {
        return accounts.getOrDefault(incarnation, Account.EMPTY);
    }

    /** Units that all incarnations of one region spent. */
    public long spent(String region) {
        return accounts.entrySet().stream()
                .filter(entry -> entry.getKey().region().equals(region))
                .mapToLong(entry -> entry.getValue().spent())
                .sum();
    }

    /** Units that all regions together hold or have spent. */
    public long outstanding() {
        return accounts.values().stream().mapToLong(Account::outstanding).sum();
    }

    /**
     * Units that may still be granted: max(0, limit - outstanding). Zero while the ledger is behind, because grants that it does not
     * know of may be outstanding too.
     */
    public long free(long limit) {
        boolean behind = accounts.values().stream().anyMatch(Account::isBehind);
        return behind ? 0 : Math.max(0, limit - outstanding());
    }

    /** The ledger with {@code amount} more for one region; refuses what is not free. */
    public GrantLedger grant(RegionIncarnation incarnation, long amount, long limit) {
        if (amount < 0 || amount > free(limit)) {
            throw new IllegalArgumentException(
                    "amount must be from 0 to the free " + free(limit) + " of limit " + limit + ", got " + amount);
        }
        Account account = account(incarnation);
        return merge(incarnation, new Account(account.granted() + amount, 0, UsageCount.ZERO));
    }

    /** The ledger with a region's report; one that is repeated or late changes nothing. */
    public GrantLedger report(RegionIncarnation incarnation, long returned, UsageCount usage) {
        return merge(incarnation, new Account(0, returned, usage));
    }

    private GrantLedger merge(RegionIncarnation incarnation, Account account) {
        return merge(new GrantLedger(Map.of(incarnation, account)));
    }

    /** Merges two views of one ledger, such as those that a new leader derives from verdicts and from usage; in any order. */
    public GrantLedger merge(GrantLedger other) {
        Map<RegionIncarnation, Account> merged = new TreeMap<>(accounts);
        other.accounts.forEach((incarnation, account) -> merged.merge(incarnation, account, Account::merge));
        return new GrantLedger(merged);
    }

    /**
     * Account of one incarnation of a region in one window: grants, its floor included, and the usage it has reported. Grants are the leader's word,
     * {@code returned} and {@code usage} the region's, and all of these only grow.
     *
     * @param returned what of its grants the region has given back
     * @param usage what the region took of its grants, and what of that was refunded
     */
    public record Account(long granted, long returned, UsageCount usage) {
        public static final Account EMPTY = new Account(0, 0, UsageCount.ZERO);

        public Account {
            if (granted < 0 || returned < 0) {
                throw new IllegalArgumentException(
                        "an account must not be negative, got granted " + granted + ", returned " + returned);
            }
        }

        /**
         * Units that count against the limit: max(granted - returned, spent, 0). Spent units exceed the grants in a region that may
         * overdraw.
         */
        public long outstanding() {
            return Math.max(Math.max(0, granted - returned), spent());
        }

        public long spent() {
            return usage.net();
        }

        /** Granted units that the region may still spend, by its last report. */
        public long unspent() {
            return Math.max(0, granted - returned - spent());
        }

        /** Whether the region spent or gave back more than it had. */
        public boolean isImpossible() {
            return returned > granted || spent() > granted - returned;
        }

        /** Whether the region gave back more than this ledger knows it was granted: then grants are missing from it. */
        boolean isBehind() {
            return returned > granted;
        }

        Account merge(Account other) {
            return new Account(
                    Math.max(granted, other.granted), Math.max(returned, other.returned), usage.merge(other.usage));
        }
    }
}
