package io.meridian.limiter.instances;

import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The machine's own redis-server behind TLS, with a certificate of its own making. */
final class TlsRedis implements AutoCloseable {
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "redis";
    private static final int KEYTOOL_SECONDS_MAX = 300;

    private final Path folder;
    private final int port;
    private final Process process;

    private TlsRedis(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** Starts one whose certificate is of this host. */
    static TlsRedis start(Path server, String host) throws Exception {
        Path folder = Folders.temporary("tls-redis");
        makeStore(folder, host);
        int port = Loopback.freePort();
        Process process = new ProcessBuilder(List.of(
                        server.toString(),
                        "--port",
                        "0",
                        "--bind",
                        "127.0.0.1",
                        "--tls-port",
                        Integer.toString(port),
                        "--tls-auth-clients",
                        "no",
                        "--tls-cert-file",
                        folder.resolve("cert.pem").toString(),
                        "--tls-key-file",
                        folder.resolve("key.pem").toString(),
                        "--tls-ca-cert-file",
                        folder.resolve("cert.pem").toString(),
                        "--save",
                        ""))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        return new TlsRedis(folder, port, process);
    }

    private static void makeStore(Path folder, String host) throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Executables.java().resolveSibling("keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-validity",
                        "2",
                        "-dname",
                        "CN=" + host,
                        "-ext",
                        "san=dns:" + host,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (!keytool.waitFor(KEYTOOL_SECONDS_MAX, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool failed: " + Files.readString(folder.resolve("keytool.log")));
        }
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        pem(
                folder.resolve("cert.pem"),
                "CERTIFICATE",
                keys.getCertificate(ALIAS).getEncoded());
        pem(
                folder.resolve("key.pem"),
                "PRIVATE KEY",
                keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    }

    private static void pem(Path file, String kind, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }

    /** Reached by a name, because certificates are of names. */
    String url() {
        return "rediss://localhost:" + port;
    }

    /** What makes a Java trust its certificate. */
    List<String> trust() {
        return List.of(
                "-Djavax.net.ssl.trustStore=" + folder.resolve("store.p12"),
                "-Djavax.net.ssl.trustStoreType=PKCS12",
                "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        Folders.delete(folder);
    }
}
