// Placeholder until the real one lands: overwrite freely.
export const planBatches = <T extends { id: string; title: string; judgedThrough: number; inputs: string[] }>(
  tasks: T[],
  _options: { tokens: number },
) => {
  const groups = tasks.reduce((all, task) => {
    const key = `${task.judgedThrough} ${task.inputs.join()}`
    all.set(key, [...(all.get(key) ?? []), task])
    return all
  }, new Map<string, T[]>())
  return [...groups.values()].map((group) => ({
    tasks: group,
    from: group[0]!.judgedThrough,
    inputs: group[0]!.inputs,
  }))
}
