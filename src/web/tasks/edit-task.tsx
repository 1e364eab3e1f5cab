import { type FormEvent, useState } from 'react'
import { useOrder } from '../data/orders.ts'
import { keys } from '../data/queries.ts'
import { Button } from '../parts/button.tsx'
import { focusHere } from '../parts/focus.ts'
import type { Task } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'
import { TaskFields } from './task-fields.tsx'

interface Change {
  title?: string
  schedule?: string
}

export function EditTask({ task, onClose }: { task: Task; onClose(): void }) {
  const { t } = useTexts()
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
      <TaskFields
        title={{ value: title, onChange: setTitle }}
        schedule={{ value: schedule, placeholder: task.schedule_text, onChange: setSchedule }}
        titleRef={focusHere}
      />
      <Button type="submit" look="main" disabled={title.trim() === '' || edit.isPending}>
        {t('save')}
      </Button>
      <Button look="bare" onClick={onClose}>
        {t('cancel')}
      </Button>
    </form>
  )
}
