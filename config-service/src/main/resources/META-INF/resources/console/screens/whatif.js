// What if: another limit for a policy, replayed over what was recorded.
import { html, nothing } from '../core/lit.js';
import { api, entryPath } from '../core/api.js';
import { editable } from '../core/diff.js';
import { go } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { button, card, empty, field, page, problem } from '../core/ui.js';
import { quota } from './policies.js';
import { runWhatIf, whatIfResult } from '../core/what-if.js';

const HOURS = [['1', 'the last hour'], ['6', 'the last 6 hours'], ['24', 'the last day'], ['168', 'the last week']];

export default class WhatIf extends Screen {
  get title() { return 'What if'; }

  async load() {
    this.policies = (await api.get('policies', { limit: 1000 })).items;
    this.hours = this.query.hours || '1';
    if (this.query.policy) {
      this.policy = await api.get(entryPath('policies', this.query.policy));
      this.limit = this.query.limit || String(this.policy.limit);
      if (this.query.limit) await this.run();
    }
  }

  async run() {
    const to = new Date();
    const from = new Date(to.getTime() - Number(this.hours) * 3_600_000);
    const limit = /^\d{1,13}$/.test(this.limit) ? Number(this.limit) : this.limit;
    this.result = await this.attempt(() => runWhatIf({ ...editable(this.policy), limit }, this.policy.id, { from: from.toISOString(), to: to.toISOString() }));
  }

  template() {
    return page('What if', { lead: 'Replays the recorded requests of a policy against another limit. Nothing is changed and nothing is counted.' },
      problem(this.failed),
      this.policies?.length === 0 ? empty('There is no policy', 'Create one first; its traffic is recorded from then on.', html`<a class="button primary" href="#/policies/new">New policy</a>`) : nothing,
      this.policies?.length ? card('Draft', html`<form @submit=${(event) => { event.preventDefault(); go(['what-if'], { policy: this.policy.id, limit: this.limit, hours: this.hours }); }}>
        <div class="row">
          ${field({ id: 'w-policy', label: 'Policy', value: this.query.policy || '', choices: [['', 'choose…'], ...this.policies.map((each) => each.id)], change: (policy) => go(['what-if'], { policy }) })}
          ${this.policy ? html`${field({ id: 'w-limit', label: 'Limit instead', value: this.limit, hint: html`Now ${quota(this.policy)}`, change: (limit) => { this.limit = limit; } })}
            ${field({ id: 'w-hours', label: 'Traffic of', value: this.hours, choices: HOURS, change: (hours) => { this.hours = hours; } })}` : nothing}
        </div>
        ${this.policy ? button(this.busy ? 'Replaying…' : 'Replay', null, { tone: 'primary', type: 'submit', disabled: this.busy }) : nothing}</form>`) : nothing,
      this.result ? whatIfResult(this.result) : nothing);
  }
}
