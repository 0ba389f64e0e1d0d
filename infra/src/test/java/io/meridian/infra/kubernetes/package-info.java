/** Tests of the rendered Kubernetes manifests against the schema and against each other. */
@NullMarked
package io.meridian.infra.kubernetes;

import org.jspecify.annotations.NullMarked;
