// Request tester: why a check is answered as it is. It consumes nothing. The check is part of the address.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, bar, button, card, code, errorOf, facts, field, notice, page, problem, table, time } from '../core/ui.js';
import { number } from '../core/format.js';

const EXAMPLE = { attributes: 'user_id: 42', endpoint: '/api/v1/users', method: 'GET', headers: '', cost: '1', region: '' };

const pairs = (text) => Object.fromEntries(text.split('\n').map((line) => line.split(/:(.*)/s)).filter(([name]) => name.trim()).map(([name, value = '']) => [name.trim(), value.trim()]));

const TONES = { 200: 'good', 403: 'bad', 429: 'warn', 503: 'bad' };

export default class Explain extends Screen {
  get title() { return 'Request tester'; }

  async load() {
    this.regions = (await api.get('regions')).items.map((each) => each.region);
    this.draft = { ...EXAMPLE, ...this.query };
    if (this.query.attributes !== undefined) await this.ask();
  }

  async ask() {
    const { attributes, endpoint, method, headers, cost, region } = this.draft;
    const check = { attributes: pairs(attributes), endpoint, method, cost: /^\d{1,15}$/.test(cost) ? Number(cost) : cost };
    if (headers.trim()) check.headers = pairs(headers);
    this.answer = await this.attempt(() => api.post('explain', { check, ...(region ? { region } : {}) }));
  }

  input(name, label, more = {}) {
    return field({ id: 'x-' + name, label, value: this.draft[name], error: errorOf(this.failed, `check.${name}`), change: (value) => { this.draft = { ...this.draft, [name]: value }; }, ...more });
  }

  template() {
    const shown = ['attributes', 'endpoint', 'method', 'headers', 'cost'];
    return page('Request tester', { lead: 'Every policy for one request: matched or not and why not, the limits as they stand in each region, and the answer. Nothing is consumed.' },
      problem(this.failed, (name) => shown.some((each) => name.startsWith(`check.${each}`))),
      this.draft ? card('Check', html`<form @submit=${(event) => { event.preventDefault(); go(['explain'], this.draft); if (this.query.attributes !== undefined) this.ask(); }}>
        <div class="row">${this.input('attributes', 'Attributes', { kind: 'area', hint: 'One “user_id: 42” a line.' })}${this.input('headers', 'Headers', { kind: 'area', hint: 'One “x-plan: beta” a line.' })}</div>
        <div class="row">${this.input('endpoint', 'Endpoint')}${this.input('method', 'Method')}${this.input('cost', 'Cost')}
          ${this.input('region', 'Region', { choices: [['', 'all regions'], ...this.regions] })}</div>
        ${button(this.busy ? 'Asking the regions…' : 'Explain', null, { tone: 'primary', type: 'submit', disabled: this.busy })}</form>`) : nothing,
      this.answer ? this.result() : nothing);
  }

  result() {
    const { answer } = this;
    return html`
      ${answer.list ? notice(answer.list.list === 'deny-list' ? 'bad' : 'good', html`On the ${answer.list.list.replace('-', ' ')} as ${code(`${answer.list.identifier_type}:${answer.list.identifier}`)}${answer.list.reason ? `: ${answer.list.reason}` : ''}`) : nothing}
      ${card('Answer by region', html`
        ${facts([['Tier', answer.tier.name ? html`${answer.tier.name} (${answer.tier.source})` : 'none'], ['Revision', number(answer.revision)], ['Asked', time(answer.asked_at)]])}
        ${table({ caption: 'Answer by region', head: ['Region', 'Answer', 'Why'], rows: answer.regions.map((each) => [each.region,
          each.status ? badge(String(each.status), TONES[each.status]) : badge(each.answered ? 'not known' : 'no answer', 'warn'), html`${each.detail}${each.reason ? html`<br><small>${each.reason}</small>` : nothing}`]) })}`)}
      ${card('Limits as they stand', table({ caption: 'Limits by region', head: ['Region', 'Policy', 'Key', { text: 'Used', num: true }, { text: 'Limit', num: true }, 'Share', 'Room for it', 'Resets'],
        rows: answer.regions.flatMap((region) => region.limits.map((each) => [region.region, html`<a href=${href(['policies', each.policy])}>${each.policy}</a>`, code(each.key), number(each.used), number(each.limit),
          bar(each.used, each.limit, `${each.used} of ${each.limit}`), each.admits ? badge('yes', 'good') : badge(each.shadow ? 'no, log only' : 'no', each.shadow ? 'warn' : 'bad'), time(each.reset_at)])),
        empty: html`<p class="muted">No limit applies, or no region answered.</p>` }))}
      ${card('Policies in the order of evaluation', table({ caption: 'Policies', head: ['Policy', 'Applies', 'Why not'], rows: answer.policies.map((each) => [
        html`<a href=${href(['policies', each.id])}>${each.id}</a><br><small>${number(each.limit)} / ${each.window}${each.override ? ' by an override' : ''}</small>`,
        each.matched ? html`${badge('applies', 'good')} ${each.key ? code(each.key) : nothing}` : badge('does not'),
        each.mismatches.map((miss) => html`<div>${miss.selector}${miss.name ? ` ${miss.name}` : ''}: ${miss.expected.length ? html`needs ${code(miss.expected.join(' or '))}` : 'is needed'}${miss.selector === 'disabled' ? nothing : html`, got ${miss.actual === null ? 'none' : code(miss.actual)}`}</div>`)]),
        empty: html`<p class="muted">There is no policy, so every request is admitted.</p>` }))}`;
  }
}
