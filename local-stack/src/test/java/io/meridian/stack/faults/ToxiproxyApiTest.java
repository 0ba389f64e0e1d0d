package io.meridian.stack.faults;

import static eu.rekawek.toxiproxy.model.ToxicDirection.DOWNSTREAM;
import static eu.rekawek.toxiproxy.model.ToxicDirection.UPSTREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.Toxic;
import eu.rekawek.toxiproxy.model.toxic.Latency;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ToxiproxyApiTest {
    private Drill drill;

    @BeforeEach
    void start() throws IOException {
        drill = new Drill();
    }

    @AfterEach
    void stop() throws IOException {
        drill.close();
    }

    @Test
    void the_client_reads_back_what_it_wrote() throws IOException {
        Latency slow = drill.link.toxics().latency("slow", UPSTREAM, 7);
        slow.setJitter(3);
        slow.setToxicity(0.25f);
        drill.link.toxics().bandwidth("narrow", DOWNSTREAM, 12);

        Latency read = drill.client.getProxy("link").toxics().get("slow", Latency.class);

        assertThat(read.getLatency()).isEqualTo(7);
        assertThat(read.getJitter()).isEqualTo(3);
        assertThat(read.getToxicity()).isEqualTo(0.25f);
        assertThat(read.getStream()).isEqualTo(UPSTREAM);
        assertThat(drill.link.toxics().getAll()).extracting(Toxic::getName).containsExactly("slow", "narrow");
    }

    @Test
    void the_client_lists_and_deletes_proxies() throws IOException {
        Proxy other = drill.newLink("other");
        assertThat(drill.client.getProxies()).extracting(Proxy::getName).containsExactlyInAnyOrder("link", "other");

        other.delete();

        assertThat(drill.client.getProxyOrNull("other")).isNull();
        assertThatThrownBy(() -> drill.dial(other)).isInstanceOf(ConnectException.class);
    }

    @Test
    void reset_removes_every_toxic_and_enables_every_proxy() throws IOException {
        Proxy other = drill.newLink("other");
        Caller caller = drill.dialled();
        drill.link.toxics().latency("slow", UPSTREAM, Drill.HOUR_MILLIS);
        caller.say("held");
        other.disable();

        drill.client.reset();

        assertThat(caller.hear(4)).isEqualTo("held");
        assertThat(drill.link.toxics().getAll()).isEmpty();
        assertThat(other.isEnabled()).isTrue();
        assertThat(drill.dial(other).ask("back")).isEqualTo("back");
    }

    @Test
    void statuses_are_those_of_toxiproxy() throws Exception {
        RawApi api = new RawApi(drill.proxies.apiPort());
        String upstream = Endpoint.of(drill.server.address()).toString();

        assertThat(api.send("GET", "/version", "").statusCode()).isEqualTo(200);
        assertThat(api.send("POST", "/proxies", "{\"name\":\"new\",\"upstream\":\"" + upstream + "\"}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(api.send("POST", "/proxies/new/toxics", "{\"type\":\"timeout\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(api.send("GET", "/proxies/new/toxics/timeout_downstream", "").body())
                .contains("\"stream\":\"downstream\"", "\"toxicity\":1.0", "\"attributes\":{\"timeout\":0}");
        assertThat(api.send("PATCH", "/proxies/new/toxics/timeout_downstream", "{\"attributes\":{\"timeout\":5}}")
                        .body())
                .contains("\"timeout\":5");
        assertThat(api.send("DELETE", "/proxies/new/toxics/timeout_downstream", "")
                        .statusCode())
                .isEqualTo(204);
        assertThat(api.send("PATCH", "/proxies/new", "{\"enabled\":false}").body())
                .contains("\"enabled\":false");
        assertThat(api.send("POST", "/reset", "").statusCode()).isEqualTo(204);
        assertThat(api.send("GET", "/proxies/new", "").body()).contains("\"enabled\":true");
        assertThat(api.send("DELETE", "/proxies/new", "").statusCode()).isEqualTo(204);
        assertThat(api.send("GET", "/proxies/new", "").statusCode()).isEqualTo(404);
    }

    @Test
    void populating_twice_leaves_a_living_connection_alone() throws Exception {
        RawApi api = new RawApi(drill.proxies.apiPort());
        Caller caller = drill.dialled();
        String body =
                "[{\"name\":\"link\",\"listen\":\"%s\",\"upstream\":\"%s\"},{\"name\":\"more\",\"upstream\":\"%s\"}]"
                        .formatted(drill.link.getListen(), drill.link.getUpstream(), drill.link.getUpstream());

        HttpResponse<String> answer = api.send("POST", "/populate", body);

        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).startsWith("{\"proxies\":[{\"name\":\"link\"");
        assertThat(caller.ask("alive")).isEqualTo("alive");
        assertThat(drill.dial(drill.client.getProxy("more")).ask("more")).isEqualTo("more");
    }

    @Test
    void a_taken_port_is_an_error_and_the_proxy_stays_as_it_was() throws Exception {
        Caller caller = drill.dialled();
        String taken = Endpoint.of(drill.server.address()).toString();

        assertThatThrownBy(() -> drill.link.setListen(taken))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(taken);

        assertThat(caller.ask("alive")).isEqualTo("alive");
        assertThat(drill.dial(drill.client.getProxy("link")).ask("new")).isEqualTo("new");
    }
}
