package io.meridian.limiter;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import org.junit.jupiter.api.Test;

/** Adapters point inward: nothing that decides knows where counters live, who asks, or who is told. */
class ArchitectureTest {
    private static final JavaClasses LIMITER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.limiter");

    @Test
    void adapters_point_inward() {
        layers().whereLayer("decide")
                .mayOnlyAccessLayers("policy", "metrics")
                .whereLayer("policy")
                .mayOnlyAccessLayers("metrics", "file")
                .whereLayer("file")
                .mayNotAccessAnyLayer()
                .whereLayer("access")
                .mayOnlyAccessLayers("metrics", "file")
                .whereLayer("audit")
                .mayOnlyAccessLayers("decide", "metrics")
                .whereLayer("metrics")
                .mayNotAccessAnyLayer()
                .whereLayer("api")
                .mayOnlyAccessLayers("decide", "caller", "access")
                .whereLayer("caller")
                .mayOnlyAccessLayers("metrics")
                .whereLayer("redis")
                .mayOnlyAccessLayers("decide", "metrics")
                .whereLayer("fallback")
                .mayOnlyAccessLayers("decide", "metrics")
                .whereLayer("violation")
                .mayOnlyAccessLayers("decide", "metrics")
                .whereLayer("decisionlog")
                .mayOnlyAccessLayers("decide", "metrics")
                .whereLayer("report")
                .mayOnlyAccessLayers("decide", "policy", "metrics")
                .whereLayer("usage")
                .mayOnlyAccessLayers("decide", "policy", "metrics")
                .check(LIMITER);
    }

    @Test
    void the_rule_finds_an_arrow_that_points_outward() {
        LayeredArchitecture closed = layers().whereLayer("redis").mayNotAccessAnyLayer();

        assertThatThrownBy(() -> closed.check(LIMITER)).isInstanceOf(AssertionError.class);
    }

    private static LayeredArchitecture layers() {
        return layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("api")
                .definedBy("io.meridian.limiter.api..")
                .layer("caller")
                .definedBy("io.meridian.limiter.caller..")
                .layer("decide")
                .definedBy("io.meridian.limiter.decide..")
                .layer("policy")
                .definedBy("io.meridian.limiter.policy..")
                .layer("redis")
                .definedBy("io.meridian.limiter.redis..")
                .layer("fallback")
                .definedBy("io.meridian.limiter.fallback..")
                .layer("violation")
                .definedBy("io.meridian.limiter.violation..")
                .layer("decisionlog")
                .definedBy("io.meridian.limiter.decisionlog..")
                .layer("report")
                .definedBy("io.meridian.limiter.report..")
                .layer("usage")
                .definedBy("io.meridian.limiter.usage..")
                .layer("file")
                .definedBy("io.meridian.limiter.file..")
                .layer("access")
                .definedBy("io.meridian.limiter.access..")
                .layer("audit")
                .definedBy("io.meridian.limiter.audit..")
                .layer("metrics")
                .definedBy("io.meridian.limiter.metrics..");
    }
}
