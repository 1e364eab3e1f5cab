import { Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useOrder } from '../data/orders.ts'
import { keys } from '../data/queries.ts'
import { Button } from '../parts/button.tsx'
import type { Task } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'

interface Given {
  title: string
  schedule: string
}

export function NewTask() {
  const { t } = useTexts()
  const form = useId()
  const [title, setTitle] = useState('')
  const [schedule, setSchedule] = useState('')
  const add = useOrder<Given, Task[]>({
    key: keys.tasks,
    send: (call, given) =>
      call('subconscious.tasks_add', {
        title: given.title,
        ...(given.schedule !== '' && { schedule: given.schedule }),
      }),
    done() {
      setTitle('')
      setSchedule('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({ title: title.trim(), schedule: schedule.trim() })
  }
  return (
    <form aria-label={t('tasks.add')} className="sheet mb-6 flex flex-wrap items-end gap-3 px-5 py-4" onSubmit={submit}>
      <div className="min-w-52 flex-[3]">
        <label htmlFor={`${form}-title`} className="mb-1 block text-soft text-sm">
          {t('tasks.title')}
        </label>
        <input
          id={`${form}-title`}
          className="field w-full"
          placeholder={t('tasks.titleExample')}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
      <div className="min-w-40 flex-1">
        <label htmlFor={`${form}-schedule`} className="mb-1 block text-soft text-sm">
          {t('tasks.schedule')}
        </label>
        <input
          id={`${form}-schedule`}
          className="field w-full"
          placeholder={t('tasks.scheduleExample')}
          value={schedule}
          onChange={(event) => setSchedule(event.target.value)}
        />
      </div>
      <Button type="submit" look="main" disabled={title.trim() === '' || add.isPending}>
        <Plus aria-hidden className="size-4" />
        {t('tasks.add')}
      </Button>
    </form>
  )
}
