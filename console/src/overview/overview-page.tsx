import { useMemo } from 'react'
import type { Cluster, Project, User, VirtualCluster } from '../api/objects.ts'
import { loadedCount } from '../fetched/count.ts'
import { itemsOf, listFrom } from '../fetched/fetched.ts'
import { useNow } from '../format/use-now.ts'
import { useKeys } from '../keys/use-keys.ts'
import { useLive } from '../live/use-live.ts'
import { Page } from '../parts/page.tsx'
import { useManagement } from '../session/session-context.tsx'
import { EndingKeys } from './ending-keys.tsx'
import { FirstSteps } from './first-steps.tsx'
import { type KeyFigures, keyFigures } from './key-figures.ts'
import { Links } from './links.tsx'
import { LiveFigure } from './live-figure.tsx'
import { RatePanel } from './rate-panel.tsx'
import { SyncRate } from './sync-rate.tsx'

const thePlatform = ['']

/** What is running, what is failing and what needs attention soon. */
export function OverviewPage() {
  const management = useManagement()
  const keys = useKeys()
  const nowMs = useNow()
  const virtualClusters = useLive<VirtualCluster>(management.path('virtualclusterinstances'))
  const clusters = useLive<Cluster>(management.path('clusters'))
  const projects = useLive<Project>(management.path('projects'))
  const users = useLive<User>(management.path('users'))
  const figures = useMemo(() => keyFigures(itemsOf(keys), nowMs), [keys, nowMs])
  return (
    <Page title="Overview">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <LiveFigure label="Virtual clusters online" of={virtualClusters} figure={onlineFigure} />
        <LiveFigure label="Active keys" of={keys} figure={() => activeFigure(figures)} />
        <LiveFigure label="Keys that end within 7 days" of={keys} figure={() => endingFigure(figures)} />
        <LiveFigure
          label="Projects"
          of={projects}
          figure={({ length }) => ({
            value: length.toLocaleString('en'),
            note: [loadedCount(users, 'user'), loadedCount(clusters, 'cluster')].filter(Boolean).join(', '),
          })}
        />
      </div>
      {virtualClusters.state === 'empty' && <FirstSteps projects={projects} />}
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <RatePanel
          title="Requests to the platform"
          unit="requests per second"
          places={thePlatform}
          metric="apiserver_request_total"
        />
        <SyncRate virtualClusters={virtualClusters} />
        <Links virtualClusters={virtualClusters} />
        <EndingKeys keys={listFrom(keys, () => figures.ending)} nowMs={nowMs} />
      </div>
    </Page>
  )
}

function onlineFigure(virtualClusters: readonly VirtualCluster[]) {
  const online = virtualClusters.filter(({ status }) => status?.online === true).length
  const offline = virtualClusters.length - online
  const value = `${online} of ${virtualClusters.length}`
  return offline > 0
    ? { value, mood: 'bad' as const, note: `${offline} offline` }
    : { value, note: 'links to the platform' }
}

function activeFigure({ active, disabled, expired }: KeyFigures) {
  const note = `${disabled.toLocaleString('en')} disabled, ${expired.toLocaleString('en')} expired`
  return { value: active.toLocaleString('en'), note }
}

function endingFigure({ ending: { length } }: KeyFigures) {
  const value = length.toLocaleString('en')
  return length > 0 ? { value, mood: 'warn' as const, note: 'rotate or delete them' } : { value, note: 'none' }
}
