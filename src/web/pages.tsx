import {
  Activity,
  BarChart3,
  Globe,
  House,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  Network,
  SlidersHorizontal,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { ActivityPage } from './activity/activity-page.tsx'
import { InspectorPage } from './inspector/inspector-page.tsx'
import type { PageName } from './parts/place.ts'
import { SessionsPage } from './sessions/sessions-page.tsx'
import { SettingsPage } from './settings/settings-page.tsx'
import { StartPage } from './start/start-page.tsx'
import { TasksPage } from './tasks/tasks-page.tsx'
import type { TextKey } from './texts/language.tsx'
import { UsagePage } from './usage/usage-page.tsx'
import { WorldsPage } from './worlds/worlds-page.tsx'

interface Page {
  name: TextKey
  icon: LucideIcon
  show: ComponentType<{ rest: string }>
}

/** Everything in the menu, in its order. */
export const pages: Readonly<Record<PageName, Page>> = {
  start: { name: 'page.start', icon: House, show: StartPage },
  tasks: { name: 'page.tasks', icon: ListChecks, show: TasksPage },
  worlds: { name: 'page.worlds', icon: Globe, show: WorldsPage },
  activity: { name: 'page.activity', icon: Activity, show: ActivityPage },
  sessions: { name: 'page.sessions', icon: MessagesSquare, show: SessionsPage },
  usage: { name: 'page.usage', icon: BarChart3, show: UsagePage },
  inspector: { name: 'page.inspector', icon: Network, show: InspectorPage },
  settings: { name: 'page.settings', icon: SlidersHorizontal, show: SettingsPage },
}
