import type { AccessKey } from '../../api/objects.ts'
import { ownerOf } from '../../api/owner.ts'
import { exactTime, timeOf } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'
import { Badge } from '../../parts/badge.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ManagedSecretList } from '../managed-secrets.tsx'
import { keySentence, lifeText } from '../sentence.ts'
import { RotationPanel } from './rotation-panel.tsx'
import { UsagePanel } from './usage-panel.tsx'

export function KeyOverviewTab({ accessKey }: { readonly accessKey: AccessKey }) {
  const { metadata, spec = {}, status = {} } = accessKey
  const nowMs = useNow()
  const owner = ownerOf(spec)
  const ownerText = owner === undefined ? 'no owner' : `the ${owner.kind} ${owner.name}`
  const endMs = timeOf(status.expiresAt)
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-2">
      <Panel title="What it may do">
        <p className="break-words">{keySentence(spec, ownerText)}</p>
        {(spec.groups?.length ?? 0) > 0 && (
          <p className="mt-2 flex flex-wrap gap-1">
            Groups it adds:{' '}
            {spec.groups?.map((group) => (
              <Badge key={group}>{group}</Badge>
            ))}
          </p>
        )}
      </Panel>
      <Panel title="Facts">
        <Facts
          facts={[
            { label: 'Owner', value: ownerText },
            { label: 'Life', value: lifeText(spec) },
            {
              label: 'Expires',
              value: (
                <>
                  <Moment ms={endMs} nowMs={nowMs} direction="until" />
                  {endMs !== undefined && <span className="text-muted"> ({exactTime(endMs)})</span>}
                </>
              ),
            },
            {
              label: 'Last activity',
              value: <Moment ms={timeOf(status.lastActivity)} nowMs={nowMs} direction="ago" />,
            },
            { label: 'Last used from', value: status.lastUsedFrom ?? '–' },
            {
              label: 'Created',
              value: <Moment ms={timeOf(metadata.creationTimestamp)} nowMs={nowMs} direction="ago" />,
            },
            { label: 'Type', value: spec.type ?? 'User' },
            { label: 'Public id', value: <code>{status.keyId ?? '–'}</code> },
          ]}
        />
      </Panel>
      <RotationPanel accessKey={accessKey} nowMs={nowMs} />
      {(status.managedSecrets?.length ?? 0) > 0 && (
        <div className="min-w-0 lg:col-span-2">
          <Panel title="Secrets kept up to date">
            <ManagedSecretList secrets={status.managedSecrets ?? []} />
          </Panel>
        </div>
      )}
      <div className="min-w-0 lg:col-span-2">
        <UsagePanel accessKey={accessKey} />
      </div>
    </div>
  )
}
