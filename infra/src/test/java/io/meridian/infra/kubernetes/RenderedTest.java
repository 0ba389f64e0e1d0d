package io.meridian.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What kustomize makes of bases and overlays: it is what the schema has, and every name in it is the name of something. */
class RenderedTest {
    private static final String REGION = "base/region";
    private static final String CENTRE = "base/centre";
    private static final String EXAMPLE_REGION = "overlays/eu-west";
    private static final String EXAMPLE_CENTRE = "overlays/centre";

    private static Rendered rendered(String folder) throws Exception {
        return Kustomize.ofThisMachine().render(Documents.FOLDER.resolve(folder));
    }

    @ParameterizedTest
    @ValueSource(strings = {REGION, CENTRE, EXAMPLE_REGION, EXAMPLE_CENTRE})
    void what_is_rendered_is_what_the_schema_has_and_in_one_namespace(String folder) throws Exception {
        Rendered rendered = rendered(folder);
        String namespace = rendered.names("Namespace").iterator().next();

        for (JsonNode manifest : rendered.manifests()) {
            assertThatCode(() -> Schema.check(manifest)).doesNotThrowAnyException();
            if (!manifest.path("kind").asText().equals("Namespace")) {
                assertThat(manifest.at("/metadata/namespace").asText())
                        .as(Kustomize.name(manifest))
                        .isEqualTo(namespace);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {REGION, CENTRE, EXAMPLE_REGION, EXAMPLE_CENTRE})
    void every_selector_selects_a_workload_and_every_port_is_one_of_its(String folder) throws Exception {
        Rendered rendered = rendered(folder);

        for (JsonNode workload : rendered.workloads()) {
            assertThat(rendered.selected(workload.at("/spec/selector/matchLabels")))
                    .as(Kustomize.name(workload))
                    .containsExactly(workload);
        }
        for (JsonNode budget : rendered.of("PodDisruptionBudget")) {
            assertThat(rendered.selected(budget.at("/spec/selector/matchLabels")))
                    .as(Kustomize.name(budget))
                    .hasSize(1);
        }
        for (JsonNode service : rendered.of("Service")) {
            List<JsonNode> selected = rendered.selected(service.at("/spec/selector"));
            assertThat(selected).as(Kustomize.name(service)).hasSize(1);
            for (JsonNode port : service.at("/spec/ports")) {
                assertThat(Rendered.ports(selected.get(0)))
                        .contains(port.path("targetPort").asText());
            }
        }
        for (JsonNode scaling : rendered.of("HorizontalPodAutoscaler")) {
            assertThat(rendered.names(scaling.at("/spec/scaleTargetRef/kind").asText()))
                    .contains(scaling.at("/spec/scaleTargetRef/name").asText());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {REGION, CENTRE, EXAMPLE_REGION, EXAMPLE_CENTRE})
    void every_reference_is_to_something_that_is_there_or_a_listed_secret(String folder) throws Exception {
        Rendered rendered = rendered(folder);
        String readme = Files.readString(Documents.FOLDER.resolve("README.md"));

        for (JsonNode workload : rendered.workloads()) {
            JsonNode pod = Rendered.pod(workload);
            assertThat(rendered.names("ServiceAccount"))
                    .contains(pod.path("serviceAccountName").asText());
            for (String secret : Rendered.secrets(workload)) {
                String[] parts = secret.split("/", 2);
                assertThat(readme).contains("| `" + parts[0] + "` | `" + parts[1]);
            }
            for (JsonNode container : Rendered.containers(workload)) {
                for (JsonNode from : container.path("envFrom")) {
                    assertThat(rendered.names("ConfigMap"))
                            .contains(from.at("/configMapRef/name").asText());
                }
                for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                    JsonNode port = container.path(probe).at("/httpGet/port");
                    assertThat(port.isMissingNode() || Rendered.ports(workload).contains(port.asText()))
                            .as(Kustomize.name(workload) + " " + probe)
                            .isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {REGION, CENTRE, EXAMPLE_REGION, EXAMPLE_CENTRE})
    void every_pod_is_confined(String folder) throws Exception {
        for (JsonNode workload : rendered(folder).workloads()) {
            JsonNode pod = Rendered.pod(workload);
            assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(pod.at("/securityContext/runAsUser").asInt()).isPositive();
            assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
            assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
            assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
            assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isBetween(10, 60);
            for (JsonNode container : Rendered.containers(workload)) {
                JsonNode security = container.path("securityContext");
                assertThat(security.path("allowPrivilegeEscalation").asBoolean(true))
                        .isFalse();
                assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
                assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
                assertThat(container.path("resources").path("requests").size()).isEqualTo(2);
                assertThat(container.path("resources").path("limits").size()).isEqualTo(2);
                assertThat(container.hasNonNull("startupProbe")).isTrue();
                assertThat(container.hasNonNull("livenessProbe")).isTrue();
                assertThat(container.hasNonNull("readinessProbe")).isTrue();
                assertThat(container.path("image").asText()).matches("[a-z/-]+:[0-9][0-9A-Za-z.-]+");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {REGION, CENTRE, EXAMPLE_REGION, EXAMPLE_CENTRE})
    void nobody_is_reached_but_by_a_policy_and_every_pod_has_one(String folder) throws Exception {
        Rendered rendered = rendered(folder);
        List<JsonNode> policies = rendered.of("NetworkPolicy");

        assertThat(policies)
                .anyMatch(policy -> policy.at("/spec/podSelector").isEmpty()
                        && policy.at("/spec/policyTypes").size() == 2
                        && !policy.path("spec").has("ingress")
                        && !policy.path("spec").has("egress"));
        for (JsonNode workload : rendered.workloads()) {
            assertThat(policies)
                    .as(Kustomize.name(workload))
                    .anyMatch(policy -> policy.path("spec").has("ingress")
                            && rendered.selected(policy.at("/spec/podSelector/matchLabels"))
                                    .contains(workload));
        }
    }

    @Test
    void a_deployment_is_replaced_without_a_gap_and_survives_a_node() throws Exception {
        for (String folder : List.of(EXAMPLE_REGION, EXAMPLE_CENTRE)) {
            Rendered rendered = rendered(folder);
            Set<String> scaled = Set.copyOf(rendered.names("HorizontalPodAutoscaler"));
            for (JsonNode deployment : rendered.of("Deployment")) {
                String name = deployment.at("/metadata/name").asText();
                assertThat(deployment
                                .at("/spec/strategy/rollingUpdate/maxUnavailable")
                                .asInt(1))
                        .isZero();
                assertThat(rendered.names("PodDisruptionBudget")).contains(name);
                assertThat(Rendered.pod(deployment)
                                .path("topologySpreadConstraints")
                                .size())
                        .isPositive();
                // A number beside an autoscaler's would be set back to with every apply.
                assertThat(deployment.path("spec").has("replicas")).isNotEqualTo(scaled.contains(name));
                assertThat(deployment.at("/spec/replicas").asInt(2)).isGreaterThanOrEqualTo(2);
            }
            for (JsonNode scaling : rendered.of("HorizontalPodAutoscaler")) {
                assertThat(scaling.at("/spec/minReplicas").asInt()).isGreaterThanOrEqualTo(2);
            }
        }
    }

    @Test
    void the_example_region_has_all_that_its_limiters_must_be_told() throws Exception {
        Rendered region = rendered(EXAMPLE_REGION);
        Map<String, String> told = region.environment(
                Rendered.containers(region.of("Deployment").get(0)).get(0));

        assertThat(told)
                .containsEntry("MERIDIAN_LIMITER_REGION", "eu-west")
                .containsEntry("MERIDIAN_LIMITER_REDIS_HOSTS", "redis://redis:6379")
                .containsKeys("KAFKA_BOOTSTRAP_SERVERS", "MERIDIAN_LIMITER_POLICIES_CACHE_FILE");
        assertThat(region.manifests().toString()).doesNotContain("10.0.0.0/8").doesNotContain("redis-hosts");
    }

    /** That kustomize does not take what it does not know for nothing. */
    @Test
    void a_kustomization_with_a_typo_is_refused(@TempDir Path folder) throws Exception {
        Kustomize kustomize = Kustomize.ofThisMachine();
        Files.writeString(folder.resolve(Documents.KUSTOMIZATION), """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                ressources: []
                """);

        assertThatThrownBy(() -> kustomize.render(folder)).isInstanceOf(IOException.class);
    }
}
