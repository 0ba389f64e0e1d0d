package io.meridian.limiter.policy.source;

import io.meridian.limiter.file.RefusedFileException;
import io.meridian.limiter.policy.RuleSet;
import java.io.IOException;
import java.io.InputStream;

/** The policies of a limiter that knows nothing else. */
final class BuiltInPolicies {
    private static final String RESOURCE = "/policies-built-in.yaml";

    private BuiltInPolicies() {}

    static RuleSet read() {
        try (InputStream in = BuiltInPolicies.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " must be on the class path");
            }
            return PolicyFile.read(in.readAllBytes());
        } catch (IOException | RefusedFileException broken) {
            throw new IllegalStateException(RESOURCE + ": " + broken.getMessage(), broken);
        }
    }
}
