/** Code as people write it around Bottleneck; the suites test it under fake timers. */
'use strict';

const Bottleneck = require('bottleneck');

/** Calls an API at most every 200 ms, one call at a time, and retries what fails twice. */
class ApiClient {
  constructor(send, options = {}) {
    this.send = send;
    this.limiter = new Bottleneck({ maxConcurrent: 1, minTime: 200, ...options });
    this.limiter.on('failed', (_error, { retryCount }) => (retryCount < 2 ? 1000 : undefined));
  }

  get(path, options = {}) {
    return this.limiter.schedule(options, () => this.send(path));
  }

  close() {
    return this.limiter.stop({ dropWaitingJobs: false });
  }
}

/** So many calls a minute. */
class Quota {
  constructor(perMinute) {
    this.limiter = new Bottleneck({
      reservoir: perMinute,
      reservoirRefreshAmount: perMinute,
      reservoirRefreshInterval: 60_000,
    });
  }

  run(task) {
    return this.limiter.schedule(task);
  }
}

/** Each user has limits of their own. */
class PerUser {
  constructor(options) {
    this.group = new Bottleneck.Group(options);
  }

  run(user, task) {
    return this.group.key(user).schedule(task);
  }
}

/** Collects letters and sends them together. */
class Mailer {
  constructor(deliver) {
    this.batcher = new Bottleneck.Batcher({ maxTime: 500, maxSize: 3 });
    this.batcher.on('batch', deliver);
  }

  send(letter) {
    return this.batcher.add(letter);
  }
}

module.exports = { ApiClient, Bottleneck, Mailer, PerUser, Quota };
