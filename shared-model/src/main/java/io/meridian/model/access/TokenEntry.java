package io.meridian.model.access;

import io.meridian.model.validation.EnumNames;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A token of a limiter's callers: {@code checkout check,operate sha256:…} in a file. Reasons of refusals repeat neither a name
 * nor a hash: in a file with mistakes either may be a token.
 *
 * @param name what metrics and the audit trail call its bearer
 */
public record TokenEntry(String name, Set<TokenScope> scopes, TokenHash hash) {
    /** The caller of a limiter without tokens. */
    public static final String ANONYMOUS = "anonymous";
    /** No token at all, in metrics. */
    public static final String NONE = "none";

    /** Shorter than a token, so that one in the wrong place is no name. */
    private static final int NAME_MAX = 40;

    private static final String NAME = "[a-z0-9][a-z0-9._-]{0," + (NAME_MAX - 1) + "}";
    /** Names that stand for no token in metrics and in the audit trail. */
    private static final Set<String> RESERVED = Set.of(ANONYMOUS, NONE, "nobody", "various");

    private static final String ALGORITHM = "sha256:";
    private static final String FORM = "a line must be: name scopes sha256:hash";
    private static final int SHOWN_MAX = 16;

    public TokenEntry {
        require(
                name.matches(NAME),
                "the name must have 1 to " + NAME_MAX
                        + " characters of a-z, 0-9, '.', '_' and '-', the first a letter or a digit");
        require(!RESERVED.contains(name), "the name " + name + " is reserved");
        require(!scopes.isEmpty(), "a token must have a scope of " + EnumNames.list(TokenScope.class));
        scopes = Set.copyOf(scopes);
    }

    /** The token of one line. */
    static TokenEntry parse(String line) {
        String[] fields = line.strip().split("\\s+", -1);
        require(fields.length == 3, FORM);
        require(fields[2].startsWith(ALGORITHM), FORM + "; the token itself does not belong here");
        return new TokenEntry(fields[0], scopes(fields[1]), TokenHash.ofHex(fields[2].substring(ALGORITHM.length())));
    }

    /** Scopes as a file and the command line have them: {@code check,operate}. */
    public static Set<TokenScope> scopes(String list) {
        Set<TokenScope> scopes = EnumSet.noneOf(TokenScope.class);
        for (String name : List.of(list.split(",", -1))) {
            Optional<TokenScope> scope = EnumNames.find(TokenScope.class, name);
            require(scope.isPresent(), "scopes must be of " + EnumNames.list(TokenScope.class) + shown(name));
            require(scopes.add(scope.orElseThrow()), "the scope " + name + " is given twice");
        }
        return scopes;
    }

    /** Part of an error message that shows a scope name, only if it is short and alphabetic: longer text may be a secret. */
    private static String shown(String name) {
        return name.length() <= SHOWN_MAX && name.matches("[A-Za-z]*") ? ", got '" + name + "'" : "";
    }

    /** The line of a file. */
    public String line() {
        String list = scopes.stream().sorted().map(EnumNames::text).collect(Collectors.joining(","));
        return name + " " + list + " " + ALGORITHM + hash.hex();
    }

    private static void require(boolean holds, String reason) {
        if (!holds) {
            throw new IllegalArgumentException(reason);
        }
    }

    /** Scopes of a limiter's callers. None of them includes another. */
    public enum TokenScope {
        /** Checks, batches, status, forward-auth, leases. */
        CHECK,
        /** Refunds, resets, reservations. */
        OPERATE,
        /** Reports of the region's load. */
        LOAD
    }
}
