'use strict';

// Loaded with `node --require` into the process that runs Bottleneck's own tests, and through NODE_OPTIONS into the
// processes those tests spawn. It lets the unchanged test files run on another build, on chosen client libraries, and
// on a private Redis:
//   UPSTREAM_TEST_DIR      folder of the test files; its bottleneck.js is the seam that every test imports
//   UPSTREAM_BUILD         file to load in place of that bottleneck.js; empty: leave it alone (the real package)
//   UPSTREAM_IOREDIS, UPSTREAM_REDIS   files to load for `ioredis` and `redis`
//   UPSTREAM_REDIS_PORT    where connections to Redis' default port really go

const Module = require('node:module');
const net = require('node:net');
const path = require('node:path');

const DEFAULT_REDIS_PORT = 6379;
const { UPSTREAM_TEST_DIR, UPSTREAM_BUILD, UPSTREAM_IOREDIS, UPSTREAM_REDIS, UPSTREAM_REDIS_PORT } = process.env;

replaceModules();
redirectDefaultPort();

function replaceModules() {
  /** @type {Map<string, string | undefined>} */
  const clients = new Map([
    ['ioredis', UPSTREAM_IOREDIS],
    ['redis', UPSTREAM_REDIS],
  ]);
  const seam = path.join(String(UPSTREAM_TEST_DIR), 'bottleneck.js');
  /** @type {any} */
  const loader = Module;
  const resolveFilename = loader._resolveFilename;

  /** @param {string} request @param {unknown[]} rest */
  loader._resolveFilename = function (request, ...rest) {
    const client = clients.get(request);
    if (client) return client;
    const file = resolveFilename.call(this, request, ...rest);
    return UPSTREAM_BUILD && file === seam ? UPSTREAM_BUILD : file;
  };
}

// Done at the socket, so that it holds for every client library, given one or built by either package, and so that
// nothing here can ever reach a Redis that belongs to the machine.
function redirectDefaultPort() {
  /** @type {any} */
  const prototype = net.Socket.prototype;
  const connect = prototype.connect;

  /** @param {any[]} args */
  prototype.connect = function (...args) {
    return connect.apply(this, redirected(args));
  };
}

/** @param {any[]} args as net.Socket.connect takes them: (port, host?), (options), or one array made by net itself */
function redirected(args) {
  const [first] = args;
  if (Array.isArray(first)) {
    first[0] = redirectedOptions(first[0]);
    return args;
  }
  if (typeof first === 'object' && first !== null) return [redirectedOptions(first), ...args.slice(1)];
  if (Number(first) !== DEFAULT_REDIS_PORT) return args;
  return [redirectedOptions({ port: first }), ...args.filter((arg) => typeof arg === 'function')];
}

/** @param {any} options */
function redirectedOptions(options) {
  if (options.path || Number(options.port) !== DEFAULT_REDIS_PORT) return options;
  // Without a private Redis (local modes) port 1 refuses: better than reaching the machine's own.
  return { ...options, host: '127.0.0.1', port: Number(UPSTREAM_REDIS_PORT || 1) };
}
