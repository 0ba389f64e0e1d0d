package io.meridian.stack.servers;

import io.meridian.stack.process.Probe;
import io.meridian.stack.process.ProbeFailure;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** Ready is who says so: 200 from its readiness check. */
record HttpProbe(String url) implements Probe {
    private static final int MILLIS_MAX = 2_000;

    @Override
    public void check() throws ProbeFailure {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            connection.setConnectTimeout(MILLIS_MAX);
            connection.setReadTimeout(MILLIS_MAX);
            connection.setRequestProperty("Connection", "close");
            try {
                int status = connection.getResponseCode();
                if (status != HttpURLConnection.HTTP_OK) {
                    throw new ProbeFailure(url + " answered " + status);
                }
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            throw new ProbeFailure(e);
        }
    }
}
