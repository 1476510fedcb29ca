import { useMemo } from 'react'
import { isCode } from '../api/problem.ts'
import { Panel } from '../parts/panel.tsx'
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
  const { rate, problem } = useRate(paths, metric)
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
      {problem !== undefined && <p className="text-muted">{problemText(problem)}</p>}
      {problem === undefined && times.length < 2 && <p className="text-muted">Measuring…</p>}
      {times.length >= 2 && <Plot label={title} times={times} series={series} spanSeconds={180} hasLegend={false} />}
    </Panel>
  )
}

function problemText(problem: unknown): string {
  if (isCode(problem, 401, 403)) return 'Your key may not read metrics: give its owner the right to get /metrics.'
  return 'The metrics cannot be read at the moment.'
}
