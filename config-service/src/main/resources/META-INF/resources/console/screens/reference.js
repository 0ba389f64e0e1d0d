// Reference of the admin API, from the service's own OpenAPI document.
import { html, nothing } from '../core/lit.js';
import { go } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, empty, page, problem, search, table } from '../core/ui.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export default class Reference extends Screen {
  get title() { return 'API reference'; }

  async load() {
    this.document = await (await fetch('/q/openapi?format=json')).json();
  }

  template() {
    if (!this.document) return page('API reference', {}, problem(this.failed));
    const wanted = (this.query.text || '').toLowerCase();
    const paths = Object.entries(this.document.paths).filter(([path]) => path.toLowerCase().includes(wanted));
    return page('API reference', {
      lead: html`The console uses this API and nothing else. With a token: <code>curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}/admin/api/v1/policies</code>`,
      actions: html`<a class="button" href="/q/openapi" download="meridian-openapi.yaml">OpenAPI</a>`,
    },
    search({ label: 'Paths', action: (values) => go(['api'], values), fields: [{ name: 'text', label: 'Search in paths', value: this.query.text }] }),
    paths.length === 0 ? empty('No path fits', 'Search for less.') : paths.map(([path, item]) => html`<section class="card"><h2><code>${path}</code></h2>
      ${METHODS.filter((method) => item[method]).map((method) => this.operation(method, item[method], item.parameters || []))}</section>`));
  }

  operation(method, operation, shared) {
    const parameters = [...shared, ...(operation.parameters || [])];
    const answers = Object.entries(operation.responses || {});
    return html`<details><summary>${badge(method.toUpperCase(), method === 'get' ? 'good' : method === 'delete' ? 'bad' : 'warn')} ${operation.summary || operation.operationId || ''}</summary>
      ${operation.description ? html`<p>${operation.description}</p>` : nothing}
      ${parameters.length ? table({ caption: `Parameters of ${method}`, head: ['Parameter', 'In', 'Type'], rows: parameters.map((each) => [html`<code>${each.name}</code>`, each.in, each.schema?.type || '']) }) : nothing}
      ${operation.requestBody ? html`<p class="muted">Body: ${Object.keys(operation.requestBody.content || {}).join(', ')}</p>` : nothing}
      ${answers.map(([status, answer]) => html`<h3>${status} ${answer.description || ''}</h3>${this.schema(Object.values(answer.content || {})[0]?.schema)}`)}</details>`;
  }

  /** Members of an answer, two levels deep. */
  schema(schema) {
    const own = this.resolved(schema);
    if (!own?.properties) return nothing;
    return html`<pre class="code-block">${Object.entries(own.properties).map(([name, each]) => this.line(name, each, 0)).join('')}</pre>`;
  }

  line(name, schema, depth) {
    const own = this.resolved(schema) || {};
    const inner = own.type === 'array' || [own.type].flat().includes('array') ? this.resolved(own.items) : own;
    const type = `${[own.type].flat().filter(Boolean).join(' or ') || 'any'}${own.format ? ` (${own.format})` : ''}`;
    const below = depth < 1 && inner?.properties ? Object.entries(inner.properties).map(([each, value]) => this.line(each, value, depth + 1)).join('') : '';
    return `${'  '.repeat(depth)}${name}: ${type}\n${below}`;
  }

  resolved(schema) {
    const name = schema?.$ref?.split('/').pop();
    return name ? this.document.components?.schemas?.[name] : schema;
  }
}
