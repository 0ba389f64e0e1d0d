package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.Supervisor.StackProgress;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.rules.FakeAdminApi;
import io.meridian.stack.rules.RuleFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InitialRulesTest {
    private final List<String> said = new ArrayList<>();

    @Test
    void a_rulebook_that_was_never_changed_gets_the_demo_and_any_other_stays() throws Exception {
        try (FakeAdminApi api = new FakeAdminApi()) {
            load(api, true);
            load(api, true);

            assertThat(api.calls()).isEqualTo(1);
            assertThat(api.revision()).isEqualTo(1);
        }
    }

    @Test
    void what_cannot_be_seen_in_the_regions_is_said_and_stops_nothing() throws Exception {
        try (FakeAdminApi api = new FakeAdminApi()) {
            load(api, true);

            assertThat(said).hasSize(1).first().asString().contains("not known to be in effect", "404");
        }
    }

    @Test
    void a_service_that_refuses_is_said_and_stops_nothing() throws Exception {
        FakeAdminApi api = new FakeAdminApi();
        api.close();

        load(api, true);

        assertThat(said).hasSize(1).first().asString().contains("could not be loaded", "cannot be asked");
    }

    @Test
    void every_region_must_have_caught_up() throws Exception {
        String regions = """
                {"items": [{"region": "us-east", "behind": 0}, {"region": "us-west", "behind": 0},
                 {"region": "eu-west", "behind": 2}, {"region": "ap-south", "behind": 0}]}
                """;

        assertThat(InitialRules.missing(Regions.ALL, () -> tree(regions)))
                .containsExactly("eu-west is 2 behind", "ap-northeast has not reported");
    }

    @Test
    void the_demo_has_two_limits_for_each_tier() {
        assertThat(RuleFile.resource(InitialRules.RESOURCE).entries().keySet().toString())
                .contains("free-per-minute", "free-per-day", "basic-per-minute", "basic-per-day")
                .contains("pro-per-minute", "pro-per-day", "enterprise-per-minute", "enterprise-per-day");
    }

    private void load(FakeAdminApi api, boolean stopping) {
        new InitialRules(api.client(), Regions.ALL, new Said(), TimeSource.system(), () -> stopping).load();
    }

    private static JsonNode tree(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException(malformed);
        }
    }

    private final class Said implements StackProgress {
        @Override
        public void ready(String name, Duration took) {
            said.add(name);
        }

        @Override
        public void note(String line) {
            said.add(line);
        }

        @Override
        public void died(String name, int exitCode) {}

        @Override
        public void stopping() {}
    }
}
