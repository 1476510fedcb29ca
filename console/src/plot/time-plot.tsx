import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { PlotProps } from './contract.ts'

const height = 150

/** A plot over time. Its colors are read when it is created. */
export function TimePlot({ label, times, series, spanSeconds = 0 }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const parent = place.current
    if (parent === null) return
    const plot = new uPlot(
      optionsFor(parent, series, spanSeconds),
      [[...times], ...series.map(({ values }) => [...values])],
      parent,
    )
    const watcher = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }))
    watcher.observe(parent)
    return () => {
      watcher.disconnect()
      plot.destroy()
    }
  }, [times, series, spanSeconds])
  return (
    <div ref={place} role="img" aria-label={`${label}: ${summary(series)}`} className="min-w-0" style={{ height }} />
  )
}

function optionsFor(parent: HTMLElement, series: PlotProps['series'], spanSeconds: number): uPlot.Options {
  const color = (name: string) => getComputedStyle(parent).getPropertyValue(`--${name}`).trim()
  const axis = { stroke: color('muted'), grid: { stroke: color('line'), width: 1 }, ticks: { show: false } }
  return {
    width: parent.clientWidth,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { range: (_, low, high) => [Math.min(low, high - spanSeconds), high] },
      y: { range: (_, _low, high) => [0, Math.max(1, high * 1.1)] },
    },
    axes: [
      { ...axis, size: 30, values: (_, splits) => splits.map((second) => timeText(second, splits)) },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 100_000] },
    ],
    series: [
      {},
      ...series.map((each) => ({
        label: each.label,
        stroke: color(each.color),
        fill: `${color(each.color)}22`,
        width: 1.5,
        points: { show: false },
      })),
    ],
  }
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const longSeconds = 2 * 86_400

function timeText(second: number, splits: readonly number[]): string {
  const span = (splits.at(-1) ?? 0) - (splits[0] ?? 0)
  if (span < 600 && second % 60 !== 0) return ''
  return (span > longSeconds ? day : clock).format(second * 1000)
}

function summary(series: PlotProps['series']): string {
  return series
    .map(({ label, values }) => `${label} ${values.reduce((sum, value) => sum + value, 0).toLocaleString('en')}`)
    .join(', ')
}
