// All policies, with a search and filters that are part of the address.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, empty, more, page, problem, search, table } from '../core/ui.js';
import { number } from '../core/format.js';

const FILTERS = {
  scope: ['', 'regional', 'global'],
  mode: ['', 'converge', 'escrow'],
  algorithm: ['', 'fixed_window', 'sliding_window_log', 'sliding_window_counter', 'sliding_window_estimate', 'token_bucket', 'leaky_bucket', 'gcra'],
  action: ['', 'reject', 'throttle', 'log_only'],
  enabled: ['', 'true', 'false'],
};

const PAGE = 100;
/** So many hits of a search are drawn. */
const FOUND_MAX = 200;
/** There are at most 10,000 policies. */
const PAGES_MAX = 10;

/** Every policy that fits the filters, in pages. */
async function all(filters) {
  const items = [];
  let cursor;
  for (let i = 0; i < PAGES_MAX; i += 1) {
    const page = await api.get('policies', { limit: 1000, ...filters, cursor });
    items.push(...page.items);
    cursor = page.next;
    if (!cursor) break;
  }
  return items;
}

export const quota = (policy) => html`<strong>${number(policy.limit)}</strong> / ${policy.window}${policy.burst ? html` <small>+${number(policy.burst)} burst</small>` : nothing}`;

export const marks = (policy) => html`
  ${policy.enabled ? nothing : badge('disabled', 'warn')}
  ${policy.scope === 'global' ? badge(policy.mode, 'good') : badge('regional')}
  ${policy.action === 'reject' ? nothing : badge(policy.action === 'log_only' ? 'log only' : policy.action, 'warn')}
  ${policy.protected ? badge('protected') : nothing}`;

export const appliesTo = (policy) => {
  const to = policy.applies_to || {};
  const parts = [
    ...(to.endpoints || []), ...(to.methods || []), ...(to.tiers || []).map((each) => `tier ${each}`), ...(to.regions || []).map((each) => `region ${each}`),
    ...Object.entries(to.headers || {}).map(([name, value]) => `${name}: ${value}`),
    ...Object.entries(to.attributes || {}).map(([name, values]) => `${name} ${[values].flat().join(', ')}`),
  ];
  return parts.length ? parts.join(' · ') : 'every request';
};

export default class Policies extends Screen {
  get title() { return 'Policies'; }

  async load() {
    const { text, ...filters } = this.query;
    if (!text) {
      this.data = await api.get('policies', { limit: PAGE, ...filters });
      this.shown = this.data.items;
      return;
    }
    const wanted = text.toLowerCase();
    const found = (await all(filters)).filter((each) => [each.id, each.name, each.description, appliesTo(each), each.key.join(' ')].some((value) => (value || '').toLowerCase().includes(wanted)));
    this.data = { items: found.slice(0, FOUND_MAX), next: null };
    this.shown = this.data.items;
    this.omitted = found.length - this.shown.length;
  }

  template() {
    const query = this.query;
    const isFiltered = Object.keys(query).length > 0;
    return page('Policies', {
      lead: 'Every enabled policy that matches a request applies; all of them must admit it.',
      actions: this.canEdit ? html`<a class="button primary" href="#/policies/new">New policy</a>` : nothing,
    },
    search({
      label: 'Policies', action: (values) => go(['policies'], values),
      fields: [{ name: 'text', label: 'Search in id, name, endpoints and key', value: query.text },
        ...Object.entries(FILTERS).map(([name, choices]) => ({ name, label: name, choices, value: query[name] }))],
    }),
    problem(this.failed),
    this.shown ? table({
      caption: 'Policies', head: ['Policy', 'Limit', 'Key', 'Applies to', 'Kind', { text: 'Priority', num: true }],
      rows: this.shown.map((each) => [
        html`<a href=${href(['policies', each.id])}>${each.id}</a>${each.name ? html`<br><small>${each.name}</small>` : nothing}`,
        html`${quota(each)}<br><small>${each.algorithm.replaceAll('_', ' ')}</small>`,
        each.key.length ? each.key.join(', ') : html`<span class="muted">one for all</span>`, appliesTo(each), marks(each), number(each.priority)]),
      empty: isFiltered
        ? empty('No policy fits', 'Remove a filter, or search for less.', html`<a class="button" href="#/policies">Show all</a>`)
        : empty('There is no policy yet', 'Without one every request is admitted. Begin with a limit per user, in log only, and see whom it would deny.',
          this.canEdit ? html`<a class="button primary" href="#/policies/new">Create the first policy</a>` : nothing),
    }) : nothing,
    this.data?.items.length ? html`<p class="muted" role="status">${number(this.shown.length)} policies${this.data.next ? ' on this page' : ''}${this.omitted ? `, and ${number(this.omitted)} more that fit: search for more letters` : ''}</p>` : nothing,
    more(this.data?.next, href(['policies'], { ...query, cursor: this.data?.next })));
  }
}
