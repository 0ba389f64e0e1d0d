package io.meridian.stack.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Version of the command and commit of the checkout that it runs from; the script {@code ./meridian} looks the commit up. */
final class MeridianVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Meridian.class.getPackage().getImplementationVersion();
        String commit = System.getProperty("meridian.commit", "");
        return new String[] {
            "meridian " + Optional.ofNullable(version).orElse("(unpackaged)"),
            "commit " + (commit.isEmpty() ? "unknown" : commit)
        };
    }
}
