package io.meridian.stack.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.stack.rules.AdminHttp.Answer;

/** Refusal of a call by the service, in the words of its problem document. */
public final class AdminFailure extends RuntimeException {
    private static final int UNAUTHENTICATED = 401;
    private static final int NOT_FOUND = 404;
    private static final int ERROR = 500;

    private final int exitCode;
    private final transient JsonNode problem;

    private AdminFailure(String message, int exitCode, JsonNode problem) {
        super(message);
        this.exitCode = exitCode;
        this.problem = problem;
    }

    static AdminFailure of(Answer answer) {
        JsonNode body = answer.body();
        StringBuilder text = new StringBuilder()
                .append(body.path("title").asText("The service refused the call"))
                .append(" (")
                .append(answer.status())
                .append(")");
        JsonNode errors = body.path("errors");
        String detail = body.path("detail").asText("");
        if (errors.isEmpty() && !detail.isEmpty()) {
            text.append(": ").append(detail);
        }
        errors.forEach(error -> text.append("\n  ")
                .append(error.path("field").asText())
                .append(" ")
                .append(error.path("rule").asText())
                .append(", got ")
                .append(error.path("value").asText()));
        if (answer.status() == UNAUTHENTICATED) {
            text.append("\nIs it the token of this deployment?");
        }
        return new AdminFailure(
                text.toString()
                        .lines()
                        .map(TextTable::printable)
                        .reduce((a, b) -> a + "\n" + b)
                        .orElse(""),
                exitCode(answer.status()),
                body);
    }

    private static int exitCode(int status) {
        if (status == NOT_FOUND) {
            return ExitCode.NOT_FOUND;
        }
        return status >= ERROR ? ExitCode.UNAVAILABLE : ExitCode.REFUSED;
    }

    public int exitCode() {
        return exitCode;
    }

    /** The problem document as it came. */
    public JsonNode problem() {
        return problem;
    }

    /** Exit codes of the command; docs/command.md lists them. */
    public static final class ExitCode {
        public static final int DONE = 0;
        /** The answer is a no: a difference, a broken promise, a part that is not ready. */
        public static final int NEGATIVE = 1;
        /** Wrong arguments, file, profile or token file. */
        public static final int USAGE = 2;
        /** No such entry. */
        public static final int NOT_FOUND = 3;
        /** Any other refusal by the service. */
        public static final int REFUSED = 4;
        /** The service did not answer, or failed. */
        public static final int UNAVAILABLE = 5;

        private ExitCode() {}
    }
}
