import { type FormEvent, useId, useState } from 'react'
import { useOrder } from '../data/orders.ts'
import { keys, useGoals } from '../data/queries.ts'
import { Asked } from '../parts/asked.tsx'
import { Button } from '../parts/button.tsx'
import type { Goal } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

/** The standing aims that steer every judgement. */
export function Goals() {
  const { t } = useTexts()
  return (
    <section aria-labelledby="goals" className="mt-10">
      <h2 id="goals" className="font-semibold text-lg">
        {t('goals.title')}
      </h2>
      <p className="mb-3 text-soft">{t('goals.lead')}</p>
      <div className="sheet divide-y divide-line">
        <Asked query={useGoals()}>{(goals) => goals.map((goal) => <GoalEntry key={goal.id} goal={goal} />)}</Asked>
        <NewGoal />
      </div>
    </section>
  )
}

function GoalEntry({ goal }: { goal: Goal }) {
  const { t } = useTexts()
  const remove = useOrder<null, Goal[]>({
    key: keys.goals,
    send: (call) => call('subconscious.goals_remove', { goal: goal.id }),
    expect: (goals) => goals.filter(({ id }) => id !== goal.id),
  })
  return (
    <div className="flex items-center gap-4 px-5 py-3">
      <p className="min-w-0 flex-1">
        <Prose most={300}>{goal.text}</Prose>
      </p>
      <Button
        look="bare"
        aria-label={t('goals.delete', { text: goal.text.slice(0, 80) })}
        onClick={() => remove.mutate(null)}
      >
        {t('delete')}
      </Button>
    </div>
  )
}

function NewGoal() {
  const { t } = useTexts()
  const field = useId()
  const [text, setText] = useState('')
  const add = useOrder<string, Goal[]>({
    key: keys.goals,
    send: (call, given) => call('subconscious.goals_add', { text: given }),
    done: () => setText(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(text.trim())
  }
  return (
    <form className="flex flex-wrap gap-3 px-5 py-3" onSubmit={submit}>
      <label htmlFor={field} className="sr-only">
        {t('goals.new')}
      </label>
      <input
        id={field}
        className="field min-w-48 flex-1"
        placeholder={t('goals.example')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={text.trim() === '' || add.isPending}>
        {t('goals.add')}
      </Button>
    </form>
  )
}
