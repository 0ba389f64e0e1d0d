package io.meridian.config;

import io.meridian.testkit.servers.ServerResource.PostgresResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of the whole service on a real PostgreSQL and Kafka. All share one service, so it starts once. */
@QuarkusTest
@WithTestResource(value = PostgresResource.class, parallel = true)
@WithTestResource(value = KafkaWithTopics.class, parallel = true)
@WithTestResource(AdminTokenResource.class)
@WithTestResource(PatientSettings.class)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ServiceTest {}
