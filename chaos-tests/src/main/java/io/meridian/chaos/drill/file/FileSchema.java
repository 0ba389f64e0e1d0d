package io.meridian.chaos.drill.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a file may say, by a JSON schema among the resources. */
public final class FileSchema {
    public static final FileSchema DRILL = new FileSchema("/drill.schema.json");
    public static final FileSchema TARGET = new FileSchema("/target.schema.json");

    private final JsonSchema schema;

    private FileSchema(String resource) {
        schema = load(resource);
    }

    /** All that is wrong with it, each with its place and value; empty if nothing is. */
    public List<String> errors(JsonNode file) {
        return schema.validate(file).stream()
                .map(message -> new SchemaError(message).words())
                .distinct()
                .sorted()
                .toList();
    }

    private static JsonSchema load(String resource) {
        try (InputStream in = FileSchema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + resource);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(text, InputFormat.JSON);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
