package io.meridian.stack.faults;

import static org.assertj.core.api.Assertions.assertThat;

import eu.rekawek.toxiproxy.model.ToxicDirection;
import io.meridian.stack.faults.FaultApi.ApiHandler;
import io.meridian.stack.faults.Toxic.Direction;
import io.meridian.stack.faults.Toxic.ToxicChain;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiRefusalTest {
    private static final String TOXICS = "/proxies/link/toxics";

    private Drill drill;
    private RawApi api;

    @BeforeEach
    void start() throws IOException {
        drill = new Drill();
        api = new RawApi(drill.proxies.apiPort());
        drill.link.toxics().latency("slow", ToxicDirection.UPSTREAM, 0);
    }

    @AfterEach
    void stop() throws IOException {
        drill.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"slicer\"}                                         | 400 | type must be | got slicer",
                "{}                                                            | 400 | missing required field | type",
                "{\"type\":7}                                                  | 400 | type must be a string | got 7",
                "{\"type\":\"latency\",\"stream\":\"sideways\"}                | 400 | stream must be | got sideways",
                "{\"type\":\"latency\",\"toxicity\":1.5}                       | 400 | toxicity must be | got 1.5",
                "{\"type\":\"latency\",\"toxicity\":-0.1}                      | 400 | toxicity must be | got -0.1",
                "{\"type\":\"latency\",\"toxicty\":0.5}                        | 400 | unknown field toxicty | got 0.5",
                "{\"type\":\"latency\",\"attributes\":{\"latency\":-1}}        | 400 | latency must be | got -1",
                "{\"type\":\"latency\",\"attributes\":{\"latency\":86400001}}  | 400 | latency must be | got 86400001",
                "{\"type\":\"latency\",\"attributes\":{\"latency\":\"x\"}}     | 400 | latency must be a whole | x",
                "{\"type\":\"latency\",\"attributes\":{\"latency\":1.5}}       | 400 | latency must be a whole | got 1.5",
                "{\"type\":\"latency\",\"attributes\":{\"jitter\":-2}}         | 400 | jitter must be | got -2",
                "{\"type\":\"latency\",\"attributes\":{\"latancy\":2}}         | 400 | unknown field latancy | got 2",
                "{\"type\":\"latency\",\"attributes\":[]}                      | 400 | attributes must be | got []",
                "{\"type\":\"timeout\",\"attributes\":{\"timeout\":-3}}        | 400 | timeout must be | got -3",
                "{\"type\":\"reset_peer\",\"attributes\":{\"timeout\":-4}}     | 400 | timeout must be | got -4",
                "{\"type\":\"bandwidth\",\"attributes\":{\"rate\":0}}          | 400 | rate must be | got 0",
                "{\"type\":\"slow_close\",\"attributes\":{\"delay\":-5}}       | 400 | delay must be | got -5",
                "{\"type\":\"latency\",\"name\":\"a/b\"}                       | 400 | name must be | a/b",
                "{\"type\":\"latency\",\"name\":\"slow\"}                      | 409 | toxic already exists | slow",
                "[]                                                            | 400 | body must be an object | got []",
                "{\"type\":                                                    | 400 | bad request body | end",
            })
    void a_bad_toxic_is_refused_by_field_and_value(String body, int status, String says, String got) throws Exception {
        refused("POST", TOXICS, body, status, says, got);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"upstream\":\"127.0.0.1:1\"}                                            | 400 | missing required field | name",
                "{\"name\":\"a b\",\"upstream\":\"127.0.0.1:1\"}                           | 400 | name must be | a b",
                "{\"name\":\"new\"}                                                        | 400 | missing required field | upstream",
                "{\"name\":\"new\",\"upstream\":\"nowhere\"}                               | 400 | upstream must be host:port | nowhere",
                "{\"name\":\"new\",\"upstream\":\"127.0.0.1:0\"}                           | 400 | upstream must have a port | 127.0.0.1:0",
                "{\"name\":\"new\",\"upstream\":\"127.0.0.1:70000\"}                       | 400 | upstream must be host:port | 70000",
                "{\"name\":\"new\",\"upstream\":\"127.0.0.1:1\",\"listen\":\"0.0.0.0:0\"}  | 400 | listen must be a loopback | 0.0.0.0:0",
                "{\"name\":\"new\",\"upstream\":\"127.0.0.1:1\",\"listen\":\"[::]:0\"}     | 400 | listen must be a loopback | [::]:0",
                "{\"name\":\"new\",\"upstream\":\"127.0.0.1:1\",\"listen\":\":0\"}         | 400 | listen must be host:port | :0",
                "{\"name\":\"new\",\"upstream\":\"127.0.0.1:1\",\"enabled\":\"no\"}        | 400 | enabled must be | no",
                "{\"name\":\"new\",\"upstream\":\"127.0.0.1:1\",\"enabld\":false}          | 400 | unknown field enabld | got false",
                "{\"name\":\"link\",\"upstream\":\"127.0.0.1:1\"}                          | 409 | proxy already exists | link",
            })
    void a_bad_proxy_is_refused_by_field_and_value(String body, int status, String says, String got) throws Exception {
        refused("POST", "/proxies", body, status, says, got);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET    | /proxies/none              | {}                              | 404 | proxy not found | none",
                "POST   | /proxies/none              | {}                              | 404 | proxy not found | none",
                "DELETE | /proxies/none              | {}                              | 404 | proxy not found | none",
                "POST   | /proxies/none/toxics       | {}                              | 404 | proxy not found | none",
                "GET    | /proxies/link/toxics/none  | {}                              | 404 | toxic not found | none",
                "PATCH  | /proxies/link/toxics/none  | {}                              | 404 | toxic not found | none",
                "DELETE | /proxies/link/toxics/none  | {}                              | 404 | toxic not found | none",
                "PATCH  | /proxies/link              | {\"name\":\"x\"}                | 400 | name must stay link | got x",
                "PATCH  | /proxies/link              | {\"enabld\":false}              | 400 | unknown field enabld | got false",
                "PATCH  | /proxies/link              | {\"listen\":\"192.0.2.1:1\"}    | 400 | loopback | 192.0.2.1:1",
                "PATCH  | /proxies/link/toxics/slow  | {\"stream\":\"downstream\"}     | 400 | stream must stay upstream | downstream",
                "PATCH  | /proxies/link/toxics/slow  | {\"type\":\"timeout\"}          | 400 | type must stay latency | timeout",
                "PATCH  | /proxies/link/toxics/slow  | {\"attributes\":{\"jitter\":-1}} | 400 | jitter must be | got -1",
                "POST   | /populate                  | [{\"name\":\"ok\",\"upstream\":\"h:1\"},{}] | 400 | missing | name",
                "POST   | /populate                  | {}                              | 400 | body must be an array | {}",
                "PATCH  | /proxies                   | {}                              | 405 | PATCH | /proxies",
                "DELETE | /version                   | {}                              | 405 | DELETE | /version",
                "GET    | /metrics                   | {}                              | 404 | GET | /metrics",
            })
    void a_bad_request_is_refused(String method, String path, String body, int status, String says, String got)
            throws Exception {
        refused(method, path, body, status, says, got);
    }

    @Test
    void a_body_past_the_bound_is_refused() throws Exception {
        refused("POST", TOXICS, " ".repeat(ApiHandler.BODY_BYTES_MAX + 1), 413, "body must have at most", "65536");
    }

    @Test
    void a_browser_is_refused() throws Exception {
        HttpResponse<String> answer = api.send("POST", "/reset", "", "Mozilla/5.0");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(drill.link.toxics().getAll()).hasSize(1);
    }

    @Test
    void toxics_are_bounded() throws Exception {
        for (int i = 1; i < ToxicChain.TOXICS_MAX; i++) {
            drill.proxy().add(new Toxic("t" + i, Direction.UPSTREAM, 0, new ToxicEffect.Latency(0, 0)));
        }

        refused("POST", TOXICS, "{\"type\":\"latency\"}", 409, "no more than 64", "toxics");
    }

    private void refused(String method, String path, String body, int status, String says, String got)
            throws Exception {
        String before = api.send("GET", "/proxies", "").body();

        HttpResponse<String> answer = api.send(method, path, body);

        assertThat(answer.body())
                .startsWith("{\"error\":\"")
                .contains(says, got)
                .endsWith(",\"status\":" + status + "}");
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(api.send("GET", "/proxies", "").body()).isEqualTo(before);
    }
}
