// The regions as they are now: live, their loop delay and staleness, and the links that are cut.
import { html, svg, nothing } from '../core/lit.js';
import { api, serverNow } from '../core/api.js';
import { href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, card, code, empty, page, problem, table, time } from '../core/ui.js';
import { duration, millis, number } from '../core/format.js';
import { LiveFeed } from '../core/feed.js';

/** Violations and busy keys change slowly: they are read again every so many seconds. */
const TRAFFIC_EVERY_ROUNDS = 15;
/** A region that was not heard for this long is drawn as cut; its limiters report every second. */
const SILENT_AFTER_MS = 2000;
/** A region that heard of no leader for this long is cut off, as the limiter itself counts it. */
const CUT_OFF_AFTER_MS = 3000;

const REASONS = { no_report: 'no report', no_leader: 'no leader heard' };

/** State of a region by the live stream, else by its last report. */
export function regionState(region, live, now = serverNow()) {
  if (live) {
    const { cut_off: cut } = live;
    return { isCut: Boolean(cut), text: cut ? `${REASONS[cut.reason] || cut.reason} for ${duration((now - Date.parse(cut.since)) / 1000)}` : 'connected' };
  }
  const heard = Math.max(...region.instances.map((each) => Date.parse(each.heard_at)));
  const silentMs = now - heard;
  const isSilent = region.live === 0 || silentMs > SILENT_AFTER_MS;
  const isCutOff = region.centre_silent_ms > CUT_OFF_AFTER_MS;
  return { isCut: isSilent || isCutOff,
    text: isSilent ? `no report for ${duration(silentMs / 1000)}` : isCutOff ? `no leader heard for ${duration(region.centre_silent_ms / 1000)}` : 'connected' };
}

export default class Overview extends Screen {
  get title() { return 'Overview'; }

  async load() {
    this.feed = new LiveFeed(() => this.update());
    await this.refresh();
    await this.traffic();
    let rounds = 0;
    this.every(1000, async () => {
      await this.refresh();
      rounds += 1;
      if (rounds % TRAFFIC_EVERY_ROUNDS === 0) await this.traffic();
    });
  }

  async refresh() {
    this.regions = await api.get('regions');
    this.stale = null;
    this.shownAt = new Date(serverNow()).toISOString();
  }

  /** From PostgreSQL; while it is away the regions are shown alone. */
  async traffic() {
    try {
      await this.readTraffic();
      this.trafficFailed = null;
    } catch (failed) {
      if (!('errors' in failed)) throw failed;
      this.trafficFailed = failed;
    }
  }

  async readTraffic() {
    const [hot, violations, policies] = await Promise.all([
      api.get('hot-keys', { limit: 8 }), api.get('violations', { limit: 8 }), api.get('policies', { limit: 200 }),
    ]);
    this.hot = hot.items;
    this.violations = violations.items;
    this.policies = policies;
  }

  stop() {
    super.stop();
    this.feed?.close();
  }

  template() {
    if (!this.regions) return page('Overview', {}, problem(this.failed));
    const items = this.regions.items;
    const states = new Map(items.map((each) => [each.region, regionState(each, this.feed.of(each.region))]));
    const cut = items.filter((each) => states.get(each.region).isCut);
    const behind = items.filter((each) => each.behind > 0);
    return page('Overview', { lead: html`Revision ${number(this.regions.revision)}, as of ${time(this.shownAt)}` },
      problem(this.stale), problem(this.trafficFailed),
      cut.length ? html`<div class="alert bad" role="alert"><strong>${cut.length === 1 ? '1 link is cut' : `${cut.length} links are cut`}:</strong>
        ${cut.map((each) => `${each.region} (${states.get(each.region).text})`).join(', ')}.
        Regional limits go on there; global limits follow each policy's mode.</div>` : nothing,
      behind.length ? html`<div class="alert warn" role="status">Behind the current revision: ${behind.map((each) => `${each.region} by ${each.behind}`).join(', ')}.</div>` : nothing,
      items.length === 0
        ? empty('No region has reported', html`Limiters report to the Kafka topic <code>reports</code>. Start one, or check its connection to Kafka.`)
        : html`
          <div class="columns">
            ${card('Regions', ring(items, states))}
            <div>
              <div class="figures">
                <div><span class="muted">Regions connected</span><strong id="connected">${items.length - cut.length} of ${items.length}</strong></div>
                <div><span class="muted">Slowest loop, p99</span><strong>${millis(worst(items))}</strong></div>
                ${this.feed.isFresh ? html`<div><span class="muted">Checks per second</span><strong>${perSecond([...this.feed.regions.values()].reduce((sum, each) => sum + (each.checks_per_second || 0), 0))}</strong></div>` : nothing}
                ${this.policies ? html`<div><span class="muted">Policies</span><strong>${number(this.policies.items.length)}${this.policies.next ? '+' : ''}</strong></div>` : nothing}
              </div>
              ${card('Recent violations', this.violations?.length
                ? table({ caption: 'Recent violations', head: ['Last', 'Policy and key', { text: 'Denied', num: true }],
                  rows: this.violations.map((each) => [time(each.at), html`<a href=${href(['policies', each.policy])}>${each.policy}</a><br>${code(each.key)}`, number(each.count)]) })
                : html`<p class="muted">None in the last hour.</p>`, html`<a href="#/violations">All</a>`)}
              ${this.feed.recent.length ? card('Changes as they come', html`<ul>${this.feed.recent.map((each) => html`<li>${time(each.at)} ${each.actor} ${each.action} ${each.kind} ${code(each.entry_id)}</li>`)}</ul>`, html`<a href="#/audit">Audit</a>`) : nothing}
            </div>
          </div>
          ${this.regionTable(items, states)}
          ${card('Keys that consume most, last hour', this.hot?.length
            ? table({ caption: 'Keys that consume most', head: ['Policy', 'Key', { text: 'Units', num: true }],
              rows: this.hot.map((each) => [html`<a href=${href(['policies', each.policy])}>${each.policy}</a>`, code(each.key), number(each.consumed)]) })
            : html`<p class="muted">No usage was recorded in the last hour. It appears up to a minute after the first check.</p>`)}`);
  }

  regionTable(items, states) {
    const live = this.feed.isFresh;
    return table({
      caption: 'Regions',
      head: ['Region', 'Link', ...(live ? [{ text: 'Checks/s', num: true }, { text: 'Denied/s', num: true }, { text: 'Degraded/s', num: true }] : []),
        { text: 'Loop p50', num: true }, { text: 'Loop p99', num: true }, { text: 'Leader heard', num: true }, { text: 'Clock skew', num: true }, { text: 'Limiters', num: true }, { text: 'Revision', num: true }],
      rows: items.map((each) => {
        const state = states.get(each.region);
        const rate = this.feed.of(each.region);
        return [html`<strong>${each.region}</strong>`, badge(state.text, state.isCut ? 'bad' : 'good'),
          ...(live ? [perSecond(rate?.checks_per_second), perSecond(rate?.denied_per_second), perSecond(rate?.degraded_per_second)] : []),
          millis(each.loop_delay_ms.p50), millis(each.loop_delay_ms.p99),
          each.live ? html`${millis(rate?.staleness_ms ?? each.centre_silent_ms)} ago` : '–', millis(each.clock_skew_ms), `${each.live} of ${each.instances.length}`,
          each.revision === null ? '–' : html`${number(each.revision)}${each.behind ? html` ${badge(`${each.behind} behind`, 'warn')}` : nothing}`];
      }),
    });
  }
}

const perSecond = (value) => value === null || value === undefined ? '–' : number(Math.round(value * 10) / 10);

const worst = (items) => {
  const known = items.map((each) => each.loop_delay_ms.p99).filter((each) => each !== null);
  return known.length ? Math.max(...known) : null;
};

/** Centre and regions in a ring; a cut link is dashed and crossed. */
function ring(items, states) {
  const placed = items.map((each, i) => {
    const angle = (2 * Math.PI * i) / items.length - Math.PI / 2;
    return { region: each, state: states.get(each.region), x: 260 + 175 * Math.cos(angle), y: 190 + 135 * Math.sin(angle) };
  });
  const summary = placed.map((each) => `${each.region.region}: ${each.state.text}`).join('; ');
  return html`<svg class="ring" viewBox="0 0 520 380" role="img" aria-label="Links between the regions and the centre. ${summary}">
    ${placed.map((each) => svg`
      <g class=${each.state.isCut ? 'cut' : ''} data-region=${each.region.region}>
        <line class="link ${each.state.isCut ? 'cut' : ''}" x1="260" y1="190" x2=${each.x} y2=${each.y}></line>
        ${each.state.isCut ? cross((260 + each.x) / 2, (190 + each.y) / 2) : ''}
      </g>`)}
    <circle class="centre" cx="260" cy="190" r="36"></circle><text x="260" y="187">Kafka</text><text class="small" x="260" y="202">centre</text>
    ${placed.map((each) => svg`
      <g class=${each.state.isCut ? 'cut' : ''}>
        <rect class="node" x=${each.x - 68} y=${each.y - 26} width="136" height="52" rx="10"></rect>
        <text x=${each.x} y=${each.y - 6}>${each.region.region}</text>
        <text class="small" x=${each.x} y=${each.y + 12}>${each.state.isCut ? each.state.text : each.region.loop_delay_ms.p99 === null ? 'no loop measured' : `loop p99 ${millis(each.region.loop_delay_ms.p99)}`}</text>
      </g>`)}
  </svg>`;
}

const cross = (x, y) => svg`<path class="cross" d=${`M${x - 8} ${y - 8}L${x + 8} ${y + 8}M${x + 8} ${y - 8}L${x - 8} ${y + 8}`}></path>`;
