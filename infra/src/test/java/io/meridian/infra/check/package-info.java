/** Tests that run the check scripts of Terraform and observability. */
@NullMarked
package io.meridian.infra.check;

import org.jspecify.annotations.NullMarked;
