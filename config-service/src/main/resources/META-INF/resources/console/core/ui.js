// Components: functions from values to templates. Texts go through lit-html, which writes them as text, never as markup.
import { html, svg, nothing, live } from './lit.js';
import { localTime, utcTime, isUtcHere, percent, visible } from './format.js';

let nextId = 0;
export const newId = (name) => `${name}-${++nextId}`;

/** Frame of a screen: one heading, what it is for, and what can be done. */
export const page = (title, { lead, actions, back } = {}, ...body) => html`
  <header class="page">
    <div>
      ${back ? html`<a class="back" href=${back.href}>${back.text}</a>` : nothing}
      <h1 tabindex="-1">${title}</h1>
      ${lead ? html`<p class="lead">${lead}</p>` : nothing}
    </div>
    ${actions ? html`<div class="actions">${actions}</div>` : nothing}
  </header>
  ${body}`;

export const card = (title, body, actions) => html`
  <section class="card">
    <div class="card-head"><h2>${title}</h2>${actions ? html`<div class="actions">${actions}</div>` : nothing}</div>
    ${body}
  </section>`;

/** Table whose head names its columns; on a narrow screen it scrolls on its own. */
export const table = ({ caption, head, rows, empty }) => rows.length === 0 ? empty || nothing : html`
  <div class="scroll" role="region" tabindex="0" aria-label=${caption}>
    <table>
      <caption class="unseen">${caption}</caption>
      <thead><tr>${head.map((each) => html`<th scope="col" class=${each.num ? 'num' : ''}>${each.text ?? each}</th>`)}</tr></thead>
      <tbody>${rows.map((cells) => html`<tr>${cells.map((cell, i) => html`<td class=${head[i]?.num ? 'num' : ''}>${cell}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`;

/** A list without entries says what to do first. */
export const empty = (title, text, action) => html`
  <div class="empty"><h2>${title}</h2><p>${text}</p>${action || nothing}</div>`;

export const loading = (text = 'Loading…') => html`<p class="loading" role="status">${text}</p>`;

/** A refusal in the service's own words. Errors that a field shows are left out. */
export const problem = (failed, shown = () => false) => {
  if (!failed) return nothing;
  const rest = failed.errors.filter((each) => !shown(each.field));
  if (failed.errors.length > 0 && rest.length === 0) {
    return html`<p class="alert bad" role="alert">${failed.title}: see the marked fields.</p>`;
  }
  return html`
    <div class="alert bad" role="alert">
      <strong>${failed.title}</strong>
      ${rest.length > 0
        ? html`<ul>${rest.map((each) => html`<li><code>${each.field}</code> ${each.rule}, got <code>${visible(each.value)}</code></li>`)}</ul>`
        : html`<p>${failed.message}</p>`}
    </div>`;
};

export const notice = (tone, text) => html`<p class="alert ${tone}" role="status">${text}</p>`;

/** Local time, and UTC beside it where they differ. */
export const time = (iso) => !iso ? '–' : html`
  <time datetime=${iso} title=${iso}>${isUtcHere() ? utcTime(iso) : html`${localTime(iso)} <small>${utcTime(iso)}</small>`}</time>`;

export const badge = (text, tone = '') => html`<span class="badge ${tone}">${text}</span>`;

export const code = (text) => html`<code>${visible(text)}</code>`;

/** Names with values. */
export const facts = (pairs) => html`
  <dl class="facts">${pairs.filter(Boolean).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export const button = (text, action, { tone = '', disabled = false, type = 'button', label } = {}) => html`
  <button type=${type} class=${tone} ?disabled=${disabled} aria-label=${label ?? nothing} @click=${action ?? nothing}>${text}</button>`;

/**
 * Labelled control with its hint and its error. Kinds: text, number, password, datetime, area, check, or a list of choices.
 * `change` is called with the new value at every input.
 */
export function field({ id, label, kind = 'text', value, change, hint, error, choices, readonly, required, placeholder, list, autocomplete }) {
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || nothing;
  const invalid = error ? 'true' : nothing;
  const notes = html`
    ${hint ? html`<small id="${id}-hint" class="hint">${hint}</small>` : nothing}
    ${error ? html`<p id="${id}-error" class="error">${error}</p>` : nothing}`;
  const changed = (event) => change(event.target.type === 'checkbox' ? event.target.checked : event.target.value);
  if (kind === 'check') {
    return html`
      <div class="field check">
        <label><input id=${id} type="checkbox" .checked=${live(Boolean(value))} ?disabled=${readonly}
            aria-describedby=${described} @change=${changed}> ${label}</label>
        ${notes}
      </div>`;
  }
  const control = choices
    ? html`<select id=${id} ?disabled=${readonly} aria-describedby=${described} aria-invalid=${invalid} @change=${changed}>
        ${choices.map((each) => {
          const [key, text] = Array.isArray(each) ? each : [each, each];
          return html`<option value=${key} .selected=${live(key === (value ?? ''))}>${text}</option>`;
        })}</select>`
    : kind === 'area'
      ? html`<textarea id=${id} rows="4" spellcheck="false" .value=${live(value ?? '')} ?readonly=${readonly}
          aria-describedby=${described} aria-invalid=${invalid} @input=${changed}></textarea>`
      : html`<input id=${id} type=${kind === 'datetime' ? 'text' : kind} .value=${live(String(value ?? ''))} ?readonly=${readonly}
          ?required=${required} placeholder=${placeholder ?? (kind === 'datetime' ? '2027-01-31T00:00:00Z' : nothing)}
          list=${list ?? nothing} autocomplete=${autocomplete ?? 'off'} spellcheck="false" inputmode=${kind === 'number' ? 'numeric' : nothing}
          aria-describedby=${described} aria-invalid=${invalid} @input=${changed}>`;
  return html`<div class="field"><label for=${id}>${label}${required ? html` <span class="req">required</span>` : nothing}</label>${control}${notes}</div>`;
}

/** The error of a field among those of a refusal; a list's error is that of the list. */
export const errorOf = (failed, name) => {
  const own = (failed?.errors || []).filter((each) => each.field === name || each.field.startsWith(name + '[') || each.field.startsWith(name + '.'));
  return own.map((each) => `${each.field} ${each.rule}, got ${visible(each.value)}`).join('; ') || undefined;
};

/** Consumption against a limit. */
export const bar = (used, limit, label) => {
  const share = percent(used, limit);
  const tone = share >= 100 ? 'bad' : share >= 80 ? 'warn' : 'good';
  return html`<svg class="bar ${tone}" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=${label}>
    <rect class="track" width="100" height="8" rx="2"></rect><rect class="fill" width=${share} height="8" rx="2"></rect></svg>`;
};

/** Parts of one limit beside each other, each in the colour of its place. */
export const stacked = (parts, limit, label) => {
  const total = Math.max(limit, parts.reduce((sum, each) => sum + each.value, 0), 1);
  let x = 0;
  return html`<svg class="stack" viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label=${label}>
    <rect class="track" width="100" height="12"></rect>
    ${parts.map((each, i) => {
      const width = (100 * each.value) / total;
      const drawn = svg`<rect class="part c${i % 8}" x=${x} width=${width} height="12"></rect>`;
      x += width;
      return drawn;
    })}</svg>`;
};

/** Course of some values over time. */
export const sparkline = (values, label) => {
  if (values.length < 2) return html`<span class="muted">no data yet</span>`;
  const top = Math.max(...values, 1);
  const points = values.map((value, i) => `${((100 * i) / (values.length - 1)).toFixed(1)},${(24 - (22 * Math.max(0, value)) / top).toFixed(1)}`);
  return html`<svg class="spark" viewBox="0 0 100 26" preserveAspectRatio="none" role="img" aria-label=${label}>
    <polygon class="area" points="0,26 ${points.join(' ')} 100,26"></polygon><polyline class="line" points=${points.join(' ')}></polyline></svg>`;
};

/** Fields with their values before and after. */
export const changes = (list) => list.length === 0 ? html`<p class="muted">Nothing differs.</p>` : html`
  <div class="scroll" role="region" tabindex="0" aria-label="Differences"><table class="diff">
    <thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
    <tbody>${list.map((each) => html`<tr><th scope="row"><code>${each.path}</code></th>
      <td class="old">${each.before === undefined ? html`<span class="muted">absent</span>` : html`<del>${visible(each.before)}</del>`}</td>
      <td class="new">${each.after === undefined ? html`<span class="muted">absent</span>` : html`<ins>${visible(each.after)}</ins>`}</td></tr>`)}</tbody>
  </table></div>`;

/** A search that is part of the address, so that it can be shared. */
export const search = ({ label, fields, action, submit = 'Search' }) => html`
  <form class="filters" role="search" aria-label=${label} @submit=${(event) => {
    event.preventDefault();
    action(Object.fromEntries([...event.target.elements].filter((each) => each.name).map((each) => [each.name, each.value.trim()])));
  }}>
    ${fields.map((each) => html`<div class="field"><label for="f-${each.name}">${each.label}</label>${each.choices
      ? html`<select id="f-${each.name}" name=${each.name}>${each.choices.map((choice) => html`<option value=${choice} .selected=${choice === (each.value || '')}>${choice || 'any'}</option>`)}</select>`
      : html`<input id="f-${each.name}" name=${each.name} .value=${each.value || ''} placeholder=${each.placeholder || nothing} autocomplete="off" spellcheck="false">`}</div>`)}
    <button type="submit" class="plain">${submit}</button>
  </form>`;

export const more = (next, link) => next ? html`<p><a class="button plain" href=${link}>Next page</a></p>` : nothing;

/** Question before a change that cannot be taken back. Escape, and a click on Cancel, answer no. */
export function confirm({ title, body, action, danger = true }) {
  return ask(title, body, [['Cancel', null, 'plain'], [action, true, danger ? 'danger' : 'primary']]);
}

/** Question with several answers; null if it is dismissed. */
export async function ask(title, body, answers) {
  const { render } = await import('./lit.js');
  const dialog = document.createElement('dialog');
  const heading = newId('dialog');
  dialog.setAttribute('aria-labelledby', heading);
  document.body.append(dialog);
  return new Promise((answered) => {
    let result = null;
    const choose = (value) => { result = value; dialog.close(); };
    dialog.addEventListener('close', () => { dialog.remove(); answered(result); });
    render(html`<h2 id=${heading}>${title}</h2><div class="dialog-body">${body}</div>
      <div class="actions end">${answers.map(([text, value, tone]) => button(text, () => choose(value), { tone }))}</div>`, dialog);
    dialog.showModal();
  });
}

/** A short message that disappears by itself, read out by screen readers. */
export function toast(text) {
  const region = document.getElementById('toasts');
  const line = document.createElement('p');
  line.textContent = text;
  region.append(line);
  setTimeout(() => line.remove(), 6000);
}
