package io.meridian.config.history;

import io.meridian.model.wire.ViolationRecord;

/** A violation and where it stood in Kafka, which is who it is. */
record ViolationRow(int sourcePartition, long sourceOffset, ViolationRecord violation) {}
