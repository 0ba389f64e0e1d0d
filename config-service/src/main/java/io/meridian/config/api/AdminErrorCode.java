package io.meridian.config.api;

import com.fasterxml.jackson.core.io.SerializedString;
import io.meridian.service.http.ProblemCode;

/** Every way a call can be refused: the closed set behind the {@code type} of a problem document. */
enum AdminErrorCode implements ProblemCode {
    MALFORMED_BODY(400, "The body cannot be read"),
    MALFORMED_QUERY(400, "The query cannot be read"),
    UNKNOWN_FIELD(400, "A field does not exist"),
    REFUSED(400, "The request was refused"),
    UNAUTHENTICATED(401, "The token is missing or wrong"),
    FORBIDDEN(403, "The token's role does not cover this"),
    CROSS_SITE(403, "The change does not come from the console"),
    NOT_FOUND(404, "There is no such thing"),
    METHOD_NOT_ALLOWED(405, "The path does not know this method"),
    NOT_ACCEPTABLE(406, "The answer is only to be had as JSON"),
    ALREADY_EXISTS(409, "There is one already"),
    IN_USE(409, "It is still in use"),
    PROTECTED(409, "It is protected"),
    CONFLICT(409, "It has changed in between"),
    STALE(412, "It has changed since it was read"),
    BODY_TOO_LARGE(413, "The body is too large"),
    UNSUPPORTED_BODY(415, "The body is of a kind that is not read here"),
    INVALID(422, "A value breaks a rule"),
    INTERNAL(500, "The config service failed"),
    DATABASE_AWAY(503, "PostgreSQL cannot be reached now"),
    OUTCOME_UNKNOWN(503, "Whether the change was made is not known"),
    TOO_LONG(503, "It takes longer than it may"),
    BUSY(503, "Too much is under way"),
    IMPORT_BROKEN(503, "The import broke off"),
    REGIONS_AWAY(503, "The regions cannot be asked now");

    private final int status;
    private final SerializedString type;
    private final SerializedString title;

    AdminErrorCode(int status, String title) {
        this.status = status;
        this.type = ProblemCode.urn(this);
        this.title = new SerializedString(title);
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public SerializedString type() {
        return type;
    }

    @Override
    public SerializedString title() {
        return title;
    }
}
