// One measurement in a process of its own; the parent says which.
import { measures } from './measures.mjs'

process.once('message', async (task) => {
  try {
    process.send({ value: await measures[task.measure](task) })
  } catch (error) {
    process.send({ error: error?.stack ?? String(error) })
  }
  process.exit()
})
