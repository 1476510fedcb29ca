import { agoText, exactTime, untilText } from '../format/time.ts'

interface MomentProps {
  readonly ms: number | undefined
  readonly nowMs: number
  readonly direction: 'ago' | 'until'
}

/** A time relative to now, with the exact time as a tooltip. */
export function Moment({ ms, nowMs, direction }: MomentProps) {
  const text = direction === 'ago' ? agoText(ms, nowMs) : untilText(ms, nowMs)
  if (ms === undefined) return <span className="text-muted">{text}</span>
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  )
}
