package io.meridian.chaos.drill.world;

import io.meridian.chaos.drill.file.PartFault.Verb;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The processes of a deployment, by commands of its owner's. */
record CommandParts(Map<String, Map<Verb, List<String>>> commands) implements Parts {
    private static final Duration DONE_WITHIN = Duration.ofMinutes(2);

    CommandParts {
        commands = Map.copyOf(commands);
    }

    @Override
    public List<String> names() {
        return commands.keySet().stream().sorted().toList();
    }

    @Override
    public boolean can(String part, Verb verb) {
        return commands.getOrDefault(part, Map.of()).containsKey(verb);
    }

    @Override
    public void act(String part, Verb verb) throws IOException, InterruptedException {
        List<String> command = commands.getOrDefault(part, Map.of()).get(verb);
        if (command == null) {
            throw new IllegalArgumentException("there is no command to " + verb.word() + " " + part);
        }
        CommandLineRun.Outcome outcome = CommandLineRun.of(command, DONE_WITHIN);
        if (outcome.status() != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + outcome.status() + ": "
                    + outcome.stdout() + outcome.stderr());
        }
    }
}
