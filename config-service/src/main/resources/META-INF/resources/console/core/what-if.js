// Replay of recorded traffic against a draft policy, and its result.
import { html } from './lit.js';
import { api } from './api.js';
import { bar, card, code, facts, table, time } from './ui.js';
import { number } from './format.js';

export const runWhatIf = (policy, basis, range = {}) => api.post('what-if', { policy, ...(basis ? { basis } : {}), ...range });

export const whatIfResult = (result) => card('What if this policy had been in effect', html`
  ${facts([['Requests replayed', number(result.requests)], ['Would be denied', number(result.denied)], ['Share', `${(100 * result.share).toFixed(2)} %`],
    ['Clients in the record', number(result.keys)], ['Record of', result.basis], ['From', time(result.from)], ['To', time(result.to)]])}
  ${result.clients.length === 0 ? html`<p class="muted">No client would be denied.</p>` : table({
    caption: 'Clients that would be denied most',
    head: ['Client', { text: 'Requests', num: true }, { text: 'Denied', num: true }, 'Share'],
    rows: result.clients.slice(0, 20).map((each) => [code(each.key), number(each.requests), number(each.denied),
      bar(each.denied, each.requests, `${each.denied} of ${each.requests} requests denied`)]),
  })}
  <details><summary>Assumptions of the replay</summary><ul>${result.assumptions.map((each) => html`<li>${each}</li>`)}</ul></details>`);
