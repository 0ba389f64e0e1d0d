// Base of a screen: values, a template of them, and their loading. A screen lives as long as its address names it.
import { loading, problem } from './ui.js';

export class Screen {
  /** @param context params of the path, query, session, update() to draw again */
  constructor(context) {
    this.context = context;
    this.query = context.query;
    this.failed = null;
    this.ready = false;
    this.timer = null;
    this.gone = false;
  }

  get title() { return 'Meridian'; }

  get session() { return this.context.session; }

  get canEdit() { return this.session.role !== 'viewer'; }

  get isAdmin() { return this.session.role === 'admin'; }

  /** Values of the screen; a failure is shown in its place. */
  async load() {}

  async start() {
    try {
      await this.load();
    } catch (failed) {
      if (!('errors' in failed)) throw failed;
      this.failed = failed;
    }
    this.ready = true;
    this.update();
  }

  /** Repeats while the screen is shown and its tab is visible; the next round begins after the one before has ended. */
  every(millis, action) {
    const round = async () => {
      if (this.gone) return;
      if (!document.hidden) await action().catch((failed) => { this.stale = failed; });
      this.update();
      if (!this.gone) this.timer = setTimeout(round, millis);
    };
    this.timer = setTimeout(round, millis);
  }

  update() {
    if (!this.gone) this.context.update();
  }

  /** Runs an action of the user; its refusal is kept in `failed`. */
  async attempt(action) {
    this.failed = null;
    this.busy = true;
    this.update();
    try {
      return await action();
    } catch (failed) {
      if (!('errors' in failed)) throw failed;
      this.failed = failed;
      return undefined;
    } finally {
      this.busy = false;
      this.update();
    }
  }

  stop() {
    this.gone = true;
    clearTimeout(this.timer);
  }

  draw() {
    if (!this.ready) return loading();
    return this.template();
  }

  template() { return problem(this.failed); }
}
