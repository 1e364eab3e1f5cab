import { writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { migrations } from '../../src/store/migrations/index.ts'
import { liveAndLeave } from './golden-scene.ts'
it('gen', async () => {
  const golden = await liveAndLeave(migrations.length)
  writeFileSync('/tmp/u-golden.json', JSON.stringify(golden, null, 2))
  console.log(Object.fromEntries(Object.entries(golden.rows).map(([k, v]) => [k, v.length])))
  console.log(golden.rows.agent_run?.map(r => [r.id, r.state]), golden.rows.actor?.filter(r => /agent|tool/.test(String(r.kind))).map(r => [r.id, r.state]), golden.rows.tick?.map(r=>[r.id,r.state]))
})
