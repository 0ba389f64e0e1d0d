package io.meridian.config.history;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.DailyPartitions.Table;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Inject;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Daily partitions on a real PostgreSQL. */
@ServiceTest
class DailyPartitionsTest {
    private static final List<Table> BY_REPORT = List.of(Table.USAGE_HISTORY, Table.VIOLATION);

    @Inject
    Database database;

    @Inject
    Schema schema;

    @Inject
    DailyPartitions partitions;

    @Inject
    TimeSource time;

    @Test
    void partitions_are_made_ahead_and_go_when_their_time_is_over() throws Exception {
        eventually("the schema is there").until(schema::isReady);
        LocalDate today = Timestamps.day(time.wallMicros());
        database.transaction(session -> {
            for (Table table : BY_REPORT) {
                table.create(session, today.minusDays(31));
                table.create(session, today.minusDays(30));
            }
            return null;
        });

        eventually("no other is at it").until(() -> partitions.maintain(today));

        for (Table table : BY_REPORT) {
            Set<LocalDate> days = database.read(session -> table.days(session));
            assertThat(days)
                    .contains(today.minusDays(30), today.minusDays(1), today, today.plusDays(7))
                    .doesNotContain(today.minusDays(31), today.plusDays(9));
        }
    }

    @Test
    void windows_have_partitions_until_the_end_of_the_longest_of_them() throws Exception {
        eventually("the schema is there").until(schema::isReady);
        LocalDate today = Timestamps.day(time.wallMicros());

        eventually("no other is at it").until(() -> partitions.maintain(today));

        for (Table table : List.of(Table.PROMISE_ACCOUNT, Table.PROMISE_WINDOW, Table.PROMISE_BREACH)) {
            Set<LocalDate> days = database.read(session -> table.days(session));
            assertThat(days).contains(today.minusDays(1), today, today.plusDays(33));
        }
    }
}
