package io.meridian.model.access;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tokens of a limiter's callers, one per line; empty lines and those that begin with {@code #} are ignored. Names and
 * hashes are different, or it would be ambiguous whose token a call has. There is at least one token: a file that was emptied
 * by mistake would shut everybody out.
 */
public record TokenList(List<TokenEntry> tokens) {
    public static final int BYTES_MAX = 64 << 10;
    public static final int TOKENS_MAX = 256;

    /** So many wrong lines are named; a file of another kind has many. */
    private static final int WRONG_MAX = 10;

    public TokenList {
        tokens = List.copyOf(tokens);
    }

    /**
     * The tokens of a text.
     *
     * @throws IllegalArgumentException with the number and the reason of each line that is wrong
     */
    public static TokenList parse(String text) {
        if (text.length() > BYTES_MAX) {
            throw new IllegalArgumentException("must have at most " + BYTES_MAX + " characters, got " + text.length());
        }
        List<TokenEntry> tokens = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<String> hashes = new HashSet<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.strip().startsWith("#")) {
                continue;
            }
            try {
                TokenEntry token = TokenEntry.parse(line);
                require(names.add(token.name()), "the name " + token.name() + " was given before");
                require(hashes.add(token.hash().hex()), "the hash was given before, under another name");
                require(tokens.size() < TOKENS_MAX, "there must be at most " + TOKENS_MAX + " tokens");
                tokens.add(token);
            } catch (IllegalArgumentException refused) {
                wrong.add("line " + number + ": " + refused.getMessage());
                if (wrong.size() == WRONG_MAX) {
                    break;
                }
            }
        }
        if (wrong.isEmpty() && tokens.isEmpty()) {
            wrong.add("line " + Math.max(1, number) + ": there must be at least one token");
        }
        require(wrong.isEmpty(), String.join("; ", wrong));
        return new TokenList(tokens);
    }

    private static void require(boolean holds, String reason) {
        if (!holds) {
            throw new IllegalArgumentException(reason);
        }
    }
}
