package io.meridian.config.api;

import io.meridian.config.access.AdminCaller;
import io.meridian.config.access.AdminRole;
import io.meridian.config.access.Callers.Identified;
import io.meridian.config.access.Credential;
import io.meridian.config.audit.Actor;
import io.meridian.model.validation.Validator;
import io.meridian.service.http.Redaction;
import jakarta.enterprise.context.RequestScoped;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Caller and request id of the current call. */
@RequestScoped
class CallContext {
    static final String REQUEST_ID = "X-Request-Id";

    private static final int REQUEST_ID_MAX = 128;
    private static final int RANDOM_BYTES = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private @Nullable AdminCaller caller;
    private @Nullable Credential credential;
    private String requestId = "";

    void identify(Identified identified, String id) {
        caller = identified.caller();
        credential = identified.credential();
        requestId = id;
    }

    Actor actor() {
        return new Actor(caller().name(), requestId);
    }

    AdminCaller caller() {
        return present(caller);
    }

    /** The proof of the caller, for a new session. */
    Credential credential() {
        return present(credential);
    }

    private static <T> T present(@Nullable T identified) {
        if (identified == null) {
            throw new IllegalStateException("a call without a caller got past the filter");
        }
        return identified;
    }

    /** Whether the caller's role includes another one. */
    boolean covers(AdminRole role) {
        return caller != null && caller.role().covers(role);
    }

    /** The tenant to whose policies the caller is restricted. */
    Optional<String> tenant() {
        return caller == null ? Optional.empty() : caller.tenant();
    }

    /** The request id in the answer and in the audit trail: the one sent if it is usable, else a random one. */
    static String requestId(@Nullable String sent) {
        if (sent != null && isUsable(sent)) {
            return sent;
        }
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static boolean isUsable(String sent) {
        return !sent.isBlank()
                && sent.length() <= REQUEST_ID_MAX
                && Validator.isPlain(sent)
                && Redaction.text(sent).equals(sent);
    }
}
