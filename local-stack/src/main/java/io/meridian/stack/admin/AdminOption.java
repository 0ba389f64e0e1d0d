package io.meridian.stack.admin;

import io.meridian.stack.StackState;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.rules.AdminApi;
import io.meridian.stack.rules.AdminHttp;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options for the config-service to talk to and the token: given, of a profile, or of the running stack. Nothing else decides, so that
 * a command in a checkout never reaches a deployment that was not named.
 */
final class AdminOption {
    private static final int TOKEN_MAX = 4_096;
    private static final String STANDARD_INPUT = "-";

    @Option(
            names = {"--server", "--url"},
            paramLabel = "URL",
            description =
                    "The config-service of any deployment, with --token-file. Default: that of the running stack.")
    private Optional<String> server = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with the token, or - for the standard input. Default, for the running stack only: its admin-token.")
    private Optional<String> tokenFile = Optional.empty();

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = {
                "Address and token file of this name in .meridian/profiles or ~/.config/meridian/profiles.",
                "Default: MERIDIAN_PROFILE. Without a checkout also the profile called default."
            })
    private Optional<String> profile = Optional.empty();

    @Mixin
    private StateOption state = new StateOption();

    AdminApi api() throws IOException {
        Target target = target(System.getenv());
        return new AdminApi(target.server(), target.token());
    }

    AdminHttp http() throws IOException {
        Target target = target(System.getenv());
        return new AdminHttp(target.server(), target.token());
    }

    /** Whether the token is read from the standard input, which no document can then be. */
    boolean readsInput() {
        return tokenFile.filter(STANDARD_INPUT::equals).isPresent();
    }

    StateOption state() {
        return state;
    }

    private record Target(String server, String token) {}

    private Target target(Map<String, String> environment) throws IOException {
        if (server.isPresent()) {
            if (tokenFile.isEmpty()) {
                throw new StartFailure("--server needs --token-file: the stack's own token is for the stack alone.");
            }
            return new Target(checked("--server", server.get()), token(tokenFile.get()));
        }
        Profiles profiles = new Profiles(profileFiles(environment));
        Optional<String> named = profile.or(() -> Optional.ofNullable(environment.get("MERIDIAN_PROFILE")))
                .filter(name -> !name.isEmpty());
        if (named.isEmpty() && !StateOption.isCheckout()) {
            named = Optional.of(Profiles.DEFAULT).filter(profiles::has);
        }
        if (named.isPresent()) {
            Profiles.Profile found = profiles.get(named.get());
            return new Target(
                    checked("server of profile " + named.get(), found.server()),
                    token(tokenFile.orElse(found.tokenFile())));
        }
        Path own = state.folder().adminToken();
        return new Target(ofTheStack(), token(tokenFile.orElse(own.toString())));
    }

    private static String checked(String name, String url) {
        try {
            URI uri = new URI(url);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawUserInfo() == null) {
                return url;
            }
        } catch (URISyntaxException malformed) {
            // Refused below with a message of the command.
        }
        throw new StartFailure(name + " must be like https://config.example.com, got " + url);
    }

    private String ofTheStack() throws IOException {
        return StackState.read(state.folder()).map(StackState::parts).stream()
                .flatMap(parts -> parts.stream())
                .filter(part -> part.name().equals(PartNames.CONFIG_SERVICE))
                .map(part -> part.address())
                .findFirst()
                .orElseThrow(() -> new StartFailure(
                        StateOption.isCheckout()
                                ? "Nothing runs. " + state.command("up")
                                        + " starts it; --server and --token-file, or --profile, name another deployment."
                                : "No deployment is named: give --server and --token-file, or --profile."));
    }

    private static String token(String name) throws IOException {
        boolean input = name.equals(STANDARD_INPUT);
        String source = input ? "the standard input" : name;
        try (InputStream in = input ? System.in : Files.newInputStream(Path.of(name))) {
            String token = new String(in.readNBytes(TOKEN_MAX), StandardCharsets.UTF_8).strip();
            if (!token.matches("[!-~]+")) {
                throw new StartFailure(source + " must hold a token: one line of printable characters");
            }
            return token;
        } catch (NoSuchFileException missing) {
            throw new StartFailure("There is no token in " + source, missing);
        }
    }

    /** Where profiles are read from; a name in the first file hides that of the second. */
    private List<Path> profileFiles(Map<String, String> environment) {
        List<Path> files = new ArrayList<>(List.of(state.folder().root().resolve("profiles")));
        Optional<String> config = Optional.ofNullable(environment.get("XDG_CONFIG_HOME"))
                .filter(folder -> !folder.isEmpty())
                .or(() -> Optional.ofNullable(environment.get("HOME")).map(home -> home + "/.config"));
        config.ifPresent(folder -> files.add(Path.of(folder, "meridian", "profiles")));
        return files;
    }

    /** Named deployments, as {@code NAME.server} and {@code NAME.token-file} in files of properties. */
    static final class Profiles {
        static final String DEFAULT = "default";

        private static final String SERVER = ".server";
        private static final String TOKEN_FILE = ".token-file";

        private final List<Path> files;
        private final Properties all = new Properties();

        record Profile(String server, String tokenFile) {}

        Profiles(List<Path> files) throws IOException {
            this.files = files;
            for (int i = files.size() - 1; i >= 0; i--) {
                if (Files.isRegularFile(files.get(i))) {
                    try (Reader reader = Files.newBufferedReader(files.get(i))) {
                        all.load(reader);
                    } catch (IllegalArgumentException malformed) {
                        throw new StartFailure(files.get(i) + " is no file of profiles: " + malformed.getMessage());
                    }
                }
            }
        }

        boolean has(String name) {
            return all.containsKey(name + SERVER);
        }

        Profile get(String name) {
            if (!has(name)) {
                throw new StartFailure("There is no profile " + name + " in "
                        + String.join(" or ", files.stream().map(Path::toString).toList()) + "; there are: " + names());
            }
            String file = all.getProperty(name + TOKEN_FILE, "");
            if (file.isBlank()) {
                throw new StartFailure("Profile " + name + " has no " + name + TOKEN_FILE);
            }
            return new Profile(
                    all.getProperty(name + SERVER).strip(),
                    file.strip().replaceFirst("^~/", System.getProperty("user.home") + "/"));
        }

        private String names() {
            TreeSet<String> names = new TreeSet<>();
            all.stringPropertyNames().stream()
                    .filter(key -> key.endsWith(SERVER))
                    .forEach(key -> names.add(key.substring(0, key.length() - SERVER.length())));
            return names.isEmpty() ? "none" : String.join(", ", names);
        }
    }
}
