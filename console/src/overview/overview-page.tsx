import { useMemo } from 'react'
import type { Cluster, Project, User, VirtualCluster } from '../api/objects.ts'
import { useNow } from '../format/use-now.ts'
import { countOf } from '../format/words.ts'
import { useKeys } from '../keys/use-keys.ts'
import type { Snapshot } from '../live/collection.ts'
import { useLive } from '../live/use-live.ts'
import { Page } from '../parts/page.tsx'
import { useManagement } from '../session/session-context.tsx'
import { EndingKeys } from './ending-keys.tsx'
import { FirstSteps } from './first-steps.tsx'
import { keyFigures } from './key-figures.ts'
import { Links } from './links.tsx'
import { LiveFigure } from './live-figure.tsx'
import { RatePanel } from './rate-panel.tsx'
import { SyncRate } from './sync-rate.tsx'

const platformMetrics = ['/metrics']

/** What is running, what is failing and what needs somebody soon. */
export function OverviewPage() {
  const management = useManagement()
  const { rows, ...keySnapshot } = useKeys()
  const nowMs = useNow()
  const virtualSnapshot = useLive<VirtualCluster>(management.path('virtualclusterinstances'))
  const { objects: virtualClusters } = virtualSnapshot
  const clusters = useLive<Cluster>(management.path('clusters'))
  const projects = useLive<Project>(management.path('projects'))
  const users = useLive<User>(management.path('users'))
  const keys = useMemo(() => keyFigures(rows, nowMs), [rows, nowMs])
  const online = virtualClusters.filter(({ status }) => status?.online === true)
  const offline = virtualClusters.length - online.length
  return (
    <Page title="Overview">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <LiveFigure
          label="Virtual clusters online"
          of={virtualSnapshot}
          value={`${online.length} of ${virtualClusters.length}`}
          {...(offline > 0 ? { mood: 'bad' as const, note: `${offline} offline` } : { note: 'links to the platform' })}
        />
        <LiveFigure
          label="Active keys"
          of={keySnapshot}
          value={keys.active.toLocaleString('en')}
          note={`${keys.disabled.toLocaleString('en')} disabled, ${keys.expired.toLocaleString('en')} expired`}
        />
        <LiveFigure
          label="Keys that end within 7 days"
          of={keySnapshot}
          value={keys.ending.length.toLocaleString('en')}
          {...(keys.ending.length > 0 ? { mood: 'warn' as const } : {})}
          note={keys.ending.length > 0 ? 'rotate them, or let them go' : 'none'}
        />
        <LiveFigure
          label="Projects"
          of={projects}
          value={projects.objects.length}
          note={[countIfKnown(users, 'user'), countIfKnown(clusters, 'cluster')].filter(Boolean).join(', ')}
        />
      </div>
      {virtualSnapshot.isLoaded && virtualClusters.length === 0 && <FirstSteps />}
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <RatePanel
          title="Requests to the platform"
          unit="requests per second"
          paths={platformMetrics}
          metric="apiserver_request_total"
        />
        <SyncRate online={online} />
        <Links virtualClusters={virtualSnapshot} />
        <EndingKeys keys={keys.ending} nowMs={nowMs} />
      </div>
    </Page>
  )
}

function countIfKnown({ objects, isLoaded }: Snapshot<unknown>, noun: string): string {
  return isLoaded ? countOf(objects.length, noun) : ''
}
