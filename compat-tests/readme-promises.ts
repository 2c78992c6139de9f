/**
 * What Bottleneck's README promises, line by line, in our own words, and the scenarios that hold both packages to it.
 * `test` names a test file instead where a scenario cannot do it. A promise that ours keeps and Bottleneck does not, or
 * that is another one with us, has a scenario with a known difference.
 */
export interface ReadmePromise {
  /** Heading in Bottleneck's README. */
  section: string;
  /** Lines of the README of 2.19.5 that say so; none where only an example or a heading does. */
  lines: number[];
  promise: string;
  scenarios?: string[];
  test?: string;
}

const under = (section: string, promises: Array<[number[], string, ...string[]]>): ReadmePromise[] =>
  promises.map(([lines, promise, ...scenarios]) => ({ section, lines, promise, scenarios }));

export const readmePromises: ReadmePromise[] = [
  {
    section: 'Install',
    lines: [],
    promise: 'An import or a require gives the class.',
    test: 'test/package/entries.test.ts',
  },
  {
    section: 'Install',
    lines: [176],
    promise: 'bottleneck/es5 is for old browsers.',
    test: 'test/package/scripts.test.ts',
  },
  ...under('Quick Start', [
    [[61], 'minTime 333 makes for three starts a second.', 'min-time-spaces-starts'],
    [[68], 'maxConcurrent 1 beside it lets one job run at a time.', 'max-concurrent-and-min-time'],
    [
      [89, 112],
      'A function is scheduled, with arguments, and its result comes as a promise.',
      'schedule-passes-arguments-and-result',
    ],
    [[96, 116], 'A wrapped function is called like the original.', 'wrap-keeps-this-and-arguments'],
    [[129], 'A function with a callback is submitted.', 'submit-calls-back'],
    [
      [138],
      'Jobs run as soon as they may, in the order in which they came.',
      'no-limits-by-default',
      'order-is-that-of-arrival',
    ],
  ]),
  ...under('Gotchas & Common Mistakes', [
    [
      [148, 150, 157],
      'A job lasts until the promise that its function returns has settled.',
      'schedule-waits-for-the-returned-promise',
    ],
    [[166], 'The function of an object keeps its `this` when it is wrapped.', 'wrap-keeps-this-and-arguments'],
    [[178], 'Errors of a limiter are "error" events.', 'failing-listeners-become-error-events'],
    [[182], 'Priorities need maxConcurrent.', 'priority-orders-the-queue', 'fault-25-min-time-alone-by-default'],
    [[184], 'submit() without a callback takes null.', 'submit-without-a-callback'],
    [
      [186],
      'A submitted function must call its callback, or have an expiration.',
      'submit-that-never-calls-back-expires',
    ],
    [[186], 'Further calls of the callback are ignored.', 'submit-ignores-further-calls-back'],
  ]),
  ...under('Constructor', [
    [
      [200],
      'maxConcurrent: how many jobs execute at once; null is no limit.',
      'max-concurrent-bounds-executing',
      'min-time-zero-and-null',
    ],
    [
      [201],
      'minTime: how long after a start the next one comes.',
      'min-time-spaces-starts',
      'min-time-counts-from-the-last-start',
    ],
    [
      [202],
      'highWater: how long the queue may get before load is shed.',
      'leak-is-the-default',
      'fault-24-queue-above-high-water',
    ],
    [
      [203],
      'strategy: LEAK by default, and none acts without highWater.',
      'leak-is-the-default',
      'no-high-water-sheds-nothing',
    ],
    [
      [204],
      'penalty: 15 times minTime, or 5000 ms.',
      'block-penalty-is-fifteen-min-times',
      'block-penalty-is-five-seconds-without-min-time',
    ],
    [
      [205],
      'reservoir: how many jobs may start; at 0 none does, while new ones are queued.',
      'reservoir-counts-down-to-zero',
    ],
    [
      [206, 207],
      'reservoirRefreshInterval and Amount set the reservoir again and again.',
      'reservoir-refresh-sets-the-amount',
    ],
    [
      [206, 208],
      'Intervals should be multiples of 250 ms (5000 ms on Redis).',
      'fault-20-reservoir-interval-is-late',
      'fault-20-reservoir-interval-on-redis',
    ],
    [
      [208, 209, 210],
      'reservoirIncreaseInterval, Amount and Maximum add to it.',
      'reservoir-increase-adds-up-to-the-maximum',
      'reservoir-increase-starts-what-waits',
    ],
    [[211], 'Promise: another promise library.', 'promise-library-can-be-replaced'],
  ]),
  ...under('Reservoir Intervals', [
    [
      [216, 218, 222, 235],
      'The reservoir goes down with each start, and is set to the amount at each interval.',
      'reservoir-refresh-sets-the-amount',
    ],
    [[239], 'An increase stops at the maximum.', 'reservoir-increase-adds-up-to-the-maximum'],
    [
      [258],
      'They do not replace the other limits, which spread out what is released.',
      'reservoir-refresh-with-other-limits',
    ],
    [
      [260],
      'The interval starts with the limiter: two amounts can start within a moment.',
      'reservoir-interval-starts-with-the-limiter',
    ],
    [
      [262],
      'A limiter with an interval cannot be collected before disconnect().',
      'idle-limiter-holds-no-timer',
      'disconnect-lets-go-of-timers',
    ],
    [[262], 'A process can end without disconnect().', 'reservoir-interval-keeps-no-process-alive'],
  ]),
  ...under('submit()', [
    [[266, 272], 'Adds a job with a callback; options can come first.', 'submit-calls-back'],
    [[270], 'null stands for no callback.', 'submit-without-a-callback'],
  ]),
  ...under('schedule()', [
    [
      [276, 287, 289, 291],
      'Takes a function and its arguments, and gives a promise.',
      'schedule-passes-arguments-and-result',
    ],
    [[276], 'Rejects with what the function threw.', 'schedule-rejects-with-what-was-thrown'],
  ]),
  ...under('wrap()', [
    [[303], 'Gives a function like the original, but limited.', 'wrap-keeps-this-and-arguments'],
    [[], 'It can fail although the original never does.', 'wrap-rejects-with-errors-of-the-limiter'],
  ]),
  ...under('Job Options', [
    [
      [319],
      'All three ways take them; wrapped functions by withOptions().',
      'submit-calls-back',
      'schedule-passes-arguments-and-result',
      'wrap-with-options',
    ],
    [[334], 'priority: 0 to 9, 5 by default; 4 comes before 5.', 'priority-orders-the-queue', 'priority-out-of-range'],
    [
      [335],
      'weight: what a job counts for in maxConcurrent and takes from the reservoir.',
      'weight-counts-as-running',
      'weight-zero-always-fits',
      'heavy-head-waits-for-its-weight',
    ],
    [[335], 'weight: a whole number of 0 or more.', 'fault-16-one-rule-for-weights', 'fault-16-weights-on-redis'],
    [
      [336],
      'expiration: how long a job may take before it fails with a BottleneckError.',
      'expiration-fails-the-job',
      'expiration-in-time',
    ],
    [
      [337],
      'id: a name, for finding the job again.',
      'id-is-made-up-when-none-is-given',
      'id-must-be-unique-among-unfinished-jobs',
    ],
  ]),
  ...under('Strategies', [
    [
      [341, 344],
      'LEAK gives up the oldest job of the lowest priority.',
      'leak-drops-the-oldest-of-the-least-important',
    ],
    [[344], 'LEAK refuses a job less important than all others.', 'leak-refuses-what-is-less-important-than-all'],
    [[347], 'OVERFLOW_PRIORITY only gives up less important jobs.', 'overflow-priority-drops-only-the-less-important'],
    [[350], 'OVERFLOW refuses the new job, whatever its priority.', 'overflow-refuses-the-new-job'],
    [[353], 'BLOCK drops all, and accepts nothing until it ends.', 'block-drops-all-and-refuses'],
    [[353], 'It ends after penalty ms without a new job.', 'block-ends-after-a-quiet-penalty'],
    [[353], 'BLOCK ignores priorities.', 'block-drops-all-and-refuses'],
  ]),
  ...under('Jobs lifecycle', [
    [[358, 359, 360, 361, 362], 'RECEIVED, QUEUED, RUNNING, EXECUTING, DONE.', 'job-goes-through-the-states'],
    [
      [364],
      'DONE is only kept with trackDoneStatus.',
      'done-jobs-are-forgotten',
      'id-stays-taken-with-track-done-status',
    ],
    [[383], 'counts() gives the number in each state.', 'job-goes-through-the-states', 'done-jobs-are-forgotten'],
    [
      [392],
      'jobStatus() gives the state of a job, null for an unknown one.',
      'job-goes-through-the-states',
      'done-jobs-are-forgotten',
    ],
    [[401], 'jobs() gives the ids in a state, or all.', 'jobs-lists-ids-by-status', 'jobs-refuses-an-unknown-status'],
    [[411], 'queued() counts those waiting, all or of a priority.', 'queued-counts-by-priority'],
    [
      [421],
      'clusterQueued() counts those of the whole cluster.',
      'queued-counts-by-priority',
      'redis-counts-are-those-of-the-cluster',
    ],
    [
      [431],
      'empty() tells whether none is RECEIVED or QUEUED.',
      'empty-counts-received-jobs',
      'empty-counts-queued-jobs',
    ],
    [
      [440],
      'running() is the weight of RUNNING and EXECUTING jobs of the cluster.',
      'running-is-the-weight-of-running-and-executing',
      'redis-counts-are-those-of-the-cluster',
    ],
    [
      [449],
      'done() is the weight of the jobs done in the cluster, also without trackDoneStatus.',
      'done-is-the-weight-of-finished-jobs',
      'redis-counts-are-those-of-the-cluster',
    ],
    [
      [457],
      'check() tells whether a job would start at once.',
      'check-tells-whether-a-job-would-start',
      'check-takes-a-weight',
    ],
  ]),
  ...under('Events', [
    [
      [462, 469],
      'error: from listeners that fail, and from the network.',
      'failing-listeners-become-error-events',
      'fault-05-redis-that-comes-later',
    ],
    [[471], 'failed: each time a job fails.', 'failed-comes-for-each-failure'],
    [[478], 'retry: each time a job is retried.', 'retry-after-the-returned-time'],
    [[487], 'empty: the queue has become empty.', 'empty-and-idle'],
    [[494], 'idle: empty, and nothing runs.', 'empty-and-idle'],
    [[501], 'dropped: a strategy was at work; carries the job.', 'dropped-carries-the-job-and-its-promise'],
    [
      [509],
      'depleted: the reservoir has come to 0; tells whether the queue is empty.',
      'depleted-when-the-reservoir-is-used-up',
    ],
    [[517], 'debug: what the limiter does.', 'debug-hears-of-every-event'],
    [
      [525, 526, 527, 528, 529],
      'received, queued, scheduled, executing, done: from one state to the next.',
      'lifecycle-events-in-order',
      'lifecycle-events-carry-the-job',
    ],
    [[538], 'They are about jobs of this limiter only.', 'redis-counts-are-those-of-the-cluster'],
    [[542], 'removeAllListeners() takes the name of an event, or none.', 'remove-all-listeners-of-a-name-or-all'],
    [[544], 'once() hears one event.', 'once-hears-one-event'],
  ]),
  ...under('Retries', [
    [
      [549, 585, 592],
      'A number from a "failed" listener has the job retried so many ms later.',
      'retry-after-the-returned-time',
      'retry-asked-for-by-a-promise',
    ],
    [[592], '0 is at once.', 'retry-at-once'],
    [[], 'retryCount tells how often.', 'retry-counts-up'],
    [[594], 'The job stays EXECUTING and counts for maxConcurrent.', 'retry-keeps-its-slot'],
    [[594], 'The wait ignores minTime.', 'retry-ignores-min-time-and-reservoir'],
    [[549, 585], 'The example prints what it says.', 'retry-example-of-the-documentation'],
  ]),
  ...under('updateSettings()', [
    [
      [602],
      'Takes the options of the constructor.',
      'update-settings-starts-what-may-start-now',
      'update-settings-keeps-the-rest',
      'update-settings-of-the-instance',
    ],
    [[604], 'Jobs already scheduled stay as they are.', 'update-settings-leaves-scheduled-jobs'],
  ]),
  ...under('incrementReservoir()', [[[611], 'Gives the new value.', 'increment-reservoir-gives-the-new-value']]),
  ...under('currentReservoir()', [
    [[619], 'Gives the value.', 'update-settings-sets-the-reservoir', 'current-reservoir-without-one'],
  ]),
  ...under('stop()', [
    [
      [623, 632],
      'Refuses new jobs and waits for those EXECUTING.',
      'stop-refuses-new-jobs',
      'stop-drops-what-waits',
      'stop-on-an-idle-limiter',
    ],
    [
      [636],
      'dropWaitingJobs drops RECEIVED, QUEUED and RUNNING jobs.',
      'stop-drops-what-waits',
      'stop-drops-received-jobs',
    ],
    [[636], 'Without it they run first.', 'stop-lets-waiting-jobs-run', 'fault-06-stop-on-a-full-queue'],
    [[637, 638], 'Both messages can be given.', 'stop-with-messages-of-your-own'],
  ]),
  ...under('chain()', [
    [
      [642],
      'Jobs that are ready go to the other limiter, and obey both.',
      'chain-obeys-both-limiters',
      'chain-passes-on-options-and-results',
    ],
    [[656], 'chain(null) ends it.', 'chain-null-unchains'],
  ]),
  ...under('Group', [
    [
      [660, 669, 671, 684],
      'One limiter for each key, made when it is first asked for, with the options of the Group.',
      'group-makes-one-limiter-for-each-key',
      'group-limiters-are-independent',
    ],
    [[682], 'The key defaults to empty text.', 'group-makes-one-limiter-for-each-key'],
    [
      [686],
      'Limiters idle for five minutes, or for timeout, are deleted.',
      'group-lets-go-of-unused-limiters',
      'group-timeout-is-five-minutes',
      'fault-08-group-clean-up-of-a-busy-limiter',
    ],
    [[701], '"created" comes before key() returns.', 'group-tells-of-new-limiters'],
    [[709], 'updateSettings() is for new limiters.', 'group-update-settings-is-for-new-limiters'],
    [
      [714, 716],
      'deleteKey() deletes one, and what Redis holds of it.',
      'group-delete-key',
      'redis-group-keys-of-the-cluster',
    ],
    [[716], 'Other Groups of the cluster then let go of theirs.', 'redis-group-key-deleted-elsewhere'],
    [[720], 'keys() gives all keys.', 'group-makes-one-limiter-for-each-key'],
    [[724], 'clusterKeys() gives those of the cluster.', 'redis-group-keys-of-the-cluster'],
    [[], 'limiters() gives keys and limiters.', 'group-makes-one-limiter-for-each-key'],
  ]),
  ...under('Batching', [
    [[737], 'Items come together in a "batch" event.', 'batcher-flushes-at-whichever-comes-first'],
    [[754], 'add() resolves once its item has been handed out.', 'batcher-add-resolves-when-flushed'],
    [[758], 'maxTime: how long an item may wait.', 'batcher-flushes-after-max-time'],
    [[759], 'maxSize: how many make a batch.', 'batcher-flushes-at-max-size'],
    [[761], 'It limits nothing itself.', 'batcher-beside-a-limiter'],
  ]),
  ...under('Clustering', [
    [
      [765],
      'Limiters of one id on one Redis share their settings and limits.',
      'redis-limits-are-shared',
      'redis-min-time-is-shared',
      'redis-reservoir-is-shared',
    ],
    [[767], 'The load is spread over the limiters.', 'fault-12-one-order-for-the-fleet'],
    [[765], 'State can be stored, and found again later.', 'redis-state-outlives-its-limiters'],
  ]),
  ...under('Enabling Clustering', [
    [
      [803],
      'datastore: redis or ioredis.',
      'redis-with-node-redis',
      'redis-limits-are-shared',
      'fault-17-node-redis-of-today',
    ],
    [[804, 827], 'clearDatastore wipes what is stored.', 'redis-clear-datastore'],
    [[805], 'clientOptions go to the client library.', 'fault-15-many-limiters-few-connections'],
    [
      [807],
      'timeout: the keys go after so many ms without use; by default they stay.',
      'redis-timeout-removes-the-keys',
      'redis-without-timeout-keys-stay',
    ],
    [[808, 812, 823], 'Redis: the library, given as a module.', 'redis-with-node-redis'],
    [
      [810],
      'Limiters of Groups have ids made of that of the Group and the key, and a timeout of five minutes.',
      'group-limiters-are-independent',
      'group-timeout-is-five-minutes',
    ],
  ]),
  {
    section: 'Enabling Clustering',
    lines: [806],
    promise: 'clusterNodes make a cluster client.',
    test: 'test/redis/clients-cluster.test.ts',
  },
  ...under('Important considerations when Clustering', [
    [
      [827],
      'The first limiter stores its settings, the others run with them.',
      'redis-first-limiter-stores-the-settings',
      'fault-18-other-settings-are-told',
    ],
    [[827], 'updateSettings() changes those of all.', 'redis-update-settings-is-for-all'],
    [[831, 832, 833], 'Queues, priorities and order are per limiter.', 'fault-12-one-order-for-the-fleet'],
    [[831, 834], 'highWater and the strategies are per limiter.', 'redis-high-water-is-the-fleets'],
    [[834], 'Blocked mode is for all.', 'redis-blocked-mode-is-for-all'],
    [
      [840],
      'Clients may come and go.',
      'fault-09-client-forgotten',
      'fault-10-process-killed-in-a-job',
      'fault-14-thousands-of-dead-clients',
    ],
    [[844], 'Expirations give back the slots of jobs whose process died.', 'redis-expiration-frees-lost-jobs'],
    [[846], 'Clocks should agree.', 'fault-11-clock-ahead'],
    [[829], 'Waiting jobs end with their process.', 'redis-waiting-jobs-go-with-their-process'],
    [[835], '"empty" is about the queue of the limiter.', 'redis-empty-and-idle'],
    [[836], '"idle" is about the running jobs of all.', 'redis-empty-and-idle'],
    [[848], 'Errors of the network are events of Groups as well.', 'redis-connection-errors-of-a-group'],
  ]),
  ...under('Clustering Methods', [
    [
      [852],
      'They exist on in-process limiters as well.',
      'ready-without-redis',
      'publish-without-redis',
      'disconnect-without-redis',
      'channels-are-named-after-the-id',
    ],
    [[856], 'ready() resolves once connected.', 'redis-ready-and-clients'],
    [[858], 'It need not be waited for.', 'redis-no-need-to-wait-for-ready'],
    [
      [875, 886],
      'publish() sends text to all limiters of the id.',
      'redis-publish-reaches-all',
      'publish-without-redis',
    ],
    [[897], 'clients() gives both clients.', 'redis-ready-and-clients'],
  ]),
  {
    section: 'Additional Clustering information',
    lines: [905],
    promise: 'Redis Cluster works, with ioredis.',
    test: 'test/redis/clients-cluster.test.ts',
  },
  {
    section: 'Additional Clustering information',
    lines: [906],
    promise: 'Sentinel works, with ioredis.',
    test: 'test/redis/clients-sentinel.test.ts',
  },
  ...under('Additional Clustering information', [
    [
      [907, 842],
      'Keys and channels begin with b_.',
      'redis-without-timeout-keys-stay',
      'channels-are-named-after-the-id',
    ],
    [[908], 'SCRIPT FLUSH makes for errors.', 'redis-script-flush'],
    [[907], 'Nothing else on the server is touched.', 'redis-clear-datastore-touches-nothing-else'],
  ]),
  ...under('Managing Redis Connections', [
    [[913, 915], 'A limiter or Group makes a connection of its own.', 'fault-15-many-limiters-few-connections'],
    [
      [915, 954],
      'One that was made by hand can be shared, and is closed by hand.',
      'redis-connection-is-shared-on-demand',
    ],
    [[926], 'That of a limiter or Group can be given to others.', 'redis-connection-of-a-limiter-is-reused'],
    [[930], 'Its errors are events of its own.', 'redis-connection-errors-of-a-connection'],
    [
      [934],
      'It can be made of a client that exists.',
      'redis-own-client-is-used',
      'fault-26-given-client-loads-nothing',
    ],
    [[949], 'disconnect(flush) closes it.', 'fault-05-waiting-jobs-reject-on-disconnect'],
  ]),
  ...under('Debugging your application', [
    [[964], 'debug events tell everything.', 'debug-hears-of-every-event'],
    [[966], 'Jobs that the limiter fails reject with a BottleneckError.', 'bottleneck-error-is-an-error'],
    [[960], 'Errors of listeners are "error" events.', 'failing-listeners-become-error-events'],
  ]),
  ...under('Upgrading to v2', [
    [[983, 985], 'The constructor takes an options object.', 'constructor-refuses-what-is-no-options-object'],
    [[989], 'rejectOnDrop false: dropped jobs stay pending.', 'reject-on-drop-false-leaves-promises-pending'],
    [[990, 991], 'null, not 0 or -1, is no limit.', 'min-time-zero-and-null', 'update-settings-null-lifts-a-limit'],
    [[992], 'updateSettings() gives a promise.', 'update-settings-resolves-to-the-limiter'],
    [
      [984, 987, 988, 992, 993, 994, 995, 997, 998, 999, 1001],
      'What version 1 had under another name is gone.',
      'names-of-version-1-are-gone',
    ],
    [[986], 'Jobs take an options object.', 'schedule-passes-arguments-and-result'],
    [[994], 'running() gives a promise.', 'running-is-the-weight-of-running-and-executing'],
    [[996], 'The promise library is an option.', 'promise-library-can-be-replaced'],
    [[997, 998], 'penalty and reservoir can be changed.', 'update-settings-sets-the-reservoir'],
    [[999], 'stop() takes the place of stopAll().', 'stop-drops-what-waits'],
    [[1000], 'check() takes a weight, and gives a promise.', 'check-takes-a-weight'],
    [[1001], 'The timeout of a Group is an option.', 'group-lets-go-of-unused-limiters'],
  ]),
];

/** Lines of that README that promise nothing that could be run: introductions, advice, and what leads to other lines. */
export const linesWithoutPromise: number[] = [
  // What the package is, and where to read on.
  8, 10, 12, 14, 76, 136, 140, 144, 256, 480, 536, 662, 962, 979, 981, 1003, 1005,
  // What comes before an example.
  82, 108, 125, 196, 291, 771, 779,
  // Advice.
  180, 838, 846, 909, 947, 958,
  // What version 2 needs to run, and what it takes to work on Bottleneck.
  982, 1010, 1012, 1014, 1016, 1018, 1020,
];
