package io.meridian.model.wire;

import io.meridian.model.rule.Rules;

/**
 * What the leader of a partition says of itself in the topic of verdicts, every so often: regions know by it that the centre is
 * there though nothing has changed, and other replicas who leads.
 *
 * @param epoch the term of leadership
 * @param replica the name of the leading process
 * @param atMicros the leader's wall clock when it said this
 */
public record LeaderBeat(long epoch, String replica, long atMicros) {
    static final int REPLICA_MAX = 128;

    public LeaderBeat {
        Rules rules = new Rules();
        WireNames.check(rules, "replica", replica, REPLICA_MAX);
        rules.require(epoch >= 0, "epoch", epoch, "must not be negative").throwIfBroken();
    }
}
