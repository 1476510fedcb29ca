const unitSeconds = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 } as const
const units: readonly string[] = Object.keys(unitSeconds)
const pattern = new RegExp(`^${units.map((unit) => `(?:(\\d+)${unit})?`).join('')}$`)

export type ParsedSpan = { readonly seconds: number } | { readonly problem: string }

/** Durations such as `30d`, `12h`, `1w` or `1d12h`, the larger unit first. */
export function parseDuration(text: string): ParsedSpan {
  const problem = `"${text.slice(0, 40)}" is not a duration: write 30d, 12h, 1w or a combination such as 1d12h`
  if (/^\d+$/.test(text)) return { problem: `${problem}; a number needs a unit, one of ${units.join(', ')}` }
  const [, ...counts] = pattern.exec(text) ?? []
  if (text === '' || counts.length === 0) return { problem }
  const seconds = Object.values(unitSeconds).reduce((sum, scale, unit) => sum + Number(counts[unit] ?? 0) * scale, 0)
  if (!Number.isSafeInteger(seconds)) return { problem: `"${text.slice(0, 40)}" is too long a time` }
  return { seconds }
}
