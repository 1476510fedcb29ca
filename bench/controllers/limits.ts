/** A number of ours with an absolute limit, whatever others need. */
export interface Limit {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** Absent: only reported. */
  readonly most?: number
}

export function printLimits(limits: readonly Limit[]): string {
  return limits.map(printLimit).join('')
}

function printLimit({ what, value, unit, most }: Limit): string {
  const shown = Number.isInteger(value) ? value : value.toFixed(1)
  const judged = most === undefined ? '' : ` (at most ${most}): ${value <= most ? 'met' : 'missed'}`
  return `- ${what}: ${shown} ${unit}${judged}\n`
}
