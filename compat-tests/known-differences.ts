/**
 * Every place where rebottle is known to behave unlike Bottleneck 2.19.5, or keeps an oddity of it on purpose.
 *
 * One list for all readers: the differential scenarios and the fuzz check themselves against it, and MIGRATION.md's table is
 * generated from it. Each entry names the scenarios (in `compat-tests/scenarios/`) that show both sides; an entry that no
 * scenario shows, or a scenario that names an entry which is not here, fails the run.
 *
 * Verdicts:
 * - `fixed`: upstream is wrong there; ours does what its documentation promises.
 * - `kept`: an oddity of upstream that existing code may rely on; ours does the same.
 * - `by design`: both are sound, ours promises something else (usually more) and says so.
 */
export interface KnownDifference {
  /** Stable kebab-case id. */
  id: string;
  /** What differs, in one line. */
  title: string;
  /** What Bottleneck 2.19.5 does. */
  upstream: string;
  /** What rebottle does. */
  ours: string;
  verdict: 'kept' | 'fixed' | 'by design';
  /** Why the verdict is what it is. */
  why: string;
  /** Ids of the scenarios that show both sides. */
  scenarios: string[];
  /** Options (of limiters, groups, batchers or jobs) whose users should read the entry. */
  options?: string[];
  /** Methods whose users should read the entry. */
  methods?: string[];
}

export const knownDifferences: KnownDifference[] = [
  {
    id: 'shedding-loses-a-slot',
    title: 'A job shed while another submission is being registered',
    upstream:
      'The limiter can lose the shed job and a slot for good; its promise never settles and later jobs are dropped.',
    ours: 'Every promise settles and running() returns to 0.',
    verdict: 'fixed',
    why: 'A lost slot stops a limiter for ever (upstream #152, #189).',
    scenarios: ['fault-01-shedding-loses-a-slot'],
    options: ['highWater', 'strategy'],
  },
  {
    id: 'late-result-of-an-expired-attempt',
    title: 'An expired attempt that finishes while its retry is under way',
    upstream: 'The late result is taken for that of the retry, and the retry then ends in an unhandled rejection.',
    ours: 'The late result is ignored; the promise settles once, with the retry.',
    verdict: 'fixed',
    why: 'An unhandled rejection ends a modern Node process (upstream #148, #156).',
    scenarios: ['fault-02-late-result-of-an-expired-attempt'],
    options: ['expiration'],
  },
  {
    id: 'wall-clock-set-back',
    title: 'The wall clock goes back',
    upstream: 'The limiter waits until the clock has caught up, which can be hours.',
    ours: 'The next job runs when its limits allow; a clock set back does not count.',
    verdict: 'fixed',
    why: 'A correction of the clock must not stop a program (upstream #134).',
    scenarios: ['fault-03-wall-clock-set-back'],
    options: ['minTime'],
  },
  {
    id: 'long-timers',
    title: 'Expirations and waits above 24.8 days, or infinite',
    upstream: 'The timer overflows and fires at once.',
    ours: 'As written: long waits are waited for and an infinite expiration never fires.',
    verdict: 'fixed',
    why: 'setTimeout takes 31 bits; a job with a huge expiration must not fail at once.',
    scenarios: ['fault-04-long-expiration', 'fault-04-long-wait'],
    options: ['expiration', 'minTime'],
  },
  {
    id: 'stop-without-dropping-on-a-full-queue',
    title: 'stop({ dropWaitingJobs: false }) on a full bounded queue',
    upstream: 'Stopping goes through the queue as a job of its own: it can be shed, or shed a job of yours.',
    ours: 'Drops nobody and resolves after the last job.',
    verdict: 'fixed',
    why: 'Waiting for the queue must not change the queue.',
    scenarios: ['fault-06-stop-on-a-full-queue'],
    options: ['highWater', 'dropWaitingJobs'],
    methods: ['stop'],
  },
  {
    id: 'stop-removes-done-listeners',
    title: 'Your own listeners for "done" after stop()',
    upstream: 'All listeners for "done" are removed once the last job has finished.',
    ours: 'They stay.',
    verdict: 'fixed',
    why: "A listener is its owner's to remove.",
    scenarios: ['fault-06-stop-keeps-done-listeners'],
    methods: ['stop', 'on'],
  },
  {
    id: 'throwing-error-listener',
    title: 'A listener for "error" that throws',
    upstream: 'Its error is handed to the same listener again, without end.',
    ours: 'Reported once, never to the listener that threw it.',
    verdict: 'fixed',
    why: 'The guard that was meant to stop the recursion never takes effect.',
    scenarios: ['fault-07-throwing-error-listener'],
    methods: ['on'],
  },
  {
    id: 'group-clean-up-of-a-busy-limiter',
    title: 'A Group key with a timeout shorter than its running job',
    upstream:
      'The limiter is dropped while its job runs; the next use of the key makes a second one beside it, over the limit.',
    ours: 'A limiter with anything waiting or running is never cleaned up.',
    verdict: 'fixed',
    why: 'The limit of a key must hold (upstream fault 8).',
    scenarios: ['fault-08-group-clean-up-of-a-busy-limiter'],
    options: ['timeout'],
    methods: ['key'],
  },
  {
    id: 'settings-calls-stop-the-refill',
    title: 'updateSettings() on a limiter with a reservoir interval',
    upstream: 'Any settings call stops the interval for good.',
    ours: 'The interval goes on.',
    verdict: 'fixed',
    why: 'A settings call must not stop a clock (upstream #185).',
    scenarios: ['fault-19-settings-calls-stop-the-refill'],
    options: ['reservoirRefreshInterval', 'reservoirIncreaseInterval'],
    methods: ['updateSettings'],
  },
  {
    id: 'reservoir-interval-is-late',
    title: 'When a reservoir interval comes round',
    upstream: 'Looked at every 250 ms: up to 250 ms late, and each delay moves all later ones.',
    ours: 'On time, anchored to its start.',
    verdict: 'fixed',
    why: 'An interval that drifts grants less than was asked for (upstream #114, #119, #169).',
    scenarios: ['fault-20-reservoir-interval-is-late'],
    options: ['reservoirRefreshInterval', 'reservoirIncreaseInterval'],
  },
  {
    id: 'retries-ignore-limits',
    title: 'A retry asked for by a "failed" listener',
    upstream:
      'Starts after the returned wait, whatever minTime and the reservoir say, and keeps its place in maxConcurrent.',
    ours: 'The same.',
    verdict: 'kept',
    why: 'It is documented and relied upon (upstream #223).',
    scenarios: ['retry-ignores-min-time-and-reservoir'],
    options: ['minTime', 'reservoir'],
    methods: ['on'],
  },
  {
    id: 'queue-above-high-water',
    title: 'How highWater is compared with the length of the queue',
    upstream:
      'Load is shed only while the queue is exactly as long as highWater, and not for a job whose weight would fit now. Behind a heavier job at the head, or after highWater was lowered, the queue grows without end.',
    ours: 'Load is shed whenever the queue is that long or longer, unless the new job starts at once.',
    verdict: 'fixed',
    why: 'A bound that does not bound is none (upstream fault 24).',
    scenarios: ['fault-24-queue-above-high-water', 'fault-24-lowered-high-water', 'fault-24-burst'],
    options: ['highWater', 'strategy', 'weight'],
  },
  {
    id: 'stop-leaks-running-weight',
    title: 'running() after stop() dropped jobs that waited for minTime',
    upstream:
      'The weight of RUNNING jobs that are dropped is never given back; running() stays above 0 and "idle" never comes.',
    ours: 'It is given back.',
    verdict: 'fixed',
    why: 'On Redis it would take a slot from all others.',
    scenarios: ['stop-gives-back-the-weight-of-dropped-jobs', 'stop-drops-what-waits'],
    options: ['minTime'],
    methods: ['stop', 'running'],
  },
  {
    id: 'stop-waits-in-a-job-of-its-own',
    title: 'How stop({ dropWaitingJobs: false }) waits',
    upstream:
      'In a job of its own (priority 9, weight 0) that is counted, queued and announced by events like any other, and that waits for minTime.',
    ours: 'Without one: your listeners hear of your jobs only, and it resolves with the last of them.',
    verdict: 'by design',
    why: 'The job is an implementation detail that shows through.',
    scenarios: ['stop-without-dropping-shows-no-job-of-its-own', 'stop-lets-waiting-jobs-run'],
    options: ['dropWaitingJobs'],
    methods: ['stop', 'counts'],
  },
  {
    id: 'local-disconnect-stops-the-refill',
    title: 'The reservoir of an in-process limiter after disconnect()',
    upstream: 'Is no longer refilled; jobs that wait for it wait for ever.',
    ours: 'Goes on being refilled: it is worked out when needed and holds no timer that would have to be stopped.',
    verdict: 'by design',
    why: 'Waiting jobs should not hang; there is nothing to free.',
    scenarios: ['disconnect-keeps-the-refill'],
    options: ['reservoirRefreshInterval', 'reservoirIncreaseInterval'],
    methods: ['disconnect'],
  },
  {
    id: 'group-clean-up-starts-with-the-first-key',
    title: 'When a Group looks for unused limiters',
    upstream: 'Every half timeout, counted from the making of the Group.',
    ours: 'Every half timeout, counted from the first key: a Group without keys has no timer.',
    verdict: 'by design',
    why: 'A Group that is let go of can be collected; the promise (unused for longer than timeout) is the same.',
    scenarios: ['group-clean-up-starts-with-the-first-key'],
    options: ['timeout'],
    methods: ['key'],
  },
  {
    id: 'order-behind-jobs-that-take-no-time',
    title: 'Jobs scheduled in one go behind others that end at once',
    upstream:
      'Each job that ends at once is over before the next one is looked at: they run in the order in which they came, whatever their priority.',
    ours: 'What is scheduled in one go is decided on together, the most important first.',
    verdict: 'by design',
    why: 'Priorities are to hold for trivial jobs too, and deciding on many jobs at once is what makes them fast.',
    scenarios: ['priority-among-jobs-that-take-no-time'],
    options: ['priority'],
  },
  {
    id: 'empty-while-received',
    title: 'empty() with a job that is RECEIVED',
    upstream: 'Already true while the last job received is still being decided on.',
    ours: 'False while any job is RECEIVED or QUEUED.',
    verdict: 'fixed',
    why: "It is what Bottleneck's documentation says of it.",
    scenarios: ['empty-counts-received-jobs'],
    methods: ['empty'],
  },
  {
    id: 'remove-all-listeners-result',
    title: 'What removeAllListeners() gives',
    upstream: 'true, or an empty object.',
    ours: 'The limiter, Group, Batcher or connection, as on() and once() do.',
    verdict: 'by design',
    why: 'Calls can follow each other; what it gave was an accident.',
    scenarios: ['remove-all-listeners-gives-the-limiter'],
    methods: ['removeAllListeners'],
  },
  {
    id: 'spent-listeners-are-not-counted',
    title: 'listenerCount() of Events after a once() listener was called',
    upstream: 'Counts it until the next event of that name.',
    ours: 'Does not count it.',
    verdict: 'fixed',
    why: 'It will not be called any more.',
    scenarios: ['listener-count-without-spent-ones'],
    methods: ['once'],
  },
  {
    id: 'stop-queues-received-jobs',
    title: 'Jobs that are RECEIVED when stop() is called',
    upstream: 'Are queued first, with a "queued" event, and then dropped.',
    ours: 'Are dropped without being queued.',
    verdict: 'by design',
    why: 'A job that is not going to run need not wait for a decision; its promise rejects all the same.',
    scenarios: ['stop-drops-received-jobs'],
    methods: ['stop'],
  },
  {
    id: 'group-options-are-copied',
    title: 'The options object given to a Group',
    upstream:
      'Is kept and written to (id, timeout, connection, settings): two Groups made from it influence each other.',
    ours: 'Is copied.',
    verdict: 'fixed',
    why: "An object of the caller's is the caller's.",
    scenarios: ['group-options-are-copied'],
    methods: ['key', 'updateSettings'],
  },
  {
    id: 'item-added-inside-of-a-batch-listener',
    title: 'An item that a "batch" listener adds while it is called',
    upstream: 'Is put into the batch that was just handed out, and its promise has resolved already.',
    ours: 'Belongs to the next batch.',
    verdict: 'fixed',
    why: 'The item would be lost to listeners that have already read the batch.',
    scenarios: ['batcher-item-added-by-a-listener'],
    methods: ['add'],
  },
  {
    id: 'idle-limiter-holds-no-timer',
    title: 'An idle limiter with a reservoir interval',
    upstream: 'Has a timer until disconnect() is called, and is kept in memory by it.',
    ours: 'Has none: the reservoir is worked out when it is needed.',
    verdict: 'fixed',
    why: 'Nothing to call, nothing to leak.',
    scenarios: ['idle-limiter-holds-no-timer'],
    options: ['reservoirRefreshInterval', 'reservoirIncreaseInterval'],
    methods: ['disconnect'],
  },
  {
    id: 'values-that-make-no-sense',
    title: 'Settings that make no sense: NaN, a negative limit, text where a number is meant',
    upstream: 'Are taken: the limiter stands still, limits nothing, or computes with text.',
    ours: 'Throw a BottleneckError where they are given. Numbers as text are taken where Bottleneck gets them right.',
    verdict: 'by design',
    why: 'A mistake is easier to find where it is made.',
    scenarios: ['constructor-refuses-nonsense'],
    options: ['maxConcurrent', 'minTime', 'highWater', 'reservoir'],
    methods: ['updateSettings'],
  },
  {
    id: 'weights-are-checked',
    title: 'Weights',
    upstream: 'Are not checked; fractions and text behave differently in process and on Redis.',
    ours: 'One rule for both: a number of 0 or more, fractions too, or text that is one. A job with anything else is refused.',
    verdict: 'fixed',
    why: 'A weight of NaN breaks a limiter for good (upstream fault 16).',
    scenarios: ['fault-16-one-rule-for-weights'],
    options: ['weight'],
    methods: ['schedule', 'submit', 'wrap'],
  },
  {
    id: 'local-speed',
    title: 'How long it takes to start a job on an idle in-process limiter',
    upstream: 'Several turns of the timers for each job: about 4 ms, and some 340 jobs a second.',
    ours: 'None: the job starts in the same turn of the event loop.',
    verdict: 'fixed',
    why: 'Time that no limit asked for (upstream #144).',
    scenarios: ['fault-23-idle-limiter-starts-at-once'],
  },
  {
    id: 'dispatch-just-in-time',
    title: "The option dispatch: 'just-in-time'",
    upstream: 'Does not exist.',
    ours: 'Jobs stay in the queue until they may really start, so that priority and queued() work with minTime alone.',
    verdict: 'by design',
    why: 'It is what priorities are for (upstream #61, #227); the default stays as it was.',
    scenarios: ['fault-25-priority-with-min-time-alone'],
  },
  {
    id: 'min-time-takes-jobs-out-of-the-queue',
    title: 'Jobs that wait for minTime alone',
    upstream:
      'Leave the queue at once and wait as RUNNING: queued() is 0, and a later job of higher priority comes behind.',
    ours: "The same, unless dispatch: 'just-in-time' is set.",
    verdict: 'kept',
    why: 'counts(), running() and the "scheduled" event depend on it.',
    scenarios: ['fault-25-min-time-alone-by-default'],
    options: ['minTime'],
  },
  {
    id: 'packaging',
    title: 'How the package is loaded',
    upstream:
      'CommonJS only; the root entry evaluates text to load a Redis library, also when a client is given, which bundlers and content security policies object to; no types for bottleneck/light.',
    ours: 'ES modules and CommonJS, types for every entry, nothing evaluated, and a Redis library is loaded only where no client is given.',
    verdict: 'fixed',
    why: 'It has to work in bundles and in browsers (upstream #202, #122, #146).',
    scenarios: ['fault-26-given-client-loads-nothing'],
  },
  {
    id: 'version',
    title: 'Bottleneck.version',
    upstream: '2.19.5.',
    ours: 'The version of rebottle.',
    verdict: 'by design',
    why: 'It tells which package runs.',
    scenarios: ['version-is-that-of-the-package'],
  },
  {
    id: 'reject-on-drop-changed-later',
    title: 'updateSettings({ rejectOnDrop }) and the jobs that wait',
    upstream: 'Whether a dropped job rejects was decided when it was scheduled.',
    ours: 'It is decided when it is dropped, so the new setting holds for jobs that wait, too.',
    verdict: 'by design',
    why: 'All other settings hold for waiting jobs as well, and a job need not remember it.',
    scenarios: ['reject-on-drop-counts-when-a-job-is-dropped'],
    options: ['rejectOnDrop'],
    methods: ['updateSettings'],
  },
];
