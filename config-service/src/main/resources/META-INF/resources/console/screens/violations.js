// Denials: the log, and the keys that were denied most. Time range and filters are part of the address.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, card, code, empty, more, page, problem, search, table, time } from '../core/ui.js';
import { number } from '../core/format.js';
import { keyLink } from './policy.js';

export default class Violations extends Screen {
  get title() { return 'Violations'; }

  async load() {
    const { key, cursor, ...shared } = this.query;
    const [log, top] = await Promise.all([api.get('violations', { limit: 100, ...this.query }), api.get('top-offenders', { limit: 20, ...shared })]);
    this.log = log;
    this.top = top.items;
  }

  template() {
    const { query } = this;
    return page('Violations', { lead: this.log ? html`Denials by a limit, from ${time(this.log.from)} to ${time(this.log.to)}` : nothing },
      search({
        label: 'Violations', action: (values) => go(['violations'], values),
        fields: [{ name: 'policy', label: 'Policy', value: query.policy }, { name: 'key', label: 'Key', value: query.key, placeholder: 'user_id=42' }, { name: 'region', label: 'Region', value: query.region },
          { name: 'from', label: 'From (UTC)', value: query.from, placeholder: '2026-01-15T10:00:00Z' }, { name: 'to', label: 'To (UTC)', value: query.to }],
      }),
      problem(this.failed),
      this.top?.length ? card('Denied most', table({
        caption: 'Keys denied most', head: ['Policy', 'Key', { text: 'Denied', num: true }, { text: 'In shadow', num: true }, 'Last'],
        rows: this.top.map((each) => [html`<a href=${href(['policies', each.policy])}>${each.policy}</a>`, keyLink(each.key), number(each.denied), number(each.shadow), time(each.last_at)]),
      })) : nothing,
      this.log ? table({
        caption: 'Log of violations', head: ['Last', 'Policy', 'Key', 'Region', { text: 'Denied', num: true }, { text: 'Used of limit', num: true }, 'Request'],
        rows: this.log.items.map((each) => [time(each.at), html`<a href=${href(['policies', each.policy])}>${each.policy}</a> <small>v${each.policy_version}</small>`, keyLink(each.key), each.region,
          html`${number(each.count)} ${each.shadow ? badge('shadow', 'warn') : nothing}`, each.limit === null ? '–' : `${number(each.used)} of ${number(each.limit)}`, html`${each.method} ${code(each.endpoint)}`]),
        empty: empty('Nobody was denied', 'In this time range no limit was exceeded. Widen the range, or look at what policies in log only would have denied: they are marked as shadow here.'),
      }) : nothing,
      more(this.log?.next, href(['violations'], { ...query, cursor: this.log?.next })));
  }
}
