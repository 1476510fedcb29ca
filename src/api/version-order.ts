const form = /^v(\d+)(?:(alpha|beta)(\d+))?$/
const stages = ['alpha', 'beta', undefined]

/**
 * Versions in the preference order of Kubernetes: stable ones first, then beta, then alpha, higher numbers before lower
 * ones; others last, by name.
 */
export function comparePreference(left: string, right: string): number {
  const a = form.exec(left)
  const b = form.exec(right)
  if (a === null || b === null) return byPresence(a, b) || (left < right ? -1 : 1)
  return (
    stages.indexOf(b[2]) - stages.indexOf(a[2]) || Number(b[1]) - Number(a[1]) || Number(b[3] ?? 0) - Number(a[3] ?? 0)
  )
}

function byPresence(a: unknown, b: unknown): number {
  return Number(a === null) - Number(b === null)
}
