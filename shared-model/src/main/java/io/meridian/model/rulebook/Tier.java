package io.meridian.model.rulebook;

import io.meridian.model.rule.Rules;
import io.meridian.model.rule.Texts;
import java.util.regex.Pattern;

/**
 * A class of clients.
 *
 * @param isDefault whether it is the tier of clients that have none of their own
 */
public record Tier(String name, String description, boolean isDefault) {
    /** The tier to which only policies that name it apply. */
    public static final String UNLIMITED = "unlimited";

    static final int DESCRIPTION_MAX = 2_000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public Tier {
        Rules rules = new Rules();
        checkName(rules, "name", name);
        rules.require(
                        description.length() <= DESCRIPTION_MAX && Texts.isProse(description),
                        "description",
                        description,
                        "must be text of at most " + DESCRIPTION_MAX + " characters")
                .throwIfBroken();
    }

    /** The rule for whatever names a tier. */
    public static void checkName(Rules rules, String field, String name) {
        rules.require(
                NAME.matcher(name).matches(),
                field,
                name,
                "must be 1 to 64 letters, digits, '.', '_', '-', the first a letter or digit");
    }
}
