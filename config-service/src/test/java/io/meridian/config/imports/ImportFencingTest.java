package io.meridian.config.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.config.ServiceTest;
import io.meridian.config.api.Admin;
import io.meridian.config.audit.Actor;
import io.meridian.config.database.Database;
import io.meridian.config.imports.ImportLine.WrongLines;
import io.meridian.config.imports.ImportStatus.State;
import io.meridian.config.imports.ListImporter.ImportFailedException;
import io.meridian.config.imports.ListImporter.Mode;
import io.meridian.config.rules.EntryKind;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An import that was taken for dead, or whose lines were lost, does nothing more; least of all remove what it lost. */
@ServiceTest
class ImportFencingTest {
    private static final Actor ACTOR = new Actor("test", "test");
    private static final WrongLines NONE = new WrongLines();

    @Inject
    ImportTable rows;

    @Inject
    Database database;

    @BeforeEach
    void two_clients_are_on_the_list() throws Exception {
        Admin.awaitReady();
        run("UPDATE import SET state = 'failed' WHERE state IN ('reading', 'applying')");
        apply(begun("one", "two"), Mode.REPLACE);
        assertThat(listed()).isEqualTo(2);
    }

    @AfterEach
    void the_list_is_empty_again() {
        run("UPDATE import SET state = 'failed' WHERE state IN ('reading', 'applying')");
        apply(begun(), Mode.REPLACE);
    }

    @Test
    void one_that_was_taken_for_dead_can_do_nothing_to_the_one_that_came_after_it() {
        long dead = begun("one");
        run("UPDATE import SET updated_at = now() - interval '3 minutes' WHERE id = " + dead);
        long next = begun("one", "two", "three");

        assertThatThrownBy(() -> rows.stage(dead, List.of(line(2, "two")), 2, NONE))
                .isInstanceOf(ImportFailedException.class)
                .hasMessageContaining("another one began");
        assertThatThrownBy(() -> rows.applying(dead)).isInstanceOf(ImportFailedException.class);
        assertThatThrownBy(() -> application(dead, Mode.REPLACE).run()).isInstanceOf(ImportFailedException.class);
        rows.end(dead, State.FAILED, NONE);
        assertThat(listed()).isEqualTo(2);

        apply(next, Mode.REPLACE);
        assertThat(listed()).isEqualTo(3);
        assertThat(rows.find(next).orElseThrow().state()).isEqualTo(State.DONE);
    }

    @Test
    void one_whose_lines_a_crash_has_taken_removes_nothing() {
        long id = begun("one", "two");
        run("TRUNCATE import_line");
        rows.applying(id);

        assertThatThrownBy(() -> application(id, Mode.REPLACE).run())
                .isInstanceOf(ImportFailedException.class)
                .hasMessageContaining("0 of 2 lines");

        assertThat(listed()).isEqualTo(2);
        rows.end(id, State.FAILED, NONE);
    }

    @Test
    void one_that_is_done_stays_so_whatever_is_said_of_it_later() {
        long id = begun("one");
        apply(id, Mode.MERGE);

        rows.end(id, State.FAILED, NONE);

        assertThat(rows.find(id).orElseThrow().state()).isEqualTo(State.DONE);
    }

    private long begun(String... clients) {
        long id =
                rows.begin(ACTOR, EntryKind.ALLOW, Mode.REPLACE, Instant.EPOCH).orElseThrow();
        for (int i = 0; i < clients.length; i++) {
            rows.stage(id, List.of(line(i + 1, clients[i])), i + 1L, NONE);
        }
        return id;
    }

    private void apply(long id, Mode mode) {
        rows.applying(id);
        application(id, mode).run();
    }

    private ImportCommit application(long id, Mode mode) {
        return new ImportCommit(database, id, EntryKind.ALLOW, mode, ACTOR, Instant.EPOCH);
    }

    private static ImportLine.Good line(int number, String client) {
        return new ImportLine.Good(
                number,
                new RuleEntry.OfList(
                        ListKind.ALLOW, new ListEntry(new Identifier("tenant", client), "", Expiry.NEVER)));
    }

    private long listed() {
        return database.read(session -> session.run("SELECT count(*) AS n FROM allow_list"))
                .iterator()
                .next()
                .getLong("n");
    }

    private void run(String sql) {
        var unused = database.read(session -> session.run(sql));
    }
}
