package io.meridian.limiter.policy.table;

import io.meridian.model.match.Check;
import io.meridian.model.rules.Identifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Clients by identifier, each with a payload: a few longs, the first of them the microsecond it ends at. Immutable. Only
 * types that occur are looked up: api_key before user_id before tenant before ip, then the others by name.
 */
public final class IdentifierTable {
    private static final List<String> FIRST = List.of("api_key", "user_id", "tenant", Identifier.ADDRESS);
    private static final Comparator<String> PRECEDENCE = Comparator.<String>comparingInt(
                    type -> FIRST.contains(type) ? FIRST.indexOf(type) : FIRST.size())
            .thenComparing(Comparator.naturalOrder());

    /** No clients. */
    public static final IdentifierTable EMPTY = new IdentifierTable(List.of());

    private final TypeTable[] tables;
    private final long size;

    IdentifierTable(List<TypeTable> tables) {
        this.tables = tables.stream()
                .filter(table -> table.table().size() > 0)
                .sorted(Comparator.comparing(TypeTable::type, PRECEDENCE))
                .toArray(TypeTable[]::new);
        this.size = tables.stream().mapToLong(table -> table.table().size()).sum();
    }

    public boolean isEmpty() {
        return tables.length == 0;
    }

    /** How many entries there are, expired ones included. */
    public long size() {
        return size;
    }

    /** What it takes of the heap, about. */
    public long bytes() {
        return Arrays.stream(tables).mapToLong(table -> table.table().bytes()).sum();
    }

    /** The entry of a client, null if it has none that is still in force. */
    public @Nullable Found find(Check check, long nowMicros) {
        return find(check, nowMicros, Fit.ANY);
    }

    /** The first entry of a client that is in force and fits. */
    public @Nullable Found find(Check check, long nowMicros, Fit fit) {
        for (TypeTable table : tables) {
            Found found = table.find(check, nowMicros, fit);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** How many entries have a payload that does not fit. */
    public long countUnfit(Fit fit) {
        long[] unfit = new long[1];
        for (TypeTable table : tables) {
            table.table().forEach((bytes, from, length, payload) -> unfit[0] += fit.test(payload) ? 0 : 1);
        }
        return unfit[0];
    }

    /** Shows every entry with its payload. */
    public void forEach(BiConsumer<Identifier, long[]> visitor) {
        for (TypeTable table : tables) {
            table.table()
                    .forEach((bytes, from, length, payload) ->
                            visitor.accept(IdentifierKey.read(table.type(), bytes, from, length), payload));
        }
    }
}
