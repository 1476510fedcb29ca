import { useState } from 'react'
import { type AccessKey, nameOf } from '../../api/objects.ts'
import { listFrom } from '../../fetched/fetched.ts'
import { type AskedPages, useAskedPages } from '../../fetched/use-asked.ts'
import { exactTime } from '../../format/time.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useManagement } from '../../session/session-context.tsx'
import { SimpleTable } from '../../table/simple-table.tsx'
import { type AuditPage, askAboutKey } from '../insight.ts'

const decisions = [
  ['', 'Every decision'],
  ['allow', 'Allowed'],
  ['deny', 'Refused'],
] as const

export function AuditTrail({ accessKey }: { readonly accessKey: AccessKey }) {
  const [decision, setDecision] = useState<(typeof decisions)[number][0]>('')
  const trail = useTrail(accessKey, decision)
  const { pages } = trail
  const isEnabled = pages.state !== 'known' || pages.value[0]?.enabled !== false
  return (
    <Panel
      title="Audit trail"
      actions={
        <div className="flex gap-2">
          <Choice aria-label="Decision" value={decision} choices={decisions} onChange={setDecision} />
          <Button onClick={trail.refresh}>Refresh</Button>
        </div>
      }
    >
      <SimpleTable
        label="Audit trail"
        headers={['Time', 'Request', 'Answer', 'From']}
        empty={isEnabled ? 'No requests that fit.' : 'The platform keeps no audit log.'}
        of={listFrom(pages, (read) => read.flatMap(({ entries }) => entries))}
        row={({ auditId, time, verb, path, code, decision: decided, layer, reason, source, userAgent }) => ({
          key: auditId,
          cells: [
            <span key="time" className="whitespace-nowrap tabular-nums">
              {exactTime(Date.parse(time))}
            </span>,
            <code key="what" className="break-all">
              {verb} {path}
            </code>,
            <span key="answer" title={reason}>
              <Badge mood={decided === 'allow' ? 'good' : 'bad'}>{code}</Badge>
              {decided === 'allow' ? '' : ` by ${layer}`}
            </span>,
            <span key="from">
              {source} <span className="text-muted">{userAgent}</span>
            </span>,
          ],
        })}
      />
      {trail.hasMore && (
        <div className="mt-8 flex justify-center">
          <Button disabled={trail.isAsking} onClick={trail.more}>
            Show more
          </Button>
        </div>
      )}
    </Panel>
  )
}

function useTrail(accessKey: AccessKey, decision: string): AskedPages<AuditPage> {
  const management = useManagement()
  return useAskedPages<AuditPage>({
    queryKey: ['audit', accessKey.metadata.uid, decision],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      askAboutKey<AuditPage>(management, nameOf(accessKey), {
        subresource: 'audit',
        kind: 'AccessKeyAudit',
        spec: {
          limit: 50,
          ...(decision === '' ? {} : { decision }),
          ...(pageParam === '' ? {} : { continue: pageParam }),
        },
      }),
    getNextPageParam: (last) => last.continue,
  })
}
