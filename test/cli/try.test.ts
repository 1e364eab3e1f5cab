import { it } from 'vitest'
import { home } from './support/fake.ts'
import { card, row, skipped, status, task, tick } from './support/rows.ts'

it('x', async () => {
  const h = home({
    status: status(),
    trigger: { ticks: [tick()] },
    tasks_list: [
      task(),
      task({
        id: 'task_2',
        title: '检查收件箱里有没有紧急邮件然后告诉我并且写得很长很长很长很长很长很长',
        source: 'user',
        asks_to_write: true,
        schedule: { kind: 'cron', expression: '0 9 * * 1' },
        next_run_at: 1775100000000,
      }),
    ],
    log_list: [
      row(),
      skipped('a'),
      skipped('b'),
      row({ state: 'failed', failure: { code: 'model/x', message: 'Boom' } }),
    ],
    escalations_list: [card(), card({ id: 'ev_c2', kind: 'confirmWrite', external: false })],
    escalations_get: card(),
    goals_list: [],
    tasks_add: task(),
    doctor: [
      { check: 'model', ok: true, found: 'builtin', fix: null },
      { check: 'disk', ok: false, found: 'full', fix: 'Free some.' },
    ],
    escalations_approve: {
      evaluation: 'ev_card',
      state: 'approved',
      outcome: row({ id: 'ev_card', text: 'Appended 30 bytes to AGENDA.md.' }),
    },
  })
  for (const tty of [false, true]) {
    h.io.isTTY = tty
    for (const argv of [
      '--help',
      'status',
      'status --json',
      'tick',
      'tick --json',
      'tasks',
      'tasks add --help',
      'tasks add x',
      'log',
      'approvals',
      'approvals show ev_card',
      'approvals approve ev_card',
      'doctor',
      'stauts',
      'tasks lst',
      'tick --forec',
      'why',
      'log --limit 0',
      'log --since whenever',
      'init',
      'approvals approve --all',
      'diagram',
      'diagram tik',
      'tasks list extra',
      'heartbeat',
      'log --state actd',
    ]) {
      const code = await h.undermind(...argv.split(' '))
      console.log(`$ ${argv} → ${code}\n${h.out()}${h.err() ? `--err--\n${h.err()}` : ''}`)
    }
  }
})
