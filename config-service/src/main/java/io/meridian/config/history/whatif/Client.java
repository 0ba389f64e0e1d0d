package io.meridian.config.history.whatif;

/** What a draft would have done to one key. */
public record Client(String key, long requests, long denied) {
    Client plus(Client other) {
        return new Client(key, requests + other.requests, denied + other.denied);
    }
}
