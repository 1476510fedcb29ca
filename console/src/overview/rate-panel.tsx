import { useMemo } from 'react'
import { Panel } from '../parts/page.tsx'
import type { PlotSeries } from '../plot/contract.ts'
import { Plot } from '../plot/plot.tsx'
import { useRate } from './use-rate.ts'

interface RatePanelProps {
  readonly title: string
  readonly unit: string
  readonly paths: readonly string[]
  readonly metric: string
}

export function RatePanel({ title, unit, paths, metric }: RatePanelProps) {
  const { rate, isRefused } = useRate(paths, metric)
  const { times, perSecond } = rate
  const series = useMemo<readonly PlotSeries[]>(
    () => [{ label: unit, colour: 'accent', values: perSecond }],
    [unit, perSecond],
  )
  const now = perSecond.at(-1)
  return (
    <Panel
      title={title}
      actions={now !== undefined && <span className="text-muted tabular-nums">{now} per second</span>}
    >
      {isRefused && (
        <p className="text-muted">Your key may not read metrics: give its owner the right to get /metrics.</p>
      )}
      {!isRefused && times.length < 2 && <p className="text-muted">Measuring…</p>}
      {times.length >= 2 && <Plot label={title} times={times} series={series} spanSeconds={180} hasLegend={false} />}
    </Panel>
  )
}
