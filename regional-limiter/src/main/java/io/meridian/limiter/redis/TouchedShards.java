package io.meridian.limiter.redis;

import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.match.Shard;
import io.meridian.model.policy.Coordination.Scope;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Shards in which this instance may have left something to be reported. A shard is visited for some looks after it was touched, and
 * all the others in turn: what an instance that died has left is found by the others.
 */
@Singleton
class TouchedShards {
    /** More than a change that hardly matters waits, in looks of a tenth of a second. */
    private static final int LOOKS = 15;

    private static final int OTHERS_PER_LOOK = 64;

    private final LimitKeys keys;
    private final AtomicIntegerArray looks = new AtomicIntegerArray(Shard.COUNT);
    private int next;

    TouchedShards(LimitKeys keys) {
        this.keys = keys;
    }

    void note(List<CounterRequest> group) {
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i).limit().policy().coordination().scope() == Scope.GLOBAL) {
                note(keys.shard(group.get(i).limit()));
            }
        }
    }

    void note(Shard shard) {
        looks.set(shard.number(), LOOKS);
    }

    /** For one caller at a time. */
    Collection<Shard> toVisit() {
        List<Shard> shards = new ArrayList<>();
        for (int step = 0; step < Shard.COUNT; step++) {
            // Another one first each time: if there is more than one look takes, it is not always the same that wait.
            int i = (next + step) % Shard.COUNT;
            int left = looks.get(i);
            boolean inTurn = step < OTHERS_PER_LOOK;
            if (left > 0) {
                looks.compareAndSet(i, left, left - 1);
            }
            if (left > 0 || inTurn) {
                shards.add(new Shard(i));
            }
        }
        next = (next + OTHERS_PER_LOOK) % Shard.COUNT;
        return shards;
    }
}
