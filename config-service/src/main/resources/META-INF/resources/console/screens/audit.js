// Audit trail: who changed what, before and after, and the way back.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, button, card, changes, code, confirm, empty, more, notice, page, problem, search, table, time, toast } from '../core/ui.js';
import { differences } from '../core/diff.js';
import { number } from '../core/format.js';

const ACTIONS = ['', 'created', 'replaced', 'deleted', 'imported', 'reset', 'reset_done', 'refund', 'refused', 'proposed', 'approved', 'rejected', 'withdrawn', 'applied'];
const KINDS = ['', 'policy', 'tier', 'client-tier', 'override', 'allow', 'deny', 'adaptive', 'token', 'client', 'call', 'counter', 'proposal', 'drill'];
/** Changes of rules, which can be taken back; a reset or a refused call cannot. */
const REVERTIBLE = ['policy', 'tier', 'client-tier', 'override', 'allow', 'deny', 'adaptive'];

export default class Audit extends Screen {
  get title() { return 'Audit'; }

  get wanted() { return this.context.params.id; }

  async load() {
    // A row has no address of its own in the API: the page that begins with it has it first.
    const cursor = this.wanted && /^\d{1,17}$/.test(this.wanted)
      ? btoa(String(Number(this.wanted) + 1)).replace(/=+$/, '') : this.query.cursor;
    this.data = await api.get('audit', { limit: this.wanted ? 1 : 100, ...this.query, cursor });
    if (this.wanted && String(this.data.items[0]?.id) !== this.wanted) this.data.items = [];
  }

  async revert(row) {
    const path = `audit/${row.id}/revert`;
    let plan;
    await this.attempt(async () => { plan = await api.post(path, undefined, { dry_run: true }); });
    if (this.failed) return;
    const sure = await confirm({
      title: 'Apply the state before?', action: 'Revert 1 change', danger: false,
      body: html`<p>The state before this change of <strong>1</strong> entry, ${code(row.entry_id)}, becomes a new change with a new revision.</p>${changes(differences(row.after, row.before))}`,
    });
    if (!sure || !plan) return;
    const done = await this.attempt(() => api.post(path));
    if (done || !this.failed) {
      toast('The state before is in effect again');
      go(['audit'], { kind: row.kind, id: row.entry_id });
    }
  }

  template() {
    const { query } = this;
    if (this.wanted) {
      const row = this.data?.items[0];
      return page(`Change ${this.wanted}`, { back: { href: '#/audit', text: 'Audit' } }, problem(this.failed),
        row ? this.detail(row) : empty('There is no such row', 'It may be beyond what the audit trail holds.', html`<a class="button" href="#/audit">All rows</a>`));
    }
    return page('Audit', { lead: 'Every change of the rules, refused call, reset and refund. Rows can be neither changed nor deleted.' },
      search({
        label: 'Audit', action: (values) => go(['audit'], values),
        fields: [{ name: 'id', label: 'Entry', value: query.id }, { name: 'kind', label: 'Kind', choices: KINDS, value: query.kind }, { name: 'action', label: 'Action', choices: ACTIONS, value: query.action },
          { name: 'actor', label: 'Actor', value: query.actor }, { name: 'from', label: 'From (UTC)', value: query.from, placeholder: '2026-01-15T10:00:00Z' }, { name: 'to', label: 'To (UTC)', value: query.to }],
      }),
      problem(this.failed),
      this.data ? table({
        caption: 'Audit trail', head: ['At', 'Actor', 'Action', 'Entry', 'Change'],
        rows: this.data.items.map((each) => [time(each.at), each.actor, badge(each.action, each.action === 'deleted' || each.action === 'refused' ? 'warn' : ''), html`${each.kind} ${code(each.entry_id)}`,
          html`<a href=${href(['audit', String(each.id)])} aria-label=${`Change ${each.id}`}>${summary(each)}</a>`]),
        empty: empty('No row fits', 'Widen the range or remove a filter.', html`<a class="button" href="#/audit">Show all</a>`),
      }) : nothing,
      more(this.data?.next, href(['audit'], { ...query, cursor: this.data?.next })));
  }

  detail(row) {
    const list = differences(row.before, row.after);
    return html`${card(html`${row.action} ${row.kind} ${code(row.entry_id)}`, html`
      <p>${time(row.at)} by ${row.actor}${row.revision === null ? nothing : html`, revision ${number(row.revision)}`} <span class="muted">request ${code(row.request_id)}</span></p>
      ${changes(list)}`,
    this.canEdit && REVERTIBLE.includes(row.kind) && row.action !== 'imported' ? button('Revert…', () => this.revert(row)) : nothing)}
    ${this.canEdit && row.action === 'imported' ? notice('', 'An import changes many entries; import the earlier file to go back.') : nothing}`;
  }
}

const summary = (row) => {
  const list = differences(row.before, row.after);
  if (row.action === 'replaced') return list.length ? list.slice(0, 3).map((each) => each.path).join(', ') + (list.length > 3 ? ` and ${list.length - 3} more` : '') : 'no field';
  return 'details';
};
