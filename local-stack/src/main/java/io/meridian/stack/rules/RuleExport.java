package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.rules.RuleEntry;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.Map;

/**
 * Writes the whole rulebook as a file. The same rulebook is always the same bytes: no time, no revision, one order of
 * sections, entries and fields, and no field that says what holds anyway. Entries stream through.
 */
public final class RuleExport {
    private static final String HEADER = """
            # The rulebook of a Meridian, written by: meridian policy export
            # What would change if this file were applied:  meridian policy diff FILE
            # Apply it, all or nothing:                     meridian policy apply FILE
            # What stands in the rulebook and not here goes only with --prune. A section that is missing here is left alone.
            # Fields that have their default are left out; docs/policies.md names every field.
            """;

    private final Writer out;
    private boolean empty;

    private RuleExport(Writer out) {
        this.out = out;
    }

    /** Writes a file that is there whole, or not at all. */
    public static void to(Path file, AdminApi api) {
        Path target = file.toAbsolutePath();
        Path draft = target.resolveSibling(target.getFileName() + ".draft");
        try {
            try {
                api.unchangedWhile(revision -> write(draft, api));
                Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException | UncheckedIOException failed) {
            throw new RuleFailure(file + " cannot be written: " + failed.getMessage(), failed);
        }
    }

    private static Path write(Path draft, AdminApi api) {
        try (BufferedWriter out = Files.newBufferedWriter(draft)) {
            RuleExport export = new RuleExport(out);
            out.write(HEADER);
            for (Section section : Section.ALL) {
                export.write(section, api);
            }
            return draft;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void write(Section section, AdminApi api) throws IOException {
        out.write("\n" + section.title() + ":");
        empty = true;
        api.each(section, entry -> {
            try {
                out.write(empty ? "\n" : "");
                empty = false;
                write(entry);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        if (empty) {
            out.write(section == Section.ADAPTIVE ? " # none is set: the built-in table holds\n" : " []\n");
        }
    }

    private void write(RuleEntry entry) throws IOException {
        ObjectNode document = Documents.brief(entry);
        if (entry instanceof RuleEntry.OfPolicy) {
            writeLines(document);
        } else if (entry instanceof RuleEntry.OfAdaptive) {
            for (JsonNode step : document.path("steps")) {
                out.write("  - " + YamlText.of(step) + "\n");
            }
        } else {
            out.write("  - " + YamlText.of(document) + "\n");
        }
    }

    private void writeLines(ObjectNode document) throws IOException {
        Iterator<Map.Entry<String, JsonNode>> fields = document.properties().iterator();
        for (String indent = "  - "; fields.hasNext(); indent = "    ") {
            Map.Entry<String, JsonNode> field = fields.next();
            out.write(indent + field.getKey() + ": " + YamlText.of(field.getValue()) + "\n");
        }
    }
}
