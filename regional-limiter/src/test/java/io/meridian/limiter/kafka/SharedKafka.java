package io.meridian.limiter.kafka;

import io.meridian.testkit.servers.KafkaUnderTest;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One Kafka for all tests of a JVM that are not Quarkus tests, because starting one takes seconds. A test class gets it as a
 * parameter of its constructor, uses topics of its own and heals what it spoils.
 */
public final class SharedKafka implements ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedKafka.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == KafkaUnderTest.class;
    }

    /** JUnit closes what is in the store of the root when all tests are over. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(KafkaUnderTest.class, type -> KafkaUnderTest.start(), KafkaUnderTest.class);
    }
}
