import type { AccessKey } from '../../api/objects.ts'
import { listFrom } from '../../fetched/fetched.ts'
import { exactTime, timeOf } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SimpleTable } from '../../table/simple-table.tsx'
import { type KeyUsage, type KeyUse, useUsage } from '../insight.ts'
import { AuditTrail } from './audit-trail.tsx'

const monthSeconds = 30 * 86_400

export function ActivityTab({ accessKey }: { readonly accessKey: AccessKey }) {
  const nowMs = useNow()
  const usage = useUsage(accessKey, monthSeconds)
  return (
    <div className="grid min-w-0 gap-4">
      <Panel title="What it was used for">
        <SimpleTable
          label="What the key was used for"
          headers={['Request', 'Where', 'Last']}
          empty="Nothing yet."
          of={listFrom(usage, ({ uses }) => uses)}
          row={(use) => ({
            key: JSON.stringify([use.verb, use.group, use.resource, use.namespace, use.name, use.path, use.target]),
            cells: [
              <code key="what">{requestText(use)}</code>,
              use.target,
              <Moment key="last" ms={timeOf(use.last)} nowMs={nowMs} direction="ago" />,
            ],
          })}
        />
        {usage.state === 'known' && <RecordNote usage={usage.value} />}
      </Panel>
      <Panel title="Where it was used from">
        <SimpleTable
          label="Where the key was used from"
          headers={['Address', 'Program', 'Requests', 'Last']}
          empty="Not used in the last 30 days."
          of={listFrom(usage, ({ sources }) => sources)}
          row={({ from, userAgent, requests, last }) => ({
            key: `${from} ${userAgent}`,
            cells: [
              from,
              userAgent || '–',
              requests.toLocaleString('en'),
              <Moment key="last" ms={timeOf(last)} nowMs={nowMs} direction="ago" />,
            ],
          })}
        />
      </Panel>
      <AuditTrail accessKey={accessKey} />
    </div>
  )
}

function RecordNote({ usage }: { readonly usage: KeyUsage }) {
  const { usesSince, usesComplete, usesDelaySeconds } = usage
  return (
    <p className="mt-2 text-xs text-muted">
      Recorded since {exactTime(Date.parse(usesSince))}.
      {!usesComplete && ' Many uses were combined: * matches any value.'}
      {usesDelaySeconds > 0 &&
        ` Requests to other replicas of the platform appear after ${Math.ceil(usesDelaySeconds / 60)} minutes at the latest.`}
    </p>
  )
}

function requestText({ verb, group, resource, namespace, name, path }: KeyUse): string {
  if (resource === '') return `${verb} ${path}`
  const kind = group === '' ? resource : `${resource}.${group}`
  const which = [namespace, name].filter(Boolean).join('/')
  return `${verb} ${kind}${which === '' ? '' : ` ${which}`}`
}
