export interface PatchCount {
  matched: number
  changed: number
  notFound: number
  failed: number
}

const line = /^tenant_patch_results_total\{([^}]{0,4000})\} (\d{1,15})/
/** Begins only where a name does: a virtual cluster chooses the text, which must not take long. */
const label = /(?<!\w)(\w{1,64})="((?:[^"\\]|\\.)*)"/g
const results: Readonly<Record<string, keyof PatchCount>> = {
  matched: 'matched',
  changed: 'changed',
  notFound: 'notFound',
  'not found': 'notFound',
  not_found: 'notFound',
  failed: 'failed',
}

/** The counters of patches in the metrics text, by `kind path`. */
export function patchCounts(metrics: string): ReadonlyMap<string, PatchCount> {
  const counts = new Map<string, PatchCount>()
  for (const text of metrics.split('\n')) {
    const [found, labels = '', value = '0'] = line.exec(text) ?? []
    if (found === undefined) continue
    const { kind = '', patch = '', result = '' } = readLabels(labels)
    const member = results[result]
    const count = counts.get(`${kind} ${patch}`) ?? { matched: 0, changed: 0, notFound: 0, failed: 0 }
    if (member !== undefined) count[member] += Number(value)
    counts.set(`${kind} ${patch}`, count)
  }
  return counts
}

function readLabels(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(label)].map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]),
  )
}
