package io.meridian.stack.servers;

import kafka.Kafka;
import kafka.tools.StorageTool;

/** What runs in the broker's process: formats the storage on a first start, then is Kafka. One process instead of two. */
final class KafkaMain {
    /** Sixteen bytes in base64, as Kafka wants them: "meridian-local-1". */
    private static final String CLUSTER_ID = "bWVyaWRpYW4tbG9jYWwtMQ";

    private KafkaMain() {}

    public static void main(String[] args) {
        String settings = args[0];
        String[] format = {"format", "--ignore-formatted", "--cluster-id", CLUSTER_ID, "--config", settings};
        int code = StorageTool.execute(format, System.out);
        if (code != 0) {
            System.exit(code);
        }
        Kafka.main(new String[] {settings});
    }
}
