package io.meridian.chaos.drill.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.chaos.drill.file.PartFault;
import io.meridian.chaos.drill.file.PartFault.Verb;
import io.meridian.chaos.drill.history.InjectedFault.OfPart;
import io.meridian.chaos.drill.history.InjectedFault.PartAction;
import io.meridian.chaos.drill.history.InjectedFault.Role;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.world.TargetFailure;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What checkers are told of a part that plays a role. */
class CastingTest {
    private static final Subject LOADED =
            new Subject("p", "user_id=42", Subject.Sharing.ESCROW, 10, Duration.ofSeconds(1));

    private final FakeTarget target;
    private final Casting casting;

    CastingTest() throws Exception {
        target = new FakeTarget();
        casting = new Casting(target);
    }

    @AfterEach
    void nothing_is_left() {
        target.close();
    }

    @Test
    void the_replica_that_leads_is_told_as_the_leader_and_any_other_as_a_replica() throws Exception {
        PartFault leader = new PartFault(Verb.KILL, PartFault.Role.LEADER, "", 0);
        PartFault sync = new PartFault(Verb.KILL, PartFault.Role.SYNC, "", 0);

        assertThat(casting.of(leader, LOADED)).containsExactly("sync-1");
        assertThat(casting.injected(PartAction.KILL, "sync-1", leader))
                .isEqualTo(new OfPart(PartAction.KILL, Role.LEADER, "sync-1", ""));
        assertThat(casting.injected(PartAction.KILL, "sync-1", sync))
                .isEqualTo(new OfPart(PartAction.KILL, Role.SYNC, "sync-1", ""));
    }

    @Test
    void the_leader_of_a_limit_whose_key_changes_with_each_window_is_refused() {
        PartFault leader = new PartFault(Verb.KILL, PartFault.Role.LEADER, "", 0);
        Subject rounds = new Subject("p", "user_id={window}", Subject.Sharing.ESCROW, 10, Duration.ofSeconds(1));

        assertThatThrownBy(() -> casting.of(leader, rounds))
                .isInstanceOf(TargetFailure.class)
                .hasMessage("leader must be that of one key, but p has another in each window: name sync");
    }

    @Test
    void without_the_secret_nobody_knows_who_leads() {
        target.keys = Optional.empty();

        assertThatThrownBy(() -> casting.leaderOf(LOADED))
                .isInstanceOf(TargetFailure.class)
                .hasMessageContaining("MERIDIAN_KEYS_SECRET");
    }

    @Test
    void each_part_of_a_rolling_restart_is_told_with_its_own_role_and_region() throws Exception {
        PartFault every = new PartFault(Verb.RESTART, PartFault.Role.EVERY, "", 0);

        assertThat(casting.of(every, LOADED).stream().map(part -> casting.injected(PartAction.RESTART, part, every)))
                .containsExactly(
                        new OfPart(PartAction.RESTART, Role.SYNC, "sync-1", ""),
                        new OfPart(PartAction.RESTART, Role.SYNC, "sync-2", ""),
                        new OfPart(PartAction.RESTART, Role.REDIS, "redis-a", "a"),
                        new OfPart(PartAction.RESTART, Role.KAFKA, "kafka", ""));
        assertThat(casting.injected(PartAction.RESTART, "limiter-b-2", every))
                .isEqualTo(new OfPart(PartAction.RESTART, Role.LIMITER, "limiter-b-2", "b"));
    }
}
