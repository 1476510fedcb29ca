import { useMemo, useState } from 'react'
import type { AccessKey } from '../../api/objects.ts'
import { Choice } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import type { PlotSeries } from '../../plot/contract.ts'
import { Plot } from '../../plot/plot.tsx'
import { type KeyUsage, useUsage } from '../insight.ts'

const windows = [
  ['3600', 'Last hour'],
  ['86400', 'Last day'],
  ['604800', 'Last 7 days'],
  ['2592000', 'Last 30 days'],
] as const

export function UsagePanel({ accessKey }: { readonly accessKey: AccessKey }) {
  const [span, setSpan] = useState<(typeof windows)[number][0]>('86400')
  const usage = useUsage(accessKey, Number(span))
  return (
    <Panel
      title="Use over time"
      actions={
        <div className="w-36">
          <Choice aria-label="Span of time" value={span} choices={windows} onChange={setSpan} />
        </div>
      }
    >
      <Shown of={usage} empty="Not used in this time.">
        {(known) => <UsagePlot usage={known} />}
      </Shown>
      {usage.state === 'known' && !usage.value.complete && (
        <p className="mt-2 text-xs text-muted">The audit log is off or too long: older requests are not counted.</p>
      )}
    </Panel>
  )
}

function UsagePlot({ usage }: { readonly usage: KeyUsage }) {
  const { buckets } = usage
  const times = useMemo(() => buckets.map(({ start }) => Date.parse(start) / 1000), [buckets])
  const series = useMemo<readonly PlotSeries[]>(
    () => [
      { label: 'Allowed requests', color: 'accent', values: buckets.map(({ allowed }) => allowed) },
      { label: 'Refused requests', color: 'bad', values: buckets.map(({ refused }) => refused) },
    ],
    [buckets],
  )
  return <Plot label="Use over time" times={times} series={series} />
}
