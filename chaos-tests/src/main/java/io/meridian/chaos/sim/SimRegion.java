package io.meridian.chaos.sim;

import java.util.ArrayList;
import java.util.List;

/** A region: its Redis, its limiters, and its way to Kafka. */
final class SimRegion {
    final String name;
    final SimRedis redis;
    final Link link;
    final List<SimInstance> instances = new ArrayList<>();
    /** When an instance last came or went. */
    long changedMicros;

    SimRegion(String name, SimRedis redis, Link link) {
        this.name = name;
        this.redis = redis;
        this.link = link;
    }

    /** Those that are asked: one that is being stopped only brings to an end what it has begun. */
    List<SimInstance> serving() {
        return instances.stream().filter(SimInstance::isServing).toList();
    }

    List<SimInstance> alive() {
        return instances.stream().filter(each -> !each.isDead()).toList();
    }
}
