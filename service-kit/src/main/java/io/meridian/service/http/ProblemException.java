package io.meridian.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.validation.FieldError;
import java.io.Serial;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Refusal of a call on its way to becoming a problem document. Carries no stack trace: a flood of bad input is normal. */
public class ProblemException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient Problem problem;
    private final transient Map<String, String> headers;
    private final transient Map<String, JsonNode> members;

    public ProblemException(Problem problem) {
        this(problem, Map.of(), Map.of());
    }

    /**
     * @param headers of the answer
     * @param members of the document, besides the problem's own
     */
    public ProblemException(Problem problem, Map<String, String> headers, Map<String, ? extends JsonNode> members) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
        this.headers = Map.copyOf(headers);
        // In the order in which they are written.
        this.members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    public static ProblemException of(ProblemCode code, String detail) {
        return new ProblemException(Problem.of(code, detail));
    }

    public static ProblemException of(ProblemCode code, String field, String value, String rule) {
        return new ProblemException(Problem.of(code, List.of(new FieldError(field, value, rule))));
    }

    public Problem problem() {
        return problem;
    }

    public Map<String, String> headers() {
        return headers;
    }

    public Map<String, JsonNode> members() {
        return members;
    }
}
