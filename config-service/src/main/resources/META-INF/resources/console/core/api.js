// Client of the admin API. The browser adds the session's cookie; a change also carries the session's CSRF token.

const BASE = '/admin/api/v1/';

/** A refusal: an RFC 9457 document, or a failure to reach the service. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `status ${status}`);
    this.status = status;
    this.title = body.title || 'The call failed';
    this.errors = body.errors || [];
    this.body = body;
  }
}

let csrfToken = null;
let serverOffsetMs = 0;
let onSignedOut = () => {};

export const whenSignedOut = (action) => { onSignedOut = action; };
/** The service's clock, to the second, whatever this computer's is. */
export const serverNow = () => Date.now() + serverOffsetMs;

async function send(method, path, { body, type = 'application/json', query, headers = {} } = {}) {
  const url = BASE + path + (query ? '?' + queryText(query) : '');
  const sent = { ...headers, Accept: 'application/json' };
  if (body !== undefined) sent['Content-Type'] = type;
  if (method !== 'GET' && csrfToken) sent['X-CSRF-Token'] = csrfToken;
  let response;
  try {
    response = await fetch(url, {
      method, headers: sent, credentials: 'same-origin', redirect: 'error',
      body: body === undefined ? undefined : typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, { title: 'No connection', detail: 'config-service cannot be reached from this browser.' });
  }
  const date = Date.parse(response.headers.get('Date') || '');
  if (!Number.isNaN(date) && Math.abs(date - Date.now() - serverOffsetMs) > 1500) serverOffsetMs = date - Date.now();
  const text = await response.text();
  let parsed = null;
  try {
    parsed = text ? JSON.parse(text) : null;
  } catch {
    parsed = { detail: `The answer is no JSON (status ${response.status}).` };
  }
  if (!response.ok) {
    const problem = new Problem(response.status, parsed || {});
    if (response.status === 401 && csrfToken && !headers.Authorization) {
      csrfToken = null;
      onSignedOut(problem);
    }
    throw problem;
  }
  return { body: parsed, etag: response.headers.get('ETag'), asOf: response.headers.get('X-Meridian-As-Of') };
}

/** Parameters without those that have no value. */
export function queryText(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return new URLSearchParams(given).toString();
}

export const api = {
  get: async (path, query) => (await send('GET', path, { query })).body,
  /** With its ETag. */
  read: (path, query) => send('GET', path, { query }),
  post: async (path, body, query, options = {}) => (await send('POST', path, { ...options, body, query })).body,
  put: (path, body, { ifMatch, create, query } = {}) => send('PUT', path, {
    body, query, headers: ifMatch ? { 'If-Match': ifMatch } : create ? { 'If-None-Match': '*' } : {},
  }),
  patch: (path, body, { ifMatch, query } = {}) => send('PATCH', path, {
    body, query, type: 'application/merge-patch+json', headers: ifMatch ? { 'If-Match': ifMatch } : {},
  }),
  delete: async (path, { ifMatch, query } = {}) => (await send('DELETE', path, {
    query, headers: ifMatch ? { 'If-Match': ifMatch } : {},
  })).body,
};

/** Path of an entry: its id is one segment, whatever characters it has. */
export const entryPath = (collection, id) => `${collection}/${encodeURIComponent(id)}`;

/** An answer, or null where there is none for this caller: the service lacks the endpoint, or the role does not cover it. */
export async function optional(call) {
  try {
    return await call();
  } catch (problem) {
    if ([403, 404, 405].includes(problem.status)) return null;
    throw problem;
  }
}

/** Set while this browser has a session, so that a first visit asks for none and gets no refusal. */
const MARK = 'meridian.signed-in';

export const session = {
  isLikely: () => localStorage.getItem(MARK) !== null,
  async current() {
    const now = (await send('GET', 'session')).body;
    csrfToken = now.csrf_token;
    return now;
  },
  async signIn(scheme, secret) {
    const now = (await send('POST', 'session', { headers: { Authorization: `${scheme} ${secret}` } })).body;
    csrfToken = now.csrf_token;
    localStorage.setItem(MARK, '1');
    return now;
  },
  async signOut() {
    localStorage.removeItem(MARK);
    await send('DELETE', 'session');
    csrfToken = null;
  },
};
