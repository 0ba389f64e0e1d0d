// Health: which limiter runs which revision, what is behind, and what the service says of itself.
import { html } from '../core/lit.js';
import { api } from '../core/api.js';
import { Screen } from '../core/screen.js';
import { badge, card, empty, facts, page, problem, table, time } from '../core/ui.js';
import { millis, number } from '../core/format.js';

export default class Settings extends Screen {
  get title() { return 'Health'; }

  async load() {
    this.adaptive = await api.get('adaptive').catch((failed) => { if (failed.status === 404) return null; throw failed; });
    await this.refresh();
    this.every(2000, () => this.refresh());
  }

  async refresh() {
    const [regions, health] = await Promise.all([api.get('regions'), fetch('/q/health').then((answer) => answer.json())]);
    this.regions = regions;
    this.health = health;
    this.stale = null;
  }

  template() {
    if (!this.regions) return page('Health', {}, problem(this.failed));
    const instances = this.regions.items.flatMap((region) => region.instances.map((each) => ({ region: region.region, ...each })));
    const measured = this.regions.items.filter((each) => each.converge_bound.formula);
    const behind = instances.filter((each) => each.live && each.behind > 0).length;
    return page('Health', { lead: `Revision ${number(this.regions.revision)}; ${behind === 0 ? 'every live limiter runs it' : `${behind} limiters are behind`}` },
      this.stale ? problem(this.stale) : '',
      table({ caption: 'Limiters', head: ['Region', 'Instance', 'State', { text: 'Revision', num: true }, { text: 'Behind', num: true }, 'Rules from', 'Key secret', 'Heard'],
        rows: instances.map((each) => [each.region, each.instance, badge(each.live ? 'live' : 'silent', each.live ? 'good' : 'bad'), number(each.revision),
          each.behind ? badge(number(each.behind), 'warn') : '0', each.origin, each.key_check || '–', time(each.heard_at)]),
        empty: empty('No limiter has reported', 'Start a limiter, or check its connection to Kafka.') }),
      html`<div class="grid">
        ${card('config-service', html`${facts([['State', badge(this.health.status, this.health.status === 'UP' ? 'good' : 'bad')]])}
          ${this.health.checks.map((check) => html`<h3>${check.name}</h3>${facts(Object.entries(check.data || {}).map(([name, value]) => [name, String(value)]))}`)}`)}
        ${card('Bounds of converging limits', measured.length ? table({ caption: 'Bounds', head: ['Region', 'Admitted at most', { text: 'Loop max', num: true }],
          rows: measured.map((each) => [each.region, each.converge_bound.formula, millis(each.loop_delay_ms.max)]) }) : html`<p class="muted">${this.regions.items[0]?.converge_bound.reason || 'No region has reported.'}</p>`)}
        ${card('Adaptive limits', this.adaptive ? table({ caption: 'Adaptive table', head: [{ text: 'Load up to, %', num: true }, { text: 'Limit, %', num: true }], rows: this.adaptive.steps.map((each) => [each.load_percent, each.limit_percent]) })
          : html`<p class="muted">The built-in table: up to 50 % load 150 %, up to 80 % 100 %, up to 95 % 70 %, above 50 %.</p>`)}
      </div>`);
  }
}
