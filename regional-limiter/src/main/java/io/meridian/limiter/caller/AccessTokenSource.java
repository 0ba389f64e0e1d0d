package io.meridian.limiter.caller;

import io.meridian.limiter.LimiterConfig.TokenConfig;
import io.meridian.limiter.file.FollowedFile;
import io.meridian.limiter.file.FollowedFile.RefusedFileException;
import io.meridian.limiter.metrics.CallerMetrics.AccessMetrics;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.access.TokenList;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Loader of access tokens, at the start and when their file changes. A limiter does not start with unreadable tokens; in a
 * running one the tokens in effect stay.
 */
@Singleton
class AccessTokenSource implements FollowedFile.Taker {
    private static final Logger LOG = Logger.getLogger(AccessTokenSource.class);

    private static final String FORMER = "meridian.limiter.token";

    private final TokenConfig config;
    private final AccessTokens tokens;
    private final AccessMetrics metrics;
    private @Nullable FollowedFile file;
    private boolean started;
    private String refusal = "";

    AccessTokenSource(TokenConfig config, AccessTokens tokens, LimiterMetrics metrics) {
        this.config = config;
        this.tokens = tokens;
        this.metrics = metrics.access();
    }

    void start(@Observes StartupEvent event) {
        start();
    }

    void start() {
        // An upgrade must not open a limiter that had the former setting.
        if (ConfigProvider.getConfig().getOptionalValue(FORMER, String.class).isPresent()) {
            throw new IllegalArgumentException(FORMER
                    + " is no setting any more: set meridian.limiter.tokens.file or meridian.limiter.tokens.list");
        }
        if (config.file().isPresent() && config.list().isPresent()) {
            throw new IllegalArgumentException(
                    "meridian.limiter.tokens.file and meridian.limiter.tokens.list must not both be set");
        }
        if (config.file().isPresent()) {
            follow(config.file().get());
        } else if (config.list().isPresent()) {
            tokens.replace(list(config.list().get()));
        } else {
            LOG.info("Everybody may call, with all scopes: neither meridian.limiter.tokens.file nor"
                    + " meridian.limiter.tokens.list is set");
        }
    }

    private void follow(Path path) {
        FollowedFile followed = new FollowedFile("tokens", path, TokenList.BYTES_MAX, this);
        file = followed;
        if (!followed.load()) {
            throw new IllegalArgumentException("meridian.limiter.tokens.file must be a file of tokens: " + refusal);
        }
        started = true;
        followed.follow(config.fileCheckInterval());
    }

    private static TokenList list(String text) {
        try {
            return TokenList.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("meridian.limiter.tokens.list: " + wrong.getMessage(), wrong);
        }
    }

    @Override
    public void take(byte[] bytes) throws RefusedFileException {
        TokenList list;
        try {
            list = TokenList.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException wrong) {
            throw new RefusedFileException(String.valueOf(wrong.getMessage()));
        }
        tokens.replace(list);
        LOG.infof(
                "tokens are in effect: file=%s, tokens=%d",
                config.file().orElse(null), list.tokens().size());
    }

    @Override
    public void refused(String reason) {
        metrics.fileRefused(true);
        refusal = reason;
        if (started) {
            LOG.errorf("the file of tokens is not taken, the tokens in effect stay: %s", reason);
        }
    }

    @Override
    public void inEffect() {
        metrics.fileRefused(false);
    }

    @PreDestroy
    void stop() {
        if (file != null) {
            file.close();
        }
    }
}
