// Three-way choice after a 412: what was read, what somebody else stored meanwhile, and what was about to be saved.
import { html } from './lit.js';
import { differences } from './diff.js';
import { visible } from './format.js';

/** The chosen document, or null. Fields that only one side changed are taken from that side unless one version is taken whole. */
export async function chooseBetween(base, theirs, mine, ask) {
  const ours = new Map(differences(base, mine).map((each) => [each.path, each]));
  const others = new Map(differences(base, theirs).map((each) => [each.path, each]));
  const both = [...ours.keys()].filter((path) => others.has(path) && others.get(path).after !== ours.get(path).after);
  const picked = new Map(both.map((path) => [path, 'mine']));
  const row = (path) => {
    const before = ours.get(path)?.before ?? others.get(path)?.before;
    const isBoth = picked.has(path);
    const option = (side, value) => isBoth
      ? html`<label><input type="radio" name=${'choose-' + path} value=${side} ?checked=${picked.get(path) === side} @change=${() => picked.set(path, side)}> <code>${visible(value ?? 'absent')}</code></label>`
      : html`<code>${visible(value ?? 'absent')}</code>`;
    return html`<tr><th scope="row"><code>${path}</code></th><td><code>${visible(before ?? 'absent')}</code></td>
      <td>${others.has(path) ? option('theirs', others.get(path).after) : html`<span class="muted">unchanged</span>`}</td>
      <td>${ours.has(path) ? option('mine', ours.get(path).after) : html`<span class="muted">unchanged</span>`}</td></tr>`;
  };
  const answer = await ask('Somebody else changed this policy meanwhile', html`
    <p>${both.length === 0 ? 'The two changes touch different fields, so they can be combined.' : `Both changed ${both.length === 1 ? 'one field' : `${both.length} fields`}. Choose for each which value holds.`}</p>
    <div class="scroll" role="region" tabindex="0" aria-label="Versions"><table><thead><tr><th scope="col">Field</th><th scope="col">As you read it</th><th scope="col">Theirs, stored now</th><th scope="col">Yours</th></tr></thead>
      <tbody>${[...new Set([...others.keys(), ...ours.keys()])].sort().map(row)}</tbody></table></div>
    <p class="muted">Nothing is saved yet: the chosen document is shown for review again.</p>`,
  [['Keep editing', null, ''], ['Take theirs', 'theirs', ''], ['Take mine', 'mine', 'danger'], ['Combine', 'combine', 'primary']]);
  if (answer === 'theirs') return theirs;
  if (answer === 'mine') return mine;
  return answer === 'combine' ? combined(theirs, ours, picked) : null;
}

/** Their document with my changes, except where theirs was chosen. */
function combined(theirs, ours, picked) {
  const result = structuredClone(theirs);
  for (const [path, change] of ours) {
    if (picked.get(path) !== 'theirs') put(result, path.split('.'), change.after);
  }
  return result;
}

function put(target, [name, ...rest], json) {
  if (rest.length > 0) {
    if (typeof target[name] !== 'object' || target[name] === null) target[name] = {};
    put(target[name], rest, json);
  } else if (json === undefined) {
    delete target[name];
  } else {
    target[name] = JSON.parse(json);
  }
}
