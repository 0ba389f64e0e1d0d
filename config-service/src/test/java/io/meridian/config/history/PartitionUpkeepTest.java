package io.meridian.config.history;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.config.store.Database;
import io.meridian.config.store.Schema;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Inject;
import java.time.LocalDate;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Partitions of a real PostgreSQL come and go by the day. */
@ServiceTest
class PartitionUpkeepTest {
    @Inject
    Database database;

    @Inject
    Schema schema;

    @Inject
    PartitionUpkeep upkeep;

    @Inject
    TimeSource time;

    @Test
    void partitions_are_made_ahead_and_go_when_their_time_is_over() throws Exception {
        eventually("the schema is there").until(schema::isReady);
        LocalDate today = Micros.day(time.wallMicros());
        database.transaction(session -> {
            for (HistoryTable table : HistoryTable.values()) {
                Partitions.make(session, table, today.minusDays(31));
                Partitions.make(session, table, today.minusDays(30));
            }
            return null;
        });

        eventually("no other is at it").until(() -> upkeep.run(today));

        for (HistoryTable table : HistoryTable.values()) {
            Set<LocalDate> days = database.read(session -> Partitions.days(session, table));
            assertThat(days)
                    .contains(today.minusDays(30), today.minusDays(1), today, today.plusDays(7))
                    .doesNotContain(today.minusDays(31), today.plusDays(9));
        }
    }
}
