package io.meridian.sync.kafka;

import io.meridian.testkit.servers.KafkaUnderTest;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One Kafka for all tests that leave it running; JUnit closes it after the last of them. */
final class SharedKafka implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == KafkaUnderTest.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(KafkaUnderTest.class, type -> KafkaUnderTest.start(), KafkaUnderTest.class);
    }
}
