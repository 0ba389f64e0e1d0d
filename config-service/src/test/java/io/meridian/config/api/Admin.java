package io.meridian.config.api;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;

import io.meridian.config.AdminTokenResource;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** How tests call the admin API. */
public final class Admin {
    public static final String BASE = "/admin/api/v1/";

    private Admin() {}

    /** As the first admin, as soon as it is known. */
    public static RequestSpecification admin() {
        return as(AdminTokenResource.TOKEN);
    }

    public static RequestSpecification as(String token) {
        return anonymous().header("Authorization", "Bearer " + token);
    }

    public static RequestSpecification anonymous() {
        return given().contentType(ContentType.JSON).basePath(BASE);
    }

    /** A new token of this role. */
    public static String token(String role) {
        return token("a test's " + role, role);
    }

    public static String token(String name, String role) {
        return admin().body("{\"name\": \"" + name + "\", \"role\": \"" + role + "\"}")
                .post("tokens")
                .then()
                .statusCode(201)
                .extract()
                .path("token");
    }

    /** The answer to a change without its warnings, of which there are none: the stored form. */
    static String stored(Response changed) {
        return changed.asString().replaceFirst(",\"warnings\":\\[]}$", "}");
    }

    /** How many changes the rulebook has seen. */
    public static int revision() {
        return admin().get("revision").then().statusCode(200).extract().path("revision");
    }

    /** The service starts before its schema and its first admin are there. */
    public static void awaitReady() throws Exception {
        eventually("the first admin is known")
                .until(() -> admin().get("revision").statusCode() == 200);
    }
}
