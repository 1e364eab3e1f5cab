// `leave`: makes evaluations that wait for approval and dies hard. `resume`: a fresh process approves the first of them.
const [phase, json] = process.argv.slice(2)
const { waiting, folder, peer: name, sync } = JSON.parse(json)
const { default: create } = await import(`./peers/${name}.mjs`)
const peer = create({ sync, tx: 'change' })
await peer.setup(folder)
if (phase === 'leave') {
  const each = Math.min(waiting, 10_000)
  for (let left = waiting, tick = 0; left > 0; left -= each, tick++) {
    await peer.prepare?.(each)
    await peer.runTick(each, { tag: `r${tick}`, mix: 'escalate' })
  }
  process.kill(process.pid, 'SIGKILL')
}
const first = peer.firstAwaiting?.() ?? (await peer.listAwaiting())[0]
const state = await peer.approve(first)
if (state !== 'acted') throw new Error(`approving ${first} ended ${state}`)
process.exit()
