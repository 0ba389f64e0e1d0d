package io.meridian.stack.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The policies of a first start: small, and one of each kind that is worth a try. What is there already stays. */
final class DemoPolicies {
    private static final String RESOURCE = "/demo-policies.yaml";

    private DemoPolicies() {}

    static Path ensure(StateFolder folder) throws IOException {
        Path policies = folder.policies();
        if (Files.exists(policies)) {
            return policies;
        }
        Path next = folder.root().resolve("policies.yaml.next");
        try (InputStream demo = DemoPolicies.class.getResourceAsStream(RESOURCE)) {
            if (demo == null) {
                throw new IOException(RESOURCE + " is missing from the command's jar");
            }
            Files.copy(demo, next, StandardCopyOption.REPLACE_EXISTING);
        }
        return Files.move(next, policies, StandardCopyOption.ATOMIC_MOVE);
    }
}
