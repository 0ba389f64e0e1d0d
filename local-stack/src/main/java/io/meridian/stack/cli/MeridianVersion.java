package io.meridian.stack.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar this runs from. */
final class MeridianVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Meridian.class.getPackage().getImplementationVersion();
        return new String[] {"meridian " + Optional.ofNullable(version).orElse("(unpackaged)")};
    }
}
