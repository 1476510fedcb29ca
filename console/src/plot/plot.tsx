import { usePart } from '../fetched/use-part.ts'
import { Failed } from '../parts/shown.tsx'
import type { PlotProps } from './contract.ts'

export function Plot({ hasLegend = true, ...props }: PlotProps & { readonly hasLegend?: boolean }) {
  return (
    <div className="grid min-w-0 gap-2">
      <Drawn {...props} />
      {hasLegend && (
        <ul className="flex flex-wrap gap-4 text-xs text-muted">
          {props.series.map(({ label, color, values }) => (
            <li key={label} className="flex items-center gap-1.5">
              <span className="size-2 rounded-full" style={{ backgroundColor: `var(--${color})` }} />
              {label}: {values.reduce((sum, value) => sum + value, 0).toLocaleString('en')}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Drawn(props: PlotProps) {
  const plot = usePart('plot', () => import('./time-plot.tsx'))
  if (plot.state === 'failed') return <Failed failure={plot.failure} />
  if (plot.state !== 'known') return <div className="h-[150px]" />
  const { TimePlot } = plot.value
  return <TimePlot {...props} />
}
