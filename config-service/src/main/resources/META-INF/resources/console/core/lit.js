// The template library, in one place.
export { html, svg, nothing, render } from '../lib/lit-html/lit-html.js';
export { repeat } from '../lib/lit-html/directives/repeat.js';
export { live } from '../lib/lit-html/directives/live.js';
