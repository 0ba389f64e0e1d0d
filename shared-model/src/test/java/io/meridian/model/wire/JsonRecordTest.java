package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.policy.Coordination.Scope;
import io.meridian.testkit.Histories;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JsonRecordTest {
    private static final InstanceReport REPORT = new InstanceReport("us-east", "host-7", 42, "topic", 1, 2, 3);
    private static final RegionQuery QUESTION =
            new RegionQuery("q-1", RegionQuery.Kind.RESET, Map.of("user_id", "地球", "ip", "::1"), "/api", "GET", 10, 20);
    private static final RegionQueryReply ANSWER = new RegionQueryReply(
            "q-1",
            "us-east",
            "host-7",
            List.of(new RegionQueryReply.Standing("p", "user_id=42", Scope.GLOBAL, 100, 40, 60, 99)),
            null);

    /** What version 1 wrote: it must be read for as long as topics keep it. */
    private static final String REPORT_V1 =
            "{\"format\":1,\"region\":\"us-east\",\"instance\":\"host-7\",\"revision\":42,"
                    + "\"origin\":\"topic\",\"confirmed_micros\":1,\"at_micros\":2,\"region_micros\":3}";

    private static final String QUESTION_V1 = "{\"format\":1,\"id\":\"q-1\",\"kind\":\"reset\",\"attributes\":"
            + "{\"ip\":\"::1\",\"user_id\":\"地球\"},\"endpoint\":\"/api\",\"method\":\"GET\",\"asked_micros\":10,"
            + "\"expires_micros\":20}";
    private static final String ANSWER_V1 =
            "{\"format\":1,\"question\":\"q-1\",\"region\":\"us-east\",\"instance\":\"host-7\","
                    + "\"limits\":[{\"policy\":\"p\",\"key\":\"user_id=42\",\"scope\":\"global\",\"limit\":100,\"remaining\":40,"
                    + "\"used\":60,\"reset_at_micros\":99}],\"failed\":null}";

    @Test
    void the_text_of_version_1_is_as_it_always_was_and_is_read() {
        assertThat(REPORT.encode()).isEqualTo(REPORT_V1);
        assertThat(QUESTION.encode()).isEqualTo(QUESTION_V1);
        assertThat(ANSWER.encode()).isEqualTo(ANSWER_V1);
        assertThat(InstanceReport.decode(REPORT_V1)).isEqualTo(REPORT);
        assertThat(RegionQuery.decode(QUESTION_V1)).isEqualTo(QUESTION);
        assertThat(RegionQueryReply.decode(ANSWER_V1)).isEqualTo(ANSWER);
    }

    @Test
    void leases_and_accounts_of_a_limit_are_read_as_they_were_written() {
        RegionQueryReply.Account account = new RegionQueryReply.Account(70, 10, 5, 25);
        RegionQueryReply answer = new RegionQueryReply(
                "q-1",
                "us-east",
                "host-7",
                List.of(new RegionQueryReply.Standing("p", "user_id=42", Scope.GLOBAL, 100, 40, 60, 99, 7, account)),
                null);

        assertThat(RegionQueryReply.decode(answer.encode())).isEqualTo(answer);
    }

    @Test
    void a_check_is_asked_about_with_its_headers_its_policies_and_its_cost() {
        RegionQuery check = new RegionQuery(
                "q-2",
                RegionQuery.Kind.CHECK,
                Map.of(),
                "/api",
                "GET",
                new RegionQuery.Request(Map.of("x-plan", "beta"), List.of("a", "b"), 7),
                10,
                20);

        assertThat(RegionQuery.decode(check.encode())).isEqualTo(check);
        assertThat(check.check().headers()).containsEntry("x-plan", "beta");
        assertThat(check.check().policies()).containsExactly("a", "b");
        assertThat(check.check().cost()).isEqualTo(7);
        assertThatThrownBy(() -> RegionQuery.decode(check.encode().replace("\"check\"", "\"status\"")))
                .hasMessageContaining("attributes must name the client");
    }

    @Test
    void a_failure_stands_alone() {
        RegionQueryReply failed = RegionQueryReply.failed(QUESTION, "us-east", "i", "x".repeat(600));

        assertThat(RegionQueryReply.decode(failed.encode())).isEqualTo(failed);
        assertThatThrownBy(() -> new RegionQueryReply("q", "r", "i", ANSWER.limits(), "why"))
                .hasMessageContaining("failed");
    }

    @Test
    void a_field_of_a_later_build_is_skipped_and_a_version_of_the_future_is_refused_by_number() {
        assertThat(InstanceReport.decode(REPORT_V1.replace("\"revision\"", "\"new\":[1],\"revision\"")))
                .isEqualTo(REPORT);
        assertThatThrownBy(() -> RegionQuery.decode(QUESTION_V1.replace("\"format\":1", "\"format\":2")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("from 1 to 1, got 2");
    }

    @Test
    void a_question_that_cannot_be_matched_is_refused_with_the_field() {
        assertThatThrownBy(() -> RegionQuery.decode(QUESTION_V1.replace("::1", "no address")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("attributes.ip");
        assertThatThrownBy(
                        () -> RegionQuery.decode(QUESTION_V1.replace("\"expires_micros\":20", "\"expires_micros\":9")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expiresMicros");
        assertThatThrownBy(() -> RegionQuery.decode(QUESTION_V1.replace("reset", "drop")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("status, reset, check");
    }

    @Test
    void whatever_the_text_is_it_is_read_or_refused_as_a_record() {
        Histories.TODAY.forEach(random -> {
            readOrRefuse(InstanceReport::decode, mutated(REPORT_V1, random));
            readOrRefuse(RegionQuery::decode, mutated(QUESTION_V1, random));
            readOrRefuse(RegionQueryReply::decode, mutated(ANSWER_V1, random));
        });
    }

    private static String mutated(String text, SplittableRandom random) {
        StringBuilder changed = new StringBuilder(text);
        for (int n = random.nextInt(1, 4); n > 0; n--) {
            changed.setCharAt(random.nextInt(text.length()), (char) random.nextInt(1, 128));
        }
        return random.nextInt(5) == 0 ? changed.substring(0, random.nextInt(text.length())) : changed.toString();
    }

    private static void readOrRefuse(Consumer<String> reader, String text) {
        try {
            reader.accept(text);
        } catch (WireException refused) {
            assertThat(refused).hasMessageContaining(" ");
        }
    }

    @Test
    void the_loop_of_an_instance_and_its_key_check_are_told_with_its_report() {
        InstanceReport report = new InstanceReport(
                "us-east", "host-7", 42, "topic", 1, 2, 3, new InstanceReport.Loop(10, 20, 30, 40, 50), "1a2b3c4d");

        assertThat(InstanceReport.decode(report.encode())).isEqualTo(report);
    }

    @Test
    void the_checks_of_an_instance_and_the_leaders_that_it_knows_are_told_with_its_report() {
        InstanceReport report = new InstanceReport(
                "us-east",
                "host-7",
                42,
                "topic",
                1,
                2,
                3,
                InstanceReport.Loop.NONE,
                "",
                new InstanceReport.Checks(100, 20, 3),
                new TreeMap<>(Map.of(0, "sync-1", 15, "sync-2")));

        assertThat(InstanceReport.decode(report.encode())).isEqualTo(report);
        assertThat(InstanceReport.decode(REPORT.encode()).checks()).isEqualTo(InstanceReport.Checks.NONE);
        for (String wrong : List.of("\"1024\"", "\"-1\"", "\"x\"", "\"99999\"")) {
            String text = report.encode().replace("\"15\"", wrong);
            assertThatThrownBy(() -> InstanceReport.decode(text))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("leaders");
        }
    }
}
