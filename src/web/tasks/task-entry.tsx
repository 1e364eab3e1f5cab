import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useOrder } from '../data/orders.ts'
import { keys } from '../data/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { focusHere } from '../parts/focus.ts'
import { Time } from '../parts/time.tsx'
import { Toggle } from '../parts/toggle.tsx'
import type { Task } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { EditTask } from './edit-task.tsx'

/** A task. What came with the product or stands in HEARTBEAT.md can only be switched off and on. */
export function TaskEntry({ task }: { task: Task }) {
  const { t } = useTexts()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const toggle = useOrder<boolean, Task[]>({
    key: keys.tasks,
    send: (call, enabled) => call('subconscious.tasks_update', { task: task.id, enabled }),
    expect: (tasks, enabled) => tasks.map((one) => (one.id === task.id ? { ...one, enabled } : one)),
  })
  const remove = useOrder<null, Task[]>({
    key: keys.tasks,
    send: (call) => call('subconscious.tasks_remove', { task: task.id }),
    expect: (tasks) => tasks.filter(({ id }) => id !== task.id),
  })
  if (open === 'edit') return <EditTask task={task} onClose={() => setOpen(null)} />
  return (
    <div className="flex items-start gap-4">
      <div className="min-w-0 flex-1">
        <p className={`flex flex-wrap items-center gap-2 font-medium ${task.enabled ? '' : 'text-soft'}`}>
          <Prose most={300}>{task.title}</Prose>
          {task.source === 'system' && <Badge>{t('tasks.default')}</Badge>}
          {task.intent === 'write' && <Badge>{t('tasks.writes')}</Badge>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-soft text-sm">
          {task.origin === 'heartbeat' && <span>HEARTBEAT.md ·</span>}
          <span>{task.schedule_text}</span>
          {task.last_run_at !== null && (
            <span>
              · {t('tasks.last')} <Time at={task.last_run_at} />
            </span>
          )}
          {task.enabled && task.next_run_at !== null && (
            <span>
              · {t('tasks.next')} <Time at={task.next_run_at} />
            </span>
          )}
        </p>
        {task.paused !== null && (
          <p className="mt-1 text-coral-ink text-sm">
            <Prose most={300}>{t('tasks.paused', { why: task.paused })}</Prose>
          </p>
        )}
      </div>
      {task.source === 'user' && (
        <div className="-my-1.5 flex flex-wrap items-center justify-end gap-1">
          {open === 'remove' ? (
            <>
              <span className="text-sm">{t('tasks.reallyDelete')}</span>
              <Button look="danger" ref={focusHere} onClick={() => remove.mutate(null)}>
                {t('delete')}
              </Button>
              <Button look="bare" onClick={() => setOpen(null)}>
                {t('cancel')}
              </Button>
            </>
          ) : (
            <>
              <Button look="bare" aria-label={t('tasks.edit', { title: task.title })} onClick={() => setOpen('edit')}>
                <Pencil aria-hidden className="size-4" />
              </Button>
              <Button
                look="bare"
                aria-label={t('tasks.delete', { title: task.title })}
                onClick={() => setOpen('remove')}
              >
                <Trash2 aria-hidden className="size-4" />
              </Button>
            </>
          )}
        </div>
      )}
      <Toggle
        label={t('tasks.toggle', { title: task.title })}
        checked={task.enabled}
        onChange={(enabled) => toggle.mutate(enabled)}
      />
    </div>
  )
}
