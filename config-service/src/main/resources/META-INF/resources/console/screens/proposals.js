// Proposals: changes with a reason that a second person approves before they are applied.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, button, card, changes, code, confirm, empty, errorOf, facts, field, more, notice, page, problem, search, table, time, toast } from '../core/ui.js';
import { differences } from '../core/diff.js';
import { number } from '../core/format.js';

const TONES = { open: 'warn', approved: 'good', applied: 'good', rejected: 'bad' };
const STATES = ['', 'open', 'approved', 'applied', 'rejected', 'withdrawn', 'expired'];
const START = [{ op: 'put', kind: 'policy', entry: { id: 'api-default', key: ['api_key'], algorithm: 'sliding_window_counter', limit: 1000, window: '1h' } }];

export default class Proposals extends Screen {
  get title() { return this.id ? `Proposal ${this.id}` : 'Proposals'; }

  get id() { return this.context.params.id; }

  async load() {
    if (this.id) {
      this.proposal = await api.get(`proposals/${encodeURIComponent(this.id)}`);
      return;
    }
    const { add, policy, ...filters } = this.query;
    this.data = await api.get('proposals', { limit: 50, ...filters });
    if (add) {
      const entry = policy ? await api.get(`policies/${encodeURIComponent(policy)}`) : null;
      this.draft = { reason: '', expires_at: '', changes: JSON.stringify(entry ? [{ op: 'put', kind: 'policy', entry }] : START, null, 2) };
    }
  }

  async create() {
    let list;
    this.textError = null;
    try {
      list = JSON.parse(this.draft.changes).map((each) => ({ ...each, ...(each.entry ? { entry: entryOf(each.entry) } : {}) }));
    } catch (malformed) {
      this.textError = malformed.message;
      this.update();
      return;
    }
    const made = await this.attempt(() => api.post('proposals', { reason: this.draft.reason, changes: list, ...(this.draft.expires_at ? { expires_at: this.draft.expires_at } : {}) }));
    if (made) go(['proposals', String(made.id)]);
  }

  async act(verb, title, action, danger) {
    const count = this.proposal.changes.length;
    const sure = await confirm({ title, action, danger, body: html`<p><strong>${number(count)}</strong> ${count === 1 ? 'change' : 'changes'}: ${this.proposal.changes.map((each, i) => html`${i ? ', ' : ''}${each.op} ${each.kind} ${code(each.id)}`)}</p>` });
    if (!sure) return;
    await this.attempt(() => api.post(`proposals/${encodeURIComponent(this.id)}/${verb}`));
    if (this.failed) return;
    toast(title.replace('?', ': done'));
    await this.load();
    this.update();
  }

  template() {
    return this.id ? this.one() : this.all();
  }

  all() {
    const { query } = this;
    const add = html`<a class="button primary" href=${href(['proposals'], { add: 'true' })}>New proposal</a>`;
    return page('Proposals', { lead: 'A set of changes with a reason. Another editor approves it, then it can be applied. Protected policies change in no other way.', actions: this.canEdit ? add : nothing },
      this.draft && this.canEdit ? card('New proposal', html`<form @submit=${(event) => { event.preventDefault(); this.create(); }}>
        ${problem(this.failed, (name) => name === 'reason' || name === 'expires_at')}
        <div class="row">${field({ id: 'n-reason', label: 'Reason', required: true, value: this.draft.reason, error: errorOf(this.failed, 'reason'), change: (reason) => { this.draft = { ...this.draft, reason }; } })}
          ${field({ id: 'n-end', label: 'Expires at', kind: 'datetime', value: this.draft.expires_at, error: errorOf(this.failed, 'expires_at'), hint: 'Empty: in 7 days.', change: (end) => { this.draft = { ...this.draft, expires_at: end }; } })}</div>
        ${field({ id: 'n-changes', label: 'Changes (JSON, as for /changes)', kind: 'area', value: this.draft.changes, error: this.textError, change: (text) => { this.draft = { ...this.draft, changes: text }; } })}
        ${button('Propose', null, { tone: 'primary', type: 'submit', disabled: this.busy })}</form>`) : problem(this.failed),
      search({ label: 'Proposals', action: (values) => go(['proposals'], values), fields: [{ name: 'author', label: 'Author', value: query.author }, { name: 'state', label: 'State', choices: STATES, value: query.state }] }),
      this.data ? table({ caption: 'Proposals', head: ['Proposal', 'State', 'By', 'Expires'],
        rows: this.data.items.map((each) => [html`<a href=${href(['proposals', String(each.id)])}>${each.id}: ${each.reason}</a>`, badge(each.state, TONES[each.state]), html`${each.author}<br><small>${time(each.created_at)}</small>`, time(each.expires_at)]),
        empty: empty('No proposal', 'Propose a change of a protected policy, or any change that a second person should see first.', this.canEdit ? add : nothing) }) : nothing,
      more(this.data?.next, href(['proposals'], { ...query, cursor: this.data?.next })));
  }

  one() {
    const { proposal } = this;
    const back = { href: '#/proposals', text: 'All proposals' };
    if (!proposal) return page(this.title, { back }, problem(this.failed));
    const mine = proposal.author === this.session.name;
    const pending = proposal.state === 'open' || proposal.state === 'approved';
    return page(this.title, { back, lead: html`${badge(proposal.state, TONES[proposal.state])} ${proposal.reason}`, actions: this.canEdit && pending ? html`
      ${!mine && proposal.state === 'open' ? button('Approve', () => this.act('approve', 'Approve?', 'Approve', false), { tone: 'primary' }) : nothing}
      ${proposal.state === 'approved' ? button('Apply', () => this.act('apply', 'Apply?', 'Apply', false), { tone: 'primary' }) : nothing}
      ${!mine ? button('Reject', () => this.act('reject', 'Reject?', 'Reject', true), { tone: 'danger' }) : button('Withdraw', () => this.act('withdraw', 'Withdraw?', 'Withdraw', true), { tone: 'danger' })}` : nothing },
    problem(this.failed),
    mine && proposal.state === 'open' ? notice('', 'You made this proposal: another editor has to approve it.') : nothing,
    proposal.conflicts?.length ? html`<div class="alert bad" role="alert"><strong>Entries changed since it was proposed, so it cannot be applied:</strong><ul>${proposal.conflicts.map((each) => html`<li>${each.entry}, ${each.now}: ${each.rule}</li>`)}</ul></div>` : nothing,
    card('Course', facts([['By', proposal.author], ['Created', time(proposal.created_at)], ['Expires', time(proposal.expires_at)],
      proposal.approved_by ? ['Approved by', html`${proposal.approved_by}<br>${time(proposal.approved_at)}`] : null,
      proposal.closed_by ? ['Closed by', html`${proposal.closed_by}<br>${time(proposal.closed_at)}`] : null,
      proposal.revision ? ['Revision', number(proposal.revision)] : null])),
    (proposal.changes || []).map((each) => card(html`${each.op === 'delete' ? 'Delete' : 'Put'} ${each.kind} ${code(each.id)}`, changes(differences(each.before, each.after)))));
  }
}

/** An entry without what the service adds to it. */
function entryOf(entry) {
  const { version, created_at: created, updated_at: updated, created_by: by, warnings, ...rest } = entry;
  return rest;
}
