package io.meridian.client.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.meridian.client.MeridianClient;
import io.meridian.client.SharedLimiter;
import io.meridian.client.SharedLimiter.RunningLimiter;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.ContextLoaderListener;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.filter.DelegatingFilterProxy;

/** Applications with each filter on a real server, with a real limiter. The policy allows three requests of a key to {@code /few}. */
@ExtendWith(SharedLimiter.class)
@Timeout(300)
class FiltersIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** An application that answers hello at {@code /few}. */
    private record Application(int port, Callable<?> stop) implements AutoCloseable {
        @Override
        public void close() {
            try {
                stop.call();
            } catch (Exception failure) {
                throw new IllegalStateException("the application did not stop", failure);
            }
        }
    }

    /** Start of an application with the filter of one framework. */
    private interface Framework {
        Application start(MeridianClient client) throws Exception;
    }

    static Stream<Named> frameworks() {
        return Stream.of(
                new Named("servlet", FiltersIT::servlet),
                new Named("spring", FiltersIT::spring),
                new Named("jax-rs", FiltersIT::jaxRs),
                new Named("vertx", FiltersIT::vertx));
    }

    private record Named(String name, Framework framework) {
        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("frameworks")
    void a_request_is_served_with_headers_until_the_limit_and_then_refused_with_a_problem(
            Named framework, RunningLimiter limiter) throws Exception {
        try (MeridianClient client = limiter.client().build();
                Application application = framework.framework.start(client)) {
            String key = "key-of-" + framework.name;
            for (int left = 2; left >= 0; left--) {
                HttpResponse<String> served = get(application, key, "/few", "r-1");
                assertThat(served.statusCode()).isEqualTo(200);
                assertThat(served.body()).isEqualTo("hello");
                assertThat(header(served, "X-RateLimit-Limit")).isEqualTo("3");
                assertThat(header(served, "X-RateLimit-Remaining")).isEqualTo(Integer.toString(left));
                assertThat(header(served, "X-RateLimit-Reset")).containsOnlyDigits();
                assertThat(header(served, "RateLimit-Policy")).isEqualTo("\"few\";q=3");
                assertThat(header(served, "RateLimit")).isEqualTo("\"few\";r=" + left);
            }

            HttpResponse<String> refused = get(application, key, "/few", "r-1");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(header(refused, "Content-Type")).startsWith("application/problem+json");
            assertThat(header(refused, "Retry-After")).containsOnlyDigits();
            assertThat(header(refused, "X-RateLimit-Remaining")).isEqualTo("0");
            assertThat(header(refused, "X-Request-Id")).isEqualTo("r-1");
            assertThat(refused.body())
                    .contains("\"type\":\"urn:meridian:problem:limit-exceeded\"", "\"status\":429")
                    .contains("\"instance\":\"/few\"", "\"request_id\":\"r-1\"", "\"policy\":\"few\"");

            assertThat(get(application, key, "/few;x=1", "r-1").statusCode())
                    .as("a path with a parameter")
                    .isIn(429, 404);
            HttpResponse<String> named = get(application, key, "/few", "not <plain>");
            assertThat(header(named, "X-Request-Id")).matches("[0-9a-f]{16}");
            assertThat(get(application, "barred", "/few", "r-1").statusCode()).isEqualTo(403);
            assertThat(get(application, "x".repeat(600), "/few", "r-1").statusCode())
                    .as("a key that no check may have")
                    .isEqualTo(400);
            HttpResponse<String> other = get(application, "other-" + key, "/free", "r-1");
            assertThat(other.statusCode()).isEqualTo(200);
            assertThat(other.headers().firstValue("X-RateLimit-Limit")).isEmpty();
        }
    }

    private static HttpResponse<String> get(Application application, String key, String path, String id)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + application.port + path))
                .header("X-API-Key", key)
                .header("X-Request-Id", id)
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static Application servlet(MeridianClient client) throws Exception {
        ServletContextHandler context = context();
        context.addFilter(
                new FilterHolder(new RateLimitServletFilter(client)), "/*", EnumSet.of(DispatcherType.REQUEST));
        return jetty(context);
    }

    /** As in a Spring application: the filter is a bean, which a proxy in the servlet container finds by its name. */
    private static Application spring(MeridianClient client) throws Exception {
        AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
        spring.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("client", client));
        spring.register(SpringApplication.class);
        ServletContextHandler context = context();
        context.addEventListener(new ContextLoaderListener(spring));
        context.addFilter(
                new FilterHolder(new DelegatingFilterProxy("rateLimit")), "/*", EnumSet.of(DispatcherType.REQUEST));
        return jetty(context);
    }

    /** Beans of the Spring application. */
    @Configuration
    static class SpringApplication {
        @Bean
        RateLimitServletFilter rateLimit(MeridianClient client) {
            return new RateLimitServletFilter(client);
        }
    }

    private static ServletContextHandler context() {
        ServletContextHandler context = new ServletContextHandler();
        context.setContextPath("/");
        context.addServlet(new ServletHolder(new Hello()), "/*");
        return context;
    }

    private static Application jetty(ServletContextHandler context) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(context);
        server.start();
        return new Application(connector.getLocalPort(), () -> {
            server.stop();
            return server;
        });
    }

    /** Servlet that says hello. */
    private static final class Hello extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
        }
    }

    private static Application jaxRs(MeridianClient client) {
        ResourceConfig application = new ResourceConfig(HelloResource.class).register(new RateLimitJaxRsFilter(client));
        HttpServer server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
        return new Application(server.getAddress().getPort(), () -> {
            server.stop(0);
            return server;
        });
    }

    /** Resource that says hello. */
    @Path("/{path}")
    public static class HelloResource {
        @GET
        public String hello() {
            return "hello";
        }
    }

    private static Application vertx(MeridianClient client) {
        Vertx vertx = Vertx.vertx();
        Router router = Router.router(vertx);
        router.route().handler(new RateLimitVertxHandler(client));
        router.route().handler(call -> call.response().end("hello"));
        io.vertx.core.http.HttpServer server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        return new Application(
                server.actualPort(),
                () -> vertx.close().toCompletionStage().toCompletableFuture().join());
    }
}
