package io.meridian.chaos.global;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.history.Subject.Sharing;
import io.meridian.chaos.drill.world.AdminPolicies;
import io.meridian.chaos.drill.world.Http;
import io.meridian.chaos.drill.world.Policies.Loop;
import io.meridian.stack.fixture.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.ToDoubleFunction;

/** The policies of a world, made for its scenarios. */
record Policies(AdminPolicies admin) {
    /** What is created is in effect in all regions. */
    Subject converge(String id, Scale scale) throws Exception {
        return create(subject(id, scale, Sharing.CONVERGE));
    }

    Subject escrow(String id, Scale scale) throws Exception {
        return create(subject(id, scale, Sharing.ESCROW));
    }

    /** The limit is then each region's own. */
    Subject regional(String id, Scale scale) throws Exception {
        return create(subject(id, scale, Sharing.REGIONAL));
    }

    /** One user of a policy, which need not be there. */
    static Subject subject(String id, Scale scale, Sharing sharing) {
        Duration window = Duration.of(scale.window().micros(), ChronoUnit.MICROS);
        return new Subject(id, "user_id=42", sharing, scale.limit(), window);
    }

    private Subject create(Subject subject) throws Exception {
        admin.create(subject);
        Eventually.holds(
                "every region has the newest policies", () -> admin.laggards().isEmpty());
        return subject;
    }

    /** Returns when the change is made, not when it is in effect. */
    void changeLimit(Subject subject, long limit) throws Exception {
        Http.ask(Http.to(admin.configService() + "/admin/api/v1/policies/" + subject.policy())
                .header("Authorization", "Bearer " + admin.token())
                .header("Content-Type", "application/json")
                .method("PATCH", Http.text("{\"limit\": " + limit + "}")));
    }

    /** The loop delay of the slowest region that says one, as the product states it for the last minute. */
    double loopDelayMillis(ToDoubleFunction<Loop> which) throws IOException, InterruptedException {
        return admin.loops().stream()
                .mapToDouble(which)
                .filter(millis -> !Double.isNaN(millis))
                .max()
                .orElse(0);
    }
}
