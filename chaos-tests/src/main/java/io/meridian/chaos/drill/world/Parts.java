package io.meridian.chaos.drill.world;

import io.meridian.chaos.drill.file.PartFault.Verb;
import java.io.IOException;
import java.util.List;

/** The processes of a world, named as the local stack names them: {@code redis-eu-west}, {@code limiter-eu-west-2}. */
public interface Parts {
    List<String> names() throws IOException, InterruptedException;

    boolean can(String part, Verb verb);

    /** Returns when it is done; a part that is started is then ready. */
    void act(String part, Verb verb) throws IOException, InterruptedException;
}
