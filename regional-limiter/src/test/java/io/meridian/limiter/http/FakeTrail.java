package io.meridian.limiter.http;

import io.meridian.limiter.operations.OperationTrail;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A trail that remembers what it was told. */
@Alternative
@Singleton
class FakeTrail implements OperationTrail {
    private final List<Entry> operations = new CopyOnWriteArrayList<>();

    void reset() {
        operations.clear();
    }

    List<Entry> operations() {
        return List.copyOf(operations);
    }

    @Override
    public void add(Entry operation) {
        operations.add(operation);
    }
}
