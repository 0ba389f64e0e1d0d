package io.meridian.stack.servers;

import io.meridian.stack.process.Probe;

/** The protocols in which a part can be asked whether it is ready; with a target it can be written down and asked later. */
public enum ProbeKind {
    POSTGRES {
        @Override
        public Probe at(String target) {
            return new PostgresProbe(target);
        }
    },
    REDIS {
        @Override
        public Probe at(String target) {
            return new RedisProbe(Integer.parseInt(target));
        }
    },
    KAFKA {
        @Override
        public Probe at(String target) {
            return new KafkaProbe(target);
        }
    },
    HTTP {
        @Override
        public Probe at(String target) {
            return new HttpProbe(target);
        }
    };

    /** The probe of one address: a JDBC URL, a Redis port of this machine, Kafka's bootstrap servers, or an HTTP URL. */
    public abstract Probe at(String target);
}
