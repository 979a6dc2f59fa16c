// The program inside Electron 25 that starts an app from a folder, as Electron's own does, and gives it names and shapes of Electron 45. What
// happens under these names is Electron 25's own.
'use strict';
require('./node.cjs');
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const electron = require('electron');

const { app, BrowserView, BrowserWindow, utilityProcess } = electron;

const { prototype } = process._linkedBinding('electron_browser_web_contents').WebContents;
Object.defineProperty(prototype, 'navigationHistory', {
  get() {
    const own = { clear: 'clearHistory' };
    const names = ['canGoBack', 'canGoForward', 'goBack', 'goForward', 'clear', 'length', 'getActiveIndex', 'goToIndex'];
    return Object.fromEntries(names.map((name) => [name, (...values) => this[own[name] ?? name](...values)]));
  },
});
const levels = ['debug', 'info', 'warning', 'error'];
prototype.emit = function emit(name, ...values) {
  if (name === 'console-message') {
    const [event, level, message, lineNumber, sourceId] = values;
    Object.assign(event, { level: levels[level], message, lineNumber, sourceId });
  }
  return EventEmitter.prototype.emit.call(this, name, ...values);
};
app.on('session-created', (session) => {
  Object.getPrototypeOf(session).clearSharedDictionaryCache ??= () => Promise.resolve();
});

class View {}
const kept = new Set();
class WebContentsView extends View {
  bounds = { x: 0, y: 0, width: 0, height: 0 };
  visible = true;
  window = null;
  constructor({ webPreferences = {} } = {}) {
    super();
    this.view = new BrowserView({ webPreferences });
    kept.add(this);
    this.view.webContents.once('destroyed', () => kept.delete(this));
  }
  get webContents() {
    const contents = this.view.webContents;
    return contents?.isDestroyed() === false ? contents : undefined;
  }
  get isIn() {
    return this.window !== null && !this.window.isDestroyed() && this.webContents !== undefined;
  }
  setBounds(bounds) {
    this.bounds = { ...bounds };
    if (this.webContents !== undefined) this.view.setBounds(this.bounds);
  }
  getBounds() {
    return { ...this.bounds };
  }
  setBackgroundColor(color) {
    this.view.setBackgroundColor(color);
  }
  getVisible() {
    return this.visible;
  }
  setVisible(visible) {
    if (this.visible === visible) return;
    this.visible = visible;
    this.place();
  }
  place() {
    if (!this.isIn) return;
    if (!this.visible) return this.window.removeBrowserView(this.view);
    this.window.addBrowserView(this.view);
    this.view.setBounds(this.bounds);
  }
  leave() {
    const { window } = this;
    if (window !== null && !window.isDestroyed()) window.removeBrowserView(this.view);
    this.window = null;
  }
}
const contentViews = new WeakMap();
class ContentView extends View {
  children = [];
  constructor(window) {
    super();
    this.window = window;
  }
  addChildView(view) {
    if (view.window !== null && view.window !== this.window) view.window.contentView.removeChildView(view);
    this.children = [...this.children.filter((one) => one !== view), view];
    view.window = this.window;
    view.place();
  }
  removeChildView(view) {
    this.children = this.children.filter((one) => one !== view);
    view.leave();
  }
}
Object.defineProperty(BrowserWindow.prototype, 'contentView', {
  get() {
    if (this.isDestroyed()) throw new TypeError('Object has been destroyed');
    if (!contentViews.has(this)) contentViews.set(this, new ContentView(this));
    return contentViews.get(this);
  },
});

const { fork } = utilityProcess;
utilityProcess.fork = (file, values, options = {}) => {
  const env = Object.keys(options.env ?? {}).length > 0 ? options.env : process.env;
  const own = { ...env, CROUPIER_OLD_UTILITY: file };
  return fork.call(utilityProcess, path.join(__dirname, 'node.cjs'), values, { ...options, env: own });
};

// Commands that came after Chromium 114.
const later = ['Emulation.setSafeAreaInsetsOverride', 'Network.setCookieControls'];
app.on('web-contents-created', (_event, contents) => {
  const line = contents.debugger;
  const { sendCommand } = line;
  line.sendCommand = (method, ...values) =>
    later.includes(method) ? Promise.resolve({}) : sendCommand.call(line, method, ...values);
});

const shaped = new Proxy(electron, {
  get: (target, name) => ({ WebContentsView, View })[name] ?? target[name],
});
const load = Module._load;
Module._load = function loadModule(request, ...others) {
  return request === 'electron' || request === 'electron/main' ? shaped : load.call(this, request, ...others);
};

const values = process.argv.slice(1);
const folder = path.resolve(values.find((value, index) => !value.startsWith('-') && values[index - 1] !== '-r'));
Module._preloadModules(values.filter((_value, index) => values[index - 1] === '-r'));
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
app.setVersion(manifest.version);
app.name = manifest.productName ?? manifest.name;
app.setAppPath(folder);
load.call(Module, folder, module, true);
