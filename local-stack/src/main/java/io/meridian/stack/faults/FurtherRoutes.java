package io.meridian.stack.faults;

import java.util.List;

/** Routes of the API beside those of the proxies: whoever starts it may have more that breaks than links. */
public interface FurtherRoutes {
    /** Nothing but links. */
    FurtherRoutes NONE = new FurtherRoutes() {
        @Override
        public boolean serve(List<String> path) {
            return false;
        }

        @Override
        public Answer answer(String method, List<String> path) {
            throw new IllegalStateException("no route for " + method + " " + path);
        }
    };

    /** Whether this path, in its segments, is one of these. */
    boolean serve(List<String> path);

    /**
     * Does what a request for such a path asks for.
     *
     * @throws FaultRefusal when it cannot be met; the status is its own
     */
    Answer answer(String method, List<String> path);
}
