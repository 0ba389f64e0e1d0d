package io.meridian.config.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.config.audit.Actor;
import io.meridian.config.database.Database;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.model.time.TimeSource;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.NotificationOptions;
import jakarta.enterprise.util.TypeLiteral;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The rule store on a database, without a service around it. */
public final class TestRules {
    private static final Actor ACTOR = new Actor("test", "test");

    private final Database database;
    private final RuleStore rulebook;

    public TestRules(Database database) {
        this.database = database;
        rulebook = new RuleStore(database, TimeSource.system(), new Nobody<>());
    }

    public long revision() {
        return database.read(EntryTables::revision);
    }

    /** Puts an entry, and answers the revision. */
    public long put(EntryKind kind, String json) throws JsonProcessingException {
        return rulebook.change(
                        ACTOR,
                        List.of(new EntryChange.Put(
                                EntryDocument.read(kind, new ObjectMapper().readTree(json)), Precondition.ALWAYS)))
                .revision();
    }

    public long delete(EntryKind kind, String id) {
        return rulebook.change(ACTOR, List.of(new EntryChange.Delete(kind.key(id), Precondition.ALWAYS)))
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
