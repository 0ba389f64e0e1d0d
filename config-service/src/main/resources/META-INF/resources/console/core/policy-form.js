// Fields of a policy: their place in the document, their control, and the words beside them.
import { html } from './lit.js';
import { errorOf, field } from './ui.js';

const list = { read: (value) => (value || []).join(', '), write: (text) => parts(text) };
const parts = (text) => text.split(/[,\n]/).map((each) => each.trim()).filter(Boolean);
/** Lines of name: value. */
const pairs = {
  read: (value) => Object.entries(value || {}).map(([name, each]) => `${name}: ${each}`).join('\n'),
  write: (text) => Object.fromEntries(lines(text)),
};
const manyPairs = {
  read: (value) => Object.entries(value || {}).map(([name, each]) => `${name}: ${[each].flat().join(', ')}`).join('\n'),
  write: (text) => Object.fromEntries(lines(text).map(([name, each]) => [name, parts(each)])),
};
const lines = (text) => text.split('\n').map((line) => line.split(/:(.*)/s)).filter(([name]) => name.trim())
  .map(([name, value = '']) => [name.trim(), value.trim()]);
/** Sends a value that is no whole number as it is, so that the service names the error. */
const whole = { read: (value) => value ?? '', write: (text) => text.trim() === '' ? undefined : /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text };
const plain = { read: (value) => value ?? '', write: (text) => text === '' ? undefined : text };
const flag = { read: (value) => value, write: (value) => value };

const FIELDS = {
  id: { label: 'Id', form: plain, required: true, hint: 'Letters, digits, “.”, “_” and “-”. It cannot be changed later.' },
  name: { label: 'Name', form: plain },
  description: { label: 'Description', form: plain, kind: 'area' },
  'applies_to.endpoints': { label: 'Endpoints', form: list, hint: 'Patterns as /api/*, separated by commas. None: all.' },
  'applies_to.methods': { label: 'Methods', form: list, hint: 'GET, POST … None: all.' },
  'applies_to.tiers': { label: 'Tiers', form: list, hint: (known) => known.tiers.length ? `There are: ${known.tiers.join(', ')}.` : 'None: all.' },
  'applies_to.regions': { label: 'Regions', form: list, hint: (known) => known.regions.length ? `There are: ${known.regions.join(', ')}.` : 'None: all.' },
  'applies_to.headers': { label: 'Headers', form: pairs, kind: 'area', hint: 'One “name: value” a line; all must match.' },
  'applies_to.attributes': { label: 'Attributes', form: manyPairs, kind: 'area', hint: 'One “tenant: acme, globex” a line.' },
  key: { label: 'Key', form: list, hint: 'What has a counter of its own: user_id, api_key, tenant, ip, ip/24 … None: one counter for all.' },
  algorithm: { label: 'Algorithm', form: plain, required: true, choices: [['', 'choose…'], ...['fixed_window', 'sliding_window_log', 'sliding_window_counter', 'sliding_window_estimate', 'token_bucket', 'leaky_bucket', 'gcra'].map((each) => [each, each.replaceAll('_', ' ')])] },
  limit: { label: 'Limit', form: whole, required: true, kind: 'number-text' },
  window: { label: 'Window', form: plain, required: true, hint: '10s, 5m, 1h, 1d, or month.' },
  burst: { label: 'Burst', form: whole, hint: 'Beyond the limit; buckets only.' },
  cost: { label: 'Cost', form: whole, hint: 'Units per unit of a request’s cost.' },
  scope: { label: 'Scope', form: plain, choices: [['', 'regional (default)'], 'regional', 'global'] },
  mode: { label: 'Mode of a global limit', form: plain, choices: [['', 'converge (default)'], 'converge', 'escrow'], hint: 'Escrow never exceeds the limit, in any partition.' },
  on_exhausted: { label: 'When a region’s grant is used up', form: plain, choices: [['', 'deny (default)'], 'deny', 'local', 'overdraft:10', 'overdraft:50', 'overdraft:100'] },
  after_heal: { label: 'After a heal, what was over', form: plain, choices: [['', 'forgive (default)'], 'forgive', 'carry', 'cap'] },
  action: { label: 'Action', form: plain, choices: [['', 'reject (default)'], 'reject', 'throttle', ['log_only', 'log only']] },
  on_failure: { label: 'While Redis is away', form: plain, choices: [['', 'local (default)'], 'local', 'open', 'closed'] },
  soft_limit_percent: { label: 'Warn from, %', form: whole, hint: '0: never.' },
  priority: { label: 'Priority', form: whole, hint: 'Higher is evaluated first.' },
  enabled: { label: 'Enabled', form: flag, kind: 'check', absent: true },
  protected: { label: 'Protected: changes by an approved proposal only', form: flag, kind: 'check' },
  adaptive: { label: 'Scale with the region’s load', form: flag, kind: 'check' },
};

const GROUPS = [
  ['Name', [['id', 'name'], ['description']]],
  ['Limit', [['limit', 'window', 'algorithm'], ['burst', 'cost', 'soft_limit_percent']]],
  ['Whom', [['key'], ['applies_to.endpoints', 'applies_to.methods'], ['applies_to.tiers', 'applies_to.regions'], ['applies_to.headers', 'applies_to.attributes']]],
  ['Between regions', [['scope', 'mode'], ['on_exhausted', 'after_heal']]],
  ['Effect', [['action', 'on_failure', 'priority'], ['enabled', 'adaptive', 'protected']]],
];

export const isFormField = (name) => Object.keys(FIELDS).some((each) => name === each || name.startsWith(each + '[') || name.startsWith(each + '.'));

const at = (document, path) => path.split('.').reduce((value, name) => value?.[name], document);

/** The document with another value; a value that is absent or empty leaves the field out. */
export function withValue(document, path, value) {
  const [name, rest] = path.split(/\.(.*)/s);
  const next = { ...document };
  const inner = rest ? withValue(next[name] || {}, rest, value) : value;
  const isEmpty = inner === undefined || (typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0);
  // An empty key is a meaning of its own: one counter for all.
  if (isEmpty && path !== 'key') delete next[name];
  else next[name] = inner;
  return next;
}

/**
 * @param raw texts as they were typed, by path: half a list must not be rewritten under the hands
 * @param change called with path, text and the value that it stands for
 */
export const policyForm = ({ draft, raw, change, failed, isNew, known, readonly }) => html`
  ${GROUPS.map(([legend, rows]) => html`<fieldset><legend>${legend}</legend>
    ${rows.map((row) => html`<div class="row">${row.map((path) => {
      const each = FIELDS[path];
      const stored = at(draft, path);
      return field({
        id: 'p-' + path.replaceAll('.', '-'), label: each.label, required: each.required, choices: each.choices,
        kind: each.kind === 'number-text' ? 'text' : each.kind,
        hint: typeof each.hint === 'function' ? each.hint(known) : each.hint,
        readonly: readonly || (path === 'id' && !isNew),
        value: raw[path] ?? each.form.read(stored === undefined && each.absent !== undefined ? each.absent : stored),
        error: errorOf(failed, path),
        change: (text) => change(path, text, each.form.write(text)),
      });
    })}</div>`)}</fieldset>`)}`;
