// Ledger of promises: per ended window of a global limit what was admitted, what was promised, and whether it was kept.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, bar, card, code, empty, more, page, problem, search, table, time } from '../core/ui.js';
import { millis, number } from '../core/format.js';

const verdict = (kept) => kept === null ? badge('uncertain', 'warn') : kept ? badge('kept', 'good') : badge('broken', 'bad');

export default class Promises extends Screen {
  get title() { return 'Promises'; }

  async load() { this.data = await api.get('promises', { limit: 100, ...this.query }); }

  template() {
    const { query } = this;
    return page('Promises', { lead: this.data ? html`Each ended window of a global fixed-window limit against the bound that its policy promised, from ${time(this.data.from)} to ${time(this.data.to)}` : nothing },
      search({ label: 'Promises', action: (values) => go(['promises'], values), fields: [{ name: 'policy', label: 'Policy', value: query.policy }, { name: 'kept', label: 'Kept', choices: ['', 'true', 'false'], value: query.kept },
        { name: 'from', label: 'From (UTC)', value: query.from, placeholder: '2026-01-15T10:00:00Z' }, { name: 'to', label: 'To (UTC)', value: query.to }] }),
      problem(this.failed),
      this.data?.totals.length ? card('By policy', table({ caption: 'Totals by policy', head: ['Policy', { text: 'Windows', num: true }, { text: 'Kept', num: true }, { text: 'Broken', num: true }, { text: 'Uncertain', num: true }, { text: 'Admitted', num: true }, 'Utilisation', { text: 'Above the bound', num: true }],
        rows: this.data.totals.map((each) => [html`<a href=${href(['promises'], { ...query, policy: each.policy })}>${each.policy}</a>`, number(each.windows), number(each.kept), each.broken ? badge(number(each.broken), 'bad') : '0', number(each.unknown), number(each.admitted),
          html`${(100 * each.utilisation).toFixed(1)} % ${bar(each.utilisation * 100, 100, `${(100 * each.utilisation).toFixed(1)} percent of the limits used`)}`, number(each.over)]) })) : nothing,
      this.data ? table({ caption: 'Ended windows', head: ['Window', 'Policy', 'Promise', { text: 'Admitted', num: true }, { text: 'Limit', num: true }, { text: 'Bound', num: true }, 'Fullest key', 'Conditions'],
        rows: this.data.items.map((each) => [html`${time(each.window_start)}<small>to ${time(each.window_end)}</small>`, html`<a href=${href(['policies', each.policy])}>${each.policy}</a> ${badge(each.mode)}`,
          html`${verdict(each.kept)}${each.over ? html` by ${number(each.over)}` : nothing}${each.reason ? html`<br><small>${each.reason}</small>` : nothing}`, number(each.admitted), number(each.limit), number(each.bound),
          each.worst ? html`${code(each.worst.key)} <small>${number(each.worst.admitted)} of ${number(each.worst.bound)}</small>` : '–',
          html`${each.parts > 1 ? badge(`${each.parts} parts`, 'warn') : nothing} ${each.loop_delay_ms === null ? nothing : `loop ${millis(each.loop_delay_ms)}`}${each.incomplete.length ? html`<br><small>without ${each.incomplete.join(', ')} yet</small>` : nothing}`]),
        empty: empty('No window has ended in this range', html`Windows of limits with <code>scope: global</code> and <code>algorithm: fixed_window</code> are judged five seconds after their end.`) }) : nothing,
      more(this.data?.next, href(['promises'], { ...query, cursor: this.data?.next })));
  }
}
