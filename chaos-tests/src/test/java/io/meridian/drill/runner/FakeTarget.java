package io.meridian.drill.runner;

import io.meridian.drill.definition.NetworkFault;
import io.meridian.drill.definition.PartFault.Verb;
import io.meridian.drill.history.Subject;
import io.meridian.drill.load.LimiterStub;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.drill.targets.DrillTarget.Links;
import io.meridian.drill.targets.DrillTarget.Parts;
import io.meridian.drill.targets.DrillTarget.Policies;
import io.meridian.drill.targets.DrillTarget.Policies.Loop;
import io.meridian.drill.targets.DrillTarget.Shards;
import io.meridian.drill.targets.DrillTarget.Shards.Lead;
import io.meridian.drill.targets.DrillTarget.UsageReader;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Two regions that allow everything, and the list of all that was done to them. */
final class FakeTarget implements DrillTarget, Policies, Shards, Links, Parts {
    final LimiterStub limiter;
    final List<String> deeds = java.util.Collections.synchronizedList(new ArrayList<>());
    volatile String failing = "nothing";
    volatile Consumer<String> doing = deed -> {};
    volatile Optional<UsageReader> usage = Optional.empty();
    volatile Optional<LimitKeys> keys = Optional.of(new LimitKeys(KeySecret.parse("000102030405060708090a0b0c0d0e0f")));
    private final AtomicLong beats = new AtomicLong();

    FakeTarget() throws IOException {
        limiter = new LimiterStub();
    }

    private void deed(String deed) throws IOException {
        doing.accept(deed);
        deeds.add(deed);
        if (deed.equals(failing)) {
            throw new IOException(deed + " does not work");
        }
    }

    @Override
    public String name() {
        return "a fake";
    }

    @Override
    public Map<String, List<String>> limiters() {
        return Map.of("a", List.of(limiter.address()), "b", List.of(limiter.address()));
    }

    @Override
    public Policies policies() {
        return this;
    }

    @Override
    public Shards shards() {
        return this;
    }

    @Override
    public Links links() {
        return this;
    }

    @Override
    public Parts parts() {
        return this;
    }

    @Override
    public Optional<UsageReader> usage() {
        return usage;
    }

    @Override
    public Optional<LimitKeys> keys() {
        return keys;
    }

    @Override
    public void create(Subject subject) throws IOException {
        deed("create");
    }

    @Override
    public void remove(Subject subject) throws IOException {
        deed("remove");
    }

    @Override
    public Set<String> laggards() {
        return Set.of();
    }

    @Override
    public List<Loop> loops() {
        return List.of(new Loop("a", 1, 1, 1), new Loop("b", 1, 1, 1));
    }

    @Override
    public List<Lead> leads() {
        return List.of(new Lead(0, "sync-1", 1, "beat " + beats.incrementAndGet()));
    }

    @Override
    public Set<String> places() {
        return Set.of("a", "b");
    }

    @Override
    public void inject(String place, NetworkFault fault) throws IOException {
        deed("inject " + place);
    }

    @Override
    public void heal(String place) throws IOException {
        deed("heal " + place);
    }

    @Override
    public List<String> names() {
        return List.of("kafka", "redis-a", "sync-1", "sync-2");
    }

    @Override
    public boolean can(String part, Verb verb) {
        return !part.equals("redis-a") || verb != Verb.START;
    }

    @Override
    public void act(String part, Verb verb) throws IOException {
        deed(verb.word() + " " + part);
    }

    @Override
    public void close() {
        limiter.close();
    }
}
