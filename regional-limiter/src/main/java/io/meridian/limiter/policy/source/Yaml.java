package io.meridian.limiter.policy.source;

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
import org.yaml.snakeyaml.LoaderOptions;

/**
 * YAML, bounded: so many bytes, so deep, no key twice, and no aliases, whose expansion has no bound and which a reader of
 * events would take for text.
 */
final class Yaml {
    static final int BYTES_MAX = 64 << 20;
    static final int DEPTH_MAX = 16;

    private static final ObjectMapper MAPPER = new ObjectMapper(YAMLFactory.builder()
            .loaderOptions(options())
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    private Yaml() {}

    static JsonParser parser(byte[] bytes) throws IOException {
        return new WithoutAliases((YAMLParser) MAPPER.createParser(bytes));
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(BYTES_MAX);
        options.setNestingDepthLimit(DEPTH_MAX);
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(0);
        return options;
    }

    private static final class WithoutAliases extends JsonParserDelegate {
        private final YAMLParser yaml;

        WithoutAliases(YAMLParser yaml) {
            super(yaml);
            this.yaml = yaml;
        }

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
}
