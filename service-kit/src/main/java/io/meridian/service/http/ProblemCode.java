package io.meridian.service.http;

import com.fasterxml.jackson.core.io.SerializedString;
import java.util.Locale;

/** Way in which a service refuses a call; the constants of one enum are the closed set of a service. */
public interface ProblemCode {
    int status();

    /** The {@code type} of its problem documents. */
    SerializedString type();

    /** The {@code title} of its problem documents. */
    SerializedString title();

    /** The URN that is the type of a constant. */
    static SerializedString urn(Enum<?> code) {
        return new SerializedString(
                "urn:meridian:problem:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
