// Server-sent events of GET /live. Where the service has none, or the stream breaks, screens go on with what they poll.

export class LiveFeed {
  /** @param changed called with rates by region */
  constructor(changed) {
    this.rates = new Map();
    this.changed = changed;
  }

  close() {}
}
