package io.meridian.bench.config;

import io.meridian.stack.StackState;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StateFolder;
import io.meridian.stack.plan.PartNames;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Running stack under measurement.
 *
 * @param limiters one of each region, by region
 */
record MeasuredStack(URI config, String token, Map<String, URI> limiters) {
    /** The stack that runs in this folder. */
    static MeasuredStack running(StateFolder folder) throws IOException {
        StackState state = StackState.read(folder)
                .filter(StackState::ready)
                .orElseThrow(() -> new IllegalStateException(
                        "There is no stack to measure in " + folder.root() + ": start one with ./meridian up"));
        Map<String, String> addresses = new LinkedHashMap<>();
        for (PartState part : state.parts()) {
            addresses.put(part.name(), part.address());
        }
        Map<String, URI> limiters = new LinkedHashMap<>();
        for (String region : state.regions()) {
            limiters.put(region, of(addresses, PartNames.limiter(region, 1)));
        }
        String token = Files.readString(folder.adminToken()).strip();
        return new MeasuredStack(of(addresses, PartNames.CONFIG_SERVICE), token, limiters);
    }

    /** Only a service's address is a URI; a server's is a host and a port. */
    private static URI of(Map<String, String> addresses, String part) {
        String address = addresses.get(part);
        if (address == null) {
            throw new IllegalStateException("The stack has no part called " + part);
        }
        return URI.create(address);
    }
}
