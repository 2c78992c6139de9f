/** Loaded first: `bottleneck`, however it is imported, is the package that FAKE_TIMERS_SUBJECT names. */
'use strict';

const Module = require('node:module');

const subject = process.env.FAKE_TIMERS_SUBJECT ?? 'bottleneck';
const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  return resolve.call(this, request === 'bottleneck' ? subject : request, ...rest);
};
