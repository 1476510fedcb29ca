import { lazy, Suspense } from 'react'
import type { PlotProps } from './contract.ts'

const TimePlot = lazy(() => import('./time-plot.tsx'))

export function Plot({ hasLegend = true, ...props }: PlotProps & { readonly hasLegend?: boolean }) {
  return (
    <div className="grid min-w-0 gap-2">
      <Suspense fallback={<div className="h-[150px]" />}>
        <TimePlot {...props} />
      </Suspense>
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
