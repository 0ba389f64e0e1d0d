package io.meridian.stack.cli;

import io.meridian.stack.StackState;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.rules.AdminApi;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the config-service to talk to and the token. */
final class AdminOption {
    private static final int TOKEN_MAX = 4_096;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "The config-service of any deployment, with --token-file. Default: that of the running stack.")
    private Optional<String> url = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token. Default, for the running stack only: its admin-token.")
    private Optional<Path> tokenFile = Optional.empty();

    @Mixin
    private StateOption state = new StateOption();

    AdminApi api() throws IOException {
        if (url.isPresent() && tokenFile.isEmpty()) {
            throw new StartFailure("--url needs --token-file: the stack's own token is for the stack alone.");
        }
        String address = url.isPresent() ? checked(url.get()) : ofTheStack();
        return new AdminApi(address, token(tokenFile.orElse(state.folder().adminToken())));
    }

    private static String checked(String url) {
        try {
            URI uri = new URI(url);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawUserInfo() == null) {
                return url;
            }
        } catch (URISyntaxException malformed) {
            // Refused below with a message of the command.
        }
        throw new StartFailure("--url must be like https://config.example.com, got " + url);
    }

    private String ofTheStack() throws IOException {
        return StackState.read(state.folder()).map(StackState::parts).stream()
                .flatMap(parts -> parts.stream())
                .filter(part -> part.name().equals(PartNames.CONFIG_SERVICE))
                .map(part -> part.address())
                .findFirst()
                .orElseThrow(() -> new StartFailure("Nothing runs. " + state.command("up")
                        + " starts it; --url and --token-file name another deployment."));
    }

    private static String token(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String token = new String(in.readNBytes(TOKEN_MAX), StandardCharsets.UTF_8).strip();
            if (!token.matches("[!-~]+")) {
                throw new StartFailure(file + " must hold a token: one line of printable characters");
            }
            return token;
        } catch (NoSuchFileException missing) {
            throw new StartFailure("There is no token in " + file, missing);
        }
    }
}
