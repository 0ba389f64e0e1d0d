package io.meridian.config.regions;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.wire.RegionQueryReply;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientConsumptionTest {
    @Test
    void a_global_limit_has_left_what_the_world_has_not_used() {
        List<ClientConsumption> all = ClientConsumption.of(
                List.of(answer("eu", standing("g", Scope.GLOBAL, 60)), answer("us", standing("g", Scope.GLOBAL, 30))));

        assertThat(all).hasSize(1);
        assertThat(all.get(0).used()).isEqualTo(90);
        assertThat(all.get(0).remaining()).isEqualTo(10);
        assertThat(all.get(0).regions())
                .extracting(ClientConsumption.InRegion::region)
                .containsExactly("eu", "us");
    }

    @Test
    void what_all_used_together_may_exceed_a_global_limit_and_nothing_is_left_then() {
        assertThat(ClientConsumption.of(List.of(
                                answer("eu", standing("g", Scope.GLOBAL, 60)),
                                answer("us", standing("g", Scope.GLOBAL, 80))))
                        .get(0)
                        .remaining())
                .isZero();
    }

    @Test
    void of_a_regional_limit_the_least_that_any_region_has_left_is_sure() {
        ClientConsumption limit = ClientConsumption.of(List.of(
                        answer("eu", standing("r", Scope.REGIONAL, 60)),
                        answer("us", standing("r", Scope.REGIONAL, 90)),
                        answer("ap")))
                .get(0);

        assertThat(limit.limit()).isEqualTo(100);
        assertThat(limit.used()).isEqualTo(150);
        assertThat(limit.remaining()).isEqualTo(10);
    }

    private static RegionQueryReply answer(String region, RegionQueryReply.Standing... limits) {
        return new RegionQueryReply("q", region, "i", List.of(limits), null);
    }

    private static RegionQueryReply.Standing standing(String policy, Scope scope, long used) {
        return new RegionQueryReply.Standing(policy, "user_id=1", scope, 100, 100 - used, used, 7);
    }
}
