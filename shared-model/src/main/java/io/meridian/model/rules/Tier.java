package io.meridian.model.rules;

import io.meridian.model.validation.Validator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A class of clients.
 *
 * @param isDefault whether it is the tier of clients that have none of their own
 * @param upgradeUrl where a client of this tier is sent for a higher one, shown when a limit refuses it
 */
public record Tier(String name, String description, boolean isDefault, Optional<String> upgradeUrl) {
    /** The tier to which only policies that name it apply. */
    public static final String UNLIMITED = "unlimited";

    static final int DESCRIPTION_MAX = 2_000;
    static final int URL_MAX = 2_048;
    /** A host or a bracketed address, a port, and the characters that RFC 3986 has for the rest. */
    private static final Pattern URL =
            Pattern.compile("(?i)https?://(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\\[[0-9a-f:.]+])(?::[0-9]{1,5})?"
                    + "(?:[/?#][!-~&&[^\"<>\\\\^`{|}]]*)?");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public Tier {
        Validator rules = new Validator();
        checkName(rules, "name", name);
        rules.require(
                        description.length() <= DESCRIPTION_MAX && Validator.isProse(description),
                        "description",
                        description,
                        "must be text of at most " + DESCRIPTION_MAX + " characters")
                .require(
                        upgradeUrl.map(Tier::isWebUrl).orElse(true),
                        "upgrade_url",
                        upgradeUrl.orElse(""),
                        "must be an http or https URL of at most " + URL_MAX + " characters, without user and password")
                .throwIfInvalid();
    }

    /** Whether a browser can be sent there. A user and a password would be shown to every client of the tier. */
    private static boolean isWebUrl(String text) {
        return text.length() <= URL_MAX && URL.matcher(text).matches();
    }

    /** A tier without an upgrade URL. */
    public Tier(String name, String description, boolean isDefault) {
        this(name, description, isDefault, Optional.empty());
    }

    /** The same tier, being the default or not. */
    public Tier asDefault(boolean other) {
        return new Tier(name, description, other, upgradeUrl);
    }

    /** The rule for whatever names a tier. */
    public static void checkName(Validator rules, String field, String name) {
        rules.require(
                NAME.matcher(name).matches(),
                field,
                name,
                "must be 1 to 64 letters, digits, '.', '_', '-', the first a letter or digit");
    }

    /** The tier of one client. */
    public record ClientTier(Identifier identifier, String tier) {
        public ClientTier {
            Validator rules = new Validator();
            Tier.checkName(rules, "tier", tier);
            rules.throwIfInvalid();
        }
    }
}
