package io.meridian.limiter.api;

import io.meridian.model.validation.Validator;

/** The drafts of the IETF's RateLimit fields that an answer can follow. */
enum RateLimitDraft {
    /** {@code "policy";q=100;w=60} and {@code "policy";r=50;t=30}: a member for each limit. */
    DRAFT_10,
    /** {@code 100;w=60} for each limit, and {@code limit=100, remaining=50, reset=30} of the deciding one. */
    DRAFT_07,
    /** Neither field. */
    NONE;

    static RateLimitDraft parse(String text) {
        return switch (text) {
            case "10" -> DRAFT_10;
            case "07", "7" -> DRAFT_07;
            case "none" -> NONE;
            default -> throw Validator.invalid("meridian.limiter.api.ratelimit-draft", text, "must be 10, 07 or none");
        };
    }
}
