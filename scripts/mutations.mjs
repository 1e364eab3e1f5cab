/**
 * Faults that tests must notice, in what keeps the host's and the approval gate's promises. `from` stands in the file
 * exactly once. Whoever changes such a place changes its fault with it.
 * @typedef {{ name: string, file: string, from: string, to: string, tests: readonly string[] }} Mutation
 */

const host = ['test/actors']
const gate = [
  'test/machines/evaluation.test.ts',
  'test/machines/evaluation-answers.test.ts',
  ...[
    'approvals',
    'covered',
    'heartbeat-file',
    'card-facts',
    'cards',
    'own-turns',
    'answers-by-method',
    'marks',
    'retry',
    'services',
    'times',
    'overlap',
  ].map((name) => `test/house/${name}.test.ts`),
]

/** @returns {Mutation[]} */
const of = (/** @type {string} */ file, tests, /** @type {[string, string, string][]} */ faults) =>
  faults.map(([name, from, to]) => ({ name, file, from, to, tests }))

/** @type {readonly Mutation[]} */
export const mutations = [
  ...of('src/actors/unit-of-work.ts', host, [
    [
      'a message counts though its row has moved',
      "!message.claim(this.#ledger, this.now)) return 'duplicate'",
      "!message.claim(this.#ledger, this.now) && false) return 'duplicate'",
    ],
    ['a cascade may go on for ever', 'if (done >= deepestCascade) {', 'if (done >= 100 * deepestCascade) {'],
    ['a write that failed still tells actors', 'forget(): void {\n    this.#pending.length = 0', 'forget(): void {'],
    [
      'two writers overwrite each other',
      'else if (!this.#ledger.updateActor(row, live.rowVersion)) {',
      'else if (!this.#ledger.updateActor(row, live.rowVersion) && false) {',
    ],
    ['an actor that has not moved is written', 'if (live.version === live.rowVersion) continue', ''],
    [
      'actors that have ended stay in memory',
      "if (snapshot.status !== 'active' || live.seat.rests?.(snapshot))",
      'if (live.seat.rests?.(snapshot))',
    ],
    [
      'actors at rest stay in memory',
      "if (snapshot.status !== 'active' || live.seat.rests?.(snapshot))",
      "if (snapshot.status !== 'active')",
    ],
    [
      'memory stays ahead of the rows after a rollback',
      'undo(): void {\n    for (const live of this.#touched) this.#stage.evict(live.id)',
      'undo(): void {',
    ],
    [
      'an actor that has ended is made anew',
      'if (this.#stage.find(actor) || this.#ledger.actor(actor)) return',
      'if (this.#stage.find(actor)) return',
    ],
    ['a spawned actor does not know who made it', 'this.#sender = parent\n', 'this.#sender = null\n'],
    ['the journal has no sender', 'this.#sender = message.sender ?? null', 'this.#sender = null'],
    ['what changed nothing is a step', 'if (after === before) return\n', ''],
    ['a delay is over at once', 'dueAt: this.now + delay,', 'dueAt: this.now,'],
    ['nobody looks for a delay that was just set', 'this.aftermath.timersMoved = true', ''],
    ['a delay is not called off', 'this.#pending.push(() => this.#ledger.clearTimer(actor, name))', ''],
    ['work that must not run twice is not entered as started', "? 'started' : 'pending'", "? 'pending' : 'pending'"],
    ['too much work is entered as started', 'this.#orderedOf.set(kind, ahead + 1)', ''],
    [
      'work is done again for a chair that was only restored',
      'if (this.#ledger.orderWork({ ...order, createdAt: this.now })) {',
      'if (this.#ledger.orderWork({ ...order, createdAt: this.now }) || true) {',
    ],
    ['a result goes to a later visit', 'if (!waits()) return\n', ''],
    [
      'a result that is known already is not handed over',
      "if (known?.state === 'done') this.#hand",
      "if (known?.state === 'pending') this.#hand",
    ],
    [
      'a failure that is known already is not handed over',
      "else if (known?.state === 'failed' || known?.state === 'unknown')",
      "else if (known?.state === 'pending')",
    ],
    [
      'work that nobody wants goes on',
      'if (this.#ledger.cancelWork(key, this.now)) this.aftermath.dropped.push(key)',
      'this.#ledger.cancelWork(key, this.now)',
    ],
    [
      'work that nobody wants stays ordered',
      'if (this.#ledger.cancelWork(key, this.now)) this.aftermath.dropped.push(key)',
      'this.aftermath.dropped.push(key)',
    ],
    ['whoever asked gets a dead letter, too', 'if (!message.asked) this.bury(', 'this.bury('],
    ['what cannot be delivered is lost', 'if (!message.asked) this.bury(', 'if (false) this.bury('],
    [
      'a guard that throws goes unnoticed',
      '      live.ref.send(event)\n      throwIfFailed(live)',
      '      live.ref.send(event)',
    ],
    [
      'the seat does not complete events',
      'live.seat.complete ? live.seat.complete(message.event, live.id, this) : message.event',
      'message.event',
    ],
  ]),
  ...of('src/actors/queue.ts', host, [
    ['a message has one try', 'const tries = 3', 'const tries = 1'],
    ['a message has tries without end', 'const tries = 3', 'const tries = 1_000_000'],
    ['a bad message is not kept', 'this.#options.bury(entry, error)', ''],
    ['whoever sent a bad message hears nothing', 'this.#alone--\n    entry.failed?.(error)', 'this.#alone--'],
    ['what has a row is lost while the store cannot be written', '(entry) => entry.internal === true', '() => false'],
    ['whoever asks waits while the store cannot be written', '(entry) => entry.internal === true', '() => true'],
    ['the store is tried as often as ever', 'this.#pauseMs * 2', 'this.#pauseMs'],
    [
      'the store is hardly tried any more',
      'Math.min(longestPause, Math.max(second, this.#pauseMs * 2))',
      'Math.max(second, this.#pauseMs * 2)',
    ],
    ['nobody is told that the store can be written again', 'this.#options.onStall(null)', ''],
    ['nobody is told that the store cannot be written', 'onStall(reason.message)', ''],
    ['a store that is lost is tried again', 'if (this.#options.isFatal(error)) this.#end(error)\n    else if', 'if'],
    ['a host that was closed takes more', '(this.#closed ? closed() : this.#stall?.reason)', 'this.#stall?.reason'],
    [
      'what was asked before closing is refused',
      'await this.drained()\n    this.#closed = true',
      'this.#closed = true',
    ],
    [
      'a message that cannot be kept holds up the rest for ever',
      'if (this.#options.isTransient(second)) return void this.#pause(second as Fault)',
      'return',
    ],
    [
      'a write that cannot be committed is tried again and again',
      "if (entry.failures < tries && !('write' in entry)) return",
      'if (entry.failures < 1_000_000) return',
    ],
    ['the first error of many is not told', 'first ??= { error }', ''],
    [
      'many are answered before all are done',
      'if (--left === 0) first ? reject(first.error) : resolve()',
      '--left; first ? reject(first.error) : resolve()',
    ],
  ]),
  ...of('src/actors/worker.ts', host, [
    ['an interrupted effect is simply repeated', "job.state === 'started' && job.interrupted", 'false'],
    [
      'an interrupted effect is not checked',
      "return handler.check ? handler.check(input, run) : { outcome: 'unknown' as const }",
      "return { outcome: 'unknown' as const }",
    ],
    [
      'what a check found to have happened is done again',
      "if (found.outcome === 'happened') return this.#report",
      "if (found.outcome === 'happened') this.#report",
    ],
    [
      'what nobody knows is done again',
      "if (found.outcome === 'unknown') return this.#report",
      "if (found.outcome === 'unknown') this.#report",
    ],
    ['an effect that had to wait runs without being entered as started', "job.state === 'pending' &&", 'false &&'],
    [
      'more is entered as started than may run',
      'lane.running + ahead < lane.handler.concurrency',
      'lane.running + ahead <= lane.handler.concurrency',
    ],
    [
      'more runs at a time than may',
      'while (!this.#stopping && lane.running < lane.handler.concurrency &&',
      'while (!this.#stopping &&',
    ],
    ['work that was called off begins', 'if (job.dropped) continue\n', ''],
    ['work that was called off with its order begins', 'if (!calledOff.has(order.key)) this.#enqueue', 'this.#enqueue'],
    [
      'work that was called off is not told',
      "this.#running.get(key)?.abort.abort(new Fault('work/dropped', 'The result is no longer wanted.'))",
      '',
    ],
    ['work that is broken off by a stop fails', 'if (this.#stopping && repeatable) return\n', ''],
    ['a stop breaks off what must not run twice', 'if (repeatable) abort.abort(', 'abort.abort('],
    ['a stop does not wait for what must not run twice', '(repeatable ? null : ended)', 'null'],
    ['a stop waits for ever', 'while (this.busy && performance.now() < until)', 'while (this.busy)'],
    ['work begins during a stop', 'while (!this.#stopping && lane.running', 'while (lane.running'],
    [
      'what an earlier process left is forgotten',
      'for (const row of found) this.#enqueue({ ...row, interrupted: true })',
      '',
    ],
    [
      'what an earlier process left is taken for new',
      'for (const row of found) this.#enqueue({ ...row, interrupted: true })',
      'for (const row of found) this.#enqueue({ ...row, interrupted: false })',
    ],
    ['only the first page of what was left is found', 'if (rows.length < page) break', 'break'],
    [
      'a late result moves the chart',
      'if (ledger.settleWork(job.key, state, result, now)) return true',
      'ledger.settleWork(job.key, state, result, now); return true',
    ],
    ['a late result is forgotten', 'ledger.recordLateResult(job.key, result)', ''],
    ['an unknown outcome is entered as a failure', "event.error === unknownOutcome ? 'unknown' : 'failed'", "'failed'"],
    [
      'work that nobody can do waits for ever',
      "      this.#report(job, {\n        type: 'work.failed',\n        error: { code: 'work/no-handler'",
      "      void ({\n        type: 'work.failed',\n        error: { code: 'work/no-handler'",
    ],
  ]),
  ...of('src/actors/timekeeper.ts', host, [
    [
      'a delay that was called off is over',
      'return rows.takeTimer(actor, name, dueAt)',
      'rows.takeTimer(actor, name, dueAt); return true',
    ],
    ['only the first delays that are over count', 'if (isLast) setImmediate(() => this.#goOn())', ''],
    ['a clock that was put back a little is taken for turned', 'now < this.#lastLook - second', 'now < this.#lastLook'],
    ['a clock that was turned back is not noticed', 'now < this.#lastLook - second', 'false'],
    [
      'a clock that is turned is noticed late',
      'this.#look() + longestLookAway',
      'this.#look() + 1000 * longestLookAway',
    ],
    [
      'delays are over before their time',
      'ledger.dueTimers(this.#look(), atOnce)',
      'ledger.dueTimers(this.#look() + second, atOnce)',
    ],
  ]),
  ...of('src/actors/evaluation.ts', gate, [
    ['a read task acts without asking', "task.intent === 'write' &&\n", ''],
    ['a plan in words is carried out without asking', 'proposal.calls.length > 0 &&\n', ''],
    ['one covered call covers the others', 'proposal.calls.every((call) =>', 'proposal.calls.some((call) =>'],
    ['a covered tool may go anywhere', 'tool === call.tool && target === policy.targetOf(call)', 'tool === call.tool'],
    [
      'a covered target is for every tool',
      'tool === call.tool && target === policy.targetOf(call)',
      'target === policy.targetOf(call)',
    ],
    ['the same action is asked about twice', "return 'alreadyOpen'", "return 'new'"],
    ['a card that is recommended again is not refreshed', 'rows.escalations.refresh(twin.id, turn.now)', ''],
    ['what the user has skipped is asked again', "? 'dismissedBefore' : 'new'", "? 'new' : 'new'"],
    [
      'what has expired is taken for a no',
      "if (context.dismissal === 'user') rows.escalations.silence",
      'rows.escalations.silence',
    ],
    [
      'a newer card leaves the older one open',
      "turn.tell(self, other.id as string as ActorId, { type: 'replace' })",
      '',
    ],
    ['a question about permission gives way to a proposal', "other.kind === 'proposal' && kind === 'proposal'", 'true'],
    [
      'what comes from outside is not shown as external',
      'proposal.provenance.some(({ external }) => external)',
      'proposal.provenance.every(({ external }) => external)',
    ],
    [
      'one card too many a day',
      'rows.escalations.countSince(world, policy.startOfDay(now), most) >= most',
      'rows.escalations.countSince(world, policy.startOfDay(now), most + 1) > most',
    ],
    ['a card does not say when it expires', 'expiresAt: turn.now + policy.cardExpiryMs()', 'expiresAt: turn.now'],
    ['a card expires by no setting', 'delays: { expiry: () => policy.cardExpiryMs() },', ''],
    ['an expired card is shown as the user’s no', "? 'expired'\n", "? 'dismissed'\n"],
    ['the card forgets who answered', 'answer: context.answer, ...(calls', 'answer: null, ...(calls'],
    [
      'the card keeps the calls as they were before the edit',
      "state === 'approved' ? context.question?.proposal.calls : undefined",
      'undefined',
    ],
    [
      'a failed evaluation moves the mark',
      "if (state === 'acted' || state === 'skipped' || state === 'awaitingApproval') {",
      "if (state === 'acted' || state === 'skipped' || state === 'awaitingApproval' || state === 'failed') {",
    ],
    [
      'a superseded evaluation moves the mark',
      "if (state === 'acted' || state === 'skipped' || state === 'awaitingApproval') {",
      "if (state === 'acted' || state === 'skipped' || state === 'awaitingApproval' || state === 'superseded') {",
    ],
    [
      'a failure of the whole tick counts against each task',
      "if (state !== 'failed' || !context.counts) return",
      "if (state !== 'failed') return",
    ],
    ['a task is paused one failure early', 'attempts > mostAttempts', 'attempts >= mostAttempts'],
    ['a task is never paused', 'needsUser || attempts > mostAttempts', 'needsUser'],
    [
      'a task that was to be done once is done again after an approval',
      "if (task?.schedule.kind === 'once') rows.tasks.update(task.id, { completed: true })",
      '',
    ],
    [
      'a tick that is over is told of what is carried out',
      'if (remaining > 0 || rows.ticks.get(tick)?.endedAt !== null) return',
      'if (remaining > 0) return',
    ],
  ]),
  ...of('src/actors/digest.ts', gate, [
    ['one approval fits every card', 'short({ evaluation, proposal })', 'short({})'],
    ['the approval of one card fits another', 'short({ evaluation, proposal })', 'short({ proposal })'],
  ]),
  ...of('src/machines/evaluation-setup.ts', gate, [
    [
      'any digest will do',
      'context.question?.digest === digest && isEditOf(context.question.proposal.calls, calls)',
      'context.question !== null && isEditOf(context.question.proposal.calls, calls)',
    ],
    [
      'an edit may name other tools',
      'context.question?.digest === digest && isEditOf(context.question.proposal.calls, calls)',
      'context.question?.digest === digest',
    ],
    ['an edit may add calls', 'shown.length > 0 && edited.length === shown.length &&', 'shown.length > 0 &&'],
    ['an edit may change which tool it is', 'edited.every(({ tool }, index) => tool === shown[index]?.tool)', 'true'],
    ['a plan in words can be carried out', 'shown.length > 0 && edited.length', 'edited.length'],
    [
      'what has begun may be reconsidered',
      "context.question?.kind === 'proposal' && context.nextCall === 0",
      "context.question?.kind === 'proposal'",
    ],
    [
      'what may have happened may be reconsidered',
      "context.question?.kind === 'proposal' && context.nextCall === 0",
      'context.nextCall === 0',
    ],
    ['an unknown outcome is a failure', "failure.code === 'effect/unknown-outcome'", 'false'],
    [
      'the last call is left out',
      'context.nextCall + 1 < (context.question?.proposal.calls.length ?? 0)',
      'context.nextCall + 2 < (context.question?.proposal.calls.length ?? 0)',
    ],
    [
      'what did not happen is taken for done',
      "context.question?.kind === 'unknown' && happened",
      "context.question?.kind === 'unknown'",
    ],
    [
      'an open question may be answered with whether it happened',
      "asksWhetherItHappened: ({ context }) => context.question?.kind === 'unknown'",
      'asksWhetherItHappened: () => true',
    ],
    [
      'what did not happen is asked about for ever',
      "kind: 'proposal' as const },\n    }),\n    noteCalls",
      "kind: 'unknown' as const },\n    }),\n    noteCalls",
    ],
    ['an edit is forgotten', 'context.question && calls\n', 'context.question && false\n'],
    [
      'the digest of what may have happened is that of the card',
      "kind: 'unknown' as const,\n          digest:",
      "kind: 'unknown' as const,\n          former:",
    ],
    ['a verdict takes the taint away', 'tainted: context.tainted || event.tainted,', 'tainted: event.tainted,'],
    ['a verdict cannot taint', 'tainted: context.tainted || event.tainted,\n', ''],
    [
      'an earlier answer counts for a later question',
      'forgetAnswer: assign({ answer: null })',
      'forgetAnswer: assign({})',
    ],
  ]),
  ...of('src/machines/evaluation.ts', gate, [
    [
      'an approval counts whatever it names',
      "guard: { type: 'showsWhatWasSeen', params: ({ event }) => event },\n",
      '',
    ],
    [
      'a new proposal is carried out without asking',
      "guard: { type: 'isNewQuestion', params: ({ event }) => event.output },\n                target: '#evaluation.awaitingApproval'",
      "guard: { type: 'isNewQuestion', params: ({ event }) => event.output },\n                target: 'carryingOut'",
    ],
    [
      'what was asked about before is asked about again',
      "target: '#evaluation.skipped',\n                actions: { type: 'noteStanding'",
      "target: '#evaluation.awaitingApproval',\n                actions: { type: 'noteStanding'",
    ],
    [
      'what is being carried out can be superseded',
      '          on: { cancel: {} },',
      "          on: { cancel: {}, supersede: '#evaluation.superseded' },",
    ],
    ['what is being carried out can be cancelled', '          on: { cancel: {} },', ''],
    [
      'a card never expires',
      "expiry: { target: 'dismissed', actions: { type: 'noteDismissal', params: { reason: 'expired' } } },",
      '',
    ],
    [
      'a card can be superseded by a tick',
      "        replace: 'superseded',",
      "        replace: 'superseded',\n        supersede: 'superseded',",
    ],
    [
      'a failed call is followed by the next',
      "guard: 'moreToDo',\n                target: 'carryingOut',\n                reenter: true,",
      "guard: 'moreToDo',\n                target: '#evaluation.acted',",
    ],
    [
      'a failed call is done',
      "                target: '#evaluation.failed',\n                actions: {\n                  type: 'noteFailure',",
      "                target: '#evaluation.acted',\n                actions: {\n                  type: 'noteFailure',",
    ],
    [
      'an unknown outcome is carried out again',
      "guard: { type: 'outcomeIsUnknown', params: ({ event }) => failed(event.error) },\n                target: '#evaluation.awaitingApproval',",
      "guard: { type: 'outcomeIsUnknown', params: ({ event }) => failed(event.error) },\n                target: 'carryingOut', reenter: true,",
    ],
    [
      'a call that had happened is made again',
      "[{ guard: 'moreToDo', target: 'inProgress.carryingOut', actions: 'nextCall' }, { target: 'acted' }]",
      "[{ guard: 'moreToDo', target: 'inProgress.carryingOut' }, { target: 'acted' }]",
    ],
    [
      'the rest is left out once one turned out to have happened',
      "[{ guard: 'moreToDo', target: 'inProgress.carryingOut', actions: 'nextCall' }, { target: 'acted' }]",
      "[{ target: 'acted' }]",
    ],
    ['a reply may come when there is nothing to reconsider', "          guard: 'mayBeReconsidered',\n", ''],
    [
      'an answer does not say who gave it',
      "target: 'inProgress.carryingOut',\n          actions: [\n            { type: 'noteAnswer', params: ({ event }) => event },",
      "target: 'inProgress.carryingOut',\n          actions: [",
    ],
    [
      'the tick waits for a card',
      "{ type: 'releaseTick', params: ({ context }) => context }, 'noteReleased', 'forgetAnswer'",
      "'noteReleased', 'forgetAnswer'",
    ],
  ]),
  ...of('src/house/answers.ts', gate, [
    [
      'a card that was answered takes another answer',
      '    this.#assertOpen(card)\n    if (card.digest !== digest)',
      '    if (card.digest !== digest)',
    ],
    ['an untrusted workspace is written to', 'this.#parts.assertTrusted()', ''],
    ['permission needs trust, too', '!card.calls.every((call) => call.tool === allowWrite)', 'true'],
    [
      'an edit is not held against the card',
      'if (calls !== undefined && !isEditOf(card.calls, calls)) {',
      'if (false) {',
    ],
    ['the tool does not look at edited arguments', 'this.#tool(tool).parse(args)', 'args'],
    ['a plan in words seems to be approved', 'if (card.calls.length === 0) {', 'if (false) {'],
    ['a repeated message is a second answer', 'who.message !== undefined && card.answer === who.message', 'false'],
    ['the message of an answer is not handed on', '...(who.message !== undefined && { id: who.message })', ''],
    [
      'whoever comes second is told that it counted',
      'if (now.answer === answer || (stays && isBack)) return now',
      'return now',
    ],
    [
      'whoever says that it did not happen is refused',
      'if (now.answer === answer || (stays && isBack)) return now',
      'if (now.answer === answer) return now',
    ],
    ['a card can be resolved that asks something else', "if (card.kind !== 'unknown')\n", 'if (false)\n'],
    [
      'a question of yes or no takes a reply',
      "if (card.kind !== 'proposal' && card.state === 'open') {",
      'if (false) {',
    ],
    [
      'a no from the user is taken for something else',
      "{ type: 'dismiss', reason: 'user' }",
      "{ type: 'dismiss', reason: 'withdrawn' }",
    ],
  ]),
]
