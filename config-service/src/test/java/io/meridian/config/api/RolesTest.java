package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.config.api.Admin.anonymous;
import static io.meridian.config.api.Admin.as;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.meridian.config.ServiceTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may do what with entries of every kind. */
@ServiceTest
class RolesTest {
    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @ParameterizedTest
    @EnumSource
    void roles_cover_reading_and_changing(Sample of) {
        admin().body(of.entry("roles", 1)).put(of.path("roles"));
        String viewer = Admin.token("viewer");
        as(viewer).get(of.collection).then().statusCode(200);
        as(viewer).get(of.path("roles")).then().statusCode(200);
        as(viewer).body(of.entry("roles", 2)).post(of.collection).then().statusCode(403);
        as(viewer).body(of.entry("roles", 2)).put(of.path("roles")).then().statusCode(403);
        as(viewer)
                .body(of.patch(2))
                .patch(of.path("roles") + "?dry_run=true")
                .then()
                .statusCode(403);
        as(viewer).delete(of.path("roles")).then().statusCode(403).body("detail", containsString("editor"));
        for (String garbage : List.of("garbage", "", "null", "a.b.c", "mrd_" + "A".repeat(43))) {
            as(garbage).get(of.path("roles")).then().statusCode(401);
            as(garbage).delete(of.path("roles")).then().statusCode(401);
        }
        anonymous().get(of.collection).then().statusCode(401).header("WWW-Authenticate", startsWith("Bearer"));
        anonymous().body("{").post(of.collection).then().statusCode(401);

        admin().get(of.path("roles")).then().body(of.field, equalTo(of.content(1)));
        as(Admin.token("editor")).delete(of.path("roles")).then().statusCode(204);
    }
}
