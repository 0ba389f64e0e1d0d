package io.meridian.limiter.http;

import com.fasterxml.jackson.core.io.SerializedString;
import io.meridian.service.http.ProblemCode;

/** Kinds of refused calls: the closed set behind the {@code type} of a problem document. */
public enum ErrorCode implements ProblemCode {
    MALFORMED_BODY(400, "The body cannot be read"),
    MALFORMED_QUERY(400, "The query cannot be read"),
    MALFORMED_REQUEST(400, "The request cannot be read"),
    UNKNOWN_FIELD(400, "A field does not exist"),
    DUPLICATE_FIELD(400, "A field is given twice"),
    WRONG_TYPE(400, "A field has the wrong type"),
    UNAUTHENTICATED(401, "The caller's token is missing or wrong"),
    FORBIDDEN(403, "The caller's token is for other calls"),
    DENY_LISTED(403, "The client is on the deny list"),
    NOT_FOUND(404, "There is nothing at this path"),
    NO_RESERVATION(404, "There is no such reservation"),
    NO_LEASE(404, "There is no such lease"),
    METHOD_NOT_ALLOWED(405, "The path does not know this method"),
    LEASE_EXPIRED(410, "The lease has ended"),
    BODY_TOO_LARGE(413, "The body is too large"),
    NOT_JSON(415, "The body must be JSON"),
    INVALID(422, "A value breaks a rule"),
    NOT_LEASABLE(422, "A limit cannot be leased"),
    LIMIT_EXCEEDED(429, "The limit is exceeded"),
    THROTTLED(429, "The request comes too early"),
    REFUSED(400, "The request was refused"),
    INTERNAL(500, "The limiter failed"),
    UNDECIDED(503, "A policy cannot be decided now"),
    REGION_AWAY(503, "The region's records cannot be reached now");

    private final int status;
    private final SerializedString type;
    private final SerializedString title;

    ErrorCode(int status, String title) {
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
