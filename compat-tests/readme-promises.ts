/**
 * What Bottleneck's README promises, line by line, in our own words, and the scenarios that hold both packages to it.
 * `test` names a test file instead where a scenario cannot do it. A promise that ours keeps and Bottleneck does not, or
 * that is another one with us, has a scenario with a known difference.
 */
export interface ReadmePromise {
  /** Heading in Bottleneck's README. */
  section: string;
  promise: string;
  scenarios?: string[];
  test?: string;
}

const under = (section: string, promises: Array<[string, ...string[]]>): ReadmePromise[] =>
  promises.map(([promise, ...scenarios]) => ({ section, promise, scenarios }));

export const readmePromises: ReadmePromise[] = [
  { section: 'Install', promise: 'An import or a require gives the class.', test: 'test/package/entries.test.ts' },
  { section: 'Install', promise: 'bottleneck/es5 is for old browsers.', test: 'test/package/scripts.test.ts' },
  ...under('Quick Start', [
    ['minTime 333 makes for three starts a second.', 'min-time-spaces-starts'],
    ['maxConcurrent 1 beside it lets one job run at a time.', 'max-concurrent-and-min-time'],
    [
      'A function is scheduled, with arguments, and its result comes as a promise.',
      'schedule-passes-arguments-and-result',
    ],
    ['A wrapped function is called like the original.', 'wrap-keeps-this-and-arguments'],
    ['A function with a callback is submitted.', 'submit-calls-back'],
    [
      'Jobs run as soon as they may, in the order in which they came.',
      'no-limits-by-default',
      'order-is-that-of-arrival',
    ],
  ]),
  ...under('Gotchas & Common Mistakes', [
    ['A job lasts until the promise that its function returns has settled.', 'schedule-waits-for-the-returned-promise'],
    ['The function of an object keeps its `this` when it is wrapped.', 'wrap-keeps-this-and-arguments'],
    ['Errors of a limiter are "error" events.', 'failing-listeners-become-error-events'],
    ['Priorities need maxConcurrent.', 'priority-orders-the-queue', 'fault-25-min-time-alone-by-default'],
    ['submit() without a callback takes null.', 'submit-without-a-callback'],
    ['A submitted function must call its callback, or have an expiration.', 'submit-that-never-calls-back-expires'],
    ['Further calls of the callback are ignored.', 'submit-ignores-further-calls-back'],
  ]),
  ...under('Constructor', [
    [
      'maxConcurrent: how many jobs execute at once; null is no limit.',
      'max-concurrent-bounds-executing',
      'min-time-zero-and-null',
    ],
    [
      'minTime: how long after a start the next one comes.',
      'min-time-spaces-starts',
      'min-time-counts-from-the-last-start',
    ],
    [
      'highWater: how long the queue may get before load is shed.',
      'leak-is-the-default',
      'fault-24-queue-above-high-water',
    ],
    [
      'strategy: LEAK by default, and none acts without highWater.',
      'leak-is-the-default',
      'no-high-water-sheds-nothing',
    ],
    [
      'penalty: 15 times minTime, or 5000 ms.',
      'block-penalty-is-fifteen-min-times',
      'block-penalty-is-five-seconds-without-min-time',
    ],
    ['reservoir: how many jobs may start; at 0 none does, while new ones are queued.', 'reservoir-counts-down-to-zero'],
    ['reservoirRefreshInterval and Amount set the reservoir again and again.', 'reservoir-refresh-sets-the-amount'],
    [
      'Intervals should be multiples of 250 ms (5000 ms on Redis).',
      'fault-20-reservoir-interval-is-late',
      'fault-20-reservoir-interval-on-redis',
    ],
    [
      'reservoirIncreaseInterval, Amount and Maximum add to it.',
      'reservoir-increase-adds-up-to-the-maximum',
      'reservoir-increase-starts-what-waits',
    ],
    ['Promise: another promise library.', 'promise-library-can-be-replaced'],
  ]),
  ...under('Reservoir Intervals', [
    [
      'The reservoir goes down with each start, and is set to the amount at each interval.',
      'reservoir-refresh-sets-the-amount',
    ],
    ['An increase stops at the maximum.', 'reservoir-increase-adds-up-to-the-maximum'],
    ['They do not replace the other limits, which spread out what is released.', 'reservoir-refresh-with-other-limits'],
    [
      'The interval starts with the limiter: two amounts can start within a moment.',
      'reservoir-interval-starts-with-the-limiter',
    ],
    [
      'A limiter with an interval cannot be collected before disconnect().',
      'idle-limiter-holds-no-timer',
      'disconnect-lets-go-of-timers',
    ],
    ['A process can end without disconnect().', 'reservoir-interval-keeps-no-process-alive'],
  ]),
  ...under('submit()', [
    ['Adds a job with a callback; options can come first.', 'submit-calls-back'],
    ['null stands for no callback.', 'submit-without-a-callback'],
  ]),
  ...under('schedule()', [
    ['Takes a function and its arguments, and gives a promise.', 'schedule-passes-arguments-and-result'],
    ['Rejects with what the function threw.', 'schedule-rejects-with-what-was-thrown'],
  ]),
  ...under('wrap()', [
    ['Gives a function like the original, but limited.', 'wrap-keeps-this-and-arguments'],
    ['It can fail although the original never does.', 'wrap-rejects-with-errors-of-the-limiter'],
  ]),
  ...under('Job Options', [
    [
      'All three ways take them; wrapped functions by withOptions().',
      'submit-calls-back',
      'schedule-passes-arguments-and-result',
      'wrap-with-options',
    ],
    ['priority: 0 to 9, 5 by default; 4 comes before 5.', 'priority-orders-the-queue', 'priority-out-of-range'],
    [
      'weight: what a job counts for in maxConcurrent and takes from the reservoir.',
      'weight-counts-as-running',
      'weight-zero-always-fits',
      'heavy-head-waits-for-its-weight',
    ],
    ['weight: a whole number of 0 or more.', 'fault-16-one-rule-for-weights', 'fault-16-weights-on-redis'],
    [
      'expiration: how long a job may take before it fails with a BottleneckError.',
      'expiration-fails-the-job',
      'expiration-in-time',
    ],
    [
      'id: a name, for finding the job again.',
      'id-is-made-up-when-none-is-given',
      'id-must-be-unique-among-unfinished-jobs',
    ],
  ]),
  ...under('Strategies', [
    ['LEAK gives up the oldest job of the lowest priority.', 'leak-drops-the-oldest-of-the-least-important'],
    ['LEAK refuses a job less important than all others.', 'leak-refuses-what-is-less-important-than-all'],
    ['OVERFLOW_PRIORITY only gives up less important jobs.', 'overflow-priority-drops-only-the-less-important'],
    ['OVERFLOW refuses the new job, whatever its priority.', 'overflow-refuses-the-new-job'],
    ['BLOCK drops all, and accepts nothing until it ends.', 'block-drops-all-and-refuses'],
    ['It ends after penalty ms without a new job.', 'block-ends-after-a-quiet-penalty'],
  ]),
  ...under('Jobs lifecycle', [
    ['RECEIVED, QUEUED, RUNNING, EXECUTING, DONE.', 'job-goes-through-the-states'],
    ['DONE is only kept with trackDoneStatus.', 'done-jobs-are-forgotten', 'id-stays-taken-with-track-done-status'],
    ['counts() gives the number in each state.', 'job-goes-through-the-states', 'done-jobs-are-forgotten'],
    [
      'jobStatus() gives the state of a job, null for an unknown one.',
      'job-goes-through-the-states',
      'done-jobs-are-forgotten',
    ],
    ['jobs() gives the ids in a state, or all.', 'jobs-lists-ids-by-status', 'jobs-refuses-an-unknown-status'],
    ['queued() counts those waiting, all or of a priority.', 'queued-counts-by-priority'],
    [
      'clusterQueued() counts those of the whole cluster.',
      'queued-counts-by-priority',
      'redis-counts-are-those-of-the-cluster',
    ],
    ['empty() tells whether none is RECEIVED or QUEUED.', 'empty-counts-received-jobs', 'empty-counts-queued-jobs'],
    [
      'running() is the weight of RUNNING and EXECUTING jobs of the cluster.',
      'running-is-the-weight-of-running-and-executing',
      'redis-counts-are-those-of-the-cluster',
    ],
    [
      'done() is the weight of the jobs done in the cluster, also without trackDoneStatus.',
      'done-is-the-weight-of-finished-jobs',
      'redis-counts-are-those-of-the-cluster',
    ],
    [
      'check() tells whether a job would start at once.',
      'check-tells-whether-a-job-would-start',
      'check-takes-a-weight',
    ],
  ]),
  ...under('Events', [
    [
      'error: from listeners that fail, and from the network.',
      'failing-listeners-become-error-events',
      'fault-05-redis-that-comes-later',
    ],
    ['failed: each time a job fails.', 'failed-comes-for-each-failure'],
    ['retry: each time a job is retried.', 'retry-after-the-returned-time'],
    ['empty: the queue has become empty.', 'empty-and-idle'],
    ['idle: empty, and nothing runs.', 'empty-and-idle'],
    ['dropped: a strategy was at work; carries the job.', 'dropped-carries-the-job-and-its-promise'],
    [
      'depleted: the reservoir has come to 0; tells whether the queue is empty.',
      'depleted-when-the-reservoir-is-used-up',
    ],
    ['debug: what the limiter does.', 'debug-hears-of-every-event'],
    [
      'received, queued, scheduled, executing, done: from one state to the next.',
      'lifecycle-events-in-order',
      'lifecycle-events-carry-the-job',
    ],
    ['They are about jobs of this limiter only.', 'redis-counts-are-those-of-the-cluster'],
    ['removeAllListeners() takes the name of an event, or none.', 'remove-all-listeners-of-a-name-or-all'],
    ['once() hears one event.', 'once-hears-one-event'],
  ]),
  ...under('Retries', [
    [
      'A number from a "failed" listener has the job retried so many ms later.',
      'retry-after-the-returned-time',
      'retry-asked-for-by-a-promise',
    ],
    ['0 is at once.', 'retry-at-once'],
    ['retryCount tells how often.', 'retry-counts-up'],
    ['The job stays EXECUTING and counts for maxConcurrent.', 'retry-keeps-its-slot'],
    ['The wait ignores minTime.', 'retry-ignores-min-time-and-reservoir'],
  ]),
  ...under('updateSettings()', [
    [
      'Takes the options of the constructor.',
      'update-settings-starts-what-may-start-now',
      'update-settings-keeps-the-rest',
      'update-settings-of-the-instance',
    ],
    ['Jobs already scheduled stay as they are.', 'update-settings-leaves-scheduled-jobs'],
  ]),
  ...under('incrementReservoir()', [['Gives the new value.', 'increment-reservoir-gives-the-new-value']]),
  ...under('currentReservoir()', [
    ['Gives the value.', 'update-settings-sets-the-reservoir', 'current-reservoir-without-one'],
  ]),
  ...under('stop()', [
    [
      'Refuses new jobs and waits for those EXECUTING.',
      'stop-refuses-new-jobs',
      'stop-drops-what-waits',
      'stop-on-an-idle-limiter',
    ],
    ['dropWaitingJobs drops RECEIVED, QUEUED and RUNNING jobs.', 'stop-drops-what-waits', 'stop-drops-received-jobs'],
    ['Without it they run first.', 'stop-lets-waiting-jobs-run', 'fault-06-stop-on-a-full-queue'],
    ['Both messages can be given.', 'stop-with-messages-of-your-own'],
  ]),
  ...under('chain()', [
    [
      'Jobs that are ready go to the other limiter, and obey both.',
      'chain-obeys-both-limiters',
      'chain-passes-on-options-and-results',
    ],
    ['chain(null) ends it.', 'chain-null-unchains'],
  ]),
  ...under('Group', [
    [
      'One limiter for each key, made when it is first asked for, with the options of the Group.',
      'group-makes-one-limiter-for-each-key',
      'group-limiters-are-independent',
    ],
    ['The key defaults to empty text.', 'group-makes-one-limiter-for-each-key'],
    [
      'Limiters idle for five minutes, or for timeout, are deleted.',
      'group-lets-go-of-unused-limiters',
      'group-timeout-is-five-minutes',
      'fault-08-group-clean-up-of-a-busy-limiter',
    ],
    ['"created" comes before key() returns.', 'group-tells-of-new-limiters'],
    ['updateSettings() is for new limiters.', 'group-update-settings-is-for-new-limiters'],
    ['deleteKey() deletes one, and what Redis holds of it.', 'group-delete-key', 'redis-group-keys-of-the-cluster'],
    ['Other Groups of the cluster then let go of theirs.', 'redis-group-key-deleted-elsewhere'],
    ['keys() gives all keys.', 'group-makes-one-limiter-for-each-key'],
    ['clusterKeys() gives those of the cluster.', 'redis-group-keys-of-the-cluster'],
    ['limiters() gives keys and limiters.', 'group-makes-one-limiter-for-each-key'],
  ]),
  ...under('Batching', [
    ['Items come together in a "batch" event.', 'batcher-flushes-at-whichever-comes-first'],
    ['add() resolves once its item has been handed out.', 'batcher-add-resolves-when-flushed'],
    ['maxTime: how long an item may wait.', 'batcher-flushes-after-max-time'],
    ['maxSize: how many make a batch.', 'batcher-flushes-at-max-size'],
    ['It limits nothing itself.', 'batcher-beside-a-limiter'],
  ]),
  ...under('Clustering', [
    [
      'Limiters of one id on one Redis share their settings and limits.',
      'redis-limits-are-shared',
      'redis-min-time-is-shared',
      'redis-reservoir-is-shared',
    ],
    ['The load is spread over the limiters.', 'fault-12-one-order-for-the-fleet'],
  ]),
  ...under('Enabling Clustering', [
    [
      'datastore: redis or ioredis.',
      'redis-with-node-redis',
      'redis-limits-are-shared',
      'fault-17-node-redis-of-today',
    ],
    ['clearDatastore wipes what is stored.', 'redis-clear-datastore'],
    ['clientOptions go to the client library.', 'fault-15-many-limiters-few-connections'],
    [
      'timeout: the keys go after so many ms without use; by default they stay.',
      'redis-timeout-removes-the-keys',
      'redis-without-timeout-keys-stay',
    ],
    ['Redis: the library, given as a module.', 'redis-with-node-redis'],
    [
      'Limiters of Groups have ids made of that of the Group and the key, and a timeout of five minutes.',
      'group-limiters-are-independent',
      'group-timeout-is-five-minutes',
    ],
  ]),
  {
    section: 'Enabling Clustering',
    promise: 'clusterNodes make a cluster client.',
    test: 'test/redis/clients-cluster.test.ts',
  },
  ...under('Important considerations when Clustering', [
    [
      'The first limiter stores its settings, the others run with them.',
      'redis-first-limiter-stores-the-settings',
      'fault-18-other-settings-are-told',
    ],
    ['updateSettings() changes those of all.', 'redis-update-settings-is-for-all'],
    ['Queues, priorities and order are per limiter.', 'fault-12-one-order-for-the-fleet'],
    ['highWater and the strategies are per limiter.', 'redis-high-water-is-the-fleets'],
    ['Blocked mode is for all.', 'redis-blocked-mode-is-for-all'],
    [
      'Clients may come and go.',
      'fault-09-client-forgotten',
      'fault-10-process-killed-in-a-job',
      'fault-14-thousands-of-dead-clients',
    ],
    ['Expirations give back the slots of jobs whose process died.', 'redis-expiration-frees-lost-jobs'],
    ['Clocks should agree.', 'fault-11-clock-ahead'],
  ]),
  ...under('Clustering Methods', [
    [
      'They exist on in-process limiters as well.',
      'ready-without-redis',
      'publish-without-redis',
      'disconnect-without-redis',
      'channels-are-named-after-the-id',
    ],
    ['ready() resolves once connected.', 'redis-ready-and-clients'],
    ['It need not be waited for.', 'redis-no-need-to-wait-for-ready'],
    ['publish() sends text to all limiters of the id.', 'redis-publish-reaches-all', 'publish-without-redis'],
    ['clients() gives both clients.', 'redis-ready-and-clients'],
  ]),
  {
    section: 'Additional Clustering information',
    promise: 'Redis Cluster works, with ioredis.',
    test: 'test/redis/clients-cluster.test.ts',
  },
  {
    section: 'Additional Clustering information',
    promise: 'Sentinel works, with ioredis.',
    test: 'test/redis/clients-sentinel.test.ts',
  },
  ...under('Additional Clustering information', [
    ['Keys and channels begin with b_.', 'redis-without-timeout-keys-stay', 'channels-are-named-after-the-id'],
    ['SCRIPT FLUSH makes for errors.', 'redis-script-flush'],
  ]),
  ...under('Managing Redis Connections', [
    ['A limiter or Group makes a connection of its own.', 'fault-15-many-limiters-few-connections'],
    ['One that was made by hand can be shared, and is closed by hand.', 'redis-connection-is-shared-on-demand'],
    ['That of a limiter or Group can be given to others.', 'redis-connection-of-a-limiter-is-reused'],
    ['Its errors are events of its own.', 'redis-connection-errors-of-a-connection'],
    ['It can be made of a client that exists.', 'redis-own-client-is-used', 'fault-26-given-client-loads-nothing'],
    ['disconnect(flush) closes it.', 'fault-05-waiting-jobs-reject-on-disconnect'],
  ]),
  ...under('Debugging your application', [
    ['debug events tell everything.', 'debug-hears-of-every-event'],
    ['Jobs that the limiter fails reject with a BottleneckError.', 'bottleneck-error-is-an-error'],
  ]),
  ...under('Upgrading to v2', [
    ['The constructor takes an options object.', 'constructor-refuses-what-is-no-options-object'],
    ['rejectOnDrop false: dropped jobs stay pending.', 'reject-on-drop-false-leaves-promises-pending'],
    ['null, not 0 or -1, is no limit.', 'min-time-zero-and-null', 'update-settings-null-lifts-a-limit'],
    ['updateSettings() gives a promise.', 'update-settings-resolves-to-the-limiter'],
  ]),
];
