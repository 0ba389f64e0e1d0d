package io.meridian.config.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.config.api.Admin;
import io.meridian.config.database.DatabaseConfig;
import io.meridian.config.database.Schema;
import io.meridian.config.database.UnsteadyDatabase;
import io.meridian.config.rules.RuleStore.Changed;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.time.TimeSource;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads while PostgreSQL is unavailable: from the copy, and without a wait once it is known to be unavailable. */
@ServiceTest
class EntriesWhileDatabaseUnavailableTest {
    private static final RuleEntry.Key ANY = new RuleEntry.Key.OfPolicy("nobody-made-it");

    @Inject
    Pool pool;

    @Inject
    DatabaseConfig config;

    @Inject
    Schema schema;

    private UnsteadyDatabase database;
    private SnapshotCache keeper;
    private EntryQueries entries;

    @BeforeEach
    void a_copy_was_read() throws Exception {
        Admin.awaitReady();
        database = new UnsteadyDatabase(pool, config);
        keeper = new SnapshotCache(database, schema, TimeSource.system());
        entries = new EntryQueries(database, keeper);
        keeper.refresh();
        assertThat(isFromCopy()).isFalse();
    }

    @Test
    void once_it_is_known_to_be_away_nobody_waits_for_it() {
        database.leave(() -> {});
        assertThat(isFromCopy()).as("one who finds out").isTrue();

        keeper.refresh();
        int before = database.asked();

        assertThat(isFromCopy()).isTrue();
        assertThat(entries.page(new EntryFilter(EntryKind.POLICY, Map.of()), Optional.empty(), 1)
                        .asOf())
                .isPresent();
        assertThat(entries.revision()).isNotNegative();
        assertThat(database.asked()).isEqualTo(before);
    }

    @Test
    void when_it_is_back_it_is_asked_again() {
        database.leave(() -> {});
        keeper.refresh();

        database.comeBack();
        assertThat(isFromCopy()).isTrue();
        keeper.refresh();

        assertThat(isFromCopy()).isFalse();
    }

    @Test
    void whoever_made_a_change_reads_it_whatever_was_known_before() {
        database.leave(() -> {});
        keeper.refresh();

        database.comeBack();
        keeper.changed(new Changed(1));

        assertThat(isFromCopy()).isFalse();
    }

    /** An answer that was waited for since before the change says nothing of what is now. */
    @Test
    void a_look_that_fails_after_a_change_was_made_is_not_believed() {
        database.leave(() -> keeper.changed(new Changed(1)));
        keeper.refresh();
        database.comeBack();

        assertThat(isFromCopy()).isFalse();
    }

    private boolean isFromCopy() {
        return entries.find(ANY).asOf().isPresent();
    }
}
