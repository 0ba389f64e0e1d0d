package io.meridian.config.outbox;

/** What the topic says, read from its beginning to its end: the revision of every entry, and how far it is. */
record TopicContent(RevisionTable revisions, TopicLog.End end) {
    /** @param onward what is done now and then while it is read */
    static TopicContent read(TopicLog log, Runnable onward) {
        RevisionTable revisions = new RevisionTable();
        TopicLog.End[] end = {TopicLog.End.NONE};
        log.each(
                (record, revision) -> {
                    if (record.key() != null) {
                        revisions.put(
                                RevisionTable.hash(record.key()),
                                record.value() == null ? RevisionTable.ABSENT : revision);
                    }
                    end[0] = end[0].with(record);
                },
                onward);
        return new TopicContent(revisions, end[0]);
    }
}
