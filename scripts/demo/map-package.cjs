// Preloaded with --require: makes `require('bottleneck')` load the file that DEMO_PACKAGE names, so that the workers'
// code can stay what every user of Bottleneck has.
const Module = require('node:module');

/** @type {any} */
const internals = Module;
const resolveFilename = internals._resolveFilename;

/** @param {string} request @param {unknown[]} rest */
internals._resolveFilename = function resolveMapped(request, ...rest) {
  const target = request === 'bottleneck' ? process.env.DEMO_PACKAGE : request;
  return resolveFilename.call(this, target, ...rest);
};
