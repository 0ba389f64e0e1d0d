package io.meridian.config.api;

import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A call byte by byte: what no client library would send. */
final class RawHttp {
    private static final int MILLIS_MAX = 300_000;

    private final String method;
    private final String target;
    private final List<String> headers = new ArrayList<>();
    private byte[] body = new byte[0];

    /** What came back; the status is 0 where the connection was closed without a word. */
    record Answer(int status, String text) {}

    RawHttp(String method, String target) {
        this.method = method;
        this.target = target;
    }

    RawHttp as(String token) {
        return header("Authorization: Bearer " + token);
    }

    RawHttp header(String line) {
        headers.add(line);
        return this;
    }

    RawHttp json(String text) {
        return header("Content-Type: application/json").body(text.getBytes(StandardCharsets.UTF_8));
    }

    RawHttp body(byte[] bytes) {
        body = bytes;
        return this;
    }

    Answer send() {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        headers.forEach(line -> head.append(line).append("\r\n"));
        if (body.length > 0) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append("Connection: close\r\n\r\n");
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        return exchange(request.toByteArray());
    }

    private static Answer exchange(byte[] request) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
            socket.setSoTimeout(MILLIS_MAX);
            socket.getOutputStream().write(request);
            byte[] part = new byte[8_192];
            for (int n = socket.getInputStream().read(part);
                    n >= 0;
                    n = socket.getInputStream().read(part)) {
                answer.write(part, 0, n);
            }
        } catch (IOException closed) {
            // What arrived before counts.
        }
        String text = answer.toString(StandardCharsets.ISO_8859_1);
        return new Answer(text.matches("(?s)HTTP/1.1 [0-9]{3}.*") ? Integer.parseInt(text.substring(9, 12)) : 0, text);
    }
}
