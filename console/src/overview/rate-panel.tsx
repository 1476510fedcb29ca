import { type ReactNode, useMemo } from 'react'
import { isCode } from '../api/problem.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { Panel } from '../parts/panel.tsx'
import { Shown } from '../parts/shown.tsx'
import type { PlotSeries } from '../plot/contract.ts'
import { Plot } from '../plot/plot.tsx'
import type { Rate } from './metrics.ts'
import { useRate } from './use-rate.ts'

interface RatePanelProps {
  readonly title: string
  readonly unit: string
  /** The platform, or virtual clusters. */
  readonly places: readonly string[]
  readonly metric: string
}

export function RatePanel({ title, unit, places, metric }: RatePanelProps) {
  const rate = useRate(places, metric)
  const now = rate.state === 'known' && rate.outdated === undefined ? rate.value.perSecond.at(-1) : undefined
  return (
    <Panel
      title={title}
      actions={now !== undefined && <span className="text-muted tabular-nums">{now} per second</span>}
    >
      <RateState rate={rate}>{(known) => <RatePlot title={title} unit={unit} rate={known} />}</RateState>
    </Panel>
  )
}

interface RateStateProps {
  readonly rate: Fetched<Rate>
  readonly children: (rate: Rate) => ReactNode
}

function RateState({ rate, children }: RateStateProps) {
  if (rate.state === 'loading') return <p className="text-muted">Measuring…</p>
  if (rate.state === 'failed' && isCode(rate.failure.problem, 401, 403))
    return <p className="text-muted">Your key may not read metrics: give its owner the right to get /metrics.</p>
  return (
    <Shown of={rate} empty="Nothing is measured.">
      {children}
    </Shown>
  )
}

interface RatePlotProps {
  readonly title: string
  readonly unit: string
  readonly rate: Rate
}

function RatePlot({ title, unit, rate: { times, perSecond } }: RatePlotProps) {
  const series = useMemo<readonly PlotSeries[]>(
    () => [{ label: unit, color: 'accent', values: perSecond }],
    [unit, perSecond],
  )
  return <Plot label={title} times={times} series={series} spanSeconds={180} hasLegend={false} />
}
