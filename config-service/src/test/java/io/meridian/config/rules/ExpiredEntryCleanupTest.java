package io.meridian.config.rules;

import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;

import io.meridian.config.ServiceTest;
import io.meridian.config.api.Admin;
import io.meridian.config.audit.Actor;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ServiceTest
class ExpiredEntryCleanupTest {
    private static final String LINE = """
            {"identifier_type": "user_id", "identifier": "%s", "expires_at": "%s"}""";

    @Inject
    ExpiredEntryCleanup ended;

    @Inject
    RuleStore rulebook;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
    }

    @Test
    void what_ended_long_ago_goes_and_says_who_removed_it_and_what_has_not_stays() {
        admin().body(LINE.formatted("ended", "2020-01-01T00:00:00Z"))
                .post("deny-list")
                .then()
                .statusCode(201);
        admin().body(LINE.formatted("lasting", "2120-01-01T00:00:00Z"))
                .post("deny-list")
                .then()
                .statusCode(201);

        ended.remove();

        admin().get("deny-list/user_id:ended").then().statusCode(404);
        admin().get("deny-list/user_id:lasting").then().statusCode(200);
        admin().queryParam("id", "user_id:ended")
                .get("audit")
                .then()
                .body("items[0].action", equalTo("deleted"))
                .body("items[0].actor", equalTo("meridian (ended entries)"));
        admin().delete("deny-list/user_id:lasting").then().statusCode(204);
    }

    @Test
    void one_that_is_renewed_while_it_is_about_to_go_stays() {
        admin().body(LINE.formatted("renewed", "2020-01-01T00:00:00Z"))
                .post("deny-list")
                .then()
                .statusCode(201);
        List<EntryChange> removal = ended.expired();
        admin().body("{\"expires_at\": \"2120-01-01T00:00:00Z\"}")
                .patch("deny-list/user_id:renewed")
                .then()
                .statusCode(200);

        assertThat(removal).isNotEmpty();
        assertThatThrownBy(() -> rulebook.change(new Actor("test", ""), removal))
                .isInstanceOf(ChangeRefusedException.class);

        admin().get("deny-list/user_id:renewed").then().statusCode(200);
        admin().delete("deny-list/user_id:renewed").then().statusCode(204);
    }
}
