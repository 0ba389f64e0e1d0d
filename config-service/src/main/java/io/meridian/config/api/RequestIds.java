package io.meridian.config.api;

import io.meridian.config.access.Shown;
import io.meridian.model.validation.Validator;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What a call is called, in its answer and in the audit trail: what the caller says, else something random. */
final class RequestIds {
    static final String HEADER = "X-Request-Id";

    private static final int LENGTH_MAX = 128;
    private static final int RANDOM_BYTES = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RequestIds() {}

    static String of(@Nullable String sent) {
        if (sent != null && isUsable(sent)) {
            return sent;
        }
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static boolean isUsable(String sent) {
        return !sent.isBlank()
                && sent.length() <= LENGTH_MAX
                && Validator.isPlain(sent)
                && Shown.text(sent).equals(sent);
    }
}
