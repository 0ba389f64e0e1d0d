package io.meridian.infra.gateway;

import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gateway that a machine may have, with its configuration in infra/gateways. A test changes addresses in it, and its budgets: a busy
 * machine must not make a gateway pass what the limiter denies.
 */
enum Gateway {
    NGINX("nginx", "nginx") {
        @Override
        List<String> prepare(Site site) throws IOException {
            site.copy(
                    "nginx/meridian.conf",
                    Map.of(
                            "proxy_connect_timeout 50ms", "proxy_connect_timeout " + BUDGET_SECONDS + "s",
                            "proxy_send_timeout 200ms", "proxy_send_timeout " + BUDGET_SECONDS + "s",
                            "proxy_read_timeout 200ms", "proxy_read_timeout " + BUDGET_SECONDS + "s",
                            "proxy_next_upstream_timeout 250ms",
                                    "proxy_next_upstream_timeout " + BUDGET_SECONDS + "s"));
            Path main = site.write("nginx.conf", """
                    daemon off;
                    pid FOLDER/nginx.pid;
                    error_log FOLDER/error.log;
                    worker_processes 1;
                    events {}
                    http {
                        access_log off;
                        client_body_temp_path FOLDER/body;
                        proxy_temp_path FOLDER/proxy;
                        fastcgi_temp_path FOLDER/fastcgi;
                        uwsgi_temp_path FOLDER/uwsgi;
                        scgi_temp_path FOLDER/scgi;
                        include FOLDER/meridian.conf;
                    }
                    """);
            return List.of("-e", site.folder().resolve("error.log").toString(), "-c", main.toString());
        }
    },
    CADDY("caddy", "caddy") {
        @Override
        List<String> prepare(Site site) throws IOException {
            Path main = site.copy(
                    "caddy/Caddyfile",
                    Map.of(
                            "auto_https off", "auto_https off\n\tadmin off",
                            "http://:8000", "http://:" + site.port(),
                            "dial_timeout 50ms", "dial_timeout " + BUDGET_SECONDS + "s",
                            "response_header_timeout 200ms", "response_header_timeout " + BUDGET_SECONDS + "s"));
            return List.of("run", "--config", main.toString(), "--adapter", "caddyfile");
        }
    },
    HAPROXY("haproxy", "haproxy") {
        @Override
        List<String> prepare(Site site) throws IOException {
            String between = "127.0.0.1:" + Loopback.freePort();
            Path script = site.copy(
                    "haproxy/meridian.lua",
                    Map.of("127.0.0.1:8001", between, "TIMEOUT_MS = 300", "TIMEOUT_MS = " + BUDGET_SECONDS * 1_000));
            Path main = site.copy(
                    "haproxy/haproxy.cfg",
                    Map.of(
                            "127.0.0.1:8001", between,
                            "lua-load meridian.lua", "lua-load " + script,
                            "tune.lua.session-timeout 1s", "tune.lua.session-timeout " + 2 * BUDGET_SECONDS + "s",
                            "timeout client 1s", "timeout client " + 2 * BUDGET_SECONDS + "s",
                            "timeout connect 50ms", "timeout connect " + BUDGET_SECONDS + "s",
                            "timeout server 200ms", "timeout server " + BUDGET_SECONDS + "s"));
            return List.of("-db", "-f", main.toString());
        }
    },
    APACHE("apache2", "apache") {
        private static final Path MODULES = Path.of("/usr/lib/apache2/modules");
        private static final Path LUA_SOCKET = Path.of("/usr/share/lua/5.3/socket.lua");

        @Override
        Optional<String> lacking() {
            Optional<String> lacking = super.lacking();
            if (lacking.isPresent()) {
                return lacking;
            }
            return Files.exists(MODULES.resolve("mod_lua.so")) && Files.exists(LUA_SOCKET)
                    ? Optional.empty()
                    : Optional.of("no mod_lua or no lua-socket");
        }

        @Override
        List<String> prepare(Site site) throws IOException {
            Path script = site.copy(
                    "apache/meridian.lua",
                    Map.of(
                            "\"127.0.0.1\", 8101", "\"127.0.0.1\", " + site.limiterPort(),
                            "0.05, 0.2", BUDGET_SECONDS + ", " + BUDGET_SECONDS));
            site.copy("apache/meridian.conf", Map.of());
            Path main =
                    site.write("httpd.conf", """
                    ServerRoot "FOLDER"
                    ServerName localhost
                    PidFile FOLDER/httpd.pid
                    DefaultRuntimeDir FOLDER
                    ErrorLog FOLDER/error.log
                    Listen 127.0.0.1:%d
                    Define MERIDIAN_LUA %s
                    LoadModule mpm_event_module MODULES/mod_mpm_event.so
                    LoadModule authz_core_module MODULES/mod_authz_core.so
                    LoadModule proxy_module MODULES/mod_proxy.so
                    LoadModule proxy_http_module MODULES/mod_proxy_http.so
                    LoadModule lua_module MODULES/mod_lua.so
                    User nobody
                    Group nogroup
                    Include FOLDER/meridian.conf
                    """.formatted(site.port(), script).replace("MODULES", MODULES.toString()));
            return List.of("-DFOREGROUND", "-f", main.toString());
        }
    };

    /** Budget of a call of the limiter in tests, of connecting and of its answer. */
    static final int BUDGET_SECONDS = 8;

    static final Path CONFIGURATIONS = Path.of("gateways").toAbsolutePath();

    private static final List<String> SYSTEM_PATHS =
            List.of("/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin");

    private final String program;
    private final String folder;

    Gateway(String program, String folder) {
        this.program = program;
        this.folder = folder;
    }

    /** Writes what it needs into the site's folder and returns the arguments of its program. */
    abstract List<String> prepare(Site site) throws IOException;

    /** The reason why it cannot be tested on this machine. */
    Optional<String> lacking() {
        return executable().isPresent() ? Optional.empty() : Optional.of("no " + program + " is installed");
    }

    Optional<Path> executable() {
        List<String> folders = new ArrayList<>(List.of(System.getenv("PATH").split(":", -1)));
        folders.addAll(SYSTEM_PATHS);
        return folders.stream()
                .map(each -> Path.of(each, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Folder and ports of one running gateway. */
    record Site(Path folder, int port, int limiterPort, int apiPort) {
        static Site temporary(Gateway gateway, int limiterPort, int apiPort) throws IOException {
            Path folder = Folders.temporary("gateway-" + gateway.folder);
            // The children of a gateway that root starts are another user.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            return new Site(folder, Loopback.freePort(), limiterPort, apiPort);
        }

        /** Copies a configuration, with the addresses of this site and these changes, each of which must fit. */
        Path copy(String file, Map<String, String> changes) throws IOException {
            String text = Files.readString(CONFIGURATIONS.resolve(file));
            for (Map.Entry<String, String> change : changes.entrySet()) {
                if (!text.contains(change.getKey())) {
                    throw new IllegalStateException(file + " must have " + change.getKey());
                }
                text = text.replace(change.getKey(), change.getValue());
            }
            Map<String, Integer> ports = new LinkedHashMap<>();
            ports.put("127.0.0.1:8000", port);
            ports.put("127.0.0.1:8101", limiterPort);
            ports.put("127.0.0.1:9000", apiPort);
            for (Map.Entry<String, Integer> each : ports.entrySet()) {
                text = text.replace(each.getKey(), "127.0.0.1:" + each.getValue());
            }
            return write(Path.of(file).getFileName().toString(), text);
        }

        Path write(String name, String text) throws IOException {
            return Files.writeString(folder.resolve(name), text.replace("FOLDER", folder.toString()));
        }
    }
}
