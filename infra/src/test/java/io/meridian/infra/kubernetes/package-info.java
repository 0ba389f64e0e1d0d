/** What Kubernetes is told, held to its schema and to itself. */
@NullMarked
package io.meridian.infra.kubernetes;

import org.jspecify.annotations.NullMarked;
