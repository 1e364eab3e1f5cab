import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useOrder } from '../data/orders.ts'
import { keys } from '../data/queries.ts'
import { Button } from '../parts/button.tsx'
import type { Task } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'
import { TaskFields } from './task-fields.tsx'

interface Given {
  title: string
  schedule: string
}

export function NewTask() {
  const { t } = useTexts()
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
      <TaskFields
        title={{ value: title, placeholder: t('tasks.titleExample'), onChange: setTitle }}
        schedule={{ value: schedule, placeholder: t('tasks.scheduleExample'), onChange: setSchedule }}
      />
      <Button type="submit" look="main" disabled={title.trim() === '' || add.isPending}>
        <Plus aria-hidden className="size-4" />
        {t('tasks.add')}
      </Button>
    </form>
  )
}
