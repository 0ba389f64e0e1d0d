package io.meridian.config.console;

import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Redirect of the console's address without its last slash. Pages and scripts are static resources below {@code /console/}. */
@Singleton
class ConsoleRoutes {
    private static final String ADDRESS = "/console";

    void add(@Observes Router router) {
        router.get(ADDRESS).handler(call -> {
            // The pattern also matches the address with the slash.
            if (call.request().path().equals(ADDRESS)) {
                call.redirect(ADDRESS + "/");
            } else {
                call.next();
            }
        });
    }
}
