package io.meridian.chaos.sim;

import io.meridian.sync.leader.ReplicaCore;
import java.util.Set;
import java.util.TreeSet;

/** A replica's place in the group, and the partitions that are its own there. */
final class SimMembership {
    private final String member;
    private final SimKafka kafka;
    private final Link link;
    private final ReplicaCore core;
    private final SimSpeaker speaker;
    private final SimSpeaker.Host host;
    private final Set<Integer> assigned = new TreeSet<>();
    private boolean joined;
    private long generation;

    SimMembership(String member, SimKafka kafka, Link link, ReplicaCore core, SimSpeaker speaker, SimSpeaker.Host host) {
        this.member = member;
        this.kafka = kafka;
        this.link = link;
        this.core = core;
        this.speaker = speaker;
        this.host = host;
    }

    /** Whether it ever asked to join. */
    boolean hasJoined() {
        return joined;
    }

    long generation() {
        return generation;
    }

    /** Says that it is there, and joins again if the group shares out anew. */
    void beat() {
        if (!joined) {
            return;
        }
        long ofGeneration = generation;
        link.to(() -> {
            if (kafka.isUp()) {
                SimGroup.Beat answer = kafka.group().beat(member, ofGeneration);
                link.from(() -> host.deliver(() -> speaker.afterwards(() -> {
                    if (answer != SimGroup.Beat.FINE && ofGeneration == generation) {
                        join();
                    }
                })));
            }
        });
    }

    void join() {
        joined = true;
        assigned.forEach(core::lost);
        assigned.clear();
        link.to(() -> {
            if (kafka.isUp()) {
                kafka.group()
                        .join(
                                member,
                                given -> link.from(() -> host.deliver(() -> speaker.afterwards(() -> take(given)))));
            }
        });
    }

    private void take(SimGroup.Assigned given) {
        if (given.generation() > generation) {
            generation = given.generation();
            assigned.forEach(core::lost);
            assigned.clear();
            assigned.addAll(given.partitions());
            assigned.forEach(core::assigned);
        }
    }

    void leave() {
        link.to(() -> {
            if (kafka.isUp()) {
                kafka.group().leave(member);
            }
        });
    }
}
