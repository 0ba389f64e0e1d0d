package io.meridian.drill.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.drill.definition.PartFault;
import io.meridian.drill.definition.PartFault.Verb;
import io.meridian.drill.history.InjectedFault.OfPart;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.history.InjectedFault.Role;
import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.DrillTarget.TargetException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What checkers are told of a part that plays a role. */
class RoleResolverTest {
    private static final Subject LOADED =
            new Subject("p", "user_id=42", Subject.Sharing.ESCROW, 10, Duration.ofSeconds(1));

    private final FakeTarget target;
    private final RoleResolver roles;

    RoleResolverTest() throws Exception {
        target = new FakeTarget();
        roles = new RoleResolver(target);
    }

    @AfterEach
    void nothing_is_left() {
        target.close();
    }

    @Test
    void the_replica_that_leads_is_told_as_the_leader_and_any_other_as_a_replica() throws Exception {
        PartFault leader = new PartFault(Verb.KILL, PartFault.Role.LEADER, "", 0);
        PartFault sync = new PartFault(Verb.KILL, PartFault.Role.SYNC, "", 0);

        assertThat(roles.partsOf(leader, LOADED)).containsExactly("sync-1");
        assertThat(roles.injected(PartAction.KILL, "sync-1", leader))
                .isEqualTo(new OfPart(PartAction.KILL, Role.LEADER, "sync-1", ""));
        assertThat(roles.injected(PartAction.KILL, "sync-1", sync))
                .isEqualTo(new OfPart(PartAction.KILL, Role.SYNC, "sync-1", ""));
    }

    @Test
    void the_leader_of_a_limit_whose_key_changes_with_each_window_is_refused() {
        PartFault leader = new PartFault(Verb.KILL, PartFault.Role.LEADER, "", 0);
        Subject rounds = new Subject("p", "user_id={window}", Subject.Sharing.ESCROW, 10, Duration.ofSeconds(1));

        assertThatThrownBy(() -> roles.partsOf(leader, rounds))
                .isInstanceOf(TargetException.class)
                .hasMessage("leader must be that of one key, but p has another key in each window: use sync");
    }

    @Test
    void without_the_secret_nobody_knows_who_leads() {
        target.keys = Optional.empty();

        assertThatThrownBy(() -> roles.leaderOf(LOADED))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("MERIDIAN_KEYS_SECRET");
    }

    @Test
    void each_part_of_a_rolling_restart_is_told_with_its_own_role_and_region() throws Exception {
        PartFault every = new PartFault(Verb.RESTART, PartFault.Role.EVERY, "", 0);

        assertThat(roles.partsOf(every, LOADED).stream().map(part -> roles.injected(PartAction.RESTART, part, every)))
                .containsExactly(
                        new OfPart(PartAction.RESTART, Role.SYNC, "sync-1", ""),
                        new OfPart(PartAction.RESTART, Role.SYNC, "sync-2", ""),
                        new OfPart(PartAction.RESTART, Role.REDIS, "redis-a", "a"),
                        new OfPart(PartAction.RESTART, Role.KAFKA, "kafka", ""));
        assertThat(roles.injected(PartAction.RESTART, "limiter-b-2", every))
                .isEqualTo(new OfPart(PartAction.RESTART, Role.LIMITER, "limiter-b-2", "b"));
    }
}
