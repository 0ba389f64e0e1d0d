package io.meridian.config.api;

import io.meridian.config.access.Caller;
import io.meridian.config.audit.Actor;
import jakarta.enterprise.context.RequestScoped;
import org.jspecify.annotations.Nullable;

/** Who makes the call at hand, and what it is called. */
@RequestScoped
class CallContext {
    private @Nullable Caller caller;
    private String requestId = "";

    void set(Caller known, String id) {
        caller = known;
        requestId = id;
    }

    Actor actor() {
        Caller known = caller;
        if (known == null) {
            throw new IllegalStateException("a call without a caller got past the filter");
        }
        return new Actor(known.name(), requestId);
    }
}
