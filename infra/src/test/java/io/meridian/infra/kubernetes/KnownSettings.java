package io.meridian.infra.kubernetes;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The variables by which a service can be told something: those of its configuration's interfaces, as it was built. */
final class KnownSettings {
    private static final String MAPPING = "io.smallrye.config.ConfigMapping";

    /** What a deployment tells Quarkus itself. */
    private static final Set<String> OF_QUARKUS = Set.of(
            "QUARKUS_HTTP_HOST",
            "QUARKUS_HTTP_PORT",
            "QUARKUS_DATASOURCE_REACTIVE_URL",
            "QUARKUS_DATASOURCE_JDBC_URL",
            "QUARKUS_DATASOURCE_USERNAME",
            "QUARKUS_DATASOURCE_PASSWORD");

    private KnownSettings() {}

    static Set<String> of(String service) throws IOException, ReflectiveOperationException {
        Set<String> known = new TreeSet<>(OF_QUARKUS);
        Stream.of(ProducerConfig.configNames(), ConsumerConfig.configNames(), AdminClientConfig.configNames())
                .flatMap(Set::stream)
                .forEach(name -> known.add(variable("kafka." + name)));
        Path built =
                Path.of("..", service, "target", "quarkus-app").toAbsolutePath().normalize();
        try (URLClassLoader classes = new URLClassLoader(jars(built), ClassLoader.getPlatformClassLoader())) {
            for (String name : configurations(built)) {
                Class<?> type = Class.forName(name, false, classes);
                for (Annotation annotation : type.getAnnotations()) {
                    if (annotation.annotationType().getName().equals(MAPPING)) {
                        Object prefix =
                                annotation.annotationType().getMethod("prefix").invoke(annotation);
                        collect(String.valueOf(prefix), type, known);
                    }
                }
            }
        }
        return known;
    }

    private static void collect(String prefix, Class<?> type, Set<String> known) {
        for (Method method : type.getDeclaredMethods()) {
            String name = prefix + "." + method.getName().replaceAll("([A-Z])", "-$1");
            Class<?> value = method.getReturnType();
            if (value.isInterface() && type.equals(value.getDeclaringClass())) {
                collect(name, value, known);
            } else {
                known.add(variable(name));
            }
        }
    }

    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    private static URL[] jars(Path built) throws IOException {
        List<URL> jars = new ArrayList<>();
        try (Stream<Path> files = Files.walk(built)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".jar")).toList()) {
                jars.add(url(file));
            }
        }
        return jars.toArray(URL[]::new);
    }

    private static URL url(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }

    /** The configurations of the service itself and of our libraries in it. */
    private static List<String> configurations(Path built) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> own = Files.list(built.resolve("app"));
                Stream<Path> libraries = Files.list(built.resolve("lib/main"))) {
            Stream<Path> ours =
                    libraries.filter(each -> each.getFileName().toString().startsWith("io.meridian."));
            for (Path file : Stream.concat(own, ours).toList()) {
                try (JarFile jar = new JarFile(file.toFile())) {
                    jar.stream()
                            .map(JarEntry::getName)
                            .filter(name -> name.endsWith("Config.class"))
                            .map(name -> name.replace('/', '.').replaceFirst("\\.class$", ""))
                            .forEach(names::add);
                }
            }
        }
        return names;
    }
}
