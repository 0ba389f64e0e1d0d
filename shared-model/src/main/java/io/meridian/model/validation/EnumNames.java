package io.meridian.model.validation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The names of an enumeration as policies write them: in lower case. */
public final class EnumNames {
    private EnumNames() {}

    public static <E extends Enum<E>> Optional<E> find(Class<E> type, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> text(constant).equals(text))
                .findFirst();
    }

    public static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** All names: {@code regional, global}. */
    public static <E extends Enum<E>> String list(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(EnumNames::text).collect(Collectors.joining(", "));
    }
}
