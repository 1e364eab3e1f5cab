import { type FormEvent, useId, useState } from 'react'
import { useOrder } from '../data/orders.ts'
import { keys } from '../data/queries.ts'
import { Button } from '../parts/button.tsx'
import { focusHere } from '../parts/focus.ts'
import type { Task } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'

interface Change {
  title?: string
  schedule?: string
}

export function EditTask({ task, onClose }: { task: Task; onClose(): void }) {
  const { t } = useTexts()
  const form = useId()
  const [title, setTitle] = useState(task.title)
  const [schedule, setSchedule] = useState('')
  const edit = useOrder<Change, Task[]>({
    key: keys.tasks,
    send: (call, change) => call('subconscious.tasks_update', { task: task.id, ...change }),
    done: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    edit.mutate({
      ...(title.trim() !== task.title && { title: title.trim() }),
      ...(schedule.trim() !== '' && { schedule: schedule.trim() }),
    })
  }
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
      <div className="min-w-52 flex-[3]">
        <label htmlFor={`${form}-title`} className="mb-1 block text-soft text-sm">
          {t('tasks.title')}
        </label>
        <input
          id={`${form}-title`}
          className="field w-full"
          ref={focusHere}
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
          placeholder={task.schedule_text}
          value={schedule}
          onChange={(event) => setSchedule(event.target.value)}
        />
      </div>
      <Button type="submit" look="main" disabled={title.trim() === '' || edit.isPending}>
        {t('save')}
      </Button>
      <Button look="bare" onClick={onClose}>
        {t('cancel')}
      </Button>
    </form>
  )
}
