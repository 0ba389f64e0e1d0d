package io.meridian.stacktests.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit extension that gives tests the {@link TestStack}: started by the first test that asks for it, kept in JUnit's root store, and
 * taken down after the last test class of the JVM.
 */
public final class SharedStack implements ParameterResolver {
    /** Classes that share the stack take turns, because one of them restarts its parts. */
    public static final String LOCK = "shared stack";

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedStack.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestStack.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(TestStack.class, unused -> start(), TestStack.class);
    }

    private static TestStack start() {
        try {
            return TestStack.start("shared");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
