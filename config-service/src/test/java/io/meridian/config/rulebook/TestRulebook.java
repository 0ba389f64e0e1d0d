package io.meridian.config.rulebook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.config.store.Database;
import io.meridian.model.time.TimeSource;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.NotificationOptions;
import jakarta.enterprise.util.TypeLiteral;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The rulebook on a database, without a service around it. */
public final class TestRulebook {
    private static final Actor ACTOR = new Actor("test", "test");

    private final Database database;
    private final Rulebook rulebook;
    private final Repairs repairs;

    public TestRulebook(Database database) {
        this.database = database;
        rulebook = new Rulebook(database, TimeSource.system(), new Nobody<>());
        repairs = new Repairs(database);
    }

    public Repairs repairs() {
        return repairs;
    }

    public long revision() {
        return database.read(Revisions::current);
    }

    /** Puts an entry, and answers the revision. */
    public long put(Kind kind, String json) throws JsonProcessingException {
        return rulebook.change(
                        ACTOR,
                        List.of(new Op.Put(EntryForm.read(kind, new ObjectMapper().readTree(json)), Condition.ALWAYS)))
                .revision();
    }

    public long delete(Kind kind, String id) {
        return rulebook.change(ACTOR, List.of(new Op.Delete(EntryIds.read(kind, id), Condition.ALWAYS)))
                .revision();
    }

    /** Nobody listens. */
    private static final class Nobody<T> implements Event<T> {
        @Override
        public void fire(T event) {}

        @Override
        public <U extends T> CompletionStage<U> fireAsync(U event) {
            return CompletableFuture.completedFuture(event);
        }

        @Override
        public <U extends T> CompletionStage<U> fireAsync(U event, NotificationOptions options) {
            return CompletableFuture.completedFuture(event);
        }

        @Override
        public Event<T> select(Annotation... qualifiers) {
            return this;
        }

        @Override
        public <U extends T> Event<U> select(Class<U> subtype, Annotation... qualifiers) {
            return new Nobody<>();
        }

        @Override
        public <U extends T> Event<U> select(TypeLiteral<U> subtype, Annotation... qualifiers) {
            return new Nobody<>();
        }
    }
}
