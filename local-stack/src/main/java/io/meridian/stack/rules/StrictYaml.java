package io.meridian.stack.rules;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.InputStream;
import org.yaml.snakeyaml.LoaderOptions;

/** YAML within the bounds that the limiter's files have: so long, so deep, no key twice, no aliases. */
final class StrictYaml extends JsonParserDelegate {
    static final int BYTES_MAX = 64 << 20;

    private static final int DEPTH_MAX = 16;
    private static final ObjectMapper MAPPER = new ObjectMapper(YAMLFactory.builder()
            .loaderOptions(bounds())
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    private final YAMLParser yaml;

    private StrictYaml(YAMLParser yaml) {
        super(yaml);
        this.yaml = yaml;
    }

    static JsonParser parser(InputStream in) throws IOException {
        return new StrictYaml((YAMLParser) MAPPER.createParser(in));
    }

    private static LoaderOptions bounds() {
        LoaderOptions bounds = new LoaderOptions();
        bounds.setCodePointLimit(BYTES_MAX);
        bounds.setAllowDuplicateKeys(false);
        return bounds;
    }

    /** An event reader takes an alias for the text of its name. */
    @Override
    @SuppressWarnings("deprecation") // what took its place tells of anchors, not of aliases
    public JsonToken nextToken() throws IOException {
        JsonToken token = super.nextToken();
        if (token != null && yaml.isCurrentAlias()) {
            throw new JsonParseException(this, "an alias: write out what it stands for");
        }
        return token;
    }
}
