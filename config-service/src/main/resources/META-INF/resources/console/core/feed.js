// Server-sent events of GET /live. While it is not there, screens go on with what they poll.

/** So old a message says nothing of now; the service sends one every half a second. */
const FRESH_MS = 3000;

export class LiveFeed {
  /** @param changed called after each message */
  constructor(changed) {
    this.regions = new Map();
    this.heardAt = 0;
    this.recent = [];
    this.source = new EventSource('/admin/api/v1/live');
    this.on('regions', (data) => {
      this.heardAt = performance.now();
      this.regions = new Map(data.regions.map((each) => [each.region, each]));
      this.leaders = data.leaders;
      changed();
    });
    this.on('change', (data) => {
      this.recent = [data, ...this.recent].slice(0, 8);
      changed();
    });
    this.on('top_keys', (data) => { this.top = data; });
  }

  on(name, action) {
    this.source.addEventListener(name, (event) => action(JSON.parse(event.data)));
  }

  /** Last report of a region; undefined while the stream is silent. */
  of(region) {
    return this.isFresh ? this.regions.get(region) : undefined;
  }

  get isFresh() { return this.heardAt > 0 && performance.now() - this.heardAt < FRESH_MS; }

  close() { this.source.close(); }
}
