// Start of the console: the session, the frame with its navigation, and the screen that the address names.
import { html, nothing, render } from './core/lit.js';
import { Problem, session, whenSignedOut } from './core/api.js';
import { go, href, location } from './core/router.js';
import { button, loading, problem, toast } from './core/ui.js';

/** Screens by the pattern of their address; the first that fits is shown. Each file is loaded when it is first opened. */
const ROUTES = [
  ['', 'overview'], ['policies', 'policies'], ['policies/new', 'editor'], ['policies/:id', 'policy'], ['policies/:id/edit', 'editor'],
  ['clients', 'clients'], ['clients/:type/:id', 'client'],
  ['tiers', 'entries'], ['client-tiers', 'entries'], ['overrides', 'entries'], ['allow-list', 'entries'], ['deny-list', 'entries'],
  ['allow-list/import', 'import'], ['deny-list/import', 'import'],
  ['violations', 'violations'], ['audit', 'audit'], ['audit/:id', 'audit'], ['tokens', 'tokens'], ['explain', 'explain'],
  ['what-if', 'whatif'], ['promises', 'promises'], ['proposals', 'proposals'], ['proposals/:id', 'proposals'],
  ['drills', 'drills'], ['drills/:id', 'drills'], ['settings', 'settings'], ['api', 'reference'],
];

const NAVIGATION = [
  ['', [['', 'Overview']]],
  ['Rules', [['policies', 'Policies'], ['tiers', 'Tiers'], ['client-tiers', 'Client tiers'], ['overrides', 'Overrides'], ['allow-list', 'Allow list'], ['deny-list', 'Deny list']]],
  ['Traffic', [['clients', 'Clients'], ['violations', 'Violations'], ['explain', 'Request tester'], ['what-if', 'What if'], ['promises', 'Promises']]],
  ['Control', [['proposals', 'Proposals'], ['audit', 'Audit'], ['drills', 'Drills'], ['tokens', 'Tokens', 'admin']]],
  ['Service', [['settings', 'Health'], ['api', 'API reference']]],
];

/** A tenant admin sees the policies of the tenant and nothing else. */
const TENANT_NAVIGATION = [['Rules', [['policies', 'Policies']]], ['Service', [['api', 'API reference']]]];

const root = document.getElementById('app');
let caller = null;
let screen = null;
let signIn = { token: '', failed: null, busy: false };
let menuOpen = false;
let startFailed = null;

const isTenantAdmin = () => caller?.role === 'tenant_admin';

function match(segments) {
  for (const [pattern, name] of ROUTES) {
    const parts = pattern.split('/').filter(Boolean);
    if (parts.length === segments.length && parts.every((part, i) => part.startsWith(':') || part === segments[i])) {
      const params = Object.fromEntries(parts.map((part, i) => [part.slice(1), segments[i]]).filter((_, i) => parts[i].startsWith(':')));
      return { name, params, collection: segments[0] || '' };
    }
  }
  return null;
}

async function open() {
  screen?.stop();
  screen = null;
  menuOpen = false;
  const { segments, query } = location();
  if (segments[0] === 'sign-in') {
    await redeem(query);
    return;
  }
  if (!caller) {
    draw();
    return;
  }
  if (segments.length === 0 && isTenantAdmin()) {
    go(['policies']);
    return;
  }
  const found = match(segments);
  if (!found) {
    document.title = 'Not found · Meridian';
    draw(html`<header class="page"><h1 tabindex="-1">There is no such page</h1></header><p><a href="#/">To the overview</a></p>`);
    return;
  }
  draw(loading());
  const opened = window.location.hash;
  const { default: Opened } = await import(`./screens/${found.name}.js`);
  if (window.location.hash !== opened) return;
  screen = new Opened({ ...found, query, session: caller, update: draw });
  document.title = `${screen.title} · Meridian`;
  draw();
  await screen.start();
  root.querySelector('h1')?.focus({ preventScroll: true });
}

async function redeem({ code, to }) {
  if (code) {
    window.history.replaceState(null, '', '#/');
    signIn.busy = true;
    draw();
    await enter(() => session.signIn('SignInLink', code));
  } else if (caller) {
    go(to ? to.split('/') : []);
  } else {
    draw();
  }
}

async function enter(how) {
  signIn.busy = true;
  signIn.failed = null;
  draw();
  try {
    caller = await how();
    signIn = { token: '', failed: null, busy: false };
    await open();
  } catch (failed) {
    if (!('errors' in failed)) throw failed;
    signIn.failed = failed;
    signIn.busy = false;
    draw();
    document.getElementById('token')?.focus();
  }
}

async function leave() {
  await session.signOut();
  caller = null;
  screen?.stop();
  screen = null;
  document.title = 'Sign in · Meridian';
  draw();
}

const signInForm = () => html`
  <main class="sign-in" id="content">
    <span class="brand"><img src="icon.svg" alt="">Meridian</span>
    <div class="card">
      <h1 tabindex="-1">Sign in</h1>
      <form @submit=${(event) => { event.preventDefault(); enter(() => session.signIn('Bearer', signIn.token.trim())); }}>
        <p class="muted">With a token of the admin API. It is exchanged for a session and not kept by this page.</p>
        ${problem(signIn.failed)}
        <div class="field">
          <label for="token">Token</label>
          <input id="token" type="password" required autocomplete="current-password" spellcheck="false" .value=${signIn.token}
            aria-invalid=${signIn.failed ? 'true' : nothing} @input=${(event) => { signIn.token = event.target.value; }}>
          <small class="hint">On the local stack it is in <code>.meridian/admin-token</code>, and <code>./meridian up</code> prints a link that signs in.</small>
        </div>
        ${button(signIn.busy ? 'Signing in…' : 'Sign in', null, { tone: 'primary', type: 'submit', disabled: signIn.busy })}
      </form>
    </div>
  </main>`;

const frame = (content) => html`
  <a class="skip" href="#content" @click=${(event) => { event.preventDefault(); document.querySelector('h1')?.focus(); }}>Skip to the content</a>
  <div class="frame">
    <div class="side">
      <a class="brand" href="#/"><img src="icon.svg" alt="">Meridian</a>
      <button type="button" class="menu" aria-expanded=${menuOpen ? 'true' : 'false'} aria-controls="nav" @click=${() => { menuOpen = !menuOpen; draw(); }}>Menu</button>
      <div id="nav" class="nav" data-open=${menuOpen ? 'true' : 'false'}>
        <nav aria-label="Main">${(isTenantAdmin() ? TENANT_NAVIGATION : NAVIGATION).map(([heading, links]) => html`
          ${heading ? html`<h2>${heading}</h2>` : nothing}
          <ul>${links.filter(([, , role]) => !role || role === caller.role).map(([path, text]) => html`
            <li><a href=${href(path ? [path] : [])} aria-current=${(location().segments[0] || '') === path ? 'page' : nothing}>${text}</a></li>`)}</ul>`)}</nav>
        <div class="who">
          <div>${caller.name}</div><div class="muted">${caller.role.replace('_', ' ')}${caller.tenant ? ` of ${caller.tenant}` : ''}</div>
          <p>${button('Sign out', leave)}</p>
        </div>
      </div>
    </div>
    <main id="content">${content ?? screen?.draw() ?? loading()}</main>
  </div>`;

let held;
/** Draws the whole page; the library changes only what differs. */
function draw(content) {
  if (content !== undefined) held = content;
  else if (screen) held = undefined;
  render(html`${startFailed ? html`<main class="sign-in">${problem(startFailed)}${button('Try again', begin)}</main>`
    : caller ? frame(held) : signInForm()}<div id="toasts" role="status"></div>`, root);
}

async function begin() {
  startFailed = null;
  whenSignedOut((failed) => {
    caller = null;
    screen?.stop();
    screen = null;
    signIn.failed = failed;
    draw();
  });
  if (!location().query.code && session.isLikely()) {
    try {
      caller = await session.current();
    } catch (failed) {
      if (failed.status !== 401) startFailed = failed;
    }
  }
  if (!caller) document.title = 'Sign in · Meridian';
  await open();
}

window.addEventListener('hashchange', () => { open().catch(unexpected); });
// A refusal that no screen shows is said in passing; a session that has ended has led to the sign-in already.
window.addEventListener('unhandledrejection', (event) => {
  if (!(event.reason instanceof Problem)) return;
  event.preventDefault();
  if (event.reason.status !== 401) toast(`${event.reason.title}: ${event.reason.message}`);
});

/** A mistake of the console itself: said, not swallowed. */
function unexpected(failed) {
  toast('The console failed: ' + failed.message);
  throw failed;
}
begin().catch(unexpected);
