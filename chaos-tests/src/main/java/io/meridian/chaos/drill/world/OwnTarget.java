package io.meridian.chaos.drill.world;

import io.meridian.model.match.LimitKeys;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A stack that goes with its target. */
public final class OwnTarget implements Target {
    private final OwnStack stack;
    private final LocalTarget local;

    private OwnTarget(OwnStack stack, LocalTarget local) {
        this.stack = stack;
        this.local = local;
    }

    /** Takes the stack down where it cannot be used. */
    public static OwnTarget of(OwnStack stack) throws IOException {
        try {
            return new OwnTarget(stack, LocalTarget.of(stack.folder()));
        } catch (IOException | RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "a stack of its own";
    }

    @Override
    public Map<String, List<String>> limiters() {
        return local.limiters();
    }

    @Override
    public Policies policies() {
        return local.policies();
    }

    @Override
    public Shards shards() {
        return local.shards();
    }

    @Override
    public Links links() {
        return local.links();
    }

    @Override
    public Parts parts() {
        return local.parts();
    }

    @Override
    public Optional<UsageLog> usage() {
        return local.usage();
    }

    @Override
    public Optional<LimitKeys> keys() {
        return local.keys();
    }

    @Override
    public void close() throws IOException {
        stack.close();
    }
}
