package io.meridian.chaos.global;

import io.meridian.stack.topology.PartNames;
import io.meridian.stack.topology.Regions;
import java.io.IOException;

/** The links to Kafka, by which alone regions and centre hear of each other. */
record Links(String faultsAddress) {
    /** Cuts regions off: each is then alone. */
    void cut(String... regions) throws IOException, InterruptedException {
        for (String region : regions) {
            set(region, false);
        }
    }

    /** Joins what was cut. */
    void join(String... regions) throws IOException, InterruptedException {
        for (String region : regions) {
            set(region, true);
        }
    }

    /** Cuts the sync replicas and config-service off: every region is then alone. */
    void cutCentre() throws IOException, InterruptedException {
        set(Regions.CENTRE, false);
    }

    /** Makes every link sound. */
    void heal() throws IOException, InterruptedException {
        Http.ask(Http.to(faultsAddress + "/reset").POST(Http.text("")));
    }

    boolean isCut(String place) throws IOException, InterruptedException {
        return !Http.json(Http.to(proxy(place)).GET()).path("enabled").asBoolean();
    }

    private void set(String place, boolean enabled) throws IOException, InterruptedException {
        Http.ask(Http.to(proxy(place)).POST(Http.text("{\"enabled\": " + enabled + "}")));
    }

    private String proxy(String place) {
        return faultsAddress + "/proxies/" + PartNames.kafka(place);
    }
}
