package io.meridian.chaos.global;

/** Whose requests are limited by what: one user of one policy, which alone covers its endpoint. */
record Subject(String policy, String user) {
    /** Outside of what the demo policies cover. */
    String endpoint() {
        return "/global/" + policy;
    }

    /** As limiters and usage records spell it. */
    String key() {
        return "user_id=" + user;
    }

    /** The body of a check of cost 1. */
    String check() {
        return "{\"attributes\": {\"user_id\": \"%s\"}, \"endpoint\": \"%s\", \"method\": \"GET\"}"
                .formatted(user, endpoint());
    }

    String statusQuery() {
        return "?user_id=%s&endpoint=%s&method=GET".formatted(user, endpoint());
    }
}
