package io.meridian.infra.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.util.Map;

/**
 * Kubernetes' own schema, as classes that are generated from it: each refuses a field that it does not have, the lack of one that
 * it must have, and a value of the wrong type.
 */
final class Schema {
    private static final Map<String, Reading> KINDS = Map.of(
            "apps/v1 Deployment", V1Deployment::fromJson,
            "apps/v1 StatefulSet", V1StatefulSet::fromJson,
            "autoscaling/v2 HorizontalPodAutoscaler", V2HorizontalPodAutoscaler::fromJson,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::fromJson,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::fromJson,
            "v1 ConfigMap", V1ConfigMap::fromJson,
            "v1 Namespace", V1Namespace::fromJson,
            "v1 Service", V1Service::fromJson,
            "v1 ServiceAccount", V1ServiceAccount::fromJson);

    private Schema() {}

    /** Reads a manifest of one kind. */
    @FunctionalInterface
    private interface Reading {
        Object of(String json) throws IOException;
    }

    /** Throws, with the reason, for what Kubernetes would refuse. */
    static void check(JsonNode manifest) throws IOException {
        String kind = manifest.path("apiVersion").asText() + " "
                + manifest.path("kind").asText();
        Reading reading = KINDS.get(kind);
        if (reading == null) {
            throw new IllegalArgumentException("kind must be one of " + KINDS.keySet() + ", got " + kind);
        }
        reading.of(manifest.toString());
        if (manifest.path("metadata").path("name").asText().isEmpty()) {
            throw new IllegalArgumentException("metadata.name must be there, kind " + kind);
        }
    }
}
