package io.meridian.config.api;

import io.meridian.config.api.ClientsResource.ClientQuery;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.audit.Actor;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Timestamps;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Resets in the audit trail. Regions cannot take part in a transaction, so there are two rows: without the first nobody is
 * asked, and the second says who did it.
 */
@Singleton
class ResetTrail {
    private static final Logger LOG = Logger.getLogger(ResetTrail.class);
    private static final String KIND = "client";

    private final Database database;
    private final TimeSource time;

    ResetTrail(Database database, TimeSource time) {
        this.database = database;
        this.time = time;
    }

    void asked(Actor actor, ClientQuery client) {
        ObjectNode asked = JsonNodeFactory.instance.objectNode();
        ObjectNode attributes = asked.putObject("attributes");
        client.attributes().forEach(attributes::put);
        write(actor, "reset", client, asked.put("endpoint", client.endpoint()).put("method", client.method()));
    }

    /** It is done already: a PostgreSQL that went away meanwhile does not undo it. */
    void done(Actor actor, ClientQuery client, ObjectNode outcome) {
        try {
            write(actor, "reset_done", client, outcome);
        } catch (DatabaseUnavailableException away) {
            LOG.warnf(
                    "what came of a reset is not in the audit trail: outcome=%s, reason=%s",
                    outcome, away.getMessage());
        }
    }

    private void write(Actor actor, String action, ClientQuery client, ObjectNode what) {
        String id = client.identifier().type() + ":" + client.identifier().value();
        boolean unused = database.transaction(session -> {
            AuditTrail.write(
                    session,
                    actor,
                    Timestamps.ofMicros(time.wallMicros()),
                    action,
                    KIND,
                    id,
                    Optional.empty(),
                    Optional.of(what));
            return true;
        });
    }
}
