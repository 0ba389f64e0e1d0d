package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.testkit.TestAmounts;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two admins who edit one policy at once. */
@ServiceTest
class TwoAdminsTest {
    private static final int ROUNDS = TestAmounts.of(5, 20);
    private static final String PATH = Sample.POLICIES.path("contended");

    private final ExecutorService admins = Executors.newFixedThreadPool(2);

    @Inject
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        admin().body(Sample.POLICIES.entry("contended", 1)).put(PATH);
    }

    @AfterEach
    void done() {
        admins.shutdownNow();
        admin().delete(PATH);
    }

    @Test
    void one_wins_and_the_other_is_shown_what_won() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String seen = admin().get(PATH).header("ETag");

            List<Response> answers = both(round, seen);

            assertThat(answers.stream().map(Response::statusCode)).containsExactlyInAnyOrder(200, 412);
            Response won = answers.get(answers.get(0).statusCode() == 200 ? 0 : 1);
            Response lost = answers.get(answers.get(0).statusCode() == 200 ? 1 : 0);
            assertThat(lost.header("ETag")).isEqualTo(won.header("ETag"));
            assertThat(lost.<Integer>path("current.version")).isEqualTo(won.path("version"));
            assertThat(lost.<Integer>path("current.limit")).isEqualTo(won.path("limit"));
            admin().get(PATH).then().statusCode(200);
            assertThat(admin().get(PATH).asString()).isEqualTo(won.asString().replace(",\"warnings\":[]", ""));

            // The loser merges what it was shown, and nobody's work is lost.
            Response merged = admin().header("If-Match", lost.header("ETag"))
                    .body("{\"priority\": " + (round + 1) + "}")
                    .patch(PATH);
            merged.then().statusCode(200);
            assertThat(merged.<Integer>path("limit")).isEqualTo(won.path("limit"));
        }
        assertThat(versionsAreWithoutGaps()).isTrue();
    }

    @Test
    void without_if_match_the_last_one_wins() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<Response> answers = both(round, "");

            assertThat(answers.stream().map(Response::statusCode)).containsOnly(200);
            int last = Math.max(
                    answers.get(0).<Integer>path("version"), answers.get(1).<Integer>path("version"));
            assertThat(admin().get(PATH).<Integer>path("version")).isEqualTo(last);
        }
        assertThat(versionsAreWithoutGaps()).isTrue();
    }

    /** Both at the same moment, each with a limit of its own. */
    private List<Response> both(int round, String etag) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Future<Response> one = admins.submit(() -> change(start, etag, 1_000 + round));
        Future<Response> other = admins.submit(() -> change(start, etag, 2_000 + round));
        return List.of(one.get(5, TimeUnit.MINUTES), other.get(5, TimeUnit.MINUTES));
    }

    private static Response change(CyclicBarrier start, String etag, int limit) throws Exception {
        RequestSpecification call = admin().body(Sample.POLICIES.entry("contended", limit));
        start.await(5, TimeUnit.MINUTES);
        return (etag.isEmpty() ? call : call.header("If-Match", etag)).put(PATH);
    }

    private boolean versionsAreWithoutGaps() {
        return Ledger.number(database, "SELECT max(version) - count(*) FROM policy_version WHERE id = $1", "contended")
                == 0;
    }
}
