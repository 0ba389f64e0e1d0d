package io.meridian.stack.cli;

import picocli.CommandLine.Command;

/** The rulebook as files, for review and for keeping in git. */
@Command(
        name = "policy",
        mixinStandardHelpOptions = true,
        description = "Policies, tiers, overrides and lists as YAML files.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {PolicyExportCommand.class, PolicyDiffCommand.class, PolicyApplyCommand.class})
final class PolicyCommand {
    /** An error, where 1 says that there is a difference. */
    static final int FAILED = 2;

    private PolicyCommand() {}
}
